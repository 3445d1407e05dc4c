"""Least squares on cells: responses with the same predictors share a cell, with their sums."""

from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference.distributions import f_tails, t_tail

SINGULAR = 1e-10
"""Relative to the largest: an eigenvalue below it counts as 0."""


class RegressionFit(NamedTuple):
    """A linear model fitted to cells: its coefficients and what it leaves unexplained.

    ``rank`` counts the coefficients that the data determine; ``inverse`` is that of the cross
    products of the design.
    """

    coefficients: Floats
    residual: Floats
    n: Floats
    rank: Floats
    inverse: Floats


def least_squares(design: Floats, counts: Floats, sums: Floats, squares: Floats) -> RegressionFit:
    """Fit y to a design with one row per cell, given each cell's n, sum of y and sum of squares."""
    cross = (design.T * counts) @ design
    rank = np.asarray(np.linalg.matrix_rank(cross, hermitian=True), dtype=np.float64)
    inverse = np.asarray(np.linalg.pinv(cross, hermitian=True), dtype=np.float64)
    beta = inverse @ (sums @ design)
    fitted = design @ beta
    left = np.maximum(squares - 2 * fitted * sums + counts * fitted**2, 0.0)
    return RegressionFit(beta, left.sum(), counts.sum(), rank, inverse)


def classic_covariance(fit: RegressionFit) -> Floats:
    """Covariance of the coefficients if errors spread alike everywhere."""
    with np.errstate(invalid="ignore", divide="ignore"):  # as many coefficients as responses
        return np.asarray(fit.inverse * (fit.residual / (fit.n - fit.rank)))


class Explained(NamedTuple):
    """What a model leaves unexplained, its number of responses, and of coefficients."""

    residual: Floats
    n: Floats
    rank: Floats


class TwoWay(NamedTuple):
    """y by group and level: a mean for each group at the same level, and what levels add.

    ``shares[group, :]`` is the share of each level in a group, ``inverse`` that of the cross
    products of levels within groups; ``residuals`` is the unexplained sum of squares of each cell.
    """

    groups: Floats
    levels: Floats
    shares: Floats
    inverse: Floats
    residuals: Floats
    explained: Explained


def two_way(counts: Floats, sums: Floats, squares: Floats) -> TwoWay:
    """Fit y to groups and levels, given ``[..., group, level]`` of each cell's n, y and y squared.

    Groups are taken out first, as means: what is left to solve is as large as the number of levels,
    however many groups there are. Frisch & Waugh (1933), doi:10.2307/1907330.
    """
    n = counts.sum(axis=-1)
    size = np.where(n == 0, 1.0, n)
    shares, means = counts / size[..., None], sums.sum(axis=-1) / size
    by_level = np.swapaxes(counts, -1, -2)
    products = counts.sum(axis=-2)[..., None] * np.eye(counts.shape[-1]) - by_level @ shares
    inverse = np.linalg.pinv(products, rcond=SINGULAR, hermitian=True)
    rank = np.linalg.matrix_rank(products, tol=SINGULAR * _largest(products), hermitian=True)
    deviations = sums.sum(axis=-2) - (by_level @ means[..., None])[..., 0]
    levels = (inverse @ deviations[..., None])[..., 0]
    groups = means - (shares @ levels[..., None])[..., 0]
    fitted = groups[..., None] + levels[..., None, :]
    spread = squares - 2 * fitted * sums + counts * fitted**2
    residuals = np.where(spread <= 1e-12 * squares, 0.0, spread)
    explained = Explained(residuals.sum(axis=(-2, -1)), n.sum(axis=-1), rank + (n > 0).sum(axis=-1))
    return TwoWay(groups, levels, shares, inverse, residuals, explained)


def _largest(products: Floats) -> Floats:
    """A bound of the largest eigenvalue, at least the smallest that counts as one."""
    return np.asarray(np.maximum(np.abs(products).sum(axis=-1).max(axis=-1), 1e-300))


def one_way(counts: Floats, sums: Floats, squares: Floats) -> Explained:
    """Fit a mean to each group, given ``[..., group]`` of its n, y and y squared."""
    spread = squares - sums**2 / np.where(counts == 0, 1.0, counts)
    residual = np.where(spread <= 1e-12 * squares, 0.0, spread).sum(axis=-1)
    return Explained(residual, counts.sum(axis=-1), (counts > 0).sum(axis=-1) * 1.0)


def adjusted_r2(fit: RegressionFit | Explained, total: Floats) -> Floats:
    """Share of variance explained, less what chance alone would explain; it can be negative."""
    with np.errstate(invalid="ignore", divide="ignore"):  # y does not vary, or is fitted exactly
        ratio = (fit.residual / (fit.n - fit.rank)) / (total / (fit.n - 1))
        return np.asarray(np.where((total > 0) & (fit.n > fit.rank), 1 - ratio, np.nan))


def f_test(
    fit: RegressionFit | Explained, simpler: RegressionFit | Explained
) -> tuple[float, float]:
    """F and p of what a model explains beyond a simpler one inside it."""
    df, df_error = float(fit.rank - simpler.rank), float(fit.n - fit.rank)
    if df <= 0 or df_error <= 0 or not fit.residual > 0:
        return float("nan"), float("nan")
    ratio = float((simpler.residual - fit.residual) / df / (fit.residual / df_error))
    return ratio, f_tails(ratio, df, df_error).above


def t_test(coefficient: float, se: float, free: float) -> float:
    """Two-sided p of a coefficient."""
    if not (se > 0 and free > 0):
        return float("nan")
    return 2 * t_tail(abs(coefficient / se), free)


def treatment(levels: int) -> Floats:
    """Indicators of all levels but the first, which is the reference."""
    return np.eye(levels)[:, 1:]
