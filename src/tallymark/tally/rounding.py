"""System scores are brought onto the scale: trimmed to its range, then to the nearest point."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from tallymark.arrays import Floats, Whole
from tallymark.scale import TRIM_TOLERANCE

GUARD = 1e-9
"""In steps: lets 2.4999999999 that should have been 2.5 go up."""
EVEN = 1e-11
"""In steps: points are evenly spaced when their distances differ by no more."""


def trim(
    scores: ArrayLike,
    low: float,
    high: float,
    *,
    step: float = 1.0,
    tolerance: float = TRIM_TOLERANCE,
) -> Floats:
    """Bring scores into [low - t, high + t], t = ``tolerance`` steps; NaN stays NaN.

    A tolerance without end leaves scores as they are.

    >>> trim([0.1, 3.2, 9], 1, 6).round(4).tolist()
    [0.5002, 3.2, 6.4998]
    """
    numbers = np.asarray(scores, dtype=np.float64)
    if math.isinf(tolerance):
        return numbers.copy()
    margin = tolerance * step
    return np.clip(numbers, low - margin, high + margin)


@lru_cache(maxsize=64)
def _even_step(points: bytes) -> float | None:
    """How far evenly spaced points are apart; None where they are not."""
    grid = np.frombuffer(points)
    step = float((grid[-1] - grid[0]) / (grid.size - 1)) if grid.size > 1 else 1.0
    return None if np.abs(np.diff(grid) - step).max(initial=0.0) > EVEN * step else step


def nearest(scores: ArrayLike, points: ArrayLike) -> Whole:
    """Return the index of the nearest point, the higher one when two are equally near.

    NaN gives -1.

    >>> nearest([1.49, 1.5, 2.5, 9], [1, 2, 3]).tolist()
    [0, 1, 2, 2]
    """
    values = np.asarray(scores, dtype=np.float64)
    grid = np.asarray(points, dtype=np.float64)
    step = _even_step(grid.tobytes())
    if step is None:
        guard = GUARD * np.diff(grid).min()
        index = np.searchsorted((grid[:-1] + grid[1:]) / 2 - guard, values, side="right")
        return np.where(np.isnan(values), -1, index).astype(np.int64)
    place = np.asarray(values - grid[0])
    if step != 1:
        place /= step
    place += 0.5 + GUARD
    np.clip(place, 0, grid.size - 0.5, out=place)
    if np.isnan(place.max(initial=0.0)):  # some score is missing
        np.copyto(place, -1, where=np.isnan(values))
    return place.astype(np.int64)  # towards zero, which is down
