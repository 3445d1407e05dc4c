"""Raters' severity in score points, whoever they were paired with: additive effects."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rater_effects(ratings: Floats, counts: NDArray[np.int64]) -> Floats:
    r"""Least-squares effect of each rater, :math:`x_{ij} = p_i + a_j + e_{ij}`, in score points.

    Above 0 is lenient. Effects sum to 0 within every group of raters who share responses; a
    rater who shares none has effect 0.

    >>> nan = np.nan
    >>> ratings = np.array([[1, 2, nan], [2, 3, nan], [nan, 3, 5], [nan, 1, 3]])
    >>> rater_effects(ratings, np.ones(4, dtype=np.int64)).round(2)
    array([-1.33, -0.33,  1.67])
    """
    given = ~np.isnan(ratings)
    number = np.maximum(given.sum(axis=1), 1)
    filled = np.where(given, ratings, 0.0)
    weight = counts[:, None] * given
    left = np.diag(weight.sum(axis=0)) - (weight / number[:, None]).T @ given
    right = (weight * (filled - filled.sum(axis=1, keepdims=True) / number[:, None])).sum(axis=0)
    return np.asarray(np.linalg.lstsq(left, right)[0])


def beside_others(ratings: Floats, effects: Floats) -> Floats:
    """Each rating less the mean of the other ratings, as an average rater would have given them.

    NaN where there is no other rating.
    """
    given = ~np.isnan(ratings)
    usual = np.where(given, ratings - effects, 0.0)
    number = given.sum(axis=1, keepdims=True) - 1
    others = (usual.sum(axis=1, keepdims=True) - usual) / np.maximum(number, 1)
    return np.asarray(np.where(given & (number > 0), ratings - others, np.nan))
