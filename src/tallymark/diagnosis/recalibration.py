"""Recalibration: a system whose order is right is given the gold's mean, spread and shape."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.units import shards_of_responses

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
FOLDS = 10
MOST_STEPS = 200
"""Of more distinct system scores than this, neighbours share a step of the isotonic fit."""


def isotonic(weights: Floats, sums: Floats) -> Floats:
    r"""Return the nearest rising steps to the mean of each bin: isotonic regression.

    .. math:: g_i = \max_{j \le i} \min_{k \ge i} \frac{\sum_{l=j}^{k} S_l}{\sum_{l=j}^{k} W_l}

    ``weights[..., i]`` counts the responses of bin i and ``sums[..., i]`` adds up their gold. Equal
    to pooling adjacent violators, and done for all leading axes at once. An empty bin takes the
    value of a neighbour; NaN where all are empty.

    References
    ----------
    Ayer, Brunk, Ewing, Reid & Silverman (1955), doi:10.1214/aoms/1177728423.

    Examples
    --------
    >>> isotonic(np.ones(4), np.array([1.0, 3, 2, 4])).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    total, added = (
        np.concatenate([np.zeros((*x.shape[:-1], 1)), np.cumsum(x, axis=-1)], axis=-1)
        for x in (weights, sums)
    )
    count = total[..., None, 1:] - total[..., :-1, None]  # [first bin, last bin]
    with np.errstate(invalid="ignore", divide="ignore"):  # no response, or last before first
        mean = (added[..., None, 1:] - added[..., :-1, None]) / count
    mean = np.where(count > 0, mean, np.inf)
    least = np.minimum.accumulate(mean[..., ::-1], axis=-1)[..., ::-1]
    before = np.tri(weights.shape[-1], dtype=bool).T
    found = np.where(before & np.isfinite(least), least, -np.inf).max(axis=-2)
    return np.asarray(np.where(np.isfinite(found), found, np.nan))


class Fit(NamedTuple):
    """Recalibrations fitted on each of some training sets, along the first axis.

    A score s becomes ``shift + slope s``, or the step ``steps[bin of s]``.
    """

    shift: Floats
    slope: Floats
    steps: Floats


def fit(gold: Floats, system: Floats, counts: Floats, bins: Whole) -> Fit:
    r"""Fit both recalibrations to ``counts[set, row]`` responses of each row.

    Linear: :math:`\bar g + (s_g / s_m)(m - \bar m)`, which gives the system the gold's mean and
    spread. A regression would predict better but shrink the scores towards the mean, and so lower
    agreement. Isotonic: rising steps fitted to the gold, then given its mean and spread likewise.
    """
    n = counts.sum(axis=-1)
    size = int(bins.max(initial=0)) + 1
    weights: Floats = np.stack([np.bincount(bins, row, size) * 1.0 for row in counts])
    sums: Floats = np.stack([np.bincount(bins, row * gold, size) * 1.0 for row in counts])
    steps = isotonic(weights, sums)
    g, g_sd = _spread(counts, gold, n)
    m, m_sd = _spread(counts, system, n)
    s, s_sd = _spread(weights, steps, n)
    slope = np.where(m_sd > 0, g_sd / np.where(m_sd > 0, m_sd, 1.0), 0.0)
    stretch = np.where(s_sd > 0, g_sd / np.where(s_sd > 0, s_sd, 1.0), 0.0)
    stretched = g[:, None] + stretch[:, None] * (steps - s[:, None])
    return Fit(g - slope * m, slope, stretched)


def _spread(counts: Floats, values: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of values under each row of counts."""
    known = np.where(counts > 0, values, 0.0)
    mean = (counts * known).sum(axis=-1) / n
    square = (counts * (known - mean[:, None]) ** 2).sum(axis=-1) / n
    return mean, np.sqrt(square)


def steps_of(system: Floats, counts: Whole) -> Whole:
    """Return the bin of each row: one for each distinct score, or bins of about equal counts."""
    values, place = np.unique(system, return_inverse=True)
    if values.size <= MOST_STEPS:
        return np.asarray(place, dtype=np.int64)
    share = np.cumsum(np.bincount(place, counts)) / counts.sum()
    wide = np.minimum(share * MOST_STEPS, MOST_STEPS - 1).astype(np.int64)
    return np.asarray(np.unique(wide[place], return_inverse=True)[1], dtype=np.int64)


def folds_of(counts: Whole, clusters: Whole | None) -> Floats:
    """Deal responses into folds, ``dealt[row, fold]`` of each row; a cluster stays together.

    Rows must be sorted: then the order in which responses came does not matter.
    """
    if clusters is None:
        row = np.repeat(np.arange(counts.size), counts)
        fold, size = shards_of_responses(row.size, shards=FOLDS)
        told = np.bincount(row * size + fold, minlength=counts.size * size)
        return told.reshape(counts.size, size).astype(np.float64)
    ids, place = np.unique(clusters, return_inverse=True)
    fold, size = shards_of_responses(ids.size, shards=FOLDS)
    dealt = np.zeros((counts.size, size))
    dealt[np.arange(counts.size), fold[place]] = counts
    return dealt


class CrossFitted(NamedTuple):
    """Rows told once for each fold they are in: which row, how often, and its recalibrations."""

    row: Whole
    counts: Whole
    linear: Floats
    isotonic: Floats


def cross_fitted(
    gold: Floats, system: Floats, counts: Whole, clusters: Whole | None
) -> CrossFitted:
    """Recalibrate each response by what was fitted to the responses of the other folds."""
    dealt, bins = folds_of(counts, clusters), steps_of(system, counts)
    fitted = fit(gold, system, np.ascontiguousarray((counts[:, None] - dealt).T), bins)
    row, fold = np.nonzero(dealt)
    return CrossFitted(
        row,
        dealt[row, fold].astype(np.int64),
        fitted.shift[fold] + fitted.slope[fold] * system[row],
        fitted.steps[fold, bins[row]],
    )
