"""Moving counts: the table of two scores if one thing about it were different.

Each function takes a table and gives one of as many responses, whose counts need not be whole. Tables
may be stacked, and statistics of what is returned can be differentiated by the counts, so that they
have intervals.
"""

from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.diagnosis.binning import merged
from tallymark.diagnosis.position import placed
from tallymark.tally import PairCounts


def agreement_moved(pairs: PairCounts, source: int, target: int, share: float) -> PairCounts:
    """Move a share of the agreement at one point along the diagonal to another point.

    Every disagreement stays, and so does observed agreement under any weights.

    >>> table = PairCounts(np.array([[8, 1], [2, 4]]), np.arange(2.0))
    >>> agreement_moved(table, 0, 1, 0.25).counts.tolist()
    [[6.0, 1.0], [2.0, 6.0]]
    """
    diagonal = _diagonal(pairs)
    moved = share * diagonal[..., source]
    diagonal[..., source] -= moved
    diagonal[..., target] += moved
    return placed(pairs, diagonal)


def agreement_exchanged(pairs: PairCounts, first: int, second: int) -> PairCounts:
    """Exchange the agreement at two points: the diagonal swap of Doewes, Kurdhi & Saxena (2023).

    Every disagreement stays, and so does observed agreement under any weights.

    >>> table = PairCounts(np.array([[8, 1], [2, 4]]), np.arange(2.0))
    >>> agreement_exchanged(table, 0, 1).counts.tolist()
    [[4.0, 1.0], [2.0, 8.0]]
    """
    diagonal = _diagonal(pairs)
    diagonal[..., [first, second]] = diagonal[..., [second, first]]
    return placed(pairs, diagonal)


def point_raised(pairs: PairCounts, point: int, share: float) -> PairCounts:
    """Give a point this share of the first rater's scores, and the others the rest in proportion.

    What the second rater gives to responses at each point of the first stays, and so do the shares
    of the other points among themselves. NaN where the first rater never gives the point.

    >>> table = PairCounts(np.array([[6, 2], [1, 1]]), np.arange(2.0))
    >>> point_raised(table, 1, 0.6).counts.round(9).tolist()
    [[3.0, 1.0], [3.0, 3.0]]
    """
    gold, _ = pairs.margins
    elsewhere = np.arange(pairs.points.size) != point
    now = gold[..., [point]]
    with np.errstate(divide="ignore", invalid="ignore"):  # a point never given cannot be raised
        rest = np.where(share < 1, (1 - share) / (1 - now), 0.0)
        factors = np.where(elsewhere, rest, share / now)
        counts = np.where(pairs.counts == 0, 0.0, pairs.counts * factors[..., None])
    defined = np.where(now == 0, np.nan, 1.0)[..., None]
    return replace(pairs, counts=counts * defined)


def errors_scaled(pairs: PairCounts, times: float) -> PairCounts:
    """Let the second rater make the same errors this many times as often.

    Of the responses at a point of the first rater, the share in error is multiplied, up to all of
    them, and the agreement takes what is left. The first rater's scores stay, and so does which
    error is made at a point where one is made. 0 is perfect agreement.

    >>> table = PairCounts(np.array([[8, 2], [3, 1]]), np.arange(2.0))
    >>> errors_scaled(table, 0.5).counts.tolist(), errors_scaled(table, 2.0).counts.tolist()
    ([[9.0, 1.0], [1.5, 2.5]], [[6.0, 4.0], [4.0, 0.0]])
    """
    total = pairs.counts.sum(axis=-1)
    errors = total - _diagonal(pairs)
    with np.errstate(divide="ignore", invalid="ignore"):  # a point without errors has none to scale
        largest_share = np.where(errors.real > 0, total / errors, 1.0)
    factor = np.where(largest_share.real < times, largest_share, times)
    counts = pairs.counts * factor[..., None]
    return placed(replace(pairs, counts=counts), total - errors * factor)


def chance_mixed(pairs: PairCounts, share: float) -> PairCounts:
    """Replace a share of the responses by ones at which both raters score by chance.

    Both margins stay, so that every weighted kappa becomes 1 - ``share`` times what it was.

    >>> table = PairCounts(np.array([[6, 2], [1, 1]]), np.arange(2.0))
    >>> chance_mixed(table, 1.0).counts.round(6).tolist()
    [[5.6, 2.4], [1.4, 0.6]]
    """
    first, second = pairs.margins
    chance = pairs.n[..., None, None] * first[..., :, None] * second[..., None, :]
    return replace(pairs, counts=(1 - share) * pairs.counts + share * chance)


def points_merged(pairs: PairCounts, bins: int) -> PairCounts:
    """Merge neighbouring points into this many, each of which scores the mean of its points.

    >>> points_merged(PairCounts(np.diag([1, 2, 3, 4]), np.arange(4.0)), 2).counts.tolist()
    [[3.0, 0.0], [0.0, 7.0]]
    """
    place = merged(pairs.points.size, bins)
    into = (place[:, None] == np.arange(bins)) * 1.0
    points = (pairs.points @ into) / into.sum(axis=0)
    return PairCounts(np.asarray(into.T @ pairs.counts @ into), points)


def _diagonal(pairs: PairCounts) -> NDArray[Any]:
    """The counts of agreement, to be written to."""
    return np.diagonal(pairs.counts, axis1=-2, axis2=-1) * 1.0
