"""Comparing: experiments side by side, and their differences on the responses they share."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from tallymark.catalogue import definitions_of, texts
from tallymark.errors import DataError
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.true_scores.compute import true_score_estimates
from tallymark.results import (
    TRUE_SCORES,
    Comparison,
    Data,
    Estimate,
    Evaluation,
    Key,
    Kind,
    Matrix,
    Subset,
    system_called,
)
from tallymark.rsmtool.runs import Run
from tallymark.scale import Scale
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import estimate_by_tally, home, units_by_tally
from tallymark.study.pairings import pairs_of
from tallymark.study.units import Rows
from tallymark.tally import PairPatterns

Floats = NDArray[np.float64]
ROUNDING = 1e-12
NO_SHARED = "the experiments share no response, so that there is no paired interval"
DIFFERENCE = "paired_difference"


def compare_runs(
    runs: Sequence[Run], settings: Settings, *, differences: bool = True
) -> Evaluation:
    """Evaluate experiments, and how each differs from the first where they share responses."""
    if len(runs) < 2 and differences:
        raise DataError(f"a comparison needs two experiments or more, got {len(runs)}")
    scale = _scale(runs)
    subsets: list[Subset] = []
    estimates: list[Estimate] = []
    matrices: list[Matrix] = []
    for run in runs:
        matrices += _matrix(run, scale, len(subsets))
        for subset, of_run in _of_run(run, scale, settings):
            estimates += [replace(e, subset=len(subsets)) for e in of_run]
            subsets.append(subset)
    for run in runs[1:] if differences else ():
        n, of_run = _differences(runs[0], run, scale, settings)
        estimates += [replace(e, subset=len(subsets)) for e in of_run]
        first = Comparison(Kind.SYSTEM, runs[0].name)
        name = f"{run.name} less {runs[0].name}"
        subsets.append(Subset(id=name, subject=system_called(run.name), against=first, n=n))
    return Evaluation(
        kind="rsmcompare" if differences else "rsmsummarize",
        options={"systems": [run.name for run in runs], **asdict(settings)},
        data=_data(runs, scale),
        definitions=definitions_of(estimates),
        subsets=tuple(subsets),
        estimates=tuple(estimates),
        matrices=tuple(matrices),
    )


def _scale(runs: Sequence[Run]) -> Scale:
    """The points on which people score: whole numbers where they give such."""
    people = [scores for run in runs for scores in (run.human, run.second) if scores is not None]
    seen = np.unique(np.concatenate(people))
    seen = seen[~np.isnan(seen)]
    ends = [np.rint(end(run.trimmed)) for run in runs for end in (np.min, np.max)]
    scale = Scale.infer([*seen.tolist(), *(float(end) for end in ends)])
    return replace(scale, inferred=False)


def _of_run(run: Run, scale: Scale, settings: Settings) -> Iterator[tuple[Subset, list[Estimate]]]:
    rows = _rows([run.human, run.trimmed], scale)
    formulas = formulas_for(scale, texts("rsm_compared"))
    estimates = estimate_by_tally(formulas, units_by_tally(formulas, rows), settings, "")
    yield (
        Subset(id=run.name, subject=system_called(run.name), n=run.human.size),
        _called(estimates, run.kind),
    )
    if run.second is not None:
        rated = _rows([run.human, run.second, run.trimmed], scale)
        subset = Subset(
            id=f"{run.name} against {TRUE_SCORES}",
            subject=system_called(run.name),
            against=TRUE_SCORES,
            n=run.human.size,
        )
        yield subset, _called(true_score_estimates(rated, settings, ""), run.kind)


def _rows(columns: Sequence[Floats], scale: Scale) -> Rows:
    scores = np.stack(columns, axis=1)
    return Rows(scores, np.ones(len(scores), dtype=np.int64), np.asarray(scale.points))


def _called(estimates: Sequence[Estimate], kind: str) -> list[Estimate]:
    called = {"trimmed": f"{kind}_trim", "rounded": f"{kind}_trim_round"}
    return [replace(e, score=called.get(e.score, e.score)) for e in estimates]


def _differences(
    first: Run, second: Run, scale: Scale, settings: Settings
) -> tuple[int, list[Estimate]]:
    """Each statistic of the second run less that of the first, with the same resamples."""
    _, here, there = np.intersect1d(
        first.ids.astype(str), second.ids.astype(str), return_indices=True
    )
    formulas = formulas_for(scale, texts("rsm_compared"))
    if not here.size:
        return 0, [_without_interval(formula) for formula in formulas]
    columns = [first.human[here], first.trimmed[here], second.human[there], second.trimmed[there]]
    rows = _rows(columns, scale).distinct()
    by_statistic: dict[str, Estimate] = {}
    for kind in dict.fromkeys(map(home, formulas)):
        wanted = [formula for formula in formulas if home(formula) == kind]
        units = pairs_of(kind, rows, [[(0, 1, 0)], [(2, 3, 2)]], wanted)
        estimates = estimate_all([_difference(f) for f in wanted], units, settings)
        by_statistic |= {str(e.params["of"]): replace(e, score=second.kind) for e in estimates}
    return int(here.size), [by_statistic[f.key] for f in formulas]


def _difference(formula: Formula) -> Formula:
    def value(pairs: Any) -> Floats:
        both = formula.value(pairs)
        apart = both[..., 1] - both[..., 0]
        # the last digits of scores written by two programs are no difference
        return np.where(np.abs(apart) <= ROUNDING, 0.0, apart)

    return Formula(
        name=DIFFERENCE,
        params={"of": formula.key},
        value=value,
        undefined=formula.undefined,
    )


def _without_interval(formula: Formula) -> Estimate:
    of = {"of": formula.key}
    return Estimate(key=Key(DIFFERENCE, **of), value=float("nan"), n=0, why=NO_SHARED)


def _matrix(run: Run, scale: Scale, subset: int) -> list[Matrix]:
    """Rows are human scores, columns system scores, each at its nearest point."""
    if scale.continuous:
        return []
    table = PairPatterns.of(run.human, run.trimmed).table(np.asarray(scale.points)).counts
    points = tuple(f"{point:g}" for point in scale.points)
    return [
        Matrix(
            name="confusion",
            subset=subset,
            row_title="human",
            rows=points,
            column_title=run.name,
            columns=points,
            values=tuple(tuple(int(count) for count in row) for row in table),
        )
    ]


def _data(runs: Sequence[Run], scale: Scale) -> Data:
    everyone = {name for run in runs for name in run.ids.tolist()}
    notes = [f"{run.name}: {run.ids.size} responses, score {run.kind}_trim" for run in runs]
    for run in runs[1:]:
        notes += _shared(runs[0], run)
    return Data(
        read=len(everyone), used=len(everyone), scale=str(scale), gold="sc1", notes=tuple(notes)
    )


def _shared(first: Run, second: Run) -> list[str]:
    """How many responses two runs share, and whether people scored them alike."""
    human = dict(zip(first.ids.tolist(), first.human.tolist(), strict=True))
    both = [
        human[name] == score
        for name, score in zip(second.ids.tolist(), second.human.tolist(), strict=True)
        if name in human
    ]
    notes = [f"{first.name} and {second.name} share {len(both)} responses"]
    if not all(both):
        notes.append(
            f"the human scores of {len(both) - sum(both)} shared responses differ between "
            f"{first.name} and {second.name}"
        )
    return notes
