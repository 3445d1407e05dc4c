"""Least squares on cells: responses with the same predictors are told once, with their sums."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Fit(NamedTuple):
    """A linear model fitted to cells: its coefficients and what it leaves unexplained.

    ``rank`` counts the coefficients that the data determine. ``left`` is the unexplained sum of
    squares of each cell, ``inverse`` that of the cross products of the design.
    """

    coefficients: Floats
    residual: Floats
    n: Floats
    rank: Floats
    design: Floats
    left: Floats
    inverse: Floats


def least_squares(design: Floats, counts: Floats, sums: Floats, squares: Floats) -> Fit:
    """Fit y to a design with one row per cell, given each cell's n, sum of y and sum of squares.

    Leading axes of the sums are resamples.
    """
    size = design.shape[1]
    products = (design[:, :, None] * design[:, None, :]).reshape(-1, size * size)
    cross = (counts @ products).reshape(*counts.shape[:-1], size, size)
    inverse, rank = _inverse(cross)
    beta = np.asarray((inverse @ (sums @ design)[..., None])[..., 0])
    fitted = beta @ design.T
    left = np.maximum(squares - 2 * fitted * sums + counts * fitted**2, 0.0)
    return Fit(beta, left.sum(axis=-1), counts.sum(axis=-1), rank, design, left, inverse)


def classic_covariance(fit: Fit) -> Floats:
    """Covariance of the coefficients if errors spread alike everywhere."""
    with np.errstate(invalid="ignore", divide="ignore"):  # as many coefficients as responses
        return np.asarray(fit.inverse * (fit.residual / (fit.n - fit.rank)))


def robust_covariance(fit: Fit) -> Floats:
    """Covariance of the coefficients whatever the spread of errors in each cell (HC3)."""
    leverage = np.einsum("ci,ij,cj->c", fit.design, fit.inverse, fit.design)
    # a lone response is fitted exactly and says nothing of the spread
    weight = fit.left / np.maximum(1 - leverage, 1e-6) ** 2
    meat = np.einsum("ci,c,cj->ij", fit.design, weight, fit.design)
    return np.asarray(fit.inverse @ meat @ fit.inverse)


def adjusted_r2(fit: Fit, total: Floats) -> Floats:
    """Share of variance explained, less what chance alone would explain; it can be negative."""
    with np.errstate(invalid="ignore", divide="ignore"):  # y does not vary, or is fitted exactly
        ratio = (fit.residual / (fit.n - fit.rank)) / (total / (fit.n - 1))
        return np.asarray(np.where((total > 0) & (fit.n > fit.rank), 1 - ratio, np.nan))


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


def _inverse(cross: Floats) -> tuple[Floats, Floats]:
    """Invert cross products, leaving out what cannot be told apart; also the rank."""
    if cross.ndim == 2:
        rank = np.linalg.matrix_rank(cross, hermitian=True)
        inverse = np.asarray(np.linalg.pinv(cross, hermitian=True), dtype=np.float64)
        return inverse, np.asarray(rank, dtype=np.float64)
    size = cross.shape[-1]
    diagonal = cross[..., np.arange(size), np.arange(size)]
    used = np.asarray(diagonal > 0)
    # thousands of resamples: a little weight is faster than a pseudo-inverse of each
    steady = np.where(used, 1e-12 * diagonal, 1.0)
    ridged = np.linalg.inv(cross + steady[..., None] * np.eye(size))
    both = used[..., :, None] & used[..., None, :]
    return np.where(both, ridged, 0.0), np.asarray(used.sum(axis=-1), dtype=np.float64)
