"""How far apart two score points are: 0 is agreement, 1 the largest disagreement."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np

from tallymark.arrays import Floats
from tallymark.errors import OptionError, did_you_mean

Named = Literal["identity", "linear", "quadratic", "ordinal", "ratio"]
Weights = Named | Sequence[Sequence[float]] | Floats
NAMED = ("identity", "linear", "quadratic", "ordinal", "ratio")
MADE = 64
"""So many matrices are kept; a tally finds its sum by the very matrix that is asked for."""


def distance(points: Floats, weights: Weights) -> Floats:
    r"""Return the distance between every two points; agreement weights are one minus it.

    With :math:`R` the range of the K points: identity :math:`[a \ne b]`, linear
    :math:`|a - b| / R`, quadratic :math:`(a - b)^2 / R^2`, ratio
    :math:`((a - b) / (a + b))^2` over its largest value, ordinal
    :math:`\binom{|i - j| + 1}{2} / \binom{K}{2}` on ranks. A matrix is taken as it is: agreement
    weights when its diagonal is 1, disagreement weights when its diagonal is 0.

    References
    ----------
    Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., chapter 3.

    Examples
    --------
    >>> distance(np.array([1.0, 2, 4]), "linear").round(3).tolist()
    [[0.0, 0.333, 1.0], [0.333, 0.0, 0.667], [1.0, 0.667, 0.0]]
    """
    if isinstance(weights, str):
        return _named(np.asarray(points, dtype=np.float64).tobytes(), weights)
    try:
        matrix = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError(
            f"weights must be a matrix of numbers or one of {', '.join(NAMED)}"
        ) from None
    return _given(matrix.tobytes(), matrix.shape, points.size)


def beyond(points: Floats, reach: float) -> Floats:
    """Return 1 for every two points that lie further apart than ``reach``, else 0."""
    return _beyond(np.asarray(points, dtype=np.float64).tobytes(), reach)


@lru_cache(maxsize=MADE)
def _beyond(points: bytes, reach: float) -> Floats:
    grid = np.frombuffer(points)
    return _kept((np.abs(grid[:, None] - grid[None, :]) > reach).astype(np.float64))


@lru_cache(maxsize=MADE)
def _given(matrix: bytes, shape: tuple[int, ...], k: int) -> Floats:
    return _kept(_custom(np.frombuffer(matrix).reshape(shape), k))


@lru_cache(maxsize=MADE)
def _named(points: bytes, weights: str) -> Floats:
    return _kept(_made(np.frombuffer(points), weights))


def _kept(matrix: Floats) -> Floats:
    """A matrix that many share and none may change."""
    matrix.flags.writeable = False
    return matrix


def _made(points: Floats, weights: str) -> Floats:
    gap = np.abs(points[:, None] - points[None, :])
    rank = np.abs(np.subtract.outer(np.arange(points.size), np.arange(points.size)))
    match weights:
        case "identity":
            return (rank > 0).astype(np.float64)
        case "linear":
            return _to_one(gap)
        case "quadratic":
            return _to_one(gap**2)
        case "ordinal":
            return _to_one(rank * (rank + 1) / 2)
        case "ratio":
            return _to_one(_ratio(points))
    raise OptionError(
        f"unknown weights {weights!r}; choose {', '.join(NAMED)} or give a matrix."
        + did_you_mean(weights, NAMED)
    )


def _to_one(distances: Floats) -> Floats:
    largest = distances.max(initial=0.0)
    return distances / largest if largest > 0 else distances


def _ratio(points: Floats) -> Floats:
    total = points[:, None] + points[None, :]
    if (points < 0).any() and (points > 0).any():
        raise OptionError(
            "ratio weights need score points of one sign, got "
            f"{points.min():g} to {points.max():g}; choose quadratic weights instead."
        )
    both_zero = total == 0
    return np.where(both_zero, 0.0, (points[:, None] - points[None, :]) / (total + both_zero)) ** 2


def _custom(matrix: Floats, k: int) -> Floats:
    if matrix.shape != (k, k):
        raise OptionError(f"custom weights must be {k} x {k} as the scale, got {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise OptionError("custom weights must be finite numbers")
    diagonal = np.diag(matrix)
    if (diagonal == 1).all() and (matrix <= 1).all():
        return 1 - matrix
    if (diagonal == 0).all() and (matrix >= 0).all():
        return _to_one(matrix)
    raise OptionError(
        "custom weights need 1 on the diagonal and at most 1 elsewhere (agreement weights), or 0 "
        "on the diagonal and nothing negative (disagreement weights)"
    )
