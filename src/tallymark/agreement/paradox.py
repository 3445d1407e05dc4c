"""Indices of the paradox: how skewed the agreement is, how much the raters' margins differ."""

import numpy as np

from tallymark.agreement.chance import PairRatings, Ratings
from tallymark.agreement.weights import distance
from tallymark.arrays import Floats
from tallymark.tally import PairCounts


def pabak(pairs: Ratings) -> Floats:
    r"""Prevalence- and bias-adjusted kappa of a two-point scale, :math:`2 p_o - 1`.

    1 is perfect, 0 is half of the responses agreeing. NaN unless the scale has two points.

    References
    ----------
    Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V.

    Examples
    --------
    >>> f"{pabak(PairCounts(np.array([[170, 10], [10, 10]]), np.arange(2.0))):.2f}"
    '0.80'
    """
    observed = pairs.disagreement(distance(pairs.points, "identity"))
    return np.where(pairs.points.size == 2, 1 - 2 * observed, np.nan)


def prevalence_index(pairs: PairRatings) -> Floats:
    r"""How much one of two points dominates the agreement, :math:`(n_{11} - n_{22}) / n`.

    0 is balance; far from 0 kappa is low even at high agreement. NaN unless two points.

    References
    ----------
    Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V.

    Examples
    --------
    >>> f"{prevalence_index(PairCounts(np.array([[170, 10], [10, 10]]), np.arange(2.0))):.2f}"
    '0.80'
    """
    first, second = _first_point(pairs)
    return first + second - 1


def bias_index(pairs: PairRatings) -> Floats:
    r"""How much the two raters differ in using the first point, :math:`(n_{12} - n_{21}) / n`.

    0 is equal use. NaN unless the scale has two points.

    References
    ----------
    Byrt, Bishop & Carlin (1993), doi:10.1016/0895-4356(93)90018-V.

    Examples
    --------
    >>> f"{bias_index(PairCounts(np.array([[64, 4], [16, 16]]), np.arange(2.0))):.2f}"
    '-0.12'
    """
    first, second = _first_point(pairs)
    return first - second


def prevalence_doewes(pairs: PairCounts) -> Floats:
    r"""Mean absolute difference of the agreement counts at every two points, over n.

    .. math:: \frac{2}{n c (c - 1)} \sum_{i < j} |n_{ii} - n_{jj}|

    0 is agreement spread evenly over the points. NaN on a scale of one point.

    References
    ----------
    Doewes, Kurdhi & Saxena (2023), EDM, equation 4 with its index corrected.

    Examples
    --------
    >>> table = np.array([[10, 20, 0], [0, 20, 20], [0, 0, 30]])
    >>> f"{prevalence_doewes(PairCounts(table, np.arange(3.0))):.4f}"
    '0.1333'
    """
    k = pairs.points.size
    diagonal = np.diagonal(pairs.proportions, axis1=-2, axis2=-1)
    gaps = np.abs(diagonal[..., :, None] - diagonal[..., None, :]).sum(axis=(-2, -1))
    return gaps / (k * (k - 1)) if k > 1 else np.full_like(gaps, np.nan)


def _first_point(pairs: PairRatings) -> tuple[Floats, Floats]:
    """How often each rater gives the first of two points; NaN unless there are two."""
    first, second = (share[..., 0] for share in pairs.margins)
    two = pairs.points.size == 2
    return np.where(two, first, np.nan), np.where(two, second, np.nan)
