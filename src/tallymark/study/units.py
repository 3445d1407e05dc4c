"""From tallied scores to the units that are resampled, for each kind of tally a formula needs."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Units
from tallymark.study.pairings import every_two
from tallymark.study.rows import Floats, Rows, Whole, grouped, summed
from tallymark.tally import (
    GapCounts,
    OneWay,
    PairCounts,
    PairMoments,
    PairPatterns,
    PanelCounts,
    PanelMoments,
    PointErrors,
    RaterCounts,
    nearest,
)
from tallymark.tally.gaps import PARTS, gap_places
from tallymark.tally.moments import features
from tallymark.tally.ratings import distinct_rating_counts, rating_counts

__all__ = ["Rows", "cell_units", "summed", "units_of"]


def units_of(kind: str, rows: Rows) -> Units[Any]:
    """Return the units of one kind of tally."""
    makers: dict[str, Callable[[Rows], Units[Any]]] = {
        "table": _table,
        "moments": _moments,
        "ranks": _ranks,
        "errors": _errors,
        "gaps": _gaps,
        "panel": _panel,
        "pairable": _pairable,
        "raters": _raters,
        "complete": _complete,
        "oneway": _oneway,
        "spread": _spread,
        "pairwise": every_two,
    }
    return makers[kind](rows)


def cell_units(
    rows: Rows, unit: Whole, size: int, build: Callable[[NDArray[Any]], Any]
) -> Units[Any]:
    """Units of responses that are told alike, or clusters of them."""
    if rows.clusters is not None or rows.weights is not None:
        return summed(rows, np.ones((unit.size, 1)), build, place=unit, places=size)
    counts = np.bincount(unit, weights=rows.counts, minlength=size).astype(np.int64)
    return Units(counts, build, int(counts.sum()))


def _table(rows: Rows) -> Units[PairCounts]:
    kept, k = rows.complete(), rows.points.size
    cell = nearest(kept.scores[:, 0], rows.points) * k + nearest(kept.scores[:, 1], rows.points)

    def build(sums: NDArray[Any]) -> PairCounts:
        return PairCounts(sums.reshape(*sums.shape[:-1], k, k), rows.points)

    if kept.clusters is not None or kept.weights is not None:
        return _placed(kept, cell, k * k, build)
    counts = np.zeros(k * k, dtype=np.int64)
    np.add.at(counts, cell, kept.counts)
    used = np.flatnonzero(counts)

    def spread(weights: NDArray[Any]) -> PairCounts:
        table = np.zeros((*weights.shape[:-1], k * k), dtype=weights.dtype)
        table[..., used] = weights
        return build(table)

    return Units(counts[used], spread, int(counts.sum()))


def _placed(kept: Rows, place: Whole, places: int, build: Callable[[Any], Any]) -> Units[Any]:
    """Units that add to one sum for each response, that of its place."""
    if kept.clusters is None:
        kept = replace(kept, scores=place[:, None].astype(np.float64)).distinct()
        place = kept.scores[:, 0].astype(np.int64)
    return summed(kept, np.ones((place.size, 1)), build, place=place, places=places)


def _moments(rows: Rows) -> Units[PairMoments]:
    kept = rows.complete().distinct()
    center = float(rows.points[0] + rows.points[-1]) / 2
    values = features(kept.scores[:, 0] - center, kept.scores[:, 1] - center)
    return summed(kept, values, lambda sums: PairMoments(sums, center))


def _errors(rows: Rows) -> Units[PointErrors]:
    kept = rows.complete().distinct()
    points, place = np.unique(kept.scores[:, 0], return_inverse=True)
    error = kept.scores[:, 1] - kept.scores[:, 0]
    values = np.stack([np.ones_like(error), np.abs(error), error * error], axis=-1)

    def build(sums: NDArray[Any]) -> PointErrors:
        return PointErrors(sums.reshape(*sums.shape[:-1], points.size, 3), points)

    return summed(kept, values, build, place=place, places=points.size)


def _gaps(rows: Rows) -> Units[GapCounts]:
    kept, width = rows.complete(), float(rows.points[-1] - rows.points[0])
    place, places = gap_places(kept.scores[:, 0], kept.scores[:, 1], width), PARTS + 1
    build = partial(GapCounts, width=width)
    if kept.clusters is not None or kept.weights is not None:
        return _placed(kept, place, places, build)
    counts = np.bincount(place, weights=kept.counts, minlength=places).astype(np.int64)
    used = np.flatnonzero(counts)

    def spread(weights: NDArray[Any]) -> GapCounts:
        gaps = np.zeros((*weights.shape[:-1], places), dtype=weights.dtype)
        gaps[..., used] = weights
        return build(gaps)

    return Units(counts[used], spread, int(counts.sum()))


def _ranks(rows: Rows) -> Units[PairPatterns]:
    kept = rows.complete()
    pairs = PairPatterns.of(kept.scores[:, 0], kept.scores[:, 1], kept.counts)
    if kept.clusters is None and kept.weights is None:
        return Units(pairs.counts.astype(np.int64), pairs.weighted, int(kept.counts.sum()))
    from scipy.sparse import csr_array

    kept = kept.distinct()
    group = grouped(kept)
    added = np.ones(kept.counts.size) if group.scaled is None else group.scaled
    entries = added[group.row] * (1.0 if group.weight is None else group.weight)
    place = (group.unit, _position(kept.scores, pairs)[group.row])
    incidence = csr_array((entries, place), shape=(group.times.size, pairs.first.size))
    return group.units(incidence, pairs.weighted)


def _position(scores: Floats, pairs: PairPatterns) -> Whole:
    """Position of each pair of scores among the distinct ones, which are sorted."""
    first, a = np.unique(pairs.first, return_inverse=True)
    second, b = np.unique(pairs.second, return_inverse=True)
    wanted = np.searchsorted(first, scores[:, 0]) * second.size
    wanted = wanted + np.searchsorted(second, scores[:, 1])
    return np.searchsorted(a * second.size + b, wanted).astype(np.int64)


def _panel(rows: Rows) -> Units[PanelCounts]:
    rows = rows.rated()
    index, k = nearest(rows.scores, rows.points), rows.points.size
    build = partial(PanelCounts, points=rows.points)
    if rows.clusters is not None:
        return summed(rows, PanelCounts.rows(rating_counts(index, k)), build)
    if rows.weights is not None:
        kept = replace(rows, scores=rating_counts(index, k).astype(np.float64)).distinct()
        return summed(kept, PanelCounts.rows(kept.scores.astype(np.int64)), build)
    vectors, times = distinct_rating_counts(index, k, rows.counts)
    return summed(
        Rows(vectors.astype(np.float64), times, rows.points), PanelCounts.rows(vectors), build
    )


def _pairable(rows: Rows) -> Units[PanelCounts]:
    """As a panel, of the responses rated at least twice."""
    return _panel(rows.where(rows.twice))


def _raters(rows: Rows) -> Units[RaterCounts]:
    kept = rows.distinct()
    values = RaterCounts.rows(kept.scores, rows.points)
    return summed(kept, values, lambda sums: RaterCounts(sums, rows.points))


def _complete(rows: Rows) -> Units[PanelMoments]:
    kept = rows.without_silent().complete().distinct()
    center = float(np.mean(kept.scores)) if kept.scores.size else 0.0
    values = PanelMoments.rows(kept.scores - center)
    return summed(kept, values, lambda sums: PanelMoments(sums, center))


def _oneway(rows: Rows) -> Units[OneWay]:
    kept = rows.distinct(named=False)
    center = float(np.nanmean(kept.scores)) if kept.scores.size else 0.0
    return summed(kept, OneWay.rows(kept.scores - center), OneWay)


def _spread(rows: Rows) -> Units[OneWay]:
    """As one-way sums, of the responses rated at least twice."""
    return _oneway(rows.where(rows.twice))
