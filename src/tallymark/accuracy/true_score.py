"""True scores: what the system would be worth if people made no errors."""

import numpy as np

from tallymark.arrays import Floats
from tallymark.tally import RatedSums


def error_variance(ratings: RatedSums) -> Floats:
    r"""Variance of rater errors, pooled over the responses rated more than once.

    .. math:: \frac{\sum_i \sum_j (h_{ij} - \bar h_i)^2}{\sum_i (c_i - 1)}

    0 when raters always agree. NaN when no response was rated twice.

    Examples
    --------
    >>> rows = RatedSums.rows(np.array([[3.0, 4], [2, 2]]), np.array([3.0, 2]))
    >>> error_variance(RatedSums(rows.sum(axis=0))).item()
    0.25
    """
    squares_within, free = ratings.sums[..., 6], ratings.sums[..., 7]
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing was rated twice
        return np.asarray(squares_within / free)


def true_score_variance(ratings: RatedSums, *, error: float | Floats | None = None) -> Floats:
    r"""Variance of true scores: that of mean ratings less what rater error adds.

    .. math:: \frac{\sum c_i (\bar h_i - \bar h)^2 - (N - 1) \sigma_e^2}{C - \sum c_i^2 / C}

    ``error`` is the variance of rater errors when it is known from elsewhere. It can be negative
    in a small sample. NaN when the error variance is not known.

    Examples
    --------
    >>> rows = RatedSums.rows(np.array([[3.0, 4], [2, 2]]), np.array([3.0, 2]))
    >>> true_score_variance(RatedSums(rows.sum(axis=0))).item()
    1.0
    """
    n, c, squared, total, squares, *_ = np.moveaxis(ratings.sums, -1, 0)
    variance = error_variance(ratings) if error is None else error
    with np.errstate(invalid="ignore", divide="ignore"):  # fewer than two responses
        between = squares - total**2 / c - (n - 1) * variance
        return np.asarray(between / (c - squared / c))


def mse_true(ratings: RatedSums, *, error: float | Floats | None = None) -> Floats:
    r"""Mean squared error of the system as a prediction of true scores.

    .. math:: \frac{\sum c_i (\bar h_i - m_i)^2 - N \sigma_e^2}{C}

    It can be negative in a small sample. NaN when the error variance is not known.

    Examples
    --------
    >>> rows = RatedSums.rows(np.array([[3.0, 4], [2, 2]]), np.array([3.0, 1]))
    >>> mse_true(RatedSums(rows.sum(axis=0))).item()
    0.5
    """
    n, c, squares = ratings.sums[..., 0], ratings.sums[..., 1], ratings.sums[..., 5]
    variance = error_variance(ratings) if error is None else error
    with np.errstate(invalid="ignore", divide="ignore"):  # no responses
        return np.asarray((squares - n * variance) / c)


def prmse(ratings: RatedSums, *, error: float | Floats | None = None) -> Floats:
    r"""Proportional reduction in mean squared error of predicting true scores.

    .. math:: 1 - MSE(T | M) / \sigma_T^2

    1 is perfect prediction of true scores, 0 is no better than their mean, and below 0 is worse
    than it, however large the sample. Unlike agreement it does not fall because raters err. Values
    above 1 are shown as they are: beyond sampling error they mean that the system shares errors
    with the raters, that the responses rated twice are no random sample, or that ``error`` is too
    large. NaN when the error variance is not known or true scores do not vary.

    References
    ----------
    Loukina, Madnani, Cahill et al. (2020), doi:10.18653/v1/2020.bea-1.2.

    Examples
    --------
    >>> rows = RatedSums.rows(np.array([[3.0, 4], [2, 2]]), np.array([3.0, 1]))
    >>> prmse(RatedSums(rows.sum(axis=0))).item()
    0.5
    """
    variance = true_score_variance(ratings, error=error)
    with np.errstate(invalid="ignore"):
        defined = np.real(variance) > 0
        safe = np.where(defined, variance, 1.0)
        return np.asarray(np.where(defined, 1 - mse_true(ratings, error=error) / safe, np.nan))
