"""Recalibration: a system whose order is right is given the gold's mean, spread and shape."""

from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.inference.units import shards_of_responses

FOLDS = 10
MANY = 100_000
"""Beyond this many responses, equal ones are dealt together."""
MOST_STEPS = 200
"""Beyond this many distinct system scores, neighbours share a step of the isotonic fit."""

NONE = 1e-9
"""A spread this much smaller than the gold's is none."""


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
    steps = np.where(before & np.isfinite(least), least, -np.inf).max(axis=-2)
    return np.asarray(np.where(np.isfinite(steps), steps, np.nan))


class Dealt(NamedTuple):
    """Which rows are in which fold, and how many responses of the row are."""

    row: Whole
    fold: Whole
    counts: Whole
    folds: int


class Sums(NamedTuple):
    """For each set of responses: counts and gold by bin, then n and sums of g, gg, m and mm."""

    weights: Floats
    gold: Floats
    moments: Floats

    def others(self) -> "Sums":
        """The sums of all sets but each."""
        return Sums(*(part.sum(axis=0) - part for part in self))


class LineFit(NamedTuple):
    """Recalibrations fitted on each of some training sets, along the first axis.

    A score s becomes ``shift + slope s``, or the step ``steps[bin of s]``.
    """

    shift: Floats
    slope: Floats
    steps: Floats


def sums_of(gold: Floats, system: Floats, bins: Whole, dealt: Dealt) -> Sums:
    """Add up what both recalibrations need, fold by fold; scores are best near 0."""
    row, fold, size = dealt.row, dealt.fold, int(bins.max(initial=0)) + 1
    g, m, place = gold[row], system[row], dealt.fold * size + bins[row]
    weights, by_bin = (
        np.bincount(place, dealt.counts * x, dealt.folds * size).reshape(dealt.folds, size)
        for x in (np.ones_like(g), g)
    )
    columns = [
        np.bincount(fold, dealt.counts * x, dealt.folds)
        for x in (np.ones_like(g), g, g * g, m, m * m)
    ]
    moments = np.stack(columns, axis=-1)
    return Sums(*(x.astype(np.float64) for x in (weights, by_bin, moments)))


def fit(sums: Sums) -> LineFit:
    r"""Fit both recalibrations to each set.

    Linear: :math:`\bar g + (s_g / s_m)(m - \bar m)`, which gives the system the gold's mean and
    spread. A regression would predict better but shrink the scores towards the mean, and so lower
    agreement. Isotonic: rising steps fitted to the gold, then given its mean and spread likewise.
    """
    n, g, gg, m, mm = np.moveaxis(sums.moments, -1, 0)
    steps = isotonic(sums.weights, sums.gold)
    filled = np.where(sums.weights > 0, steps, 0.0)
    s, ss = ((sums.weights * filled**power).sum(axis=-1) for power in (1, 2))
    spread = _sd(n, g, gg)
    slope, stretch = _over(spread, _sd(n, m, mm)), _over(spread, _sd(n, s, ss))
    drawn_out = (g / n)[:, None] + stretch[:, None] * (steps - (s / n)[:, None])
    return LineFit((g - slope * m) / n, slope, drawn_out)


def _sd(n: Floats, total: Floats, squares: Floats) -> Floats:
    return np.sqrt(np.maximum(squares / n - (total / n) ** 2, 0.0))


def _over(spread: Floats, divisor: Floats) -> Floats:
    """The ratio of two spreads; 0 where the second is none, so that the mean is given."""
    none = divisor <= NONE * spread
    return np.where(none, 0.0, spread / np.where(none, 1.0, divisor))


def steps_of(system: Floats, counts: Whole) -> Whole:
    """Return the bin of each row: one for each distinct score, or bins of about equal counts."""
    values, place = np.unique(system, return_inverse=True)
    if values.size <= MOST_STEPS:
        return np.asarray(place, dtype=np.int64)
    share = np.cumsum(np.bincount(place, counts)) / counts.sum()
    wide = np.minimum(share * MOST_STEPS, MOST_STEPS - 1).astype(np.int64)
    return np.asarray(np.unique(wide[place], return_inverse=True)[1], dtype=np.int64)


def folds_of(counts: Whole, clusters: Whole | None) -> Dealt:
    """Deal responses into folds; a cluster stays together.

    Rows must be sorted: then the order in which responses came does not matter.
    """
    positions = np.arange(counts.size)
    if clusters is not None:
        ids, place = np.unique(clusters, return_inverse=True)
        fold, folds = shards_of_responses(ids.size, shards=FOLDS)
        return Dealt(positions, fold[place], counts, folds)
    # of many responses equal ones are spread evenly, and only what is left over is dealt
    even = counts // FOLDS if counts.sum() > MANY else np.zeros_like(counts)
    row = np.repeat(positions, counts - even * FOLDS)
    fold, folds = shards_of_responses(row.size, shards=FOLDS)
    often = np.flatnonzero(even)
    folds = FOLDS if often.size else folds
    spread = (often[:, None] * folds + np.arange(folds)).ravel()
    cells, place = np.unique(np.concatenate([row * folds + fold, spread]), return_inverse=True)
    weights = np.concatenate([np.ones(row.size), np.repeat(even[often], folds)])
    dealt = np.bincount(place, weights, cells.size).astype(np.int64)
    return Dealt(*np.divmod(cells, folds), dealt, folds)


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
    fitted = fit(sums_of(gold, system, bins, dealt).others())
    row, fold = dealt.row, dealt.fold
    linear = fitted.shift[fold] + fitted.slope[fold] * system[row]
    return CrossFitted(row, dealt.counts, linear, fitted.steps[fold, bins[row]])


def fitted_to_all(gold: Floats, system: Floats, counts: Whole, bins: Whole) -> LineFit:
    """Both recalibrations, fitted to all responses as one set."""
    cells = np.arange(counts.size)
    return fit(sums_of(gold, system, bins, Dealt(cells, np.zeros_like(cells), counts, 1)))
