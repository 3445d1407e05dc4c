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
    apart = np.abs(points[:, None] - points)
    near = ROUNDING * (points[-1] - points[0])
    given = [np.bincount(place, weights=counts, minlength=points.size) for place in (first, second)]
    seen, each = apart[first, second].max(initial=0.0), []
    for _ in SHARES:
        beyond = apart[apart > seen + near]
        if beyond.size:
            seen = beyond.min()
            rows, columns = np.nonzero(np.abs(apart - seen) <= near)
            common = given[0][rows] + given[1][columns]
            weights = common if common.any() else np.ones(rows.size)
            each.append(weights / weights.sum() @ cell_rows(rows, columns, points, distances))
    return _mean(each)


def unseen_error_of_scores(scores: Floats, points: Floats) -> Floats | None:
    """What two scores a step or two further apart than any add to the moments, at both ends."""
    low, high = points[0], points[-1]
    center, step = (low + high) / 2, float(np.diff(points).min(initial=np.inf))
    seen, each = np.abs(scores[:, 1] - scores[:, 0]).max(initial=0.0), []
    for steps in range(1, len(SHARES) + 1):
        apart = seen + steps * step
        if apart <= high - low + ROUNDING * (high - low):
            gold, given = np.array([low, high]), np.array([low + apart, high - apart])
            each.append(features(gold - center, given - center).mean(axis=0))
    return _mean(each)


def _mean(each: list[Floats]) -> Floats | None:
    """The mean of the rows of the distances that the scale allows."""
    shares = np.array(SHARES[: len(each)])
    return np.asarray(shares / shares.sum() @ np.array(each)) if each else None
