"""Sizes: how many responses make an interval narrow enough.

``sd`` is the standard deviation of the statistic's influence, the standard error times sqrt(n):
it belongs to the population and not to the sample, so a pilot of any size gives it.
"""

import math
from collections.abc import Callable
from statistics import NormalDist

from tallymark.defaults import LEVEL

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
