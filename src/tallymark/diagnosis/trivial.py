"""Trivial scorers and large errors: what a coefficient must tell from a good system."""

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.tally import PairCounts


def most_frequent(scores: Floats, weights: Floats | None = None) -> float:
    """The score that occurs most often, the lowest of equals.

    >>> most_frequent(np.array([3.0, 1.0, 3.0, 1.0])), most_frequent(np.array([1.0, 2.0]), np.array([1.0, 5.0]))
    (1.0, 2.0)
    """
    values, place = np.unique(scores, return_inverse=True)
    return float(values[np.bincount(place, weights=weights).argmax()])


def always_most_common(pairs: PairCounts) -> PairCounts:
    """The table of a scorer that always gives the score the first rater gives most often.

    >>> always_most_common(PairCounts(np.array([[5, 1], [1, 1]]), np.arange(2.0))).counts.tolist()
    [[6.0, 0.0], [2.0, 0.0]]
    """
    gold = pairs.counts.sum(axis=-1)
    counts = np.zeros(pairs.counts.shape)
    counts[..., int(np.argmax(gold))] = gold
    return replace(pairs, counts=counts)


def largest_share(pairs: PairCounts) -> Floats:
    """Share of the score that both raters together give most often."""
    return np.asarray(pairs.shares.max(axis=-1))


def errors_from(pairs: PairCounts, size: float) -> Floats:
    """Share of responses whose scores differ by ``size`` or more.

    >>> table = PairCounts(np.array([[5, 0, 2], [1, 1, 0], [0, 0, 1]]), np.arange(3.0))
    >>> errors_from(table, 2.0).item()
    0.2
    """
    gap = np.abs(pairs.points[:, None] - pairs.points[None, :])
    return pairs.disagreement((gap >= size - 1e-9).astype(np.float64))
