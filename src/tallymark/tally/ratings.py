"""Rating counts: how many raters chose each point, when it does not matter who they are."""

import numpy as np

from tallymark.arrays import Whole
from tallymark.tally.patterns import group_rows

LARGEST_KEY = 2**62
SPARSE = 32
"""Keys are counted where there are at most this many possible ones a response, else sorted."""


def rating_counts(index: Whole, k: int) -> Whole:
    """Count the raters at each of k points; ``index[response, rater]``, -1 missing.

    >>> rating_counts(np.array([[0, 2, 2], [1, -1, -1]]), 3).tolist()
    [[1, 0, 2], [0, 1, 0]]
    """
    responses = len(index)
    cells = index + 1 + (np.arange(responses) * (k + 1))[:, None]
    counts = np.bincount(cells.ravel(), minlength=responses * (k + 1))
    return counts.reshape(responses, k + 1)[:, 1:]


def distinct_rating_counts(index: Whole, k: int, times: Whole | None = None) -> tuple[Whole, Whole]:
    """Return the distinct rows of rating counts, and how many responses show each.

    A row of counts is read as the digits of one number, so that numbers are counted, not rows.
    Responses without any rating are left out.

    >>> rows, times = distinct_rating_counts(np.array([[0, 1], [1, 0], [1, -1]]), 2)
    >>> rows.tolist(), times.tolist()
    ([[0, 1], [1, 1]], [1, 2])
    """
    base = index.shape[1] + 1
    if base**k > LARGEST_KEY:
        return _grouped(rating_counts(index, k), times)
    digit = base ** np.arange(k + 1, dtype=np.int64)
    digit[k] = 0  # what the index -1 finds
    keys, counts = _counted(_added(digit, index), base**k, times)
    rated = keys > 0
    return keys[rated, None] // digit[:k] % base, counts[rated]


def _added(digit: Whole, index: Whole) -> Whole:
    """The digits of each row, added; as floating numbers, sooner, where these are exact."""
    if digit.max() * index.shape[1] < 2**53:
        return np.asarray(digit.astype(np.float64)[index] @ np.ones(index.shape[1]), dtype=np.int64)
    return np.asarray(digit[index].sum(axis=1))


def _counted(keys: Whole, limit: int, times: Whole | None) -> tuple[Whole, Whole]:
    if times is not None and (times != 1).any():
        distinct, place = np.unique(keys, return_inverse=True)
        return distinct, np.bincount(place, weights=times).astype(np.int64)
    if limit > SPARSE * keys.size:
        return np.unique(keys, return_counts=True)
    counts = np.bincount(keys)
    distinct = np.flatnonzero(counts)
    return distinct, counts[distinct]


def _grouped(rows: Whole, times: Whole | None) -> tuple[Whole, Whole]:
    rated = rows.any(axis=1)
    rows = rows[rated]
    weights = np.ones(len(rows), dtype=np.int64) if times is None else times[rated]
    order, starts = group_rows(list(rows.T))
    total = np.add.reduceat(weights[order], starts) if order.size else weights
    return rows[order[starts]], total
