"""Adjudicators: raters who were asked only because the others disagreed."""

import numpy as np
from numpy.typing import NDArray

FEW = 10
"""A rater of fewer responses than this may meet disagreement by chance."""
EXCEPTIONS = 0.05
"""Share of disputed responses that may have gone without an adjudicator."""


def adjudicators(ratings: NDArray[np.float64], counts: NDArray[np.int64]) -> list[int]:
    """Return the raters (columns) whose ratings exist only where the others are far apart.

    Their responses were chosen for disagreement, so agreement on them says nothing about others.

    >>> agreed, disputed = [[3, 3, np.nan]] * 40, [[2, 4, 3]] * 10
    >>> adjudicators(np.array(agreed + disputed), np.ones(50, dtype=np.int64))
    [2]
    """
    deciding = []
    given = ~np.isnan(ratings)
    number, ordered = given.sum(axis=1), np.sort(ratings, axis=1)  # missing ones come last
    for rater in range(ratings.shape[1]):
        twice = np.flatnonzero(number - given[:, rater] >= 2)
        here, times = given[twice, rater], counts[twice]
        if times[here].sum() < FEW or here.all():
            continue
        theirs, row, last = ratings[twice, rater], ordered[twice], number[twice] - 1
        every = np.arange(twice.size)
        high, low = row[every, last], row[:, 0]
        high = np.where(theirs == high, row[every, last - 1], high)
        apart = high - np.where(theirs == low, row[:, 1], low)
        least = apart[here].min()
        without = times[~here & (apart >= least)].sum() / times[~here].sum()
        if least > 0 and without <= EXCEPTIONS:
            deciding.append(rater)
    return deciding
