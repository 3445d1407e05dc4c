"""Hidden errors: what the sums may lack where strata show no error, and hold some all the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import Units
from tallymark.inference.interval import wilson
from tallymark.inference.strata import orders_of_weight
from tallymark.study.rows import Rows

Add = Callable[[Floats, Whole], NDArray[Any]]
"""The sums of responses of some weights whose two scores stand in these cells of the table."""


def with_hidden(units: Units[Any], kept: Rows, cell: Whole, add: Add) -> Units[Any]:
    """Units that tell what sums change by, at a level, if strata without an error held some.

    They hold as many as Wilson's interval allows: one row of sums for each order of weight whose
    responses all have two equal scores. An error is a gold one point off, above or below.
    """
    scaled, strata = kept.scaled, units.strata
    if scaled is None or strata is None:
        return units
    points, weight = kept.points.size, scaled * kept.counts
    number = np.bincount(strata.codes, kept.counts)
    each = np.bincount(strata.codes, weight) / np.maximum(number, 1)
    order = orders_of_weight(each)[strata.codes]
    first, second = np.divmod(cell, points)
    wrong = np.unique(order[first != second])
    clean = [np.flatnonzero(order == place) for place in np.setdiff1d(order, wrong)]
    if not clean or not wrong.size:
        return units
    below = np.where(first > 0, cell - points, cell + points)
    above = np.where(first < points - 1, cell + points, cell - points)
    moved = []
    for rows in clean:
        here, of = weight[rows], (below[rows], above[rows], cell[rows])
        lower, higher, right = (add(here, cells) for cells in of)
        moved.append((lower + higher) / 2 - right)
    worth = [float(weight[rows].sum() / scaled[rows].max()) for rows in clean]

    def at(level: float) -> Floats:
        shares = np.array([wilson(0.0, n, level).high for n in worth])
        return np.asarray(shares[:, None] * np.array(moved))

    return replace(units, hidden=at)
