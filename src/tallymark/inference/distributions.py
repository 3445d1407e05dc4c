"""Student's t and Fisher's F: tails and quantiles of one number, to about thirteen digits.

SciPy has them too, but its import takes longer than a short run. All come from one function, the
incomplete beta function: the square of t is F with one degree of freedom above.
"""

import math
from functools import lru_cache, reduce
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NORMAL = NormalDist()
TINY, CLOSE = 1e-300, 4e-16
SERIES = 15.0
"""From here on Stirling's series is exact to rounding."""
EXPANDED = 1000.0
"""From so many degrees of freedom on the expansion about the normal quantile is exact to 1e-12."""

MANY = 1000
"""For more numbers than this SciPy is faster, its import included."""


class Tails(NamedTuple):
    """The chances below and above a place, and how fast they move with its logarithm."""

    below: float
    above: float
    slope: float


def t_tail(t: float, df: float) -> float:
    """The chance that Student's t is above ``t``.

    >>> f"{t_tail(2.228138852, 10):.6f}"
    '0.025000'
    """
    if not (df > 0 and not math.isnan(t)):
        return math.nan
    if math.isinf(df) or math.isinf(t):
        return NORMAL.cdf(-t) if math.isfinite(t) else float(t < 0)
    half = f_tails(t * t, 1.0, df).above / 2
    return half if t >= 0 else 1 - half


@lru_cache(4096)
def t_quantile(level: float, df: float) -> float:
    """How many standard errors an interval of this level reaches to each side, with t.

    Abramowitz & Stegun 26.7.5 from a thousand degrees of freedom on, else Newton's steps from it.

    >>> f"{t_quantile(0.95, 10):.9f}"
    '2.228138852'
    """
    if not (df > 0 and 0 <= level < 1):
        return math.nan
    z = NORMAL.inv_cdf((1 + level) / 2)
    if level == 0 or math.isinf(df):
        return z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    start = z + reduce(lambda after, term: (term + after) / df, reversed(terms), 0.0)
    if df >= EXPANDED:
        return start
    return math.sqrt(_f_at(level, 1.0, df, 2 * math.log(start if df >= 4 else z)))


def t_tails(t: Floats, df: Floats) -> Floats:
    """:func:`t_tail` of each of several numbers; where they are many, SciPy's import pays."""
    if t.size > MANY:
        from scipy.special import stdtr

        return np.asarray(stdtr(df, -t))
    return np.array([t_tail(*pair) for pair in zip(t.tolist(), df.tolist(), strict=True)])


def t_quantiles(level: float, df: Floats) -> Floats:
    """:func:`t_quantile` for each of several degrees of freedom."""
    if df.size > MANY:
        from scipy.special import stdtrit

        return np.asarray(stdtrit(df, (1 + level) / 2))
    return np.array([t_quantile(level, one) for one in df.tolist()])


def f_tails(f: float, above: float, below: float) -> Tails:
    """The chances below and above ``f`` with these degrees of freedom.

    >>> f"{f_tails(3.0, 2, 12).above:.6f}"
    '0.087791'
    """
    if not (f >= 0 and above > 0 and below > 0):
        return Tails(math.nan, math.nan, math.nan)
    if f == 0 or math.isinf(f):
        return Tails(float(f > 0), float(f == 0), 0.0)
    a, b, whole = above / 2, below / 2, above * f + below
    x, y = above * f / whole, below / whole
    slope = _term(a, b, x, y)
    if x < (a + 1) / (a + b + 2):
        less = slope * _fraction(a, b, x) / a
        return Tails(less, 1 - less, slope)
    more = slope * _fraction(b, a, y) / b
    return Tails(1 - more, more, slope)


def f_quantile(share: float, above: float, below: float) -> float:
    """The place below which F lies with this chance; NaN without degrees of freedom.

    >>> f"{f_quantile(0.95, 5, 10):.6f}"
    '3.325835'
    """
    if not (above > 0 and below > 0 and 0 < share < 1):
        return math.nan
    return _f_at(share, above, below, 0.0)


def _f_at(share: float, above: float, below: float, at: float) -> float:
    """Newton's steps for the logarithm of the smaller tail, which is concave: they cannot miss."""
    for _ in range(200):
        found = f_tails(math.exp(at), above, below)
        tail, wanted = (found.above, 1 - share) if share > 0.5 else (found.below, share)
        step = tail / found.slope * math.log(tail / wanted)
        at += min(max(step if share > 0.5 else -step, -1.0), 1.0)
        if abs(step) < 1e-8:  # the next step would be its square
            break
    return math.exp(at)


def _term(a: float, b: float, x: float, y: float) -> float:
    """x^a y^b / B(a, b) for y = 1 - x, without the loss of large logarithms.

    Loader (2000), Fast and accurate computation of binomial probabilities.
    """
    u, v = (a + b) * x / a, (a + b) * y / b
    power = a * (math.log(u) - (u - 1)) + b * (math.log(v) - (v - 1))
    power += _stirling(a + b) - _stirling(a) - _stirling(b)
    return math.exp(power) * math.sqrt(a * b / (2 * math.pi * (a + b)))


def _stirling(z: float) -> float:
    """What Stirling's formula leaves of the logarithm of the gamma function."""
    if z < SERIES:
        return math.lgamma(z) - (z - 0.5) * math.log(z) + z - math.log(2 * math.pi) / 2
    s = 1 / (z * z)
    return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s / 1188)))) / z


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method. DLMF 8.17.22."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or TINY)
    found, m, change = d, 0, math.inf
    while abs(change - 1) > CLOSE and m < 100_000:
        m += 1
        place = a + 2 * m
        for part in (
            m * (b - m) * x / ((place - 1) * place),
            -(a + m) * (a + b + m) * x / (place * (place + 1)),
        ):
            d = 1 / (1 + part * d or TINY)
            c = 1 + part / c or TINY
            change = c * d
            found *= change
    return found
