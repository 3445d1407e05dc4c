"""Sizes: how many responses make an interval narrow enough, or clear a limit.

``sd`` is the standard deviation of the statistic's influence, the standard error times sqrt(n):
it belongs to the population and not to the sample, so a pilot of any size gives it.
"""

import math
from collections.abc import Callable
from statistics import NormalDist

from tallymark.defaults import LEVEL, POWER
from tallymark.inference.distributions import NORMAL, t_quantile
from tallymark.inference.interval import quantile

MOST = 10**12
"""Larger samples are not worth naming."""
_NORMAL = NormalDist()


def for_half_width(sd: float, half_width: float, *, level: float = LEVEL) -> int:
    """Responses whose interval is value -/+ half_width: (z sd / h)^2.

    >>> for_half_width(0.4375, 0.05)
    295
    """
    return _whole((_z(level) * sd / half_width) ** 2)


def qwk_normal(value: float, half_width: float, *, level: float = LEVEL) -> int:
    """Responses for the QWK of normal scores with equal margins: 2 + (z (1 - k^2) / h)^2.

    QWK is Lin's concordance, whose variance is (1 - k^2)^2 / (n - 2) there. Reference: Lin
    (1989), doi:10.2307/2532051.

    >>> qwk_normal(0.75, 0.05)
    297
    """
    return _whole(2 + (_z(level) * (1 - value**2) / half_width) ** 2)


def qwk_fisher(value: float, half_width: float, *, level: float = LEVEL) -> int:
    """Responses whose interval on the scale of atanh is no wider than 2 h on that of QWK.

    >>> qwk_fisher(0.75, 0.05)
    298
    """
    centre = math.atanh(value)

    def narrow(n: int) -> bool:
        off = _z(level) / math.sqrt(n - 2)
        return (math.tanh(centre + off) - math.tanh(centre - off)) / 2 <= half_width

    return _first(narrow, start=3)


def to_settle(
    sd: float,
    value: float,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    level: float = LEVEL,
    power: float = POWER,
    coefficient: bool = False,
) -> int | None:
    """Responses with which the interval lies wholly on the value's side of the limits.

    Inside the limits both ends must clear them; outside, the interval must lie beyond the limit
    that the value has crossed. None where the value stands on a limit: no number would do.

    A ``coefficient`` that cannot exceed 1 varies more the lower it is, so that its interval reaches
    further down than up: it is planned on the scale of atanh.
    """
    if value in (low, high):
        return None
    if coefficient and abs(value) < 1:
        sd = sd / (1 - value**2)
        value, low, high = math.atanh(value), _atanh(low), _atanh(high)
    return _first(
        lambda n: settled(sd / math.sqrt(n), value, low=low, high=high, level=level) >= power
    )


def settled(se: float, value: float, *, low: float, high: float, level: float = LEVEL) -> float:
    """The chance that the interval lies wholly on the value's side of the limits.

    >>> round(settled(0.02, 0.75, low=0.695, high=math.inf), 3)
    0.785
    """
    z = _z(level)
    if value > high:
        return _NORMAL.cdf((value - high) / se - z)
    if value < low:
        return _NORMAL.cdf((low - value) / se - z)
    above = 1.0 if low == -math.inf else _NORMAL.cdf((value - low) / se - z)
    below = 1.0 if high == math.inf else _NORMAL.cdf((high - value) / se - z)
    return max(0.0, above + below - 1)


def _atanh(end: float) -> float:
    return math.copysign(math.inf, end) if abs(end) >= 1 else math.atanh(end)


def _z(level: float) -> float:
    return _NORMAL.inv_cdf((1 + level) / 2)


def _whole(n: float) -> int:
    return max(2, math.ceil(n - 1e-9))


def _first(enough: Callable[[int], bool], start: int = 2) -> int:
    """The smallest n that is enough, given that every larger one is."""
    top = start
    while not enough(top):
        top *= 2
        if top > MOST:
            return MOST
    low = max(start, top // 2)
    while low < top:
        middle = (low + top) // 2
        low, top = (low, middle) if enough(middle) else (middle + 1, top)
    return top


def responses_to_settle(
    value: float,
    low: float,
    high: float,
    n: int,
    *,
    lower: float = -math.inf,
    upper: float = math.inf,
    widened: float = 1.0,
) -> int | None:
    """Responses with which the interval about this very value would just clear the limits.

    An interval shrinks as 1 / sqrt(n). Inside the limits its ends must come to lie inside, outside
    the nearer end must leave them, so each distance d from the value to a limit and the reach h of
    the interval towards it ask for n (h / d)^2 responses. If the value is the true one, that many
    settle the limit in about half of all samples; :func:`more_for_power` gives more certainty.
    ``widened`` stretches the interval where several tests are adjusted. None where the value is on
    a limit, which no number of responses would settle, and where there is no interval.

    >>> responses_to_settle(0.71, 0.66, 0.76, 376, lower=0.70)
    9400
    """
    if math.isnan(low) or math.isnan(high):
        return None
    if lower <= value <= upper:
        demands = [(value - low, value - lower), (high - value, upper - value)]
    elif value < lower:
        demands = [((high - value) * widened, lower - value)]
    else:
        demands = [((value - low) * widened, value - upper)]
    ratio = max((_ratio(*demand) for demand in demands), default=math.nan)
    if not math.isfinite(ratio):
        return None
    return math.ceil(n * ratio**2 * (1 - 1e-9))


def responses_in_clusters(
    value: float,
    se: float,
    n: int,
    df: float,
    *,
    level: float,
    lower: float = -math.inf,
    upper: float = math.inf,
    widened: float = 1.0,
) -> int | None:
    """As :func:`responses_to_settle`, of a t interval over clusters: more of them give more df too.

    >>> responses_in_clusters(0.75, 0.05, 300, 9.0, level=0.95, lower=0.70)
    1232
    """
    needed: int | None = n
    for _ in range(20):
        reach = t_quantile(level, max(df * (needed or n) / n, 1.0)) * se
        more = responses_to_settle(
            value, value - reach, value + reach, n, lower=lower, upper=upper, widened=widened
        )
        if more is None or more == needed:
            return more
        needed = more
    return needed


def more_for_power(power: float, level: float) -> float:
    """By what factor more responses settle a limit with this probability instead of one half.

    ((z_level + z_power) / z_level)^2: twice as many for four in five at level 0.95.

    >>> round(more_for_power(0.8, 0.95), 2)
    2.04
    """
    reach = quantile(level)
    return ((reach + NORMAL.inv_cdf(power)) / reach) ** 2


def _ratio(reach: float, distance: float) -> float:
    if math.isinf(distance):
        return 0.0
    return reach / distance if distance > 1e-9 else math.inf
