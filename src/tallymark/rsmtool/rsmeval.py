"""rsmeval: RSMTool's evaluation of scores as files under its names, and the same responses by our definitions."""

import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.catalogue import texts
from tallymark.inference import Settings
from tallymark.questions.fairness.compute import fairness_of
from tallymark.questions.people.compute import compared_with_people
from tallymark.questions.true_scores import true_scores
from tallymark.results import Comparison, Estimate, Evaluation, Kind, rater_called
from tallymark.rsmtool.analysis import analysis_sheets, fairness_sheets
from tallymark.rsmtool.configuration import Experiment, read_experiment
from tallymark.rsmtool.processing import Processed, process
from tallymark.rsmtool.tables import Sheet, file_of, numbers
from tallymark.scale import Scale
from tallymark.sources import Roles, Scores, read_scores
from tallymark.study.asked import Asked
from tallymark.study.collected import collected
from tallymark.study.formulas import Progress, formulas_for
from tallymark.study.measured import (
    SubsetResults,
    estimate_by_tally,
    estimates_of,
    measure,
    subset_of,
    units_by_tally,
)
from tallymark.study.parts import Part, parts_of
from tallymark.study.units import Rows
from tallymark.tally import nearest, trim

_UNSAFE = frozenset('/\\:*?"<>|')
_LONGEST = 240


class RsmEvaluated(Struct, frozen=True):
    """An experiment, its processed scores, and the tables that RSMTool writes of them."""

    experiment: Experiment
    processed: Processed
    sheets: dict[str, Sheet]

    def files(self) -> dict[str, bytes]:
        """Every file that RSMTool writes to its output folder, by name."""
        experiment = self.experiment
        resolved = json.dumps(dict(experiment.fields), indent=4, ensure_ascii=False)
        files = {f"{experiment.id}_rsmeval.json": f"{resolved}\n".encode()}
        for name, sheet in self.sheets.items():
            called = _file_name(f"{experiment.id}_{name}", experiment.format, files)
            files[called] = file_of(sheet, experiment.format)
        return files


def _file_name(stem: str, form: str, existing: Collection[str]) -> str:
    """Return RSMTool's name of a file, without what would lead out of its folder or end it early.

    The names of subgroups are part of it: only slashes, control characters and what Windows does
    not allow are replaced, so that a plain name stays RSMTool's.
    """
    safe = "".join("_" if char in _UNSAFE or not char.isprintable() else char for char in stem)
    safe = safe.encode()[:_LONGEST].decode(errors="ignore")
    name, number = f"{safe}.{form}", 2
    while name in existing:
        name, number = f"{safe}_{number}.{form}", number + 1
    return name


def run_rsmeval(configuration: Path) -> RsmEvaluated:
    """Evaluate scores as a configuration of rsmeval asks for."""
    experiment = read_experiment(configuration)
    processed = process(experiment)
    sheets = {
        **response_sheets(experiment, processed),
        **composition_sheets(experiment, processed),
        **analysis_sheets(experiment, processed),
    }
    if experiment.fairness:
        sheets |= fairness_sheets(experiment, processed)
    return RsmEvaluated(experiment, processed, sheets)


KINDS = ("numeric non-zero human score", "zero human score", "non-numeric human score")


def response_sheets(experiment: Experiment, processed: Processed) -> dict[str, Sheet]:
    """Scores, metadata and other columns of used responses, and the responses left out."""
    ids = processed.column("spkitemid")
    rounded = {
        kind: scores.astype(np.int64) if kind.endswith("_round") else scores
        for kind, scores in processed.scores.items()
    }
    metadata = [*experiment.subgroups, *(["candidate"] if experiment.candidate else [])]
    named = {"sc1", *processed.scores, *metadata, *(["sc2"] if experiment.second else [])}
    sheets: dict[str, Sheet] = {
        "pred_processed": {"spkitemid": ids, "sc1": processed.human, **rounded},
        "test_metadata": {"spkitemid": ids, **{name: processed.column(name) for name in metadata}},
        "test_other_columns": {
            name: processed.column(name) for name in processed.all if name not in named
        },
    }
    if "raw" in sheets["test_other_columns"]:
        raw = numbers(processed.all["raw"])[processed.used]
        sheets["test_other_columns"] = {**sheets["test_other_columns"], "raw": raw}
    if processed.second is not None:
        sheets["test_human_scores"] = {
            "spkitemid": ids,
            "sc1": processed.human,
            "sc2": processed.second,
        }
    if processed.excluded.size:
        sheets["test_excluded_responses"] = _excluded(processed)
    if processed.flagged.size:
        sheets["test_responses_with_excluded_flags"] = {
            name: column[processed.flagged] for name, column in processed.all.items()
        }
    return sheets


def composition_sheets(experiment: Experiment, processed: Processed) -> dict[str, Sheet]:
    """How many responses, candidates and groups were used, and how many responses were not."""
    used: dict[str, list[Any]] = {"partition": ["Evaluation"], "responses": [processed.used.size]}
    if experiment.candidate:
        used["candidates"] = [np.unique(processed.column("candidate").astype(str)).size]
    sheets: dict[str, Sheet] = {}
    for group in experiment.subgroups:
        labels, times = np.unique(processed.column(group).astype(str), return_counts=True)
        used[group] = [labels.size]
        sheets[f"data_composition_by_{group}"] = {group: labels, "N responses": times}
    composition = _excluded_composition(experiment, processed)
    return {"data_composition": used, "test_excluded_composition": composition, **sheets}


def _excluded(processed: Processed) -> Sheet:
    """The responses left out, the id first, then by name; scores are numbers or missing."""
    names = ["spkitemid", *sorted(name for name in processed.all if name != "spkitemid")]
    read = {name: numbers(processed.all[name]) for name in ("sc1", "raw")}
    return {name: read.get(name, processed.all[name])[processed.excluded] for name in names}


def _excluded_composition(experiment: Experiment, processed: Processed) -> Sheet:
    """Counts by human and system score; RSMTool names the rows only if something was excluded."""
    human, system = (numbers(processed.all[name])[processed.excluded] for name in ("sc1", "raw"))
    kinds = (np.isfinite(human) & (human != 0), human == 0, np.isnan(human))
    numeric = np.array([_count(kind & ~np.isnan(system)) for kind in kinds])
    not_numeric = np.array([_count(kind & np.isnan(system)) for kind in kinds])
    sheet: dict[str, Any] = {"Human/System": list(KINDS)} if processed.excluded.size else {}
    if experiment.min_items is None:
        # what cannot happen is left empty
        numeric = numeric.astype(np.float64)
        numeric[: 1 if experiment.exclude_zeros else 2] = np.nan
    return {**sheet, "numeric system score": numeric, "non-numeric system score": not_numeric}


def _count(rows: NDArray[np.bool_]) -> int:
    return int(rows.sum())


HALF_UP = "in evaluation.json halves are rounded up, in output/ to the even number as RSMTool does"


def read_ours(experiment: Experiment, processed: Processed) -> Scores:
    """Read the responses of an experiment, filters and all, as any other table of scores."""
    scale = _scale(experiment, processed)
    people = tuple(name for name in (experiment.human, experiment.second) if name is not None)
    return read_scores(
        _table(experiment, processed),
        roles=Roles(
            humans=people,
            systems=(experiment.system,),
            groups=experiment.subgroups,
            id=experiment.id_column,
            cluster=experiment.candidate,
        ),
        scale=scale,
        exclude=("text", "infinite"),
        trim=experiment.tolerance / (scale.step or 1.0),
        exclude_zero=experiment.exclude_zeros,
        flags={column: list(values) for column, values in experiment.flags.items()},
        candidate=experiment.candidate if experiment.min_items else None,
        min_items=experiment.min_items,
    )


AS_FIELD = "--error-variance", "rater_error_variance"
"""What a configuration has in place of the option that a reason names."""


def evaluate_ours(
    experiment: Experiment,
    processed: Processed,
    scores: Scores,
    settings: Settings,
    *,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate the main score, then the other kinds of score beside it."""
    parts = _in_turn(experiment, scores, settings, progress)
    evaluation = collected(scores, settings, Asked(), list(parts))
    main = {"trimmed": f"{experiment.main}_trim", "rounded": f"{experiment.main}_trim_round"}
    of_main = [
        replace(e, score=main.get(e.score, e.score), why=e.why.replace(*AS_FIELD))
        for e in evaluation.estimates
    ]
    other_scores = _other_scores(experiment, processed, scores, settings)
    notes = (*evaluation.data.notes, *processed.notes, *_notes(experiment, scores), HALF_UP)
    return replace(
        evaluation,
        kind="rsmeval",
        data=replace(evaluation.data, notes=notes),
        options={
            **evaluation.options,
            "experiment_id": experiment.id,
            "scaling": experiment.scaling,
        },
        estimates=(*of_main, *other_scores),
    )


def _in_turn(
    experiment: Experiment, scores: Scores, settings: Settings, progress: Progress | None
) -> Iterator[SubsetResults]:
    """Yield what RSMTool reports on: all responses, groups, people, true scores and fairness."""
    system, parts = experiment.system, list(parts_of(scores, cross=False))
    for done, part in enumerate(parts):
        if progress:
            progress(done, len(parts))
        numbers = measure(system, part, texts("rsmtool"))
        if numbers is not None:
            yield from estimates_of([(system, numbers)], settings)
            yield from compared_with_people(system, [part], settings)
        yield from _consistency(scores, part, settings)
    yield from true_scores(system, parts[:1], settings, error=experiment.error_variance)
    yield from fairness_of(parts[0], system, settings)
    if progress:
        progress(len(parts), len(parts))


def _consistency(scores: Scores, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield the agreement of the second rater with the first, where both scored."""
    if len(scores.humans) < 2:
        return
    first, second = scores.humans
    names = [f"human:{first}", f"human:{second}"]
    rows = part.columns(names, scores.rater_scale).complete()
    if rows.counts.size:
        formulas = formulas_for(scores.rater_scale, texts("rsm_people"))
        units = units_by_tally(formulas, rows)
        estimates = estimate_by_tally(formulas, units, settings, part.label)
        subset = subset_of(
            part,
            rater_called(second),
            n=int(rows.counts.sum()),
            against=Comparison(Kind.RATER, first),
        )
        yield SubsetResults(subset, [replace(e, score="human") for e in estimates], [])


def _table(experiment: Experiment, processed: Processed) -> dict[str, NDArray[Any]]:
    """The columns that matter under the user's names; a second rating that is no number is none."""
    raw = numbers(processed.all["raw"])
    columns = {
        column: processed.all[column] for column in (*experiment.subgroups, *experiment.flags)
    }
    columns |= {
        experiment.id_column: processed.all["spkitemid"],
        experiment.human: processed.all["sc1"],
        experiment.system: processed.linear.scaled(raw) if experiment.main == "scale" else raw,
    }
    if experiment.second is not None:  # without a first there is no second: the first is the gold
        first, second = (numbers(processed.all[name]) for name in ("sc1", "sc2"))
        absent = np.isnan(first) | (experiment.exclude_zeros & (first == 0))
        columns[experiment.second] = np.where(absent, np.nan, second)
    if experiment.candidate is not None:
        columns[experiment.candidate] = processed.all["candidate"]
    return columns


def _scale(experiment: Experiment, processed: Processed) -> Scale:
    """From trim_min to trim_max by 1, or as fine and wide as human scores need it."""
    low, high = experiment.trim_min, experiment.trim_max
    names = ["sc1"] if experiment.second is None else ["sc1", "sc2"]
    # responses that are left out later are checked against the scale too
    ratings = np.concatenate(
        [np.delete(numbers(processed.all[n]), processed.flagged) for n in names]
    )
    seen = np.unique(ratings[~np.isnan(ratings)])
    seen = seen[seen != 0] if experiment.exclude_zeros else seen
    steps = np.concatenate([seen, [high]]) - low
    if (steps == np.rint(steps)).all() and seen[0] >= low and seen[-1] <= high:
        return Scale.parse(f"{low!r}:{high!r}")
    return replace(Scale.infer([low, high, *seen.tolist()]), inferred=False)


def _notes(experiment: Experiment, scores: Scores) -> list[str]:
    notes = [*experiment.notes]
    if (scores.rater_scale.low, scores.rater_scale.high, scores.rater_scale.step) != (
        experiment.trim_min,
        experiment.trim_max,
        1.0,
    ):
        notes.append(
            f"human scores do not all lie on {experiment.trim_min:g}:{experiment.trim_max:g}; the "
            f"scale {scores.rater_scale} was taken"
        )
    if experiment.candidate is not None:
        notes.append(f"responses of one {experiment.candidate} are resampled as one")
    return notes


def _other_scores(
    experiment: Experiment, processed: Processed, scores: Scores, settings: Settings
) -> Iterator[Estimate]:
    """Repeat the statistics of observed scores for each kind of score that is not the main one."""
    scale = scores.gold_scale
    kinds = ("raw", "scale") if experiment.scaling in ("raw", "file") else (experiment.main,)
    for kind in kinds:
        unrounded = processed.scores[kind]
        low, high = experiment.trim_min, experiment.trim_max
        trimmed = trim(unrounded, low, high, tolerance=experiment.tolerance)
        rows = {kind: unrounded, f"{kind}_trim": trimmed}
        if not scale.continuous:
            points = np.asarray(scale.points)
            rows[f"{kind}_trim_round"] = points[nearest(trimmed, points)]
        for score, values in rows.items():
            names = () if score == f"{experiment.main}_trim" else texts("rsm_moments")
            if score.endswith("_round") and kind != experiment.main:
                names = (*texts("rsm_tables"), *names)
            for estimate in _estimated(processed, values, scale, names, settings):
                yield replace(estimate, score=score, subset=0)


def _estimated(
    processed: Processed, values: Floats, scale: Scale, names: tuple[str, ...], settings: Settings
) -> list[Estimate]:
    clusters = None
    if "candidate" in processed.all:
        _, clusters = np.unique(processed.column("candidate").astype(str), return_inverse=True)
    pair = np.stack([processed.human, values], axis=1)
    ones = np.ones(len(pair), dtype=np.int64)
    rows = Rows(pair, ones, np.asarray(scale.points), clusters)
    if not names:
        return []
    formulas = formulas_for(scale, names)
    return estimate_by_tally(formulas, units_by_tally(formulas, rows), settings, "")
