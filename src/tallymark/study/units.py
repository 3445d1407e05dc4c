"""From tallied scores to the units that are resampled, for each kind of tally a formula needs."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import Formula, Units
from tallymark.study.hidden import with_hidden
from tallymark.study.pairings import every_two
from tallymark.study.rows import Rows, dealt, grouped, summed
from tallymark.tally import (
    Coincidences,
    GapCounts,
    OneWay,
    PairableMargins,
    PairCounts,
    PairMargins,
    PairMoments,
    PairPatterns,
    PanelMargins,
    PanelMoments,
    PointErrors,
    RaterMargins,
    nearest,
)
from tallymark.tally.margins import Distances, cell_rows, distances_of
from tallymark.tally.moments import features
from tallymark.tally.pairs import PARTS, gap_places
from tallymark.tally.panels import LocalCoincidences, coincidences_at, local_rows
from tallymark.tally.patterns import group_rows
from tallymark.tally.ratings import distinct_rating_counts, rating_counts
from tallymark.tally.unseen_errors import unseen_error_of_cells, unseen_error_of_scores

__all__ = ["Rows", "cell_units", "distances_for", "summed", "units_of", "units_of_chosen"]
DENSE = 100_000
"""A larger table of units by patterns is kept sparse, which is worth SciPy's import."""


def units_of(kind: str, rows: Rows, formulas: Sequence[Formula] = ()) -> Units[Any]:
    """Return the units of one kind of tally.

    A tally of scores on points has no more sums than the ``formulas`` need; "cells" has them all.
    """
    makers: dict[str, Callable[[Rows], Units[Any]]] = {
        "cells": _cells,
        "moments": _moments,
        "ranks": _ranks,
        "errors": _errors,
        "gaps": _gaps,
        "complete": _complete,
        "oneway": _oneway,
        "spread": _spread,
    }
    by_distance: dict[str, Callable[[Rows, Distances], Units[Any]]] = {
        "table": _table,
        "raters": _raters,
        "pairwise": every_two,
    }
    if kind in makers:
        return makers[kind](rows)
    if kind in by_distance:
        distances = distances_for(formulas, rows.points)
        return _shaped(kind, by_distance[kind](rows, distances), rows.points, distances)
    kept, chosen = _chosen(rows)
    used = chosen.sum(axis=1) > (0 if kind == "panel" else 1)
    return units_of_chosen(kind, kept.where(used), chosen[used], formulas)


def units_of_chosen(
    kind: str, kept: Rows, chosen: Whole, formulas: Sequence[Formula]
) -> Units[Any]:
    """Units of the tally of a panel, given how many raters of each response chose each point."""
    if kind == "ordinal":
        return _ordinal(kept, chosen)
    tally = PanelMargins if kind == "panel" else PairableMargins
    distances = distances_for(formulas, kept.points)
    build = partial(tally, points=kept.points, distances=distances)
    units = summed(kept, tally.rows(chosen, distances), build)
    return _shaped(kind, units, kept.points, distances)


def _shaped(kind: str, units: Units[Any], points: Floats, distances: Distances) -> Units[Any]:
    """Units that tell which others build their tallies alike; matrices of distances are made once."""
    shape = None if kind == "pairwise" else (kind, points.tobytes(), *map(id, distances))
    return replace(units, shape=shape)


def distances_for(formulas: Sequence[Formula], points: Floats) -> Distances:
    """The distances between points that some statistics ask for."""
    return distances_of([formula.value for formula in formulas], points)


def cell_units(
    rows: Rows, unit: Whole, added: Floats, build: Callable[[NDArray[Any]], Any]
) -> Units[Any]:
    """Units of responses that are alike, or clusters of them, given what each unit adds."""
    if rows.clusters is not None or rows.weights is not None:
        return summed(rows, added[unit], build)
    counts = np.bincount(unit, weights=rows.counts, minlength=len(added)).astype(np.int64)
    return Units(counts, build, int(counts.sum()), added)


def _table(rows: Rows, distances: Distances) -> Units[PairMargins]:
    points = rows.points
    build = partial(PairMargins, points=points, distances=distances)
    kept, cell = _in_cells(rows)
    added = cell_rows(*np.divmod(cell, points.size), points, distances)
    if kept.clusters is not None or kept.weights is not None:
        return with_hidden(
            summed(kept, added, build), kept, cell,
            lambda w, at: w @ cell_rows(*np.divmod(at, points.size), points, distances),
        )  # fmt: skip
    unseen = partial(unseen_error_of_cells, cell, kept.counts, points, distances)
    return Units(kept.counts, build, int(kept.counts.sum()), added, unseen=unseen)


def _cells(rows: Rows) -> Units[PairCounts]:
    kept, cell = _in_cells(rows)
    k = rows.points.size

    def build(sums: NDArray[Any]) -> PairCounts:
        return PairCounts(sums.reshape(*sums.shape[:-1], k, k), rows.points)

    def spread(weights: NDArray[Any]) -> PairCounts:
        table = np.zeros((*weights.shape[:-1], k * k), dtype=weights.dtype)
        table[..., cell] = weights
        return build(table)

    if kept.clusters is not None or kept.weights is not None:
        made = summed(kept, np.ones((cell.size, 1)), build, place=cell, places=k * k)
        return with_hidden(made, kept, cell, lambda w, at: np.bincount(at, w, k * k) * 1.0)
    return Units(kept.counts, spread, int(kept.counts.sum()))


def _in_cells(rows: Rows) -> tuple[Rows, Whole]:
    """The rows with both scores, equal ones once, and the cell of each in the table of the two."""
    kept = rows.complete()
    first, second = (nearest(scores, rows.points) for scores in kept.scores.T)
    cell = first * rows.points.size + second
    distinct, at = _distinct_rows(kept, cell)
    return distinct, cell[at]


def _distinct_rows(kept: Rows, *places: Whole) -> tuple[Rows, Whole]:
    """Rows once that share places, cluster, stratum and weight, and where the first of each stood.

    They are sorted, so that sums do not depend on the order of the rows or on other columns.
    """
    clusters = [] if kept.clusters is None else [kept.clusters]
    order, starts = group_rows([*clusters, *places, *kept.apart[len(clusters) :]])
    first = order[starts]
    counts = np.add.reduceat(kept.counts[order], starts) if order.size else kept.counts
    return kept.at(first, counts), first


def _moments(rows: Rows) -> Units[PairMoments]:
    kept = rows.complete().distinct()
    center = float(rows.points[0] + rows.points[-1]) / 2
    values = features(kept.scores[:, 0] - center, kept.scores[:, 1] - center)
    units = summed(kept, values, lambda sums: PairMoments(sums, center))
    units = replace(units, shape=("moments", center))
    if units.kind != "responses" or units.worth is not None:
        return units
    return replace(units, unseen=partial(unseen_error_of_scores, kept.scores, rows.points))


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
    kept, at = _distinct_rows(kept, place)
    place = place[at]
    if kept.clusters is not None or kept.weights is not None:
        return summed(kept, np.ones((place.size, 1)), build, place=place, places=places)

    def spread(weights: NDArray[Any]) -> GapCounts:
        gaps = np.zeros((*weights.shape[:-1], places), dtype=weights.dtype)
        gaps[..., place] = weights
        return build(gaps)

    return Units(kept.counts, spread, int(kept.counts.sum()))


def _ranks(rows: Rows) -> Units[PairPatterns]:
    kept = rows.complete()
    pairs = PairPatterns.of(kept.scores[:, 0], kept.scores[:, 1], kept.counts)
    if kept.clusters is None and kept.weights is None:
        return Units(pairs.counts.astype(np.int64), pairs.weighted, int(kept.counts.sum()))
    kept = kept.distinct()
    return _incident(kept, _position(kept.scores, pairs), pairs.first.size, pairs.weighted)


def _incident(kept: Rows, pattern: Whole, patterns: int, build: Callable[[Any], Any]) -> Units[Any]:
    """Units that add to the patterns of their responses, each row having one."""
    group = grouped(kept)
    added = np.ones(kept.counts.size) if group.scaled is None else group.scaled
    entries = added[group.row] * (1.0 if group.weight is None else group.weight)
    unit, place, height = group.unit, pattern[group.row], group.times.size
    if height * patterns > DENSE:
        from scipy.sparse import csr_array

        sparse = csr_array((entries, (unit, place)), shape=(height, patterns))
        return group.units(sparse, build)
    flat = np.bincount(unit * patterns + place, weights=entries, minlength=height * patterns)
    dense = np.asarray(flat.reshape(height, patterns), dtype=np.float64)
    return group.units(dense, build)


def _position(scores: Floats, pairs: PairPatterns) -> Whole:
    """Position of each pair of scores among the distinct ones, which are sorted."""
    first, a = np.unique(pairs.first, return_inverse=True)
    second, b = np.unique(pairs.second, return_inverse=True)
    wanted = np.searchsorted(first, scores[:, 0]) * second.size
    wanted = wanted + np.searchsorted(second, scores[:, 1])
    return np.searchsorted(a * second.size + b, wanted).astype(np.int64)


def _ordinal(kept: Rows, chosen: Whole) -> Units[Coincidences]:
    """Units for distances that depend on the ratings; see :mod:`tallymark.tally.panels`."""
    points = kept.points
    # each row is a unit, and tells a pattern of its own
    alone = kept.clusters is None and kept.weights is None and not dealt(kept.counts)
    patterns, place = (chosen, None) if alone else _distinct(chosen)

    def build(times: NDArray[Any]) -> Coincidences:
        return Coincidences(patterns.astype(np.float64), times, points)

    if place is None:
        exact = Units(kept.counts, build, int(kept.counts.sum()))
    else:
        exact = _incident(kept, place, len(patterns), build)

    def near(units: Units[Any]) -> Units[LocalCoincidences]:
        values = np.cumsum(units.tally.shares) - units.tally.shares / 2
        at = coincidences_at(units.tally)
        there = partial(LocalCoincidences, points=points, values=values, coincidences=at)
        made = summed(kept, local_rows(chosen.astype(np.float64), values), there)
        return replace(made, times=units.times, n=units.n, kind=units.kind)

    return replace(exact, near=near)


def _distinct(chosen: Whole) -> tuple[Whole, Whole]:
    """The distinct rows, and which of them each row is."""
    order, starts = group_rows(list(chosen.T))
    place = np.zeros(len(chosen), dtype=np.int64)
    place[order] = np.cumsum(np.isin(np.arange(order.size), starts)) - 1
    return chosen[order[starts]], place


def _chosen(rows: Rows) -> tuple[Rows, Whole]:
    """Tell responses once that as many raters gave each point, and how many raters did so."""
    index, k = nearest(rows.scores, rows.points), rows.points.size
    if rows.clusters is not None or rows.weights is not None:
        index = np.sort(index, axis=1)
        kept, at = _distinct_rows(rows, *index.T)
        return kept, rating_counts(index[at], k)
    chosen, times = distinct_rating_counts(index, k, rows.counts)
    return Rows(chosen.astype(np.float64), times, rows.points), chosen


def _raters(rows: Rows, distances: Distances) -> Units[RaterMargins]:
    kept, k = rows.by_content(), rows.points.size
    values = RaterMargins.rows(nearest(kept.scores, rows.points), k, distances)
    build = partial(RaterMargins, points=rows.points, distances=distances)
    return summed(kept, values, build)


def _complete(rows: Rows) -> Units[PanelMoments]:
    kept = rows.without_silent().complete().by_content()
    center = float(np.mean(kept.scores)) if kept.scores.size else 0.0
    values = PanelMoments.rows(kept.scores - center)
    return summed(kept, values, lambda sums: PanelMoments(sums, center))


def _oneway(rows: Rows) -> Units[OneWay]:
    kept = rows.distinct(named=False)
    center = float(np.nanmean(kept.scores)) if kept.scores.size else 0.0
    return replace(summed(kept, OneWay.rows(kept.scores - center), OneWay), shape="oneway")


def _spread(rows: Rows) -> Units[OneWay]:
    """As one-way sums, of the responses rated at least twice."""
    return _oneway(rows.where(rows.twice))
