"""Binning: the same responses told on other scales, each a table of the same counts."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.tally import PairMargins
from tallymark.tally.margins import Distances, cell_rows, distances_of

Coefficient = Callable[[Any], Any]
EACH = 10
"""Up to this many points every coarser scale is reported; above, halves of the scale."""

LARGEST = 2**62
"""Whole numbers up to this one can tell rows apart."""


def coarser(points: int) -> list[int]:
    """How many points the coarser versions of a scale have, fewest first.

    Every number from 2 to ten below the scale's own, and its half, quarter … above ten.

    >>> coarser(6), coarser(61)
    ([2, 3, 4, 5], [2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 30])
    """
    sizes, half = set(range(2, min(points - 1, EACH) + 1)), points // 2
    while half > EACH:
        sizes.add(half)
        half //= 2
    return sorted(sizes)


def merged(points: int, bins: int) -> Whole:
    r"""Return the bin of each of this many points when neighbours are merged into equal widths.

    .. math:: b(i) = \lfloor (i + 1/2)\, m / K \rfloor, \qquad i = 0 \dots K - 1

    Each point stands for a cell of equal width and goes where the middle of its cell lies; where
    m does not divide K the bins differ by one point at most. The score of a bin is the mean of its
    points, so that weights stay those of the score values.

    >>> merged(6, 3).tolist(), merged(4, 3).tolist()
    ([0, 0, 1, 1, 2, 2], [0, 1, 1, 2])
    """
    return (2 * np.arange(points) + 1) * bins // (2 * points)


class Way(NamedTuple):
    """One way to tell the scores: its name, its points, and what each unit adds to its sums."""

    name: str
    points: Floats
    distances: Distances
    rows: Floats


def way(
    name: str, points: ArrayLike, first: Whole, second: Whole, coefficients: Sequence[Coefficient]
) -> Way:
    """Count units on a scale, given where both scores lie among its points.

    The sums are those that the coefficients need.
    """
    grid = np.asarray(points, dtype=np.float64)
    distances = distances_of(coefficients, grid)
    return Way(name, grid, distances, cell_rows(first, second, grid, distances))


def group_places(places: Sequence[Whole]) -> tuple[Whole, Whole]:
    """Group rows by columns of positions: a row of each group, and the group of each row.

    >>> group_places([np.array([1, 0, 1]), np.array([2, 2, 2])])[1].tolist()
    [1, 0, 1]
    """
    code, size = np.zeros(len(places[0]), dtype=np.int64), 1
    for place in places:
        width = int(place.max(initial=0)) + 1
        if size * width > LARGEST:
            ids, code = np.unique(code, return_inverse=True)
            size = ids.size
        code, size = code * width + place, size * width
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    return first, np.asarray(group, dtype=np.int64)


class BinnedTables(Struct, frozen=True, dict=True):
    """``sums[..., :]`` of the responses on each way to tell their scores, one after the other."""

    sums: NDArray[Any]
    ways: Sequence[Way]

    @cached_property
    def pairs(self) -> tuple[PairMargins, ...]:
        """The tally of each way."""
        ends = np.cumsum([way.rows.shape[1] for way in self.ways])[:-1]
        parts = zip(np.split(self.sums, ends, axis=-1), self.ways, strict=True)
        return tuple(PairMargins(sums, way.points, way.distances) for sums, way in parts)
