"""Baselines: what scorers reach that read nothing, and what a second person reaches."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.diagnosis.trivial import most_frequent
from tallymark.inference import Formula, Settings, Units
from tallymark.questions.comparison.shared import shared
from tallymark.results import Kind, Scorer
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.study.average import averages
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import (
    Measured,
    SubsetResults,
    estimate_by_tally,
    home,
    subset_of,
    units_by_tally,
)
from tallymark.study.parts import Part
from tallymark.study.rows import Rows
from tallymark.study.units import distances_for
from tallymark.tally import (
    PairCounts,
    PairMargins,
    PairMoments,
    PairPatterns,
    PointErrors,
    nearest,
)
from tallymark.tally.margins import Distances

Floats = NDArray[np.float64]
Maker = Callable[[Rows, Scale, list[Formula]], dict[str, Units[Any]]]
MAJORITY = "majority score"
RANDOM = "random score"
MEAN = "mean score"
SECOND = "second human"
MOST_POINTS = 30
"""Rank statistics of a random score are left out where the gold takes more values."""
ONE_HUMAN = (
    "no second human stands among the baselines: it takes two raters, of whom the first is the gold"
)
CONTINUOUS = "no random score stands among the baselines: the gold is continuous"


def baselines(
    scores: Scores, parts: Sequence[Part], over: str, statistics: Sequence[str], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the baselines on all responses and on each part that is averaged over."""
    makers: dict[str, Maker] = {MAJORITY: _constant, RANDOM: _random}
    if scores.gold_scale.continuous:
        makers = {MEAN: _constant}
    for name, maker in makers.items():
        measured = []
        for part in parts:
            baseline = _measured(part, statistics, maker)
            if baseline is not None:
                measured.append(baseline)
                yield _baseline_results(baseline, name, settings)
        yield from _averages(measured, over, name, settings)
    yield from _second_human(scores, parts, over, statistics, settings)


def baseline_notes(scores: Scores) -> list[str]:
    """Say which baselines are missing."""
    notes = [] if second_human(scores) else [ONE_HUMAN]
    return [*notes, CONTINUOUS] if scores.gold_scale.continuous else notes


def second_human(scores: Scores) -> str:
    """What the second rating present is called, where the first is the gold; empty without one.

    It bears its rater's name where they are all by one.
    """
    ends = {scores.rater_scale.ends, scores.gold_scale.ends}
    if scores.resolve != "first" or len(scores.humans) < 2 or len(ends) > 1:
        return ""
    raters = {name for made in scores.facts.golds for name, _ in made.second}
    return f"{SECOND} {raters.pop()}" if len(raters) == 1 else SECOND if raters else ""


def _baseline_results(measured: Measured, name: str, settings: Settings) -> SubsetResults:
    subset = subset_of(measured.part, Scorer(Kind.BASELINE, name), n=measured.n)
    label = measured.part.label
    return SubsetResults(
        subset, estimate_by_tally(measured.formulas, measured.units, settings, label), []
    )


def _averages(
    measured: Sequence[Measured], over: str, name: str, settings: Settings
) -> Iterator[SubsetResults]:
    every = [m for m in measured if over and set(m.part.where) == {over}]
    if len(every) > 1:
        yield next(iter(averages(every, over, Scorer(Kind.BASELINE, name), settings)))


def _measured(
    part: Part,
    statistics: Sequence[str],
    maker: Maker,
) -> Measured | None:
    scales = part.scales
    if scales is None:
        return None
    rows, scale = part.columns(["gold"], scales[1]).complete(), scales[1]
    if not rows.counts.size:
        return None
    formulas = formulas_for(scale, statistics, leading=part.many, lambda_=part.lambda_)
    if maker is _random:
        many = np.unique(rows.scores).size > MOST_POINTS
        formulas = [_plain(f) for f in formulas if not (f.ranks and many)]
    return Measured(part, scale, rows, formulas, maker(rows, scale, formulas))


def _plain(formula: Formula) -> Formula:
    """Resampled, whatever the usual interval: a random score's value is no share of responses."""
    if formula.ranks:
        return replace(formula, influence=None, analytic=None)
    usual = formula.interval in ("wilson", "analytic")
    return replace(formula, interval="abc") if usual else formula


def _constant(rows: Rows, scale: Scale, formulas: list[Formula]) -> dict[str, Units[Any]]:
    """Units of a scorer that gives each response the gold's most frequent score, or its mean."""
    if scale.continuous:
        given = float(rows.heavy @ rows.scores[:, 0] / rows.heavy.sum())
    else:
        given = most_frequent(rows.scores[:, 0], rows.heavy)
    both = np.stack([rows.scores[:, 0], np.full(rows.counts.size, given)], axis=1)
    return units_by_tally(formulas, replace(rows, scores=both))


def _random(rows: Rows, scale: Scale, formulas: list[Formula]) -> dict[str, Units[Any]]:
    """Units of a scorer that draws each score from the gold's distribution.

    The tally is the one expected over all draws: every gold score meets every other as often as
    both occur. Nothing is drawn, and resamples of the gold give the interval.
    """
    points = np.unique(rows.scores[:, 0])
    ground = shared(rows)
    gold = ground.rows.scores[:, :1] == points
    added = np.zeros((ground.times.size, points.size))
    np.add.at(added, np.asarray(ground.rows.clusters), gold * ground.heavy[:, None])
    needed = [formula for formula in formulas if home(formula) == "table"]
    tallies = _expected(points, np.asarray(scale.points), distances_for(needed, rows.points))

    def units(kind: str) -> Units[Any]:
        return Units(
            ground.times,
            tallies[kind],
            ground.n,
            added,
            ground.kind,
            ground.ids,
            ground.sizes,
            ground.worth,
            held=points.size**2 if kind in ("ordinal", "cells", "ranks") else 1,
        )

    return {kind: units(kind) for kind in dict.fromkeys(map(home, formulas))}


def _expected(
    points: Floats, scale: Floats, distances: Distances
) -> dict[str, Callable[[NDArray[Any]], Any]]:
    """The tallies expected of two independent scores, given how often each point occurs."""
    center, place = float(scale[0] + scale[-1]) / 2, nearest(points, scale)
    gap = np.abs(points[:, None] - points)
    first, second = (side.ravel() for side in np.meshgrid(points, points, indexing="ij"))
    pairs = PairPatterns(first, second, np.ones(first.size))

    def apart(sums: Any, distance: Floats) -> Any:
        """Total distance of every score from every other, over the number of responses."""
        with np.errstate(invalid="ignore"):  # the only response was left out
            return ((sums @ distance) * sums).sum(axis=-1) / sums.sum(axis=-1)

    def margins(sums: Any) -> PairMargins:
        full = np.zeros((*sums.shape[:-1], scale.size), dtype=sums.dtype)
        full[..., place] = sums
        far = [apart(full, distance)[..., None] for distance in distances]
        return PairMargins(np.concatenate([full, full, *far], axis=-1), scale, distances)

    def moments(sums: Any) -> PairMoments:
        n, total, square = (sums @ (points - center) ** power for power in (0, 1, 2))
        with np.errstate(invalid="ignore"):
            both = [n, total, total, square, square, total * total / n]
        return PairMoments(np.stack([*both, apart(sums, gap), apart(sums, gap**2)], -1), center)

    def errors(sums: Any) -> PointErrors:
        with np.errstate(invalid="ignore"):
            shares = sums / sums.sum(axis=-1, keepdims=True)
        each = [sums, sums * (shares @ gap), sums * (shares @ gap**2)]
        return PointErrors(np.stack(each, axis=-1), points)

    def met(sums: Any) -> PairPatterns:
        with np.errstate(invalid="ignore"):
            every = sums[..., :, None] * sums[..., None, :] / sums.sum(axis=-1)[..., None, None]
        return pairs.weighted(every.reshape(*sums.shape[:-1], first.size))

    def table(sums: Any) -> PairCounts:
        return met(sums).table(scale)

    return {
        "table": margins, "moments": moments, "errors": errors, "ranks": met, "cells": table,
        "ordinal": table,
    }  # fmt: skip


def _second_human(
    scores: Scores, parts: Sequence[Part], over: str, statistics: Sequence[str], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the second rating against the first, on the responses that have both."""
    name = second_human(scores)
    if not name:
        return
    measured = []
    for part in parts:
        scales = part.scales
        if scales is None:
            continue
        rows = part.columns(["gold", "second"], scales[1]).complete()
        if rows.counts.size:
            formulas = formulas_for(scales[1], statistics, leading=part.many, lambda_=part.lambda_)
            units = units_by_tally(formulas, rows)
            measured.append(Measured(part, scales[1], rows, formulas, units))
            yield _baseline_results(measured[-1], name, settings)
    yield from _averages(measured, over, name, settings)
