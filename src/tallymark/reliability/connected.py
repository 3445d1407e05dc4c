"""Who rated with whom: raters linked by shared responses, and raters asked only to adjudicate."""

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole


def components(ratings: Floats) -> list[list[int]]:
    """Group the raters (columns) that are linked by responses they share, directly or by others.

    Severities of raters in different groups cannot be compared. Raters without any rating are
    left out. The largest group comes first.

    >>> nan = np.nan
    >>> components(np.array([[1, 2, nan, nan], [nan, 2, nan, nan], [nan, nan, 3, 4]]))
    [[0, 1], [2, 3]]
    """
    present = (~np.isnan(ratings)).astype(np.float64)
    linked = (present.T @ present) > 0
    left = [rater for rater in range(ratings.shape[1]) if linked[rater, rater]]
    groups = []
    while left:
        group, reach = np.zeros(len(linked), dtype=bool), linked[left[0]]
        while (reach & ~group).any():
            group, reach = reach, linked[reach].any(axis=0)
        groups.append([int(rater) for rater in np.flatnonzero(group)])
        left = [rater for rater in left if not group[rater]]
    return sorted(groups, key=len, reverse=True)


def all_ways(less: NDArray[np.bool_]) -> bool:
    """Whether every rater can be reached from every other along ``less[a, b]``, both ways.

    >>> all_ways(np.array([[False, True], [True, False]]))
    True
    >>> all_ways(np.array([[False, True], [False, False]]))
    False
    """
    return all(_reached(way).all() for way in (less, less.T))


def _reached(steps: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which places can be reached from the first one."""
    reached = np.zeros(len(steps), dtype=bool)
    new = reached.copy()
    new[:1] = True
    while new.any():
        reached |= new
        new = steps[new].any(axis=0) & ~reached
    return reached


FEW = 10
"""A rater of fewer responses than this may meet disagreement by chance."""
EXCEPTIONS = 0.05
"""Share of disputed responses that may have gone without an adjudicator."""


def adjudicators(ratings: Floats, counts: Whole) -> list[int]:
    """Return the raters (columns) whose ratings exist only where the others are far apart.

    Their responses were chosen for disagreement, so agreement on them says nothing about others.

    >>> agreed, disputed = [[3, 3, np.nan]] * 40, [[2, 4, 3]] * 10
    >>> adjudicators(np.array(agreed + disputed), np.ones(50, dtype=np.int64))
    [2]
    """
    deciding = []
    present = ~np.isnan(ratings)
    number, ordered = present.sum(axis=1), np.sort(ratings, axis=1)  # missing ones come last
    for rater in range(ratings.shape[1]):
        twice = np.flatnonzero(number - present[:, rater] >= 2)
        decided, times = present[twice, rater], counts[twice]
        if times[decided].sum() < FEW or decided.all():
            continue
        theirs, row, last = ratings[twice, rater], ordered[twice], number[twice] - 1
        positions = np.arange(twice.size)
        high, low = row[positions, last], row[:, 0]
        high = np.where(theirs == high, row[positions, last - 1], high)
        gap = high - np.where(theirs == low, row[:, 1], low)
        least = gap[decided].min()
        without = times[~decided & (gap >= least)].sum() / times[~decided].sum()
        if least > 0 and without <= EXCEPTIONS:
            deciding.append(rater)
    return deciding
