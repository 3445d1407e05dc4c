"""Several responses of one candidate are not independent: one of each cluster."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def one_per_cluster(
    clusters: ArrayLike, confidence: ArrayLike, errors: ArrayLike, seed: int = 0
) -> NDArray[np.int64]:
    """Positions of one response of each cluster, drawn at random; the same for any row order.

    A draw sees which responses a cluster has, not where they stand in the file: they are put in
    order of confidence and error first.

    >>> clusters, confidence = ["a", "a", "b"], [0.5, 0.9, 0.7]
    >>> sorted(np.array(clusters)[one_per_cluster(clusters, confidence, [0, 0, 1])].tolist())
    ['a', 'b']
    """
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    order = np.lexsort((np.asarray(errors), np.asarray(confidence), codes))
    sizes = np.bincount(codes)
    first = np.cumsum(sizes) - sizes
    drawn = np.random.default_rng(seed).integers(0, sizes)
    return np.asarray(order[first + drawn], np.int64)
