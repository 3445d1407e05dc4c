"""Standardized differences: is the system severe or lenient, in standard deviations?"""

from typing import Literal, NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.tally import PairMoments

Kind = Literal["unpooled", "pooled", "williamson", "johnson"]
KINDS = ("unpooled", "pooled", "williamson", "johnson")


class GroupMoments(NamedTuple):
    """Moments of a group beside those of all responses, which set the standard."""

    group: PairMoments
    all: PairMoments


def smd(moments: PairMoments | GroupMoments, *, kind: Kind = "unpooled") -> Floats:
    r"""Mean of system minus gold over a standard deviation.

    .. math:: \frac{\bar b - \bar a}{s}

    ``unpooled``: s of the gold; ``pooled``: root mean square of both scores' s; ``johnson`` and
    ``williamson``: the same two, but s over all responses where the means are of a group. All with
    divisor n - 1. 0 is fair; beyond 0.15 (0.10 for a group) is commonly cited as too much.
    NaN when the standard deviation is 0.

    References
    ----------
    Williamson, Xi & Breyer (2012), doi:10.1111/j.1745-3992.2011.00223.x.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> f"{smd(PairPatterns.of([1, 2, 3], [2, 2, 4]).moments()):.3f}"
    '0.667'
    """
    group, population = moments if isinstance(moments, GroupMoments) else (moments, moments)
    gold, system = _spread(population if kind in ("williamson", "johnson") else group)
    square = gold if kind in ("unpooled", "johnson") else (gold + system) / 2
    return _over(group.mean_difference, _root(square))


def dsm(moments: GroupMoments) -> Floats:
    r"""Difference of standardized means of a group: its system mean less its gold mean.

    .. math:: \frac{\bar b_g - \bar b}{s_b} - \frac{\bar a_g - \bar a}{s_a}

    Each score is standardized over all responses, so a system that is severe to all alike is
    not flagged. 0 is fair; beyond 0.10 is commonly cited as too much. NaN when a score does not
    vary.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> group = PairPatterns.of([1, 2], [2, 3]).moments()
    >>> f"{dsm(GroupMoments(group, PairPatterns.of([1, 2, 4], [2, 3, 4]).moments())):.3f}"
    '0.046'
    """
    (gold_sd, system_sd), (gold, system) = _spread(moments.all), moments.group.means
    gold_all, system_all = moments.all.means
    return _over(system - system_all, _root(system_sd)) - _over(gold - gold_all, _root(gold_sd))


def sd_ratio(moments: PairMoments) -> Floats:
    r"""Standard deviation of the system over that of the gold.

    .. math:: \frac{s_b}{s_a}

    1 is as spread out as people; below 1 scores are drawn towards the middle. NaN when the gold
    does not vary.

    References
    ----------
    Wang & von Davier (2014), as quoted by Wood, Yao, Haisfield & Lottridge (2021), Table 2.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> # variances 1 and 4
    >>> round(float(sd_ratio(PairPatterns.of([1, 2, 3], [1, 3, 5]).moments())), 12)
    2.0
    """
    gold, system = moments.variances
    return _over(np.sqrt(system), np.sqrt(gold))


def _spread(moments: PairMoments) -> tuple[Floats, Floats]:
    """Variances with divisor n - 1."""
    first, second = moments.variances
    with np.errstate(invalid="ignore", divide="ignore"):  # one response has no spread
        factor = moments.n / (moments.n - 1)
        return np.asarray(first * factor), np.asarray(second * factor)


def _root(square: Floats) -> Floats:
    """Standard deviations; NaN of what lies below 0, as with one response left."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(square)


def _over(numerator: Floats, denominator: Floats) -> Floats:
    none = denominator == 0
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(none, np.nan, numerator / (denominator + none)))
