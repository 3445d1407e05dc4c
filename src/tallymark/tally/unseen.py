"""Unseen: what a response would add to sums if its two scores lay further apart than any do.

That is by the next distance that the points allow; there is none where some lie as far apart as the
ends of the scale.
"""

import numpy as np
from numpy.typing import NDArray

from tallymark.tally.margins import Distances, cell_rows
from tallymark.tally.moments import features

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
ROUNDING = 1e-9
"""Distances as near as this, by share of the scale, are equal."""


def unseen_cell(cell: Whole, counts: Whole, points: Floats, distances: Distances) -> Floats | None:
    """The mean row of the cells one step further from the diagonal than any that holds a response.

    A cell weighs as much as its two points are common.
    """
    first, second = np.divmod(cell, points.size)
    apart = np.abs(points[:, None] - points)
    near = ROUNDING * (points[-1] - points[0])
    beyond = apart[apart > apart[first, second].max(initial=0.0) + near]
    if not beyond.size:
        return None
    rows, columns = np.nonzero(np.abs(apart - beyond.min()) <= near)
    given = [np.bincount(place, weights=counts, minlength=points.size) for place in (first, second)]
    common = given[0][rows] + given[1][columns]
    weights = common if common.any() else np.ones(rows.size)
    return np.asarray(weights / weights.sum() @ cell_rows(rows, columns, points, distances))


def unseen_pair(scores: Floats, points: Floats) -> Floats | None:
    """What two scores add to the moments that lie a step further apart than any, at both ends."""
    low, high = points[0], points[-1]
    step = float(np.diff(points).min(initial=np.inf))
    apart = np.abs(scores[:, 1] - scores[:, 0]).max(initial=0.0) + step
    if apart > high - low + ROUNDING * (high - low):
        return None
    center = (low + high) / 2
    gold, given = np.array([low, high]) - center, np.array([low + apart, high - apart]) - center
    return np.asarray(features(gold, given).mean(axis=0))
