"""Interval ends: bias-corrected accelerated, percentile, normal, t, Fisher z, Wilson, exact."""

import math
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.inference.distributions import NORMAL, t_quantile


def quantile(level: float) -> float:
    """How many standard errors an interval of this level reaches to each side."""
    return NORMAL.inv_cdf((1 + level) / 2)


ROUNDING = 1e-12
"""Relative to the value: replicates closer than this are equal, and a spread below it is none."""


class Interval(NamedTuple):
    """The ends of an interval; NaN when there is none."""

    low: float
    high: float


class OtherRaters(NamedTuple):
    """The ends of a statistic as far as who rates moves it, where raters are a sample, with their df.

    ``complete`` where what responses add is in them already.
    """

    low: float
    high: float
    df: float
    complete: bool = False


def percentile(replicates: Floats, level: float) -> Interval:
    """The middle share of the replicates."""
    tail = (1 - level) / 2
    low, high = np.quantile(replicates, [tail, 1 - tail])
    return Interval(float(low), float(high))


def within(value: float, replicates: Floats) -> bool:
    """Whether replicates lie on both sides of the value."""
    margin = ROUNDING * max(1.0, abs(value))
    return bool(replicates.min() < value - margin and replicates.max() > value + margin)


def bounded(value: float, interval: Interval, span: tuple[float, float]) -> Interval:
    """The interval without what lies beyond the values that are possible; it holds the value."""
    low, high = interval
    return Interval(min(max(low, span[0]), value), max(min(high, span[1]), value))


def around(value: float, interval: Interval) -> Interval:
    """The interval, reaching to the value where all of it lies to one side."""
    return Interval(min(interval.low, value), max(interval.high, value))


def expanded(level: float, n: float) -> float:
    """The level at which n units give an interval that holds ``level``, as a t interval is wider.

    A bootstrap of n units is narrow by sqrt((n - 1) / n) and takes its own spread for the true
    one. Hesterberg (2015), doi:10.1080/00031305.2015.1089789.
    """
    if n < 2:
        return level
    reach = t_quantile(level, n - 1) * (n / (n - 1)) ** 0.5
    return min(2 * NORMAL.cdf(reach) - 1, 1 - 1e-12)


def bca(value: float, replicates: Floats, left_out: Floats, times: Whole, level: float) -> Interval:
    """Percentiles moved for the median bias and the acceleration of the statistic.

    ``left_out`` are the values with one unit left out, each as often as ``times`` says.
    Efron (1987), doi:10.1080/01621459.1987.10478410.
    """
    deviations = replicates - value
    equal = np.abs(deviations) <= ROUNDING * max(1.0, abs(value))
    below = (np.sum((deviations < 0) & ~equal) + np.sum(equal) / 2) / replicates.size
    edge = 0.5 / replicates.size
    bias = NORMAL.inv_cdf(float(np.clip(below, edge, 1 - edge)))
    centre = (times @ left_out) / times.sum()
    pull = centre - left_out
    spread = times @ pull**2
    acceleration = (times @ pull**3) / (6 * spread**1.5) if spread > 0 else 0.0
    z = bias + np.array([-1, 1]) * quantile(level)
    # beyond the pole of the correction the end is the outermost replicate
    moved = [NORMAL.cdf(end) for end in bias + z / np.maximum(1 - acceleration * z, 1e-9)]
    low, high = np.quantile(replicates, moved)
    return Interval(float(low), float(high))


def normal(value: float, se: float, level: float) -> Interval:
    """Value plus and minus a normal quantile times the standard error."""
    half = quantile(level) * se
    return Interval(value - half, value + half)


def logit(value: float, se: float, level: float) -> Interval:
    """Normal interval of the log odds of a value between 0 and 1, carried back.

    >>> [round(end, 4) for end in logit(0.1, 0.05, 0.95)]
    [0.0361, 0.2482]
    """
    odds, reach = value / (1 - value), quantile(level) * se / (value * (1 - value))
    low, high = (odds * float(np.exp(side * reach)) for side in (-1, 1))
    return Interval(low / (1 + low), high / (1 + high))


def student(value: float, se: float, df: float, level: float) -> Interval:
    """Value plus and minus a t quantile times the standard error; the ends are not clipped."""
    if df < 1:
        return Interval(float("nan"), float("nan"))
    half = t_quantile(level, df) * se
    return Interval(value - half, value + half)


def fisher_z(value: float, se_z: float, level: float) -> Interval:
    """Normal interval of atanh(value), carried back. Fisher (1921)."""
    if not abs(value) < 1:
        return Interval(float("nan"), float("nan"))
    low, high = normal(float(np.arctanh(value)), se_z, level)
    return Interval(float(np.tanh(low)), float(np.tanh(high)))


def wilson(share: float, n: float, level: float) -> Interval:
    """Score interval of a proportion. Wilson (1927), doi:10.1080/01621459.1927.10502953."""
    if not n > 0:
        return Interval(float("nan"), float("nan"))
    z = quantile(level)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # rounding must not put the end of 0 of n above 0, nor that of all below 1
    low, high = min(float(middle - half), share), max(float(middle + half), share)
    return Interval(max(0.0, low), min(1.0, high))


def with_other_raters(
    value: float, interval: Interval, raters: OtherRaters, span: tuple[float, float]
) -> Interval:
    r"""The interval for other raters: its reach and that of ``raters`` as sides of a right angle.

    .. math:: \ell = v - \sqrt{(v - \ell_1)^2 + (v - \ell_2)^2}

    On the log scale where numbers are positive, on that of log odds where they are shares.
    Zou & Donner (2008), doi:10.1002/sim.3095.

    >>> low, high = with_other_raters(4.0, Interval(3.0, 5.0), OtherRaters(2.0, 40.0, 2.0), (0, 9e9))
    >>> f"{low:.2f} {high:.1f}"
    '1.89 40.4'
    """
    if raters.complete:
        return around(value, Interval(raters.low, raters.high))
    places = np.array([value, *interval, raters.low, raters.high])
    least, greatest = places.min(), places.max()
    share = span[1] == 1 and least > 0 and greatest < 1
    positive = share or (span[0] == 0 and least > 0)
    if positive:
        places = np.log(places / (1 - places) if share else places)
    centre, *ends = places.tolist()
    low = centre - math.hypot(centre - ends[0], max(centre - ends[2], 0.0))
    high = centre + math.hypot(ends[1] - centre, max(ends[3] - centre, 0.0))
    if not positive:
        return Interval(max(low, span[0]), min(high, span[1]))
    low, high = math.exp(low), math.exp(high)
    return Interval(low / (1 + low), high / (1 + high)) if share else Interval(low, high)
