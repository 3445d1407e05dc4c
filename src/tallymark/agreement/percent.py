"""Percent agreement: the share of responses that get the same, or nearly the same, score."""

import numpy as np

from tallymark.agreement.chance import Floats, Ratings
from tallymark.agreement.weights import distance
from tallymark.tally import PairCounts


def percent_agreement(tally: Ratings) -> Floats:
    r"""Share of pairs of ratings that are equal.

    .. math:: p_o = \sum_k n_{kk} / n

    1 is perfect. It says nothing of what chance alone would give, and it is high wherever one
    score dominates. NaN when no response has two ratings.

    Examples
    --------
    >>> percent_agreement(PairCounts(np.array([[40, 10], [10, 40]]), np.arange(2.0))).item()
    0.8
    """
    return 1 - tally.disagreement(distance(tally.points, "identity"))


def adjacent_agreement(pairs: PairCounts, *, tolerance: float = 1.0) -> Floats:
    r"""Share of responses whose two scores differ by at most ``tolerance``, in score units.

    .. math:: \sum_{|x_i - x_j| \le t} n_{ij} / n

    1 is perfect; on a scale of few points it is high for almost any system. NaN without responses.

    Examples
    --------
    >>> table = np.array([[4, 1, 1], [0, 3, 0], [0, 0, 1]])
    >>> adjacent_agreement(PairCounts(table, np.arange(3.0))).item()
    0.9
    """
    gap = np.abs(pairs.points[:, None] - pairs.points[None, :])
    return 1 - pairs.disagreement((gap > tolerance + 1e-9).astype(np.float64))
