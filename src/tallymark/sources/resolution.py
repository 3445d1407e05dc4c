"""Resolution: how several human scores become the gold, and on which scale it lies."""

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.errors import OptionError, did_you_mean
from tallymark.scale import Scale
from tallymark.sources.sql import all_of, any_of, number

Rule = Literal["first", "sum", "mean", "higher", "lower", "adjudicated"]
Adjudication = Literal["expert", "parity"]
Floats = NDArray[np.float64]
RULES: tuple[str, ...] = get_args(Rule)
_GUARD = 1e-9
_MANY_POINTS = 100_000


def check_rule(rule: str, raters: int, adjudication: str) -> None:
    """Refuse a rule that does not exist or needs more human columns than there are."""
    if rule not in RULES:
        raise OptionError(
            f"unknown resolution {rule!r}; choose {', '.join(RULES)}.{did_you_mean(rule, RULES)}"
        )
    if adjudication not in get_args(Adjudication):
        raise OptionError(f"adjudication is expert or parity, got {adjudication!r}")
    if rule == "adjudicated" and raters != 3:
        raise OptionError(
            f"adjudicated needs three human columns, the adjudicator last, got {raters}; "
            "name them with --human"
        )
    if rule != "first" and raters < 2:
        raise OptionError(
            f"{rule} needs at least two human columns, got {raters}; name them with --human"
        )


def resolve(
    ratings: ArrayLike,
    rule: str,
    *,
    adjudication: str = "expert",
    adjacency: float = 1.0,
    partial: bool = False,
) -> Floats:
    """Return the gold of each response; NaN where a rating that the rule needs is missing.

    ``partial`` lets the mean use the ratings that exist, for raters drawn from a pool.

    >>> resolve([[1, 2, 4], [2, 2, 1], [np.nan, np.nan, 3]], "adjudicated").tolist()
    [1.5, 2.0, 3.0]
    """
    panel: Floats = np.asarray(ratings, dtype=np.float64)
    if rule == "adjudicated":
        return _adjudicated(panel, adjudication, adjacency)
    if rule == "mean" and partial:
        return _mean_of_given(panel)
    gold: Floats = _SIMPLE[rule](panel)
    return gold


_SIMPLE: Mapping[str, Callable[[Floats], Any]] = {
    "first": operator.itemgetter(0),
    "sum": functools.partial(np.sum, axis=0),
    "mean": functools.partial(np.mean, axis=0),
    "higher": functools.partial(np.max, axis=0),
    "lower": functools.partial(np.min, axis=0),
}


def _mean_of_given(panel: Floats) -> Floats:
    given = ~np.isnan(panel)
    with np.errstate(invalid="ignore"):  # a response without any rating has no mean
        mean: Floats = np.where(given, panel, 0.0).sum(axis=0) / given.sum(axis=0)
    return mean


def needs_adjudication(first: ArrayLike, second: ArrayLike, adjacency: float) -> NDArray[np.bool_]:
    """Whether the two ratings differ by more than the adjacency."""
    return np.abs(np.subtract(first, second, dtype=np.float64)) > adjacency + _GUARD


def _adjudicated(panel: Floats, how: str, adjacency: float) -> Floats:
    first, second, judge = panel
    agreed = (first + second) / 2
    if how == "expert":
        ruling = judge
    else:
        nearer = np.abs(judge - first) - np.abs(judge - second)
        pair = np.where(nearer < 0, first, second)
        # equally far from two different scores: the mean of all three is the adjudicator's score
        ruling = np.where(
            np.abs(nearer) <= _GUARD, (first + second + judge) / 3, (pair + judge) / 2
        )
    gold: Floats = np.where(needs_adjudication(first, second, adjacency), ruling, agreed)
    return gold


def lacks_rating(
    ratings: Sequence[str], rule: str, *, adjacency: float = 1.0, partial: bool = False
) -> str:
    """Write the same need as SQL: is a rating missing without which there is no gold?"""
    absent = [f"{rating} IS NULL" for rating in ratings]
    if rule == "first":
        return absent[0]
    if rule == "mean" and partial:
        return all_of(absent)
    if rule != "adjudicated":
        return any_of(absent)
    first, second, _ = ratings
    apart = f"abs({first} - {second}) > {number(adjacency + _GUARD)}"
    return any_of([absent[0], absent[1], all_of([apart, absent[2]])])


def gold_scale(rater: Scale, rule: str, raters: int) -> Scale:
    """Return the scale on which the gold lies when every response has all its ratings.

    Sum of k: k times low to k times high. Mean: the step divided by k. Adjudicated: half steps,
    under both rules, because three scores are averaged only when the adjudicator's is the middle.

    >>> str(gold_scale(Scale.parse("1:6"), "sum", 2)), str(gold_scale(Scale.parse("1:3"), "mean", 2))
    ('2:12', '1:3:0.5')
    """
    if rule in ("first", "higher", "lower"):
        return rater
    k = 2 if rule == "adjudicated" else raters
    share = 1 if rule == "sum" else k
    if rater.continuous:
        return unbroken(rater, times=k / share)
    points = _sums(rater.points, k)
    if points is None:
        return unbroken(rater, times=k / share)
    return Scale(tuple(round(point / share, 12) for point in points), inferred=rater.inferred)


def unbroken(rater: Scale, times: float = 1.0) -> Scale:
    """Return the range of the scale without its points."""
    ends = (rater.low * times, rater.high * times)
    if ends[0] == ends[1]:
        return Scale(ends[:1], inferred=rater.inferred)
    return Scale(ends, continuous=True, inferred=rater.inferred)


def _sums(points: Sequence[float], k: int) -> tuple[float, ...] | None:
    """Every sum of k points; None when they are too many to list."""
    gaps = [b - a for a, b in pairwise(points)]
    if gaps and max(gaps) - min(gaps) <= _GUARD:
        count = k * (len(points) - 1) + 1
        if count > _MANY_POINTS:
            return None
        step = (points[-1] - points[0]) / (len(points) - 1)
        return tuple(round(k * points[0] + i * step, 12) for i in range(count))
    sums = np.zeros(1)
    for _ in range(k):
        if sums.size * len(points) > 10 * _MANY_POINTS:
            return None
        sums = np.unique(np.round(np.add.outer(sums, points).ravel(), 12))
    return tuple(sums.tolist())
