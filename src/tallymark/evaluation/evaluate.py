"""Evaluate: a table of scores in, every statistic of every system and part of the data out."""

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.evaluation.average import averaged, joint
from tallymark.evaluation.catalogue import BY_NAME
from tallymark.evaluation.plan import MANY, Part, formulas_for, parts_of
from tallymark.evaluation.units import Rows, units_of
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.estimate import Kind
from tallymark.results import Data, Definition, Estimate, Evaluation, Matrix, Subset, named
from tallymark.scale import Scale
from tallymark.sources import PromptOptions, Roles, Scores, read_scores
from tallymark.tally import PairPatterns

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]
AVERAGED = ("trait", "prompt", "fold")
"""Macro-averages are taken over these, the headline over the first that has several values."""


def evaluate(  # noqa: PLR0913 - one keyword for each role and option
    source: object,
    *,
    humans: Sequence[str] = (),
    gold: str | None = None,
    systems: Sequence[str] = (),
    confidences: Mapping[str, str] | None = None,
    repeats: Mapping[str, Sequence[str]] | None = None,
    prompt: str | None = None,
    trait: str | None = None,
    groups: Sequence[str] = (),
    cluster: str | None = None,
    fold: str | None = None,
    id: str | None = None,  # noqa: A002 - the role's name everywhere
    response: str | None = None,
    rater: str | None = None,
    score: str | None = None,
    scale: Any = None,
    system_scale: Any = None,
    resolve: str = "first",
    adjudication: str = "expert",
    adjacency: float = 1.0,
    prompts: Mapping[str, PromptOptions] | None = None,
    missing: Sequence[str] = (),
    exclude: Sequence[str] = (),
    statistics: Sequence[str] = (),
    cross: bool = False,
    level: float = 0.95,
    interval: Kind | None = None,
    replicates: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate every system of a file or frame against the gold, with an interval on each number.

    Columns that are not named are guessed from their names; ``data.guesses`` says how. The gold
    is its own column or resolved from the humans: first, sum, mean, higher, lower, adjudicated.
    """
    roles = Roles(
        humans=tuple(humans),
        gold=gold,
        systems=tuple(systems),
        confidences=dict(confidences or {}),
        repeats={name: tuple(runs) for name, runs in (repeats or {}).items()},
        prompt=prompt,
        trait=trait,
        groups=tuple(groups),
        cluster=cluster,
        fold=fold,
        id=id,
        response=response,
        rater=rater,
        score=score,
    )
    settings = Settings(level=level, replicates=replicates, seed=seed, interval=interval)
    for name in statistics:  # a misspelt name is told before the data are read
        formulas_for(Scale((0.0, 1.0)), [name])
    scores = read_scores(
        source,
        roles=roles,
        scale=scale,
        system_scale=system_scale,
        resolve=resolve,
        adjudication=adjudication,
        adjacency=adjacency,
        missing=missing,
        exclude=exclude,
        prompts=prompts or {},
    )
    return evaluate_scores(scores, settings, statistics=statistics, cross=cross, progress=progress)


def evaluate_scores(
    scores: Scores,
    settings: Settings,
    *,
    statistics: Sequence[str] = (),
    cross: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate scores that were read already."""
    parts = list(parts_of(scores.patterns, cross=cross))
    total = len(parts) * len(scores.roles.systems)
    found: list[_Found] = []
    for i, system in enumerate(scores.roles.systems):
        measured = []
        for j, part in enumerate(parts):
            if progress:
                progress(i * len(parts) + j, total)
            measure = _measure(scores, system, part, statistics)
            if measure is None:
                continue
            measured.append(measure)
            found.append(_estimates(measure, system, settings))
        for key in AVERAGED:
            over = [m for m in measured if set(m.part.where) == {key}]
            found.extend(_averages(over, key, system, settings) if len(over) > 1 else [])
    if progress:
        progress(total, total)
    return _collected(scores, settings, statistics, found, cross=cross)


class _Measured(NamedTuple):
    """One system on one part of the data: the formulas that fit, and the units behind them."""

    part: Part
    scale: Scale
    rows: Rows
    formulas: list[Formula]
    units: dict[str, Units[Any]]

    @property
    def n(self) -> int:
        return int(self.rows.counts.sum())


class _Found(NamedTuple):
    """What was found on one subset."""

    subset: Subset
    estimates: list[Estimate]
    matrices: list[Matrix]


def _measure(
    scores: Scores, system: str, part: Part, statistics: Sequence[str]
) -> _Measured | None:
    """Tally one system on one part; None where the part has no score or no one scale."""
    scale = _scale_of(scores, part)
    rows = _rows(scores, system, part, scale) if scale is not None else None
    if scale is None or rows is None or not rows.counts.size:
        return None
    formulas = formulas_for(scale, statistics, leading=part.many)
    return _Measured(part, scale, rows, formulas, _units(formulas, rows))


def _scale_of(scores: Scores, part: Part) -> Scale | None:
    """The gold's scale on a part; None where prompts with different scales are mixed."""
    if not scores.scales:
        return scores.gold_scale
    patterns = scores.patterns
    codes = np.unique(patterns.keys["prompt"][part.rows])
    names = {patterns.labels["prompt"][code] if code >= 0 else "" for code in codes}
    scales = {scores.scales.get(name, (scores.rater_scale, scores.gold_scale))[1] for name in names}
    return scales.pop() if len(scales) == 1 else None


def _rows(scores: Scores, system: str, part: Part, scale: Scale) -> Rows:
    patterns = scores.patterns
    values = np.stack([patterns.scores["gold"], patterns.scores[f"system:{system}"]], axis=1)
    kept = part.rows & ~np.isnan(values).any(axis=1)
    codes = patterns.keys.get("cluster")
    clusters = None
    if codes is not None:
        # a response without a cluster stands for itself
        alone = codes.max(initial=-1) + 1 + np.arange(codes.size)
        clusters = np.where(codes < 0, alone, codes)[kept]
    return Rows(values[kept], patterns.counts[kept], np.asarray(scale.points), clusters)


def _home(formula: Formula) -> str:
    return BY_NAME[formula.name].tallies[0]


def _units(formulas: Sequence[Formula], rows: Rows) -> dict[str, Units[Any]]:
    return {kind: units_of(kind, rows) for kind in dict.fromkeys(map(_home, formulas))}


def _estimates(measured: _Measured, system: str, settings: Settings) -> _Found:
    where = dict(measured.part.where)
    column = next((key for key in where if key.startswith("group:")), None)
    subset = Subset(
        id="|".join(filter(None, [system, measured.part.label])),
        system=system,
        prompt=where.get("prompt"),
        trait=where.get("trait"),
        fold=where.get("fold"),
        group_column=column.removeprefix("group:") if column else None,
        group=where[column] if column else None,
        n=measured.n,
    )
    estimates = _all(measured.formulas, measured.units, settings, measured.part.label)
    plain = not (column or measured.part.many or measured.scale.continuous)
    matrices = _matrices(measured, system) if plain else []
    return _Found(subset, estimates, matrices)


def _all(
    formulas: Sequence[Formula], units: Mapping[str, Units[Any]], settings: Settings, label: str
) -> list[Estimate]:
    """Estimate statistics in their order; those of one tally share the resamples."""
    found: dict[str, Estimate] = {}
    for kind, of_kind in units.items():
        here = [formula for formula in formulas if _home(formula) == kind]
        for estimate in estimate_all(here, of_kind, settings, key=zlib.crc32(label.encode())):
            score = BY_NAME[estimate.name].score
            found[estimate.text] = replace(estimate, score=score)
    return [found[named(formula.name, formula.params)] for formula in formulas]


def _averages(
    over: Sequence[_Measured], key: str, system: str, settings: Settings
) -> Iterator[_Found]:
    """The plain mean over prompts, traits or folds, and the mean on Fisher's z scale."""
    names = [[named(f.name, f.params) for f in m.formulas] for m in over]
    shared = [
        f
        for f, text in zip(over[0].formulas, names[0], strict=True)
        if all(text in n for n in names)
    ]
    for fisher_z in (False, True):
        wanted = [f for f in shared if not fisher_z or BY_NAME[f.name].range == (-1.0, 1.0)]
        formulas = [averaged(f, over=key, fisher_z=fisher_z) for f in wanted]
        units = {
            kind: joint([m.units[kind] for m in over])
            for kind in dict.fromkeys(map(_home, formulas))
        }
        label = f"average:{key}"
        subset = Subset(
            id=f"{system}|{label}{'|fisher_z' if fisher_z else ''}",
            system=system,
            average=key,
            fisher_z=fisher_z,
            n=sum(m.n for m in over),
        )
        yield _Found(subset, _all(formulas, units, settings, label), [])


def _matrices(measured: _Measured, system: str) -> list[Matrix]:
    """The confusion matrix, rows gold, and the distribution of both scores."""
    scale, rows = measured.scale, measured.rows
    pairs = PairPatterns(rows.scores[:, 0], rows.scores[:, 1], rows.counts)
    table = pairs.table(rows.points).counts
    points = scale.labels or tuple(f"{point:g}" for point in scale.points)
    both = np.stack([table.sum(axis=1), table.sum(axis=0)], axis=1)
    return [
        Matrix(
            name="confusion",
            subset=-1,
            row_title="gold",
            rows=points,
            column_title=system,
            columns=points,
            values=_whole(table),
        ),
        Matrix(
            name="distribution",
            subset=-1,
            row_title="score",
            rows=points,
            column_title="given by",
            columns=("gold", system),
            values=_whole(both),
        ),
    ]


def _whole(table: NDArray[Any]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(count) for count in row) for row in table)


def _collected(
    scores: Scores,
    settings: Settings,
    statistics: Sequence[str],
    found: Sequence[_Found],
    *,
    cross: bool,
) -> Evaluation:
    estimates = [replace(e, subset=i) for i, f in enumerate(found) for e in f.estimates]
    return Evaluation(
        kind="evaluate",
        options=_options(scores, settings, statistics, cross=cross),
        data=_data(scores, many=_many(found)),
        definitions=_definitions(estimates),
        subsets=tuple(f.subset for f in found),
        estimates=tuple(estimates),
        matrices=tuple(replace(m, subset=i) for i, f in enumerate(found) for m in f.matrices),
    )


def _definitions(estimates: Sequence[Estimate]) -> dict[str, Definition]:
    found = {}
    for estimate in estimates:
        row = BY_NAME[estimate.name]
        found[estimate.text] = Definition(
            name=row.name,
            params=estimate.params,
            title=row.title,
            reading=row.reading,
            formula=row.formula,
            reference=row.reference,
            better=row.better,
        )
    return found


def _options(
    scores: Scores, settings: Settings, statistics: Sequence[str], *, cross: bool
) -> dict[str, Any]:
    roles = {key: value for key, value in asdict(scores.roles).items() if value}
    return {
        **roles,
        "resolve": scores.resolve,
        "statistics": list(statistics),
        "cross": cross,
        **asdict(settings),
    }


def _many(found: Sequence[_Found]) -> list[str]:
    """Say where only the leading statistics were computed."""
    counts = Counter(f.subset.column for f in found if f.subset.system == found[0].subset.system)
    return [
        f"{count} values of {column}: only the leading statistics were computed for each of them; "
        "name others with --statistic"
        for column, count in counts.items()
        if column and count > MANY
    ]


def _data(scores: Scores, *, many: Sequence[str]) -> Data:
    facts = scores.facts
    return Data(
        read=facts.read,
        used=facts.used,
        exclusions=facts.exclusions,
        scale=str(scores.rater_scale),
        scale_inferred=scores.rater_scale.inferred,
        gold=_gold(scores),
        gold_scale=str(scores.gold_scale),
        guesses=facts.guesses,
        notes=(*facts.notes, *_notes(scores), *many),
        hash=facts.hash,
    )


def _gold(scores: Scores) -> str:
    if scores.resolve == "column":
        return f"column {scores.roles.gold}"
    if scores.resolve == "first":
        return f"first rating: {scores.humans[0]}"
    return f"{scores.resolve} of {', '.join(scores.humans)}"


def _notes(scores: Scores) -> list[str]:
    notes = [
        f"{system}: {count} used responses have no score by it"
        for system, count in scores.facts.missing.items()
        if count
    ]
    if scores.rater_scale.inferred and not scores.rater_scale.continuous:
        notes.append(
            f"the scale {scores.rater_scale} was read off the human scores; Gwet's AC and "
            "Brennan-Prediger depend on the number of points, so declare it with --scale"
        )
    if scores.gold_scale.continuous:
        notes.append(
            "the gold is continuous: statistics of score points are left out; lin_ccc is the "
            "quadratic weighted kappa of such scores"
        )
    return notes
