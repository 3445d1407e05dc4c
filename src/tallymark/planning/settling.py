"""Settling: how many responses would decide a limit that these data leave open."""

import math

from tallymark.inference.distributions import NORMAL, t_quantile
from tallymark.inference.interval import quantile


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
