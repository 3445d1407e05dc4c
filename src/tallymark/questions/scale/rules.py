"""Rules: the gold under every resolution rule, and the system on the scale of each."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.diagnosis.binning import Coefficient, Way, group_places, way
from tallymark.reliability.connected import adjudicators
from tallymark.scale import Scale
from tallymark.sources.resolution import gold_scale, resolve
from tallymark.study.parts import Part
from tallymark.study.rows import Rows, Whole
from tallymark.tally import nearest

ROUNDED_MEAN = "rounded mean"
MOST_POINTS = 60
"""On a finer scale than this, tables say little and take long."""


def resolved_ways(
    system: str, part: Part, scales: tuple[Scale, Scale], coefficients: Sequence[Coefficient]
) -> tuple[Rows, Whole, list[Way]] | None:
    """The responses every rater scored, which of them are alike, and the way of each rule.

    The system's score is carried to the raters' scale by the ends of both scales. Of k raters a sum
    is compared with k times that score at the nearest sum, the other golds with its nearest point.
    Sum and plain mean are the same but for the unit, so that no coefficient tells them apart; what
    can differ is a mean that is rounded to the points. Adjudicators are no raters here.
    """
    rater, gold = scales
    same = (rater.low, rater.high) == (gold.low, gold.high)
    if rater.continuous or not 2 <= len(rater.points) <= MOST_POINTS:
        return None
    if not (same or part.scores.resolve == "sum"):
        return None
    rows = _scored_by_all(system, part, rater)
    if rows is None:
        return None
    carried = rater.low + (rows.scores[:, -1] - gold.low) * _ratio(rater, gold)
    tables = _positions(rows.scores[:, :-1], carried, rater)
    first, unit = group_places([place for _, _, pair in tables for place in pair])
    ways = [
        way(rule, points, pair[0][first], pair[1][first], coefficients)
        for rule, points, pair in tables
    ]
    return rows, unit, ways


def _scored_by_all(system: str, part: Part, rater: Scale) -> Rows | None:
    humans = part.scores.humans
    names = [*(f"human:{name}" for name in humans), f"system:{system}"]
    rows = part.columns(names, rater)
    asked = set(adjudicators(rows.scores[:, :-1], rows.counts)) if len(humans) > 2 else set()
    kept = [i for i in range(len(names)) if i not in asked]
    rows = Rows(rows.scores[:, kept], rows.counts, rows.points, rows.clusters).complete()
    return rows if len(kept) > 2 and rows.counts.size else None


def _ratio(rater: Scale, gold: Scale) -> float:
    return (rater.high - rater.low) / (gold.high - gold.low)


def _positions(
    ratings: NDArray[np.float64], system: NDArray[np.float64], rater: Scale
) -> list[tuple[str, NDArray[np.float64], tuple[Whole, Whole]]]:
    """Each rule's points, and where gold and system lie among them."""
    points, k = np.asarray(rater.points), ratings.shape[1]
    rules = []
    for rule in ("first", "higher", "lower", "mean"):
        gold = resolve(ratings.T, rule)
        name = ROUNDED_MEAN if rule == "mean" else rule
        rules.append((name, points, (nearest(gold, points), nearest(system, points))))
    sums = gold_scale(rater, "sum", k)
    if not sums.continuous and len(sums.points) <= MOST_POINTS:
        grid = np.asarray(sums.points)
        places = nearest(resolve(ratings.T, "sum"), grid), nearest(k * system, grid)
        rules.append(("sum", grid, places))
    return rules
