"""Correlation: does the system put the responses in the order in which people put them?"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.tally import PairMoments, PairPatterns

NOISE = 1e-14
"""Relative to what was subtracted: less than this is rounding error."""
KEPT = 4096
"""Of more patterns than this the comparisons of all digits are not held in memory."""


def pearson(moments: PairMoments) -> Floats:
    r"""Linear correlation of two scores, :math:`s_{ab} / (s_a s_b)`.

    1 is a perfect straight line, whatever its slope and offset: a severe or compressed system
    loses nothing. NaN when a score does not vary.

    Examples
    --------
    >>> f"{pearson(PairPatterns.of([1, 2, 3, 4], [2, 4, 5, 9]).moments()):.3f}"
    '0.965'
    """
    first, second = moments.variances
    return _ratio(moments.covariance, np.sqrt(first) * np.sqrt(second))


def disattenuated(of_system: Floats, of_people: Floats) -> Floats:
    r"""Correlation with raters who made no errors, :math:`r_{HM} / \sqrt{r_{HH}}`.

    It can exceed 1 by chance, or where the system shares errors with the raters. NaN when people do not correlate above 0.

    References
    ----------
    Spearman (1904), doi:10.2307/1412159.

    Examples
    --------
    >>> f"{disattenuated(np.float64(0.6), np.float64(0.64)):.3f}"
    '0.750'
    """
    reliable = np.real(of_people) > 0
    root = np.sqrt(np.where(reliable, of_people, 1.0))
    return np.asarray(np.where(reliable, of_system / root, np.nan))


def spearman(pairs: PairPatterns) -> Floats:
    r"""Correlation of the ranks of two scores, ties at their middle rank.

    1 is the same order. NaN when a score does not vary.

    References
    ----------
    Spearman (1904), doi:10.2307/1412159.

    Examples
    --------
    >>> f"{spearman(PairPatterns.of([1, 2, 3, 4], [1, 3, 2, 4])):.3f}"
    '0.800'
    """
    n = pairs.n[..., None]
    first = middle_ranks(ranked(pairs, "first"), pairs.counts) - n / 2
    second = middle_ranks(ranked(pairs, "second"), pairs.counts) - n / 2
    product = (pairs.counts * first * second).sum(axis=-1)
    of_first = _not_rounding((pairs.counts * first * first).sum(axis=-1), pairs.n**3)
    square = _not_rounding((pairs.counts * second * second).sum(axis=-1), pairs.n**3)
    return _ratio(product, np.sqrt(of_first) * np.sqrt(square))


class Ranked(NamedTuple):
    """The rank of each pattern by one score, the patterns by rank, and where each rank starts."""

    place: Whole
    order: NDArray[np.intp]
    starts: NDArray[np.intp]


def ranked(pairs: PairPatterns, score: str) -> Ranked:
    """Rank the patterns by their first or second score, once for all counts."""
    if score not in pairs.kept:
        place = np.unique(getattr(pairs, score), return_inverse=True)[1]
        order = np.argsort(place, kind="stable")
        starts = np.searchsorted(place[order], np.arange(place.max(initial=-1) + 1))
        pairs.kept[score] = Ranked(place, order, starts)
    ranks: Ranked = pairs.kept[score]
    return ranks


def middle_ranks(score: Ranked, counts: Floats | Whole) -> Floats:
    """Responses below each value plus half of those at it."""
    by_value = counts * 1.0
    if score.starts.size:
        by_value = np.add.reduceat(counts[..., score.order], score.starts, axis=-1)
    return np.asarray((np.cumsum(by_value, axis=-1) - by_value / 2)[..., score.place])


def spearman_influence(pairs: PairPatterns) -> Floats:
    """Influence of a response of each pattern on Spearman's correlation, for one vector of counts.

    A further response moves the rank of every response above it by one and of those tied with it
    by one half, so sums over the responses above and beside it are needed.
    """
    n = pairs.n
    x, y = ranked(pairs, "first"), ranked(pairs, "second")
    a, b = middle_ranks(x, pairs.counts) - n / 2, middle_ranks(y, pairs.counts) - n / 2
    ab, aa, bb = (float((pairs.counts * p * q).sum()) for p, q in ((a, b), (a, a), (b, b)))
    moves_ab = a * b + _above(x, pairs.counts * b) + _above(y, pairs.counts * a)
    moves_aa = a * a + 2 * _above(x, pairs.counts * a)
    moves_bb = b * b + 2 * _above(y, pairs.counts * b)
    rho = ab / np.sqrt(aa * bb)
    return np.asarray(n * (moves_ab / np.sqrt(aa * bb) - rho / 2 * (moves_aa / aa + moves_bb / bb)))


def _above(score: Ranked, weights: Floats) -> Floats:
    """Sum of the weights at higher values, and half of those at the same value."""
    by_value = np.bincount(score.place, weights=weights)
    return np.asarray((by_value.sum() - np.cumsum(by_value) + by_value / 2)[score.place])


def kendall_tau_b(pairs: PairPatterns) -> Floats:
    r"""Surplus of response pairs ordered alike over those ordered oppositely, ties corrected.

    .. math:: \frac{C - D}{\sqrt{(P - T_a)(P - T_b)}}

    where P counts all pairs of responses and T those tied on a score. 1 is the same order
    without ties broken. NaN when a score does not vary.

    References
    ----------
    Kendall (1945), doi:10.1093/biomet/33.3.239.

    Examples
    --------
    >>> f"{kendall_tau_b(PairPatterns.of([1, 2, 3, 4], [1, 3, 2, 4])):.3f}"
    '0.667'
    """
    surplus = (pairs.counts * surplus_of_each(pairs)).sum(axis=-1)
    x, y = ranked(pairs, "first"), ranked(pairs, "second")
    first, second = untied(x, pairs), untied(y, pairs)
    return _ratio(surplus, np.sqrt(first) * np.sqrt(second))


def kendall_influence(pairs: PairPatterns) -> Floats:
    """Influence of a response of each pattern on tau-b, for one vector of counts.

    Agresti (2010), Analysis of Ordinal Categorical Data, 2nd ed., chapter 7.
    """
    n = pairs.n
    x, y = ranked(pairs, "first"), ranked(pairs, "second")
    first, second = untied(x, pairs), untied(y, pairs)
    size = np.sqrt(first) * np.sqrt(second)
    surplus = surplus_of_each(pairs)
    tau = (pairs.counts * surplus).sum() / size
    moves = second * (n - _alike(x, pairs)) + first * (n - _alike(y, pairs))
    return np.asarray(n * (2 * surplus / size - tau * moves / size**2))


def surplus_of_each(pairs: PairPatterns) -> Floats:
    r"""For each pattern, responses ordered alike to it less those ordered oppositely.

    Two responses whose scores of one kind differ first differ in one binary digit of the ranks of
    those scores. So, digit by digit: among responses equal in all higher digits, sorted by the
    other score, cumulative counts give how many with the other digit lie below and above.
    This takes :math:`P \log P` steps for P patterns and any leading axes of counts. The statistic
    and its influence need it of the same counts, so it is kept.
    """
    counts = pairs.counts
    weights, surplus = pairs.kept.get("surplus", (None, None))
    if weights is counts:
        return np.asarray(surplus)
    result = np.zeros(counts.shape, dtype=np.result_type(counts.dtype, np.float64))
    if "digits" not in pairs.kept and pairs.first.size <= KEPT:
        pairs.kept["digits"] = [*_digits(pairs)]
    for step in pairs.kept.get("digits") or _digits(pairs):
        result[..., step.order] += step.surplus(counts[..., step.order])
    if counts.ndim == 1:
        pairs.kept["surplus"] = counts, result
    return result


Bounds = tuple[NDArray[np.intp], NDArray[np.intp]]


class _Step(NamedTuple):
    """One digit of the ranks; the patterns are sorted by the higher digits, then the other score.

    ``upper`` tells whose digit is 1; ``block`` bounds the patterns that share the higher digits with
    each, ``tied`` those of them that share the other score too.
    """

    order: NDArray[np.intp]
    upper: NDArray[np.bool_]
    block: Bounds
    tied: Bounds

    def surplus(self, counts: Floats | Whole) -> Floats:
        """Responses of the block with the other digit that are ordered alike, less oppositely."""
        zeros, ones = (self._below_less_above(np.where(self.upper == d, counts, 0)) for d in (0, 1))
        return np.where(self.upper, zeros, -ones)

    def _below_less_above(self, counts: Floats | Whole) -> Floats:
        upto = np.zeros((*counts.shape[:-1], self.order.size + 1), dtype=counts.dtype)
        np.cumsum(counts, axis=-1, out=upto[..., 1:])
        inner, outer = (upto[..., a] + upto[..., b] for a, b in (self.tied, self.block))
        return np.asarray(inner - outer)


def _digits(pairs: PairPatterns) -> Iterator[_Step]:
    scores = [ranked(pairs, score) for score in ("first", "second")]
    # the two scores may change places: digits of the one that takes fewer values
    ranks, longer = sorted(scores, key=lambda score: score.starts.size)
    order, position = longer.order, np.arange(pairs.first.size)
    for digit in reversed(range(max(ranks.starts.size - 1, 0).bit_length())):
        rank, x = ranks.place[order], longer.place[order]
        upper, higher = (rank >> digit) & 1 == 1, rank >> (digit + 1)
        starts = np.diff(higher, prepend=-1) != 0
        block, tied = _runs(starts), _runs(starts | (np.diff(x, prepend=-1) != 0))
        yield _Step(order, upper, block, tied)
        # sorted by one digit more: in each block those with 0 come first, else all keep their order
        zeros = np.concatenate([[0], np.cumsum(~upper)])
        first = block[0] + zeros[:-1] - zeros[block[0]]
        place = np.where(upper, position + zeros[block[1]] - zeros[:-1], first)
        moved = np.empty_like(order)
        moved[place] = order
        order = moved


def untied(score: Ranked, pairs: PairPatterns) -> Floats:
    """Ordered pairs of responses that differ in this score."""
    if not score.starts.size:
        return pairs.n
    # sums of products of disjoint counts, exactly zero when only one value occurs
    by_value = np.add.reduceat(pairs.counts[..., score.order], score.starts, axis=-1) * 1.0
    return _not_rounding((by_value * (pairs.n[..., None] - by_value)).sum(axis=-1), pairs.n**2)


def _alike(score: Ranked, pairs: PairPatterns) -> Floats:
    """Responses that share this score with each pattern."""
    return np.bincount(score.place, weights=pairs.counts)[score.place].astype(np.float64)


def _runs(new: NDArray[np.bool_]) -> Bounds:
    """For each place in a sequence, where its run starts and stops; runs start where ``new``."""
    starts = np.flatnonzero(new)
    lengths = np.diff(starts, append=new.size)
    return np.repeat(starts, lengths), np.repeat(starts + lengths, lengths)


def _not_rounding(spread: Floats, square: Floats) -> Floats:
    """Zero where weighted sums of one and the same value leave only rounding error."""
    return np.where(np.real(spread) <= NOISE * np.real(square), 0.0, spread)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    none = denominator == 0
    with np.errstate(invalid="ignore"):
        return np.where(none, np.nan, numerator / (denominator + none))


def lin_ccc(moments: PairMoments) -> Floats:
    r"""Lin's concordance: quadratic weighted kappa of scores that need not lie on a scale.

    .. math:: \frac{2 s_{ab}}{s_a^2 + s_b^2 + (\bar a - \bar b)^2}

    with divisor n throughout. 1 is identity, 0 is no linear relation; a shift or a different
    spread lowers it below the correlation. NaN when neither score varies and both are equal.

    References
    ----------
    Lin (1989), doi:10.2307/2532051; Haberman (2019), doi:10.1002/ets2.12258.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> f"{lin_ccc(PairPatterns.of([1, 2, 4], [2, 1, 4]).moments()):.4f}"
    '0.7857'
    """
    first, second = moments.variances
    denominator = first + second + moments.mean_difference**2
    none = denominator == 0
    with np.errstate(invalid="ignore"):
        return np.where(none, np.nan, 2 * moments.covariance / (denominator + none))
