"""Resolution: how several human scores become the gold, and on which scale it lies."""

import functools
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import OptionError, did_you_mean
from tallymark.scale import Scale
from tallymark.sources.sql import all_of, any_of, number

Rule = Literal["first", "sum", "mean", "rounded-mean", "higher", "lower", "adjudicated"]
Adjudication = Literal["expert", "parity"]
RULES: tuple[str, ...] = get_args(Rule)
ROUNDED_MEAN = "rounded-mean"
"""The mean of the ratings present at the nearest point of the raters' scale, half up."""
MEANS = ("mean", ROUNDED_MEAN)
COUNTED = ("sum", "higher", "lower")
"""Rules whose gold depends on the number of ratings, so that every response needs as many."""
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
    needed: int | None = None,
) -> Floats:
    """Return the gold of each response; NaN where a rating that the rule needs is missing.

    The first is the first rating present, the mean that of the ratings present, not rounded yet
    where it will be, for that needs the scale. Sum, higher and
    lower grow or fall with the number of ratings: they take ``needed`` of them, by default as many
    as any response has.

    >>> resolve([[1, 2, 4], [2, 2, 1], [np.nan, np.nan, 3]], "adjudicated").tolist()
    [1.5, 2.0, 3.0]
    >>> resolve([[np.nan, 2, 4], [3, 2, 1]], "first").tolist()
    [3.0, 2.0, 4.0]
    """
    panel: Floats = np.asarray(ratings, dtype=np.float64)
    if rule == "adjudicated":
        return _adjudicated(panel, adjudication, adjacency)
    if rule == "first":
        return present(panel, 0)
    given = ~np.isnan(panel)
    number = given.sum(axis=0)
    least = 1 if rule in MEANS else needed or int(number.max(initial=1))
    fill = {"higher": -np.inf, "lower": np.inf}.get(rule, 0.0)
    made = _REDUCED["mean" if rule in MEANS else rule](np.where(given, panel, fill))
    with np.errstate(invalid="ignore"):  # a response without any rating has no mean
        made = made / number if rule in MEANS else made
    return np.asarray(np.where(number >= least, made, np.nan))


_REDUCED: Mapping[str, Callable[[Floats], Floats]] = {
    "sum": functools.partial(np.sum, axis=0),
    "mean": functools.partial(np.sum, axis=0),
    "higher": functools.partial(np.max, axis=0),
    "lower": functools.partial(np.min, axis=0),
}


def present(panel: Floats, place: int) -> Floats:
    """The first, second … rating present of each response, in the order of the raters."""
    which = place_of(panel, place)
    ratings: Floats = np.take_along_axis(panel, np.maximum(which, 0)[None], axis=0)[0]
    return np.where(which < 0, np.nan, ratings)


def place_of(panel: Floats, place: int) -> Whole:
    """Which rater gave the first, second … rating present of each response; -1 if there is none."""
    number = np.cumsum(~np.isnan(panel), axis=0)
    return np.where(number[-1] > place, (number > place).argmax(axis=0), -1)


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
    ratings: Sequence[str], rule: str, *, adjacency: float = 1.0, needed: int = 0
) -> str:
    """Write the same need as SQL: is a rating missing without which there is no gold?"""
    absent = [f"{rating} IS NULL" for rating in ratings]
    if rule in ("first", *MEANS):
        return all_of(absent)
    if rule != "adjudicated":
        return f"{present_of(ratings)} < {needed or len(ratings)}"
    first, second, _ = ratings
    apart = f"abs({first} - {second}) > {number(adjacency + _GUARD)}"
    return any_of([absent[0], absent[1], all_of([apart, absent[2]])])


def present_of(ratings: Sequence[str]) -> str:
    """Write as SQL how many ratings a response has."""
    return f"({' + '.join(f'CAST({rating} IS NOT NULL AS INTEGER)' for rating in ratings)})"


def scale_of_resolved(rater: Scale, rule: str, numbers: Sequence[int]) -> Scale:
    """Return the scale of a gold made of ``numbers`` of ratings, those that occur.

    The mean of k ratings lies on points a k-th of a step apart, and so does that of fewer if their
    number divides k: of singly and doubly rated responses on half steps. Of other numbers, as of
    two and three ratings, the points would be those of no response: only the range is left.

    >>> rater = Scale.parse("1:3")
    >>> str(scale_of_resolved(rater, "mean", [1, 2])), str(scale_of_resolved(rater, "mean", [2, 3]))
    ('1:3:0.5', 'continuous 1 to 3')
    """
    most = max(numbers, default=1)
    if rule == "mean" and any(most % number for number in numbers):
        return unbroken(rater)
    return gold_scale(rater, rule, most)


def gold_scale(rater: Scale, rule: str, raters: int) -> Scale:
    """Return the scale on which the gold lies when every response has all its ratings.

    Sum of k: k times low to k times high. Mean: the step divided by k. Adjudicated: half steps,
    under both rules, because three scores are averaged only when the adjudicator's is the middle.

    >>> str(gold_scale(Scale.parse("1:6"), "sum", 2)), str(gold_scale(Scale.parse("1:3"), "mean", 2))
    ('2:12', '1:3:0.5')
    """
    if rule in ("first", "higher", "lower", ROUNDED_MEAN):
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
