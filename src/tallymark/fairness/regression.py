"""Least squares on cells: responses with the same predictors are told once, with their sums."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Fit(NamedTuple):
    """Coefficients of a linear model, what it leaves unexplained, and two covariances.

    ``rank`` counts the coefficients that the data determine; the others are 0. ``robust`` is the
    covariance that does not take the errors to spread alike everywhere (HC3).
    """

    coefficients: Floats
    residual: Floats
    n: Floats
    rank: Floats
    classic: Floats
    robust: Floats


def least_squares(design: Floats, counts: Floats, sums: Floats, squares: Floats) -> Fit:
    """Fit y to a design with one row per cell, given each cell's n, sum of y and sum of squares.

    Leading axes of the sums are resamples.
    """
    inverse, used = _inverse(np.einsum("ci,...c,cj->...ij", design, counts, design))
    beta = np.einsum("...ij,cj,...c->...i", inverse, design, sums)
    fitted = beta @ design.T
    left = np.maximum(squares - 2 * fitted * sums + counts * fitted**2, 0.0)
    residual, n, rank = left.sum(axis=-1), counts.sum(axis=-1), used.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):  # as many coefficients as responses
        classic = inverse * (residual / (n - rank))[..., None, None]
    leverage = np.einsum("ci,...ij,cj->...c", design, inverse, design)
    # a lone response is fitted exactly and says nothing of the spread
    weight = left / np.maximum(1 - leverage, 1e-6) ** 2
    meat = np.einsum("ci,...c,cj->...ij", design, weight, design)
    return Fit(beta, residual, n, rank, classic, inverse @ meat @ inverse)


def adjusted_r2(fit: Fit, total: Floats) -> Floats:
    """Share of variance explained, less what chance alone would explain; it can be negative."""
    with np.errstate(invalid="ignore", divide="ignore"):  # y does not vary
        ratio = (fit.residual / (fit.n - fit.rank)) / (total / (fit.n - 1))
        return np.asarray(np.where(total > 0, 1 - ratio, np.nan))


def f_test(fit: Fit, simpler: Fit) -> tuple[float, float]:
    """F and p of what a model explains beyond a simpler one inside it."""
    from scipy.special import fdtrc

    more, free = float(fit.rank - simpler.rank), float(fit.n - fit.rank)
    if more <= 0 or free <= 0 or not fit.residual > 0:
        return float("nan"), float("nan")
    ratio = float((simpler.residual - fit.residual) / more / (fit.residual / free))
    return ratio, float(fdtrc(more, free, ratio))


def t_test(coefficient: float, se: float, free: float) -> float:
    """Two-sided p of a coefficient."""
    from scipy.special import stdtr

    if not (se > 0 and free > 0):
        return float("nan")
    return float(2 * stdtr(free, -abs(coefficient / se)))


def treatment(levels: int) -> Floats:
    """Indicators of all levels but the first, which is the reference."""
    return np.eye(levels)[:, 1:]


def _inverse(cross: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Invert, leaving out predictors that no response has."""
    size = cross.shape[-1]
    diagonal = cross[..., np.arange(size), np.arange(size)]
    used = np.asarray(diagonal > 0)
    # a little weight keeps predictors that cannot be told apart from dividing by zero
    steady = np.where(used, 1e-12 * diagonal, 1.0)
    inverse = np.linalg.inv(cross + steady[..., None] * np.eye(size))
    both = used[..., :, None] & used[..., None, :]
    return np.where(both, inverse, 0.0), used
