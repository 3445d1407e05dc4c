"""Marginal homogeneity: do the two raters use the score points equally often?"""

import math
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference.distributions import chi_squared_above
from tallymark.tally import PairCounts


class Homogeneity(NamedTuple):
    """A chi-squared statistic, its degrees of freedom, and how probable a larger one is."""

    statistic: float
    df: int
    p: float


def stuart_maxwell(pairs: PairCounts) -> Homogeneity:
    r"""Test of equal margins of one table, :math:`X^2 = d' S^- d`.

    :math:`d_i = n_{i\cdot} - n_{\cdot i}`, :math:`S_{ii} = n_{i\cdot} + n_{\cdot i} - 2 n_{ii}`,
    :math:`S_{ij} = -(n_{ij} + n_{ji})`; the degrees of freedom are the rank of S. On two points
    it is McNemar's test. NaN when the raters never differ.

    References
    ----------
    Stuart (1955), doi:10.1093/biomet/42.3-4.412; Maxwell (1970), doi:10.1192/bjp.116.535.651.

    Examples
    --------
    >>> test = stuart_maxwell(PairCounts(np.array([[20, 5], [15, 60]]), np.arange(2.0)))
    >>> f"{test.statistic:.3f} {test.df} {test.p:.4f}"
    '5.000 1 0.0253'
    """
    counts = pairs.counts.astype(np.float64)
    sums = counts + counts.T
    d = counts.sum(axis=1) - counts.sum(axis=0)
    spread = np.diag(sums.sum(axis=1)) - sums
    values, vectors = np.linalg.eigh(spread)
    nonzero = values > 1e-9 * max(float(values.max(initial=0.0)), 1.0)
    df = int(nonzero.sum())
    if not df:
        return Homogeneity(math.nan, 0, math.nan)
    along = vectors[:, nonzero].T @ d
    return _tested(float((along * along / values[nonzero]).sum()), df)


def bhapkar(stuart_maxwell: Homogeneity, n: float) -> Homogeneity:
    r"""The test of Stuart and Maxwell with the covariance as observed, :math:`X^2/(1-X^2/n)`.

    It rejects a little more often. NaN when the raters never differ and when no response is scored
    alike and all differ in one direction.

    References
    ----------
    Bhapkar (1966), doi:10.1080/01621459.1966.10502021.

    Examples
    --------
    >>> table = PairCounts(np.array([[20, 5], [15, 60]]), np.arange(2.0))
    >>> round(bhapkar(stuart_maxwell(table), 100).statistic, 4)
    5.2632
    """
    left = 1 - stuart_maxwell.statistic / n if n else math.nan
    if not left > 1e-12:
        return Homogeneity(math.nan, stuart_maxwell.df, math.nan)
    return _tested(stuart_maxwell.statistic / left, stuart_maxwell.df)


def margin_gap(pairs: PairCounts) -> Floats:
    r"""Share of responses that would have to move for equal margins, on any number of points.

    .. math:: \tfrac12 \sum_k |p_{k\cdot} - p_{\cdot k}|

    On two points it is the size of the bias index. 0 is equal use of all points.

    Examples
    --------
    >>> f"{margin_gap(PairCounts(np.array([[64, 4], [16, 16]]), np.arange(2.0))):.2f}"
    '0.12'
    """
    first, second = pairs.margins
    return np.asarray(np.abs(first - second).sum(axis=-1) / 2)


def _tested(statistic: float, df: int) -> Homogeneity:
    return Homogeneity(statistic, df, chi_squared_above(statistic, df))
