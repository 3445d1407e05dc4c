"""Tallies of responses x raters as they come: checked, None and NaN missing."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.errors import DataError, ScaleError
from tallymark.scale import Scale
from tallymark.tally.pairs import PairCounts
from tallymark.tally.panel_margins import PanelMargins, RaterMargins
from tallymark.tally.panels import OneWay, PanelCounts, PanelMoments
from tallymark.tally.ratings import distinct_rating_counts, rating_counts
from tallymark.tally.rounding import nearest
from tallymark.tally.sequences import ScaleLike, numbers

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
RatingsLike = ArrayLike | Sequence[Sequence[object]]
"""Responses x raters; nested lists may hold None and words."""
QUARTERS = 4000
"""Scores that are so few quarters of a point are counted, not sorted."""


def panel_of(ratings: Any, scale: ScaleLike | None) -> PanelCounts:
    """Count how many raters chose each point."""
    return PanelCounts.of_index(*_on_points(ratings, scale))


def raters_of(
    ratings: Any, scale: ScaleLike | None, distance: Callable[[Floats], Floats]
) -> RaterMargins:
    """Count how often each rater chose each point, and sum the distances of ratings."""
    index, points = _on_points(ratings, scale)
    k, distances = points.size, (distance(points),)
    chosen, times = distinct_rating_counts(index, k)
    panel = times @ PanelMargins.rows(chosen, distances)
    by_rater = rating_counts(index.T, k).ravel()
    return RaterMargins(np.concatenate([panel[:2], panel[2 + k :], by_rater]), points, distances)


def every_two_of(ratings: Any, scale: ScaleLike | None) -> PairCounts:
    """Count the two scores of every two raters who share a response, one table a pair."""
    index, points = _on_points(ratings, scale)
    k, tables = points.size, []
    for first, second in combinations(np.ascontiguousarray(index.T) + 1, 2):
        cells = np.bincount(first * (k + 1) + second, minlength=(k + 1) ** 2)
        table = cells.reshape(k + 1, k + 1)[1:, 1:]
        tables.extend([table] if table.any() else [])
    return PairCounts(np.array(tables, dtype=np.int64).reshape(-1, k, k), points)


def complete_of(ratings: Any) -> PanelMoments:
    """Sum scores and squares of the responses that every rater who scored any has scored."""
    full = np.array(matrix_of(ratings).T, order="C")  # adds up faster by rater
    center, missing = _middle(full), np.isnan(full)
    if missing.any():
        heard = ~missing.all(axis=1)
        full = full[heard][:, ~missing[heard].any(axis=0)]
    full -= center
    total = full.sum(axis=0)
    head = [full.shape[1], total @ total, np.vdot(full, full)]
    return PanelMoments(np.concatenate([head, full.sum(axis=1)]), center)


def sums_of(ratings: Any, *, twice: bool = False) -> OneWay:
    """Sum scores and squares within and between responses, or of those rated twice or more."""
    scores = matrix_of(ratings)
    if twice:
        scores = scores[(~np.isnan(scores)).sum(axis=1) >= 2]
    return OneWay(OneWay.rows(scores - _middle(scores)).sum(axis=0))


def matrix_of(ratings: Any, *, labels: Mapping[str, float] | None = None, least: int = 2) -> Floats:
    """Return responses x raters as numbers; words are looked up in ``labels``.

    Fewer raters than ``least`` are refused.

    >>> matrix_of([[1, None], [2, 3]]).tolist()
    [[1.0, nan], [2.0, 3.0]]
    """
    try:
        values = np.asarray(ratings)
    except ValueError:
        raise DataError(
            "ratings must be responses x raters, but the rows differ in length; "
            "fill the gaps with None"
        ) from None
    if values.ndim != 2:
        raise DataError(
            "ratings must be responses x raters, one row a response, got shape "
            f"{values.shape}; give y_pred, or a table of two dimensions"
        )
    if values.shape[1] < least:
        raise DataError(f"agreement needs two or more raters, got {values.shape[1]} column")
    if values.dtype.kind in "biuf" and not labels:
        scores = values.astype(np.float64, copy=False)
        if not np.isinf(scores).any():
            return scores
    columns = [numbers(column, f"rater {i + 1}", labels or {}) for i, column in enumerate(values.T)]
    return np.stack(columns, axis=1)


def _on_points(ratings: Any, scale: ScaleLike | None) -> tuple[Whole, Floats]:
    """Positions of the ratings on the points of their scale, -1 missing, and the points."""
    if scale is None:
        scores = matrix_of(ratings)
        points = _seen(scores)
        return nearest(scores, points), points
    declared = Scale.of(scale)
    labels = dict(zip(declared.labels, declared.points, strict=False))
    scores, points = matrix_of(ratings, labels=labels), np.asarray(declared.points)
    index = nearest(scores, points)
    off = np.abs(points[index] - scores) > 1e-9
    if off.any():
        row, rater = np.argwhere(off)[0]
        raise ScaleError(
            f"{scores[row, rater]:g} of rater {rater + 1}, response {row + 1}, is not on the scale "
            f"{declared}; correct the score or widen the scale"
        )
    return index, points


def _seen(scores: Floats) -> Floats:
    values = scores[~np.isnan(scores)]
    if not values.size:
        return np.zeros(1)
    seen = Scale.infer(_distinct(values).tolist())
    if seen.continuous:
        raise ScaleError(
            "these scores have no common step, or need more than 101 points; declare the points "
            "they are rounded to, for example scale='1:6', or take icc or interval alpha"
        )
    return np.asarray(seen.points)


def _distinct(values: Floats) -> Floats:
    low = values.min()
    quarters = (values - low) * 4
    if quarters.max() <= QUARTERS and (quarters == np.floor(quarters)).all():
        return np.asarray(low + np.flatnonzero(np.bincount(quarters.astype(np.int64))) / 4)
    return np.unique(values)


def _middle(scores: Floats) -> float:
    """A center: squares do not cancel, and sums of whole scores stay exact."""
    if not scores.size:
        return 0.0
    low, high = np.fmin.reduce(scores, axis=None), np.fmax.reduce(scores, axis=None)
    return float(low + high) / 2 if low <= high else 0.0
