"""Baselines: what scorers reach that read nothing, and what a second person reaches."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats
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
    if second := second_human(scores):
        makers[second] = _second_human
    for name, maker in makers.items():
        subject, measured = Scorer(Kind.BASELINE, name), []
        for part in parts:
            baseline = _measured(part, statistics, maker)
            if baseline is None:
                continue
            measured.append(baseline)
            estimates = estimate_by_tally(baseline.formulas, baseline.units, settings, part.label)
            subset = subset_of(part, subject, n=baseline.n)
            yield SubsetResults(subset, estimates, [])
        averaged = [m for m in measured if over and set(m.part.where) == {over}]
        if len(averaged) > 1:
            yield next(iter(averages(averaged, over, subject, settings)))


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
    raters = {name for gold in scores.facts.golds for name, _ in gold.second}
    return f"{SECOND} {raters.pop()}" if len(raters) == 1 else SECOND if raters else ""


def _measured(part: Part, statistics: Sequence[str], maker: Maker) -> Measured | None:
    """The units of a baseline on one part; None without responses, or where scales are mixed."""
    if part.scales is None:
        return None
    scale = part.scales[1]
    columns = ["gold", "second"] if maker is _second_human else ["gold"]
    rows = part.columns(columns, scale).complete()
    if not rows.counts.size:
        return None
    formulas = formulas_for(scale, statistics, leading=part.many, lambda_=part.lambda_)
    if maker is _random:
        many = np.unique(rows.scores).size > MOST_POINTS
        formulas = [_resampled(f) for f in formulas if not (f.ranks and many)]
    return Measured(part, scale, rows, formulas, maker(rows, scale, formulas))


def _resampled(formula: Formula) -> Formula:
    """Resampled, whatever the usual interval: a random score's value is no share of responses."""
    if formula.ranks:
        return replace(formula, influence=None, analytic=None)
    analytic = formula.interval in ("wilson", "analytic")
    return replace(formula, interval="abc") if analytic else formula


def _second_human(rows: Rows, _: Scale, formulas: list[Formula]) -> dict[str, Units[Any]]:
    """Units of the second rating against the first, on the responses that have both."""
    return units_by_tally(formulas, rows)


def _constant(rows: Rows, scale: Scale, formulas: list[Formula]) -> dict[str, Units[Any]]:
    """Units of a scorer that gives each response the gold's most frequent score, or its mean."""
    if scale.continuous:
        constant = float(rows.heavy @ rows.scores[:, 0] / rows.heavy.sum())
    else:
        constant = most_frequent(rows.scores[:, 0], rows.heavy)
    scores = np.stack([rows.scores[:, 0], np.full(rows.counts.size, constant)], axis=1)
    return units_by_tally(formulas, replace(rows, scores=scores))


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

    return {
        kind: Units(
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
        for kind in dict.fromkeys(map(home, formulas))
    }


def _expected(
    points: Floats, scale: Floats, distances: Distances
) -> dict[str, Callable[[NDArray[Any]], Any]]:
    """The tallies expected of two independent scores, given how often each point occurs."""
    center, place = float(scale[0] + scale[-1]) / 2, nearest(points, scale)
    gap = np.abs(points[:, None] - points)
    first, second = (side.ravel() for side in np.meshgrid(points, points, indexing="ij"))
    pairs = PairPatterns(first, second, np.ones(first.size))

    def mean_distance(sums: Any, distance: Floats) -> Any:
        """Total distance of every score from every other, divided by the number of responses."""
        with np.errstate(invalid="ignore"):  # the only response was left out
            return ((sums @ distance) * sums).sum(axis=-1) / sums.sum(axis=-1)

    def margins(sums: Any) -> PairMargins:
        margin = np.zeros((*sums.shape[:-1], scale.size), dtype=sums.dtype)
        margin[..., place] = sums
        totals = [mean_distance(margin, distance)[..., None] for distance in distances]
        return PairMargins(np.concatenate([margin, margin, *totals], axis=-1), scale, distances)

    def moments(sums: Any) -> PairMoments:
        n, total, square = (sums @ (points - center) ** power for power in (0, 1, 2))
        with np.errstate(invalid="ignore"):
            expected = [n, total, total, square, square, total * total / n]
        distances = [mean_distance(sums, gap), mean_distance(sums, gap**2)]
        return PairMoments(np.stack([*expected, *distances], -1), center)

    def errors(sums: Any) -> PointErrors:
        with np.errstate(invalid="ignore"):
            shares = sums / sums.sum(axis=-1, keepdims=True)
        by_point = [sums, sums * (shares @ gap), sums * (shares @ gap**2)]
        return PointErrors(np.stack(by_point, axis=-1), points)

    def met(sums: Any) -> PairPatterns:
        with np.errstate(invalid="ignore"):
            joint = sums[..., :, None] * sums[..., None, :] / sums.sum(axis=-1)[..., None, None]
        return pairs.weighted(joint.reshape(*sums.shape[:-1], first.size))

    def table(sums: Any) -> PairCounts:
        return met(sums).table(scale)

    return {
        "table": margins, "moments": moments, "errors": errors, "ranks": met, "cells": table,
        "ordinal": table,
    }  # fmt: skip
