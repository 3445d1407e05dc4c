"""States: what a number with its interval, or several of them, say of a limit."""

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from tallymark.defaults import LEVEL, ON_LIMIT
from tallymark.inference.distributions import NORMAL, t_quantile, t_tail
from tallymark.inference.interval import quantile
from tallymark.inference.making import FEWEST_CLUSTERS
from tallymark.inference.multiplicity import holm
from tallymark.results import Estimate
from tallymark.results.verdicts import State

T_UNTIL = 200
"""With so many responses or more, Student's t is the normal distribution for our purposes."""


class Bounds(NamedTuple):
    """Between which values a limit is kept, after any rounding rule."""

    lower: float = -math.inf
    upper: float = math.inf


def bounds_of(
    at_least: float | None, at_most: float | None, *, decimals: int | None = None
) -> Bounds:
    """The limits that count when values are rounded half up to so many decimals first.

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
    """Of the hypothesis that the true value keeps to the limits, from the value and its error.

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


class Held(NamedTuple):
    """Numbers held against a limit: one, or one of each part.

    Those of fewer than ``minimum`` responses decide nothing; ``small`` tells that a part is too
    small for the mean over such parts.
    """

    estimates: Sequence[Estimate]
    bounds: Bounds
    minimum: int
    by_part: bool = False
    small: bool = False


class Together(NamedTuple):
    """The state of a limit, and the number that decides, by position."""

    state: State
    decides: int


def state_of_all(estimates: Sequence[Estimate], bounds: Bounds, *, minimum: int) -> Together:
    """Met when each interval is inside; not met when one adjusted test of lying outside rejects.

    That every part keeps the limit is shown when each is shown to, which needs no adjustment
    (an intersection-union claim); that some part breaks it is one of several findings that chance
    could make, so the tests are adjusted by Holm. Parts below the minimum can show neither.
    """
    large = [
        i
        for i, estimate in enumerate(estimates)
        if decides(estimate, minimum) and not math.isnan(estimate.value)
    ]
    tests = holm([p_outside(estimates[i], bounds) for i in large])
    level = max((estimate.level for estimate in estimates), default=LEVEL)
    rejected = [(p, i) for p, i in zip(tests, large, strict=True) if p <= (1 - level) / 2]
    if rejected:
        return Together("not met", min(rejected)[1])
    states = [
        state_of(estimate.low, estimate.high, bounds) if decides(estimate, minimum) else "undecided"
        for estimate in estimates
    ]
    worst = max(range(len(estimates)), key=lambda i: _reach(estimates[i], bounds), default=-1)
    if all(state == "met" for state in states):
        return Together("met", worst)
    open_ones = [i for i, state in enumerate(states) if state != "met"]
    open_ones = [i for i in open_ones if i in large] or open_ones
    return Together("undecided", max(open_ones, key=lambda i: _reach(estimates[i], bounds)))


def _reach(estimate: Estimate, bounds: Bounds) -> float:
    """How far the interval, or without one the value, reaches beyond; an undefined one least."""
    low = estimate.value if math.isnan(estimate.low) else estimate.low
    high = estimate.value if math.isnan(estimate.high) else estimate.high
    reach = max(bounds.lower - low, high - bounds.upper)
    return -math.inf if math.isnan(reach) else reach


def by_interval(held: Held) -> Together:
    """By the whole interval; of every part by each of them."""
    if held.by_part:
        return state_of_all(held.estimates, held.bounds, minimum=held.minimum)
    estimate = held.estimates[0]
    if held.small or not decides(estimate, held.minimum):
        return Together("undecided", 0)
    return Together(state_of(estimate.low, estimate.high, held.bounds), 0)


def by_point(held: Held) -> Together:
    """By the values alone: one outside decides, else one that is undefined."""
    undefined = [i for i, estimate in enumerate(held.estimates) if math.isnan(estimate.value)]
    for i, estimate in enumerate(held.estimates):
        if i not in undefined and not inside(estimate.value, held.bounds):
            return Together("not met", i)
    if undefined:
        return Together("undecided", undefined[0])
    return Together("met", by_interval(held).decides)


DECIDE: Mapping[str, Callable[[Held], Together]] = {"interval": by_interval, "point": by_point}
"""By what a limit is decided."""
