"""Pair sums: what responses add to the moments of two raters, each two or all as a pool."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tallymark.defaults import FEW, MANY_RATERS
from tallymark.tally.moments import features

Floats = NDArray[np.float64]


def pair_features(ratings: Floats, counts: NDArray[np.int64]) -> Sequence[Floats]:
    """What each response adds to the moments of every two raters, or of a pool as one."""
    given = ~np.isnan(ratings)
    shared = given.astype(np.float64)
    common = (shared * counts[:, None]).T @ shared
    few = common.size == 0 or common.min() < min(FEW, counts.sum())
    if few or ratings.shape[1] > MANY_RATERS:
        return [_pool_features(ratings)]
    blocks = []
    for first, second in combinations(range(ratings.shape[1]), 2):
        both = given[:, first] & given[:, second]
        pair = (np.where(both, ratings[:, rater], 0.0) for rater in (first, second))
        blocks.append(features(*pair) * both[:, None])
    return blocks


def _pool_features(ratings: Floats) -> Floats:
    """Mean over all ordered pairs of ratings of a response, as moments of one pair."""
    given = ~np.isnan(ratings)
    k, filled = given.sum(axis=1) * 1.0, np.where(given, ratings, 0.0)
    total, squares = filled.sum(axis=1), (filled * filled).sum(axis=1)
    twice = k > 1
    many = np.where(twice, k, 2.0)
    mean, square = total / many, squares / many
    product = (total * total - squares) / (many * (many - 1))
    apart = 2 * (square - product)
    # sums of absolute differences are not needed, and stay 0
    columns = [np.ones_like(k), mean, mean, square, square, product, np.zeros_like(k), apart]
    return np.where(twice[:, None], np.stack(columns, axis=1), 0.0)
