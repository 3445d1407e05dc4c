"""Distances, correlations and errors of two scores that need not lie on a scale."""

from numpy.typing import ArrayLike

from tallymark.accuracy import error, standardized
from tallymark.accuracy.standardized import Kind
from tallymark.agreement import correlation
from tallymark.tally.sequences import moments_of, pairs_of


def lin_ccc(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Lin's concordance: quadratic weighted kappa of unrounded scores.

    >>> f"{lin_ccc([1, 2, 4], [1.5, 2, 3.5]):.3f}"
    '0.927'
    """
    return float(correlation.lin_ccc(moments_of(y_true, y_pred)))


def pearson(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Linear correlation.

    >>> f"{pearson([1, 2, 3, 4], [2, 4, 5, 9]):.3f}"
    '0.965'
    """
    return float(correlation.pearson(moments_of(y_true, y_pred)))


def spearman(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Correlation of the ranks, ties at their middle rank.

    >>> f"{spearman([1, 2, 3, 4], [1, 3, 2, 4]):.3f}"
    '0.800'
    """
    return float(correlation.spearman(pairs_of(y_true, y_pred)))


def kendall_tau_b(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Surplus of pairs of responses ordered alike, ties corrected.

    >>> f"{kendall_tau_b([1, 2, 3, 4], [1, 3, 2, 4]):.3f}"
    '0.667'
    """
    return float(correlation.kendall_tau_b(pairs_of(y_true, y_pred)))


def bias(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean of system minus gold.

    >>> f"{bias([1, 2, 3], [1, 3, 4]):.3f}"
    '0.667'
    """
    return float(error.bias(moments_of(y_true, y_pred)))


def mae(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean absolute error.

    >>> f"{mae([1, 2, 3], [1, 3, 1]):.3f}"
    '1.000'
    """
    return float(error.mae(moments_of(y_true, y_pred)))


def rmse(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Root mean squared error.

    >>> f"{rmse([1, 2, 3, 4], [1, 4, 3, 4]):.3f}"
    '1.000'
    """
    return float(error.rmse(moments_of(y_true, y_pred)))


def macro_mae(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean absolute error at each gold score, averaged over them.

    >>> f"{macro_mae([1, 1, 1, 2], [1, 1, 1, 4]):.3f}"
    '1.000'
    """
    return float(error.macro_mae(pairs_of(y_true, y_pred).errors()))


def mse(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean squared error.

    >>> mse([1, 2, 3, 4], [1, 4, 3, 4])
    1.0
    """
    return float(error.mse(moments_of(y_true, y_pred)))


def r2(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Share of the variance of y_true that y_pred explains as it stands.

    >>> f"{r2([1, 2, 3, 4], [1, 2, 3, 3]):.3f}"
    '0.800'
    """
    return float(error.r2(moments_of(y_true, y_pred)))


def smd(y_true: ArrayLike, y_pred: ArrayLike, *, kind: Kind = "unpooled") -> float:
    """Mean of y_pred minus y_true over a standard deviation.

    >>> f"{smd([1, 2, 3], [2, 2, 4]):.3f}"
    '0.667'
    """
    return float(standardized.smd(moments_of(y_true, y_pred), kind=kind))


def sd_ratio(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Standard deviation of y_pred over that of y_true.

    >>> sd_ratio([1, 2, 3], [1, 3, 5])
    2.0
    """
    return float(standardized.sd_ratio(moments_of(y_true, y_pred)))


def macro_rmse(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Root mean squared error at each gold score, averaged over them.

    >>> f"{macro_rmse([1, 1, 2], [1, 1, 4]):.3f}"
    '1.000'
    """
    return float(error.macro_rmse(pairs_of(y_true, y_pred).errors()))
