"""Comparison: experiments read back from their folders, side by side, and their paired differences."""

from collections.abc import Iterator, Sequence
from glob import escape
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.catalogue import definitions_of, texts
from tallymark.errors import DataError, OptionError
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.true_scores import true_score_estimates
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
from tallymark.rsmtool.configuration import FORMATS, read_configuration
from tallymark.rsmtool.tables import Columns, numbers, read_columns
from tallymark.scale import Scale
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import estimate_by_tally, home, units_by_tally
from tallymark.study.pairings import pairs_of
from tallymark.study.units import Rows
from tallymark.tally import PairPatterns

SCORES = "_pred_processed"
PEOPLE = "_test_human_scores"


class Run(Struct, frozen=True):
    """Scores of one experiment; ``kind`` says which system score is taken: raw or scale.

    ``reads`` are the files they came from.
    """

    name: str
    ids: NDArray[Any]
    human: Floats
    second: Floats | None
    trimmed: Floats
    kind: str
    reads: tuple[Path, ...] = ()


def read_run(
    folder: Path,
    *,
    name: str | None = None,
    experiment: str | None = None,
    scaled: bool | None = None,
) -> Run:
    """Read an experiment's processed scores from its folder or the folder ``output`` in it.

    ``scaled`` tells whether scaled scores are taken; by default they are where they exist.
    """
    path = _scores_file(folder, experiment)
    columns = read_columns(path, {"spkitemid"})
    kind = _kind(columns, path, scaled)
    stem = path.stem.removesuffix(SCORES)
    people = path.with_name(f"{stem}{PEOPLE}{path.suffix}")
    return Run(
        name or stem,
        columns["spkitemid"],
        numbers(columns["sc1"]),
        _second(people, columns["spkitemid"]),
        numbers(columns[f"{kind}_trim"]),
        kind,
        (path, people),
    )


def compared_runs(configuration: Path) -> list[Run]:
    """Read the two experiments that a configuration of rsmcompare names."""
    fields, _ = read_configuration(configuration, "rsmcompare")
    return distinct(
        [
            read_run(
                _folder(str(fields[f"experiment_dir_{age}"]), configuration.parent),
                experiment=str(fields[f"experiment_id_{age}"]),
                scaled=fields[f"use_scaled_predictions_{age}"] or None,
            )
            for age in ("old", "new")
        ]
    )


def summarized_runs(configuration: Path) -> list[Run]:
    """Read the experiments that a configuration of rsmsummarize names."""
    fields, _ = read_configuration(configuration, "rsmsummarize")
    folders = fields["experiment_dirs"]
    names = fields["experiment_names"] or [None] * len(folders)
    if len(names) != len(folders):
        raise OptionError(
            f"experiment_names of {configuration.name} has {len(names)} names for {len(folders)} "
            "folders in experiment_dirs; name each of them"
        )
    return distinct(
        [
            read_run(_folder(folder, configuration.parent), name=name)
            for folder, name in zip(folders, names, strict=True)
        ]
    )


def distinct(runs: Sequence[Run]) -> list[Run]:
    """Number runs of the same name."""
    seen: dict[str, int] = {}
    numbered = []
    for run in runs:
        seen[run.name] = seen.get(run.name, 0) + 1
        again = f" ({seen[run.name]})" if seen[run.name] > 1 else ""
        numbered.append(replace(run, name=run.name + again))
    return numbered


def _folder(name: str, home: Path) -> Path:
    return Path(name) if Path(name).is_dir() else home / name


def _scores_file(folder: Path, experiment: str | None) -> Path:
    if not folder.is_dir():
        raise DataError(f"there is no folder {folder}; name the folder of an experiment")
    # a star in a name is a star, not a pattern
    wanted = f"{escape(experiment) if experiment else '*'}{SCORES}"
    paths = [
        path
        for place in (folder / "output", folder)
        for form in FORMATS
        for path in sorted(place.glob(f"{wanted}.{form}"))
    ]
    if not paths:
        subject = f"the experiment {experiment!r}" if experiment else "an experiment"
        raise DataError(
            f"{folder} does not hold {subject}: there is no file {experiment or '*'}{SCORES}.csv in it or in its folder "
            "output"
        )
    if len(paths) > 1:
        names = ", ".join(path.stem.removesuffix(SCORES) for path in paths)
        raise DataError(
            f"{folder} holds several experiments ({names}); name one in a configuration"
        )
    return paths[0]


def _kind(columns: Columns, path: Path, scaled: bool | None) -> str:
    kinds = [kind for kind in ("scale", "raw") if f"{kind}_trim" in columns]
    if not kinds or not {"spkitemid", "sc1"} <= set(columns):
        raise DataError(
            f"{path.name} is no file of processed scores: it must have the columns spkitemid, sc1 "
            f"and raw_trim or scale_trim, and has {', '.join(columns)}"
        )
    if scaled and "scale" not in kinds:
        raise DataError(
            f"{path.name} has no scaled scores (no column 'scale_trim'); leave out "
            "use_scaled_predictions"
        )
    return kinds[0]


def _second(path: Path, ids: NDArray[Any]) -> Floats | None:
    """The second human score in the order of the ids; None where nobody gave one."""
    if not path.exists():
        return None
    columns = read_columns(path, {"spkitemid"})
    if "sc2" not in columns:
        return None
    by_id = dict(zip(columns["spkitemid"].tolist(), numbers(columns["sc2"]).tolist(), strict=True))
    return np.array([by_id.get(name, np.nan) for name in ids.tolist()], dtype=np.float64)


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
    _, rows_first, rows_second = np.intersect1d(
        first.ids.astype(str), second.ids.astype(str), return_indices=True
    )
    formulas = formulas_for(scale, texts("rsm_compared"))
    if not rows_first.size:
        return 0, [_without_interval(formula) for formula in formulas]
    columns = [
        first.human[rows_first],
        first.trimmed[rows_first],
        second.human[rows_second],
        second.trimmed[rows_second],
    ]
    rows = _rows(columns, scale).distinct()
    by_statistic: dict[str, Estimate] = {}
    for kind in dict.fromkeys(map(home, formulas)):
        wanted = [formula for formula in formulas if home(formula) == kind]
        units = pairs_of(kind, rows, [[(0, 1, 0)], [(2, 3, 2)]], wanted)
        estimates = estimate_all([_difference(f) for f in wanted], units, settings)
        by_statistic |= {str(e.params["of"]): replace(e, score=second.kind) for e in estimates}
    return int(rows_first.size), [by_statistic[f.key] for f in formulas]


def _difference(formula: Formula) -> Formula:
    def value(pairs: Any) -> Floats:
        statistics = formula.value(pairs)
        difference = statistics[..., 1] - statistics[..., 0]
        # the last digits of scores written by two programs are no difference
        return np.where(np.abs(difference) <= ROUNDING, 0.0, difference)

    return Formula(
        name=DIFFERENCE,
        params={"of": formula.key},
        value=value,
        undefined=formula.undefined,
        compares=True,
    )


def _without_interval(formula: Formula) -> Estimate:
    params = {"of": formula.key}
    return Estimate(key=Key(DIFFERENCE, **params), value=float("nan"), n=0, why=NO_SHARED)


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
    agreements = [
        human[name] == score
        for name, score in zip(second.ids.tolist(), second.human.tolist(), strict=True)
        if name in human
    ]
    notes = [f"{first.name} and {second.name} share {len(agreements)} responses"]
    if not all(agreements):
        notes.append(
            f"the human scores of {len(agreements) - sum(agreements)} shared responses differ between "
            f"{first.name} and {second.name}"
        )
    return notes
