"""Trust score: is a response nearer to training responses with its predicted score or with others?

Distances are exact: whole blocks of them by one matrix product, then the nearest ones once more by
differences. Trees do not help above some twenty dimensions.
"""

from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, OptionError
from tallymark.selective.curve import margin

Progress = Callable[[int, int], None]
"""Called with the rows done and all rows."""
BLOCK_BYTES = 64 * 2**20
EPSILON = 1e-12


class Trust(Struct, frozen=True):
    """Distances to the nearest training response of the predicted score, and of other scores."""

    to_predicted: Floats
    to_other: Floats

    @property
    def share(self) -> Floats:
        """d_c / (d_p + d_c), from 0 to 1; 0 for an unseen score, 0.5 where both distances are 0."""
        p, c = self.to_predicted, self.to_other
        with np.errstate(invalid="ignore", divide="ignore"):  # 0 / 0 and inf / inf are set below
            share = c / (p + c)
        share = np.where((p == 0) & (c == 0), 0.5, share)
        return np.where(np.isinf(p), 0.0, np.where(np.isinf(c), 1.0, share))

    @property
    def ratio(self) -> Floats:
        """d_c / d_p, as in the article; the same order as ``share``."""
        p, c = self.to_predicted, self.to_other
        with np.errstate(invalid="ignore"):  # inf / inf: unseen score
            return np.where(np.isinf(p), 0.0, c / (p + EPSILON))


def trust_score(
    train: ArrayLike,
    labels: ArrayLike,
    x: ArrayLike,
    predicted: ArrayLike,
    *,
    nn: int = 1,
    drop: float = 0.0,
    neighbours: int = 10,
    far: tuple[float, float] | None = None,
    progress: Progress | None = None,
) -> Trust:
    """Trust scores of predictions, from embeddings of training responses with human scores.

    ``nn``: distance to the nearest (1, as in the article) or second nearest (2, as in its package)
    response of a score; a score with fewer takes its last. ``drop``: the share of each score's
    training responses left out as lying apart, by their distance to the ``neighbours``-th nearest
    of the same score (itself counted). ``far = (lambda, range)``: only scores a critical error away
    count as others (experimental, ours).

    References
    ----------
    Jiang et al. (2018), https://arxiv.org/abs/1805.11783; Funayama et al. (2020).

    Examples
    --------
    >>> train = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3]]
    >>> f"{trust_score(train, [0, 0, 0, 1, 1], [[1, 1]], [0]).share[0]:.4f}"
    '0.7388'
    """
    training, new = _matrix(train, "train"), _matrix(x, "x")
    scores, chosen = np.asarray(labels, np.float64), np.asarray(predicted, np.float64)
    _check(training, new, scores, chosen, nn, drop)
    classes, codes = np.unique(scores, return_inverse=True)
    parts = [np.flatnonzero(codes == i) for i in range(classes.size)]
    if drop:
        parts = [part[_dense(training[part], drop, neighbours)] for part in parts]
    cut = np.inf if far is None else float(margin(*far))
    p, c = np.full(len(new), np.inf), np.full(len(new), np.inf)
    centre, order = training.mean(axis=0), np.concatenate(parts)
    ends = np.cumsum([part.size for part in parts])
    centred = training[order] - centre
    for rows, squared in _blocks(new - centre, centred, progress):
        for value, start, end in zip(classes, np.append(0, ends[:-1]), ends, strict=True):
            nearest = _nearest(new[rows] - centre, centred[start:end], squared[:, start:end], nn)
            of_class = chosen[rows] == value
            of_others = ~of_class if far is None else np.abs(chosen[rows] - value) >= cut
            p[rows] = np.where(of_class, nearest, p[rows])
            c[rows] = np.where(of_others, np.minimum(nearest, c[rows]), c[rows])
    return Trust(p, c)


def _dense(points: Floats, drop: float, neighbours: int) -> NDArray[np.bool_]:
    """The points of a score that do not lie apart: their radius is within the percentile."""
    radius = np.empty(len(points))
    centred = points - points.mean(axis=0)
    place = min(neighbours, len(points))
    for rows, squared in _blocks(centred, centred, None):
        radius[rows] = _nearest(centred[rows], centred, squared, place)
    return np.asarray(radius <= np.quantile(radius, 1 - drop))


def _blocks(x: Floats, y: Floats, progress: Progress | None) -> Iterator[tuple[slice, Floats]]:
    """Squared distances of some rows of x to all of y, |x|^2 + |y|^2 - 2 x y, block by block."""
    size = max(1, BLOCK_BYTES // (8 * max(1, len(y))))
    norms = np.einsum("ij,ij->i", y, y)
    for start in range(0, len(x), size):
        rows = slice(start, min(start + size, len(x)))
        squared = x[rows] @ y.T
        squared *= -2
        squared += norms
        squared += np.einsum("ij,ij->i", x[rows], x[rows])[:, None]
        yield rows, squared
        if progress is not None:
            progress(rows.stop, len(x))


def _nearest(x: Floats, y: Floats, squared: Floats, nn: int) -> Floats:
    """Distance to the nn-th nearest of y, without the cancellation of the matrix product."""
    place = min(nn, len(y)) - 1
    if place == 0:
        index = squared.argmin(axis=1)
    else:
        index = np.argpartition(squared, place, axis=1)[:, place]
    return np.asarray(np.linalg.norm(x - y[index], axis=1))


def _matrix(values: ArrayLike, name: str) -> Floats:
    matrix = np.asarray(values, np.float64)
    if matrix.ndim != 2 or not len(matrix):
        raise DataError(f"{name} must be responses x dimensions, got {matrix.shape}")
    if not np.isfinite(matrix).all():
        raise DataError(f"{name} has missing or infinite coordinates; leave those responses out")
    return matrix


def _check(
    training: Floats, new: Floats, scores: Floats, chosen: Floats, nn: int, drop: float
) -> None:
    if len(scores) != len(training) or len(chosen) != len(new) or training.shape[1] != new.shape[1]:
        raise DataError(
            f"one score for each of {len(training)} training responses and one prediction for each of "
            f"{len(new)} others are needed, in the same dimensions; got {len(scores)} scores, "
            f"{len(chosen)} predictions, {training.shape[1]} and {new.shape[1]} dimensions"
        )
    if nn < 1 or not 0 <= drop < 1:
        raise OptionError(f"nn must be 1 or more and drop from 0 to below 1, got {nn} and {drop}")
