"""Connectedness: can every rater be compared with every other through shared responses?"""

import numpy as np
from numpy.typing import NDArray


def components(ratings: NDArray[np.float64]) -> list[list[int]]:
    """Group the raters (columns) that are linked by responses they share, directly or by others.

    Severities of raters in different groups cannot be compared. Raters without any rating are
    left out. The largest group comes first.

    >>> nan = np.nan
    >>> components(np.array([[1, 2, nan, nan], [nan, 2, nan, nan], [nan, nan, 3, 4]]))
    [[0, 1], [2, 3]]
    """
    given = (~np.isnan(ratings)).astype(np.float64)
    linked = (given.T @ given) > 0
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
