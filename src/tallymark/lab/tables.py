"""Tables of many replicates at once: gold and system scores by chance, counted on points."""

import math

import numpy as np
from numpy.typing import NDArray

from tallymark.tally import PairCounts

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Rng = np.random.Generator


def counted(gold: Whole, system: Whole, points: Floats) -> PairCounts:
    """Count positions among the points, ``[replicate, response]``: ``counts[replicate, i, j]``."""
    replicates, k = len(gold), points.size
    cell = (np.arange(replicates)[:, None] * k + gold) * k + system
    counts = np.bincount(cell.ravel(), minlength=replicates * k * k)
    return PairCounts(counts.reshape(replicates, k, k), points)


def normal_points(
    k: int, sd: float, size: tuple[int, int], rng: Rng, mean: float | None = None
) -> Whole:
    """Rounded normal scores on 0 to k - 1, drawn again where they fall off the scale."""
    middle = (k - 1) / 2 if mean is None else mean
    edges = (np.arange(k + 1) - 0.5 - middle) / sd
    below = np.array([math.erfc(-edge / math.sqrt(2)) / 2 for edge in edges])
    # on the upper side tails keep more digits, which scores far from the scale need
    above = np.array([math.erfc(edge / math.sqrt(2)) / 2 for edge in edges])
    chances = np.where(edges[:-1] > 0, above[:-1] - above[1:], below[1:] - below[:-1])
    return np.searchsorted(np.cumsum(chances / chances.sum())[:-1], rng.random(size), side="right")


def moved(gold: Whole, share: float, by: int, k: int, rng: Rng) -> Whole:
    """Move exactly a share of each replicate's scores by so many points, where the scale allows.

    An error goes upwards as often as downwards; where the scale forbids it, another response is
    chosen.
    """
    draws = rng.random((2, *gold.shape))
    draws[0][gold + by > k - 1] = np.inf
    draws[1][gold - by < 0] = np.inf
    order = draws.min(axis=0)
    wanted = round(share * gold.shape[1])
    chosen = np.argpartition(order, wanted - 1, axis=1)[:, :wanted]
    away = np.zeros(gold.shape, dtype=np.int64)
    step = np.where(draws[0] < draws[1], by, -by)
    np.put_along_axis(away, chosen, np.take_along_axis(step, chosen, axis=1), axis=1)
    return gold + away


def replaced(gold: Whole, scores: Whole, total: int) -> Whole:
    """Replace gold by scores, response after response, until the errors sum to the total.

    A response whose error would exceed what is left is passed over, so that the sum is met exactly.
    """
    errors = np.abs(scores - gold)
    taken = np.cumsum(errors, axis=1) <= total
    while True:
        left = total - (errors * taken).sum(axis=1)
        fits = ~taken & (errors > 0) & (errors <= left[:, None])
        rows = np.flatnonzero((left > 0) & fits.any(axis=1))
        if not rows.size:
            return np.where(taken, scores, gold)
        taken[rows, fits[rows].argmax(axis=1)] = True
