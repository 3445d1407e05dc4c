"""States: what a number with its interval, or several of them, say of a limit."""

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from tallymark.defaults import ON_LIMIT
from tallymark.inference.distributions import NORMAL, t_quantile, t_tail
from tallymark.inference.interval import quantile
from tallymark.inference.kinds import FEWEST_CLUSTERS
from tallymark.inference.multiplicity import holm
from tallymark.results import Estimate
from tallymark.results.verdicts import State

T_UNTIL = 200
"""With this many responses or more, Student's t is the normal distribution for our purposes."""


class Bounds(NamedTuple):
    """Between which values a limit is kept, after any rounding rule."""

    lower: float = -math.inf
    upper: float = math.inf


def bounds_of(
    at_least: float | None, at_most: float | None, *, decimals: int | None = None
) -> Bounds:
    """The limits that count when values are rounded half up to this many decimals first.

    Half a step is taken off in decimal, because the binary 0.695 lies below 0.695; what would be
    rounded up beyond ``at_most`` is outside.

    >>> bounds_of(0.70, None, decimals=2)
    Bounds(lower=0.695, upper=inf)
    """
    half = Decimal(0) if decimals is None else Decimal(5).scaleb(-decimals - 1)
    lower = -math.inf if at_least is None else float(Decimal(repr(at_least)) - half)
    upper = math.inf if at_most is None else float(Decimal(repr(at_most)) + half)
    return Bounds(lower, upper if decimals is None else upper - 2 * ON_LIMIT)


def inside(value: float, bounds: Bounds) -> bool:
    """Whether a value keeps to the limits; NaN does not."""
    return bounds.lower - ON_LIMIT <= value <= bounds.upper + ON_LIMIT


def state_of(low: float, high: float, bounds: Bounds) -> State:
    """Met when the whole interval is inside, not met when it is outside, else undecided."""
    if inside(low, bounds) and inside(high, bounds):
        return "met"
    outside = high < bounds.lower - ON_LIMIT or low > bounds.upper + ON_LIMIT
    return "not met" if outside else "undecided"


def p_outside(estimate: Estimate, bounds: Bounds) -> float:
    """The p-value of the hypothesis that the true value keeps to the limits.

    One-sided at the limit that the value is nearer to breaking; where there is a second limit the
    chance of falling beyond that one counts too. NaN without a standard error.
    """
    if not estimate.se > 0 or math.isnan(estimate.value):
        return math.nan
    below, above = bounds.lower - estimate.value, estimate.value - bounds.upper
    beyond, width = max(below, above), bounds.upper - bounds.lower
    reach = estimate.value - estimate.low if above > below else estimate.high - estimate.value
    df = estimate.parts.get("df", estimate.n - 1.0)
    se = _not_narrower(estimate, reach, df)
    far = 0.0 if math.isinf(width) else _tail((beyond + width) / se, df)
    return min(1.0, _tail(beyond / se, df) + far)


def _not_narrower(estimate: Estimate, reach: float, df: float) -> float:
    """The standard error, or a larger one that the interval tells of: skew widens it."""
    if not reach > 0:
        return estimate.se
    steps = quantile(estimate.level) if df + 1 >= T_UNTIL else t_quantile(estimate.level, df)
    return max(estimate.se, reach / steps)


def _tail(t: float, df: float) -> float:
    return NORMAL.cdf(-t) if df + 1 >= T_UNTIL else t_tail(t, max(df, 1))


def effective_clusters(estimate: Estimate) -> float:
    """How many clusters of one size those behind a number are worth; infinite without clusters."""
    return estimate.parts.get("df", math.inf) + 1


def decides(estimate: Estimate, minimum: int) -> bool:
    """Whether a number rests on enough responses, in enough clusters, to settle a limit."""
    # a hair less than 15, for the degrees of freedom of 15 equal clusters are 14 but for rounding
    return estimate.n >= minimum and effective_clusters(estimate) >= FEWEST_CLUSTERS - ON_LIMIT


class Together(NamedTuple):
    """The state of a limit, and the number that decides, by position."""

    state: State
    decides: int


class OfPart(NamedTuple):
    """The state of a limit in one part of the data, and p of the test that it breaks the limit.

    ``adjusted``: alone it would break the limit; only the adjustment for the other parts leaves
    it open.
    """

    state: State
    p: float = math.nan
    adjusted: bool = False


def parts_by_interval(estimates: Sequence[Estimate], bounds: Bounds, minimum: int) -> list[OfPart]:
    """Met by its own interval; not met when the test of lying outside rejects, adjusted by Holm.

    Parts of fewer than ``minimum`` responses, or of too few clusters, show neither.
    """
    large = [
        i
        for i, estimate in enumerate(estimates)
        if decides(estimate, minimum) and not math.isnan(estimate.value)
    ]
    tests = [p_outside(estimates[i], bounds) for i in large]
    adjusted = dict(zip(large, zip(tests, holm(tests), strict=True), strict=True))
    return [
        _of_part(estimate, bounds, *adjusted.get(i, (math.nan, math.nan)), large=i in adjusted)
        for i, estimate in enumerate(estimates)
    ]


def _of_part(estimate: Estimate, bounds: Bounds, p: float, holm_p: float, *, large: bool) -> OfPart:
    if math.isnan(estimate.value):
        return OfPart("not computable")
    wrong = (1 - estimate.level) / 2
    if holm_p <= wrong:
        return OfPart("not met", holm_p)
    keeps = large and state_of(estimate.low, estimate.high, bounds) == "met"
    return OfPart("met" if keeps else "undecided", holm_p, adjusted=p <= wrong)


def parts_by_point(estimates: Sequence[Estimate], bounds: Bounds, _: int) -> list[OfPart]:
    """By the values alone, however few responses they are of."""
    return [
        OfPart("not computable")
        if math.isnan(estimate.value)
        else OfPart("met" if inside(estimate.value, bounds) else "not met", 0.0)
        for estimate in estimates
    ]


def together(
    parts: Sequence[OfPart], estimates: Sequence[Estimate], bounds: Bounds, *, minimum: int
) -> Together:
    """Met when each part is, not met when one is shown not to be.

    That every part keeps the limit is shown when each is shown to, which needs no adjustment
    (an intersection-union claim); that some part breaks it is one of several findings that chance
    could make, so those tests are adjusted.
    """
    every = range(len(parts))

    def reach(i: int) -> float:
        return _reach(estimates[i], bounds)

    broken = [i for i in every if parts[i].state == "not met"]
    if broken:
        return Together("not met", min(broken, key=lambda i: (parts[i].p, -reach(i))))
    still_open = [i for i in every if parts[i].state != "met"]
    if not still_open:
        return Together("met", max(every, key=reach, default=-1))
    large = [i for i in still_open if not math.isnan(estimates[i].value)]
    large = [i for i in large if decides(estimates[i], minimum)] or still_open
    return Together("undecided", max(large, key=reach))


def _reach(estimate: Estimate, bounds: Bounds) -> float:
    """How far the interval, or without one the value, reaches beyond; an undefined one least."""
    low = estimate.value if math.isnan(estimate.low) else estimate.low
    high = estimate.value if math.isnan(estimate.high) else estimate.high
    reach = max(bounds.lower - low, high - bounds.upper)
    return -math.inf if math.isnan(reach) else reach


def by_interval(estimate: Estimate, bounds: Bounds, minimum: int) -> State:
    """By the whole interval."""
    if not decides(estimate, minimum):
        return "undecided"
    return state_of(estimate.low, estimate.high, bounds)


def by_point(estimate: Estimate, bounds: Bounds, minimum: int) -> State:
    """By the value alone."""
    return parts_by_point([estimate], bounds, minimum)[0].state


class Rule(NamedTuple):
    """By what a limit is decided: one number, and each of several parts.

    ``by_value``: neither the interval nor the number of responses matters.
    """

    alone: Callable[[Estimate, Bounds, int], State]
    parts: Callable[[Sequence[Estimate], Bounds, int], list[OfPart]]
    by_value: bool = False


DECIDE: Mapping[str, Rule] = {
    "interval": Rule(by_interval, parts_by_interval),
    "point": Rule(by_point, parts_by_point, by_value=True),
}
"""By what a limit is decided."""


def state_of_all(
    estimates: Sequence[Estimate], bounds: Bounds, *, minimum: int, decide: str = "interval"
) -> Together:
    """The state of a limit on every part, and the part that decides."""
    parts = DECIDE[decide].parts(estimates, bounds, minimum)
    return together(parts, estimates, bounds, minimum=minimum)
