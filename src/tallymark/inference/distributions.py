"""Student's t, Fisher's F and chi-squared: tails and quantiles of one number, to twelve digits.

SciPy has them too, but its import takes longer than a short run. Those of t and F come from one
function, the incomplete beta function: the square of t is F with one degree of freedom above.
"""

import math
from collections.abc import Callable
from functools import lru_cache, reduce
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats

NORMAL = NormalDist()
TINY, CLOSE = 1e-300, 4e-16
SERIES = 15.0
"""From here on Stirling's series is exact to rounding."""
EXPANDED = 1000.0
"""From this many degrees of freedom on the expansion about the normal quantile is exact to 1e-12."""

ENDLESS = 1e9
"""From so large a noncentrality on its own spread is next to nothing."""
NONE = 1e-12
"""Fewer degrees of freedom than this are the rounding error of 0."""
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
    at = 2 * math.log(start if df >= 4 else z)
    return math.sqrt(_place(lambda f: f_tails(f, 1.0, df), level, at))


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
    return np.array([t_quantile(level, number) for number in df.tolist()])


def f_tails(f: float, above: float, below: float) -> Tails:
    """The chances below and above ``f`` with these degrees of freedom.

    >>> f"{f_tails(3.0, 2, 12).above:.6f}"
    '0.087791'
    """
    if not (f >= 0 and above > 0 and below > 0):
        return Tails(math.nan, math.nan, math.nan)
    if f == 0 or math.isinf(f):
        return Tails(float(f > 0), float(f == 0), 0.0)
    a, b, total = above / 2, below / 2, above * f + below
    x, y = above * f / total, below / total
    slope = _term(a, b, x, y)
    if x < (a + 1) / (a + b + 2):
        lower = slope * _fraction(a, b, x) / a
        return Tails(lower, 1 - lower, slope)
    upper = slope * _fraction(b, a, y) / b
    return Tails(1 - upper, upper, slope)


def f_quantile(share: float, above: float, below: float) -> float:
    """The place below which F lies with this chance; NaN without degrees of freedom.

    >>> f"{f_quantile(0.95, 5, 10):.6f}"
    '3.325835'
    """
    if not (above > NONE and below > NONE and 0 < share < 1):
        return math.nan
    return _place(lambda f: f_tails(f, above, below), share)


def chi_squared_above(x: float, df: int) -> float:
    """Probability that chi-squared with whole degrees of freedom exceeds x.

    A finite sum (Abramowitz & Stegun 26.4.4 and 26.4.5).

    >>> f"{chi_squared_above(3.841458820694124, 1):.4f} {chi_squared_above(5.99146, 2):.4f}"
    '0.0500 0.0500'
    """
    half = x / 2
    if half <= 0:
        return 1.0
    total, term = (0.0, 0.0) if df % 2 == 0 else (math.erfc(math.sqrt(half)), 0.5)
    while term < df / 2:
        total += math.exp(term * math.log(half) - half - math.lgamma(term + 1))
        term += 1
    return min(total, 1.0)


def chi_squared_quantile(share: float, df: int) -> float:
    """The place below which chi-squared lies with this chance.

    >>> f"{chi_squared_quantile(0.95, 1):.6f}"
    '3.841459'
    """

    def tails(x: float) -> Tails:
        above, half = chi_squared_above(x, df), df / 2
        slope = math.exp(half * math.log(x / 2) - x / 2 - math.lgamma(half))
        return Tails(1 - above, above, slope)

    return _place(tails, share, math.log(df))


def _place(tails: Callable[[float], Tails], share: float, at: float = 0.0) -> float:
    """Newton's steps for the logarithm of the smaller tail, from a place whose logarithm is ``at``.

    Along that of the place it is concave, so they cannot miss.
    """
    for _ in range(200):
        here = tails(math.exp(at))
        tail, wanted = (here.above, 1 - share) if share > 0.5 else (here.below, share)
        step = tail / here.slope * math.log(tail / wanted)
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
    fraction, m, change = d, 0, math.inf
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
            fraction *= change
    return fraction


def noncentrality(share: float, f: float, above: float, below: float) -> float:
    """How far from its null F must be to lie below ``f`` with this chance; 0 where it is not.

    The noncentral F distribution is a mixture of central ones with Poisson weights.

    >>> f"{noncentrality(0.025, 4.0, 2, 60):.4f}"
    '22.1484'
    """
    if not (f > 0 and f_tails(f, above, below).below > share):
        return 0.0
    if above * f > ENDLESS:  # chi-squared below is all that varies
        return above * f * chi_squared_quantile(1 - share, int(below)) / below
    at = max(above * (f - 1), 0.0)  # where F is about its mean
    for _ in range(200):
        chance, slope = _noncentral(f, above, below, at)
        step = math.log(chance / share) * chance / slope
        at = max(at - step, at / 2)
        if abs(step) <= 1e-9 * at:  # the next step would be its square
            break
    return at


def _noncentral(f: float, above: float, below: float, at: float) -> tuple[float, float]:
    """The chance that noncentral F lies below ``f``, and how it moves with the noncentrality."""
    middle, reach = at / 2, 9 * math.sqrt(at / 2) + 40
    j = np.arange(max(0.0, math.floor(middle - reach)), math.ceil(middle + reach))
    a, b, total = above / 2, below / 2, above * f + below
    x, y = above * f / total, below / total
    rises = np.log(middle / j[1:]) if middle else np.full(j.size - 1, -math.inf)
    weights = np.concatenate([[0.0], np.cumsum(rises)])
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    # I(a + j) - I(a + j + 1), of which each is a multiple of the one before
    steps = np.concatenate([[0.0], np.cumsum(np.log(x * (a + b + j[:-1]) / (a + j[1:])))])
    first = _term(a + j[0], b, x, y) / (a + j[0])
    lost = first * np.exp(steps)
    last = f_tails(f * above / (above + 2 * j[-1] + 2), above + 2 * j[-1] + 2, below).below
    chances = last + np.cumsum(lost[::-1])[::-1]
    return float(weights @ chances), -float(weights @ lost) / 2
