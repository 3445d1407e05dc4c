"""Ours: the same responses by Tallymark's definitions, with an interval on every number."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue import texts
from tallymark.inference import Settings
from tallymark.questions.fairness.compute import fairness_of
from tallymark.questions.people.beside import compared_with_people
from tallymark.questions.true_scores.compute import true_scores
from tallymark.results import Comparison, Estimate, Evaluation, Kind, rater_called
from tallymark.rsmtool.columns import numbers
from tallymark.rsmtool.experiment import Experiment
from tallymark.rsmtool.processing import Processed
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

Floats = NDArray[np.float64]
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
        flags={column: list(kept) for column, kept in experiment.flags.items()},
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
    whole = collected(scores, settings, Asked(), list(parts))
    main = {"trimmed": f"{experiment.main}_trim", "rounded": f"{experiment.main}_trim_round"}
    of_main = [
        replace(e, score=main.get(e.score, e.score), why=e.why.replace(*AS_FIELD))
        for e in whole.estimates
    ]
    others = _other_scores(experiment, processed, scores, settings)
    notes = (*whole.data.notes, *processed.notes, *_notes(experiment, scores), HALF_UP)
    return replace(
        whole,
        kind="rsmeval",
        data=replace(whole.data, notes=notes),
        options={**whole.options, "experiment_id": experiment.id, "scaling": experiment.scaling},
        estimates=(*of_main, *others),
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
    columns = {
        column: processed.all[column] for column in (*experiment.subgroups, *experiment.flags)
    }
    columns |= {
        experiment.id_column: processed.all["spkitemid"],
        experiment.human: processed.all["sc1"],
        experiment.system: _system(experiment, processed),
    }
    if experiment.second is not None:
        columns[experiment.second] = _second(experiment, processed)
    if experiment.candidate is not None:
        columns[experiment.candidate] = processed.all["candidate"]
    return columns


def _second(experiment: Experiment, processed: Processed) -> Floats:
    """The second rating, where there is a first: for RSMTool that alone is the gold."""
    first, second = (numbers(processed.all[name]) for name in ("sc1", "sc2"))
    gone = np.isnan(first) | (experiment.exclude_zeros & (first == 0))
    return np.where(gone, np.nan, second)


def _system(experiment: Experiment, processed: Processed) -> Floats:
    raw = numbers(processed.all["raw"])
    return processed.linear.scaled(raw) if experiment.main == "scale" else raw


def _scale(experiment: Experiment, processed: Processed) -> Scale:
    """From trim_min to trim_max by 1, or as fine and wide as human scores need it."""
    low, high = experiment.trim_min, experiment.trim_max
    names = ["sc1"] if experiment.second is None else ["sc1", "sc2"]
    # responses that are left out later are checked against the scale too
    given = np.concatenate([np.delete(numbers(processed.all[n]), processed.flagged) for n in names])
    seen = np.unique(given[~np.isnan(given)])
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
        plain = processed.scores[kind]
        low, high = experiment.trim_min, experiment.trim_max
        trimmed = trim(plain, low, high, tolerance=experiment.tolerance)
        rows = {kind: plain, f"{kind}_trim": trimmed}
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
