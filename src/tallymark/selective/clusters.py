"""Several responses of one candidate are not independent: one of each cluster."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.defaults import SEED

Weigh = Literal["responses", "clusters"]


def one_per_cluster(
    clusters: ArrayLike,
    confidence: ArrayLike,
    errors: ArrayLike,
    seed: int = SEED,
    weigh: Weigh = "responses",
) -> NDArray[np.int64]:
    """Positions of one response of a cluster, drawn at random; the same for any row order.

    With ``weigh`` "responses" a cluster is kept with a probability in proportion to its size, the
    largest for sure. What is drawn is then distributed as a response of the population, so that
    rates are of responses. With "clusters" each is kept and counts alike, whatever its size: rates
    are of one response of a cluster, which is another thing where large clusters err more often.

    A draw sees which responses a cluster has, not where they stand in the file: they are put in
    order of confidence and error first.

    >>> clusters, confidence = ["a", "a", "b", "b"], [0.5, 0.9, 0.7, 0.2]
    >>> sorted(np.array(clusters)[one_per_cluster(clusters, confidence, [0, 0, 1, 0])].tolist())
    ['a', 'b']
    """
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    order = np.lexsort((np.asarray(errors), np.asarray(confidence), codes))
    sizes = np.bincount(codes)
    first = np.cumsum(sizes) - sizes
    rng = np.random.default_rng(seed)
    drawn = np.asarray(order[first + rng.integers(0, sizes)], np.int64)
    kept = rng.random(sizes.size) * sizes.max() < sizes
    return drawn if weigh == "clusters" else drawn[kept]
