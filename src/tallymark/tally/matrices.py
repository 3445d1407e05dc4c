"""Tallies of arrays: of two sequences of scores, which lack none, and of responses x raters, NaN missing."""

from collections.abc import Callable
from itertools import combinations

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.scale import Scale
from tallymark.tally.moments import PairMoments
from tallymark.tally.pairs import PARTS, GapCounts, PairCounts, gap_places
from tallymark.tally.panel_margins import PanelMargins, RaterMargins
from tallymark.tally.panels import OneWay, PanelCounts, PanelMoments
from tallymark.tally.ratings import distinct_rating_counts, rating_counts
from tallymark.tally.rounding import nearest


def panel_of(ratings: Floats, scale: Scale) -> PanelCounts:
    """Count how many raters chose each point."""
    return PanelCounts.of_index(*_on_points(ratings, scale))


def raters_of(ratings: Floats, scale: Scale, distance: Callable[[Floats], Floats]) -> RaterMargins:
    """Count how often each rater chose each point, and sum the distances of ratings."""
    index, points = _on_points(ratings, scale)
    k, distances = points.size, (distance(points),)
    chosen, times = distinct_rating_counts(index, k)
    panel = times @ PanelMargins.rows(chosen, distances)
    by_rater = rating_counts(index.T, k).ravel()
    return RaterMargins(np.concatenate([panel[:2], panel[2 + k :], by_rater]), points, distances)


def every_two_of(ratings: Floats, scale: Scale) -> PairCounts:
    """Count the two scores of every two raters who share a response, one table a pair."""
    index, points = _on_points(ratings, scale)
    k, tables = points.size, []
    for first, second in combinations(np.ascontiguousarray(index.T) + 1, 2):
        cells = np.bincount(first * (k + 1) + second, minlength=(k + 1) ** 2)
        table = cells.reshape(k + 1, k + 1)[1:, 1:]
        tables.extend([table] if table.any() else [])
    return PairCounts(np.array(tables, dtype=np.int64).reshape(-1, k, k), points)


def complete_of(ratings: Floats) -> PanelMoments:
    """Sum scores and squares of the responses that every rater who scored any has scored."""
    scores = np.array(ratings.T, order="C")  # adds up faster by rater
    center, missing = _middle(scores), np.isnan(scores)
    if missing.any():
        heard = ~missing.all(axis=1)
        scores = scores[heard][:, ~missing[heard].any(axis=0)]
    scores -= center
    total = scores.sum(axis=0)
    head = [scores.shape[1], total @ total, np.vdot(scores, scores)]
    return PanelMoments(np.concatenate([head, scores.sum(axis=1)]), center)


def sums_of(ratings: Floats, *, twice: bool = False) -> OneWay:
    """Sum scores and squares within and between responses, or of those rated twice or more."""
    if twice:
        ratings = ratings[(~np.isnan(ratings)).sum(axis=1) >= 2]
    return OneWay(OneWay.rows(ratings - _middle(ratings)).sum(axis=0))


def _on_points(ratings: Floats, scale: Scale) -> tuple[Whole, Floats]:
    """Positions of the ratings on the points of their scale, -1 missing, and the points."""
    points = np.asarray(scale.points)
    return nearest(ratings, points), points


def _middle(scores: Floats) -> float:
    """A center: squares do not cancel, and sums of whole scores stay exact."""
    if not scores.size:
        return 0.0
    low, high = np.fmin.reduce(scores, axis=None), np.fmax.reduce(scores, axis=None)
    return float(low + high) / 2 if low <= high else 0.0


def moments_of(first: Floats, second: Floats) -> PairMoments:
    """Sum scores and products."""
    # about the middle of the gold: squares do not cancel, and sums of whole scores stay exact
    center = float(first.min() + first.max()) / 2 if first.size else 0.0
    return PairMoments.of_scores(first, second, center)


def gaps_of(first: Floats, second: Floats, scale: Scale) -> GapCounts:
    """Count how far scores lie apart, in thousandths of the range of the scale."""
    width = scale.high - scale.low
    counts = np.bincount(gap_places(first, second, width), minlength=PARTS + 1)
    return GapCounts(counts, width)
