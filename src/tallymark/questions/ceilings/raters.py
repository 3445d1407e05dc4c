"""Raters like these: ceilings when other raters of the same kind had rated."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Settings
from tallymark.inference.bootstrap import resamples
from tallymark.inference.interval import percentile
from tallymark.reliability.ceiling import CeilingComponents
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
FEWEST_RATERS = 5
"""Fewer raters than this cannot stand for others."""
MANY_RATERS = 500
LARGE = 100_000_000
"""Ratings times replicates; above it fewer replicates are drawn, at least 200."""
LIKE_THESE = "raters like these"


class Like(NamedTuple):
    """Interval and standard error of a statistic when raters are resampled too."""

    low: float
    high: float
    se: float
    method: str


def raters_like_these(
    rows: Rows,
    variances: CeilingComponents,
    statistics: Mapping[str, Callable[[CeilingComponents], Floats]],
    settings: Settings,
    key: int,
) -> dict[str, Like]:
    """Resample raters and responses, both with replacement; empty with too few raters or no error.

    A rater drawn twice does not count as two who agree: only pairs of different raters tell the
    error. Resampling both inflates the spread of the responses a little, which with few raters
    makes up for their small number.
    McCullagh (2000), doi:10.2307/3318577; Owen (2007), doi:10.1214/07-AOAS122.
    """
    raters = int((~np.isnan(rows.scores)).any(axis=0).sum())
    if not FEWEST_RATERS <= raters <= MANY_RATERS or not variances.error > 0:
        return {}
    number = max(200, min(settings.replicates, LARGE // max(rows.scores.size, 1)))
    drawn = _components(rows, variances, number, np.random.default_rng([settings.seed, key, 1]))
    how = f"percentile bootstrap over raters and responses, {number} replicates"
    likes = {}
    for name, statistic in statistics.items():
        values = statistic(drawn)
        finite = values[~np.isnan(values)]
        if finite.size < 0.9 * number:
            continue
        low, high = percentile(finite, settings.level)
        text = f"{how}, seed {settings.seed}, {raters} raters"
        likes[name] = Like(low, high, float(finite.std(ddof=1)), text)
    return likes


def _components(
    rows: Rows, variances: CeilingComponents, number: int, rng: "np.random.Generator"
) -> CeilingComponents:
    """Components of every resample: ratings weigh by how often rater and response were drawn."""
    given = ~np.isnan(rows.scores)
    present = np.flatnonzero(given.any(axis=0))
    given = given[:, present] * 1.0
    filled = np.where(given > 0, rows.scores[:, present] - np.nanmean(rows.scores), 0.0)
    drawn = rng.multinomial(present.size, np.full(present.size, 1 / present.size), size=number)
    unit, times = _units(rows)
    error, total, start = np.empty(number + 1), np.empty(number + 1), 1
    plain = rows.counts[:, None].astype(np.float64)
    error[:1], total[:1] = _variances(given, filled, np.ones((1, present.size)), plain)
    for block in resamples(times, number, rng):
        weights = _by_row(block, unit, times, rows.counts)
        stop = start + len(block)
        raters = drawn[start - 1 : stop - 1].astype(np.float64)
        error[start:stop], total[start:stop] = _variances(given, filled, raters, weights)
        start = stop
    # so that the data as they are give the estimate itself
    scale = np.array([variances.error / error[0], (variances.true + variances.error) / total[0]])
    error, total = error[1:] * scale[0], total[1:] * scale[1]
    return CeilingComponents(total - error, error, np.full(number, float(variances.ratings)))


def _units(rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The unit of each row that is resampled, and how often each unit occurs."""
    if rows.clusters is None:
        return np.arange(rows.counts.size), rows.counts
    ids, unit = np.unique(rows.clusters, return_inverse=True)
    return unit, np.ones(ids.size, dtype=np.int64)


def _by_row(
    block: NDArray[np.int64],
    unit: NDArray[np.int64],
    times: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> Floats:
    """How much each row weighs in each resample: rows by resamples."""
    weights = block.T[unit].astype(np.float64)
    return weights if times is counts else weights * counts[:, None]


def _variances(
    given: Floats, scores: Floats, raters: Floats, weights: Floats
) -> tuple[Floats, Floats]:
    """Error variance from pairs of different raters, and the variance of all ratings."""
    number, total = given @ raters.T, scores @ raters.T
    squares, twice = (scores * scores) @ raters.T, given @ (raters * raters).T
    some = np.where(number > 0, number, 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):  # no two different raters were drawn
        apart = weights * (squares - total * total / some)
        pairs = weights * (number - twice / some)
        n = (weights * number).sum(axis=0)
        mean = (weights * total).sum(axis=0) / n
        variance = (weights * squares).sum(axis=0) / n - mean**2
        known = pairs.sum(axis=0)
        return np.where(known > 1e-9, apart.sum(axis=0) / known, np.nan), variance
