"""Unseen errors: what a response would add to sums if its two scores lay further apart than any do.

That is by the next distance that the points allow or, one time in four, by the one after it; there is
none where some lie as far apart as the ends of the scale.
"""

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.tally.margins import Distances, cell_rows
from tallymark.tally.moments import features

ROUNDING = 1e-9
"""Distances as near as this, by share of the scale, are equal."""
SHARES = (0.75, 0.25)
"""Of a distance one step larger than any, and of two steps: docs/coverage.md has the simulation."""


def unseen_error_of_cells(
    cell: Whole, counts: Whole, points: Floats, distances: Distances
) -> Floats | None:
    """The mean row of the cells a step or two further from the diagonal than any with a response.

    A cell weighs as much as its two points are common.
    """
    first, second = np.divmod(cell, points.size)
    gaps = np.abs(points[:, None] - points)
    tolerance = ROUNDING * (points[-1] - points[0])
    margins = [
        np.bincount(place, weights=counts, minlength=points.size) for place in (first, second)
    ]
    seen, rows_of_steps = gaps[first, second].max(initial=0.0), []
    for _ in SHARES:
        beyond = gaps[gaps > seen + tolerance]
        if beyond.size:
            seen = beyond.min()
            rows, columns = np.nonzero(np.abs(gaps - seen) <= tolerance)
            common = margins[0][rows] + margins[1][columns]
            weights = common if common.any() else np.ones(rows.size)
            rows_of_steps.append(
                weights / weights.sum() @ cell_rows(rows, columns, points, distances)
            )
    return _mean(rows_of_steps)


def unseen_error_of_scores(scores: Floats, points: Floats) -> Floats | None:
    """What two scores a step or two further apart than any add to the moments, at both ends."""
    low, high = points[0], points[-1]
    center, step = (low + high) / 2, float(np.diff(points).min(initial=np.inf))
    seen, rows_of_steps = np.abs(scores[:, 1] - scores[:, 0]).max(initial=0.0), []
    for steps in range(1, len(SHARES) + 1):
        gap = seen + steps * step
        if gap <= high - low + ROUNDING * (high - low):
            gold, system = np.array([low, high]), np.array([low + gap, high - gap])
            rows_of_steps.append(features(gold - center, system - center).mean(axis=0))
    return _mean(rows_of_steps)


def _mean(rows: list[Floats]) -> Floats | None:
    """The mean of the rows of the distances that the scale allows."""
    shares = np.array(SHARES[: len(rows)])
    return np.asarray(shares / shares.sum() @ np.array(rows)) if rows else None
