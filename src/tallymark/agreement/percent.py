"""Percent agreement: the share of responses that get the same, or nearly the same, score."""

import numpy as np

from tallymark.agreement.chance import Ratings
from tallymark.agreement.weights import beyond, distance
from tallymark.arrays import Floats
from tallymark.tally import GapCounts
from tallymark.tally.pairs import PARTS


def percent_agreement(tally: Ratings) -> Floats:
    r"""Share of pairs of ratings that are equal.

    .. math:: p_o = \sum_k n_{kk} / n

    1 is perfect. It says nothing of what chance alone would give, and it is high wherever one
    score dominates. NaN when no response has two ratings.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> percent_agreement(PairCounts(np.array([[40, 10], [10, 40]]), np.arange(2.0))).item()
    0.8
    """
    return 1 - tally.disagreement(distance(tally.points, "identity"))


def adjacent_agreement(pairs: Ratings, *, tolerance: float = 1.0) -> Floats:
    r"""Share of responses whose two scores differ by at most ``tolerance``, in score units.

    .. math:: \sum_{|x_i - x_j| \le t} n_{ij} / n

    1 is perfect; on a scale of few points it is high for almost any system. NaN without responses.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> table = np.array([[4, 1, 1], [0, 3, 0], [0, 0, 1]])
    >>> adjacent_agreement(PairCounts(table, np.arange(3.0))).item()
    0.9
    """
    return 1 - pairs.disagreement(beyond(pairs.points, tolerance + 1e-9))


def always_adjacent(points: Floats, *, tolerance: float = 1.0) -> bool:
    """Whether no two points lie further apart than ``tolerance``: any scores are adjacent."""
    return bool(points[-1] - points[0] <= tolerance + 1e-9)


def csrate(tally: Ratings | GapCounts, *, lambda_: float = 0.2) -> Floats:
    r"""Share of responses whose scores differ by ``lambda_`` times the range of the scale or more.

    .. math:: \frac1n \#\{i : |b_i - a_i| \ge \lambda (\max - \min)\}

    0 is best. A difference that is smaller by at most 1e-9 score points counts too, for .07 times
    100 is more than 7 in binary numbers. NaN without responses and on a scale of one point.

    References
    ----------
    Funayama, Sasaki, Matsubayashi et al. (2020), doi:10.18653/v1/2020.acl-srw.32.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> table = np.array([[4, 1, 1], [0, 3, 0], [0, 0, 1]])
    >>> csrate(PairCounts(table, np.arange(3.0)), lambda_=0.6).item()
    0.1
    """
    if isinstance(tally, GapCounts):
        if not tally.width > 0:
            return np.full(tally.n.shape, np.nan)
        from_place = int(np.ceil(lambda_ * PARTS - 1e-6))
        with np.errstate(invalid="ignore"):  # an empty tally has no share
            return np.asarray(tally.counts[..., from_place:].sum(axis=-1) / tally.n)
    width = tally.points[-1] - tally.points[0]
    if not width > 0:
        return np.full(tally.n.shape, np.nan)
    return tally.disagreement(beyond(tally.points, lambda_ * width - 1e-9))
