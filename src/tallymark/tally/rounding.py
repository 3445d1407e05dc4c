"""System scores are brought onto the scale: trimmed to its range, then to the nearest point."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

TRIM_TOLERANCE = 0.4998
"""In steps of the scale: a trimmed score still rounds to the end point it is nearest to."""
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
) -> NDArray[np.float64]:
    """Bring scores into [low - t, high + t], t = ``tolerance`` steps; NaN stays NaN.

    >>> trim([0.1, 3.2, 9], 1, 6).round(4).tolist()
    [0.5002, 3.2, 6.4998]
    """
    margin = tolerance * step
    return np.clip(np.asarray(scores, dtype=np.float64), low - margin, high + margin)


def nearest(scores: ArrayLike, points: ArrayLike) -> NDArray[np.int64]:
    """Return the index of the nearest point, the higher one when two are equally near.

    NaN gives -1.

    >>> nearest([1.49, 1.5, 2.5, 9], [1, 2, 3]).tolist()
    [0, 1, 2, 2]
    """
    values = np.asarray(scores, dtype=np.float64)
    grid = np.asarray(points, dtype=np.float64)
    step = (grid[-1] - grid[0]) / (grid.size - 1) if grid.size > 1 else 1.0
    if np.abs(np.diff(grid) - step).max(initial=0.0) > EVEN * step:
        guard = GUARD * np.diff(grid).min()
        index = np.searchsorted((grid[:-1] + grid[1:]) / 2 - guard, values, side="right")
        return np.where(np.isnan(values), -1, index).astype(np.int64)
    place = np.asarray(values - grid[0])
    place /= step
    place += 0.5 + GUARD
    np.clip(place, 0, grid.size - 0.5, out=place)
    np.copyto(place, -1, where=np.isnan(values))
    return place.astype(np.int64)  # towards zero, which is down
