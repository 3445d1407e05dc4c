"""From tallied scores to the units that are resampled, for each kind of tally a formula needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Units
from tallymark.inference.units import shards_of_clusters, shards_of_responses
from tallymark.tally import (
    OneWay,
    PairCounts,
    PairMoments,
    PairPatterns,
    PanelCounts,
    PanelMoments,
    PanelPatterns,
    PointErrors,
    RaterCounts,
    nearest,
)
from tallymark.tally.moments import features

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
SHARD_ABOVE = 10_000
"""More distinct units than this are dealt into shards before they are resampled."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Scores of responses (rows) by raters (columns), NaN missing, and how often each row occurs.

    ``clusters`` holds the code of the cluster of each row when clusters are what is resampled.
    """

    scores: Floats
    counts: Whole
    points: Floats
    clusters: Whole | None = None

    def where(self, keep: NDArray[np.bool_]) -> "Rows":
        """Return the rows for which ``keep`` holds."""
        clusters = None if self.clusters is None else self.clusters[keep]
        return Rows(self.scores[keep], self.counts[keep], self.points, clusters)

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which rows lack no score."""
        return np.asarray(~np.isnan(self.scores).any(axis=1))

    @property
    def twice(self) -> NDArray[np.bool_]:
        """Which rows have two or more scores."""
        return np.asarray((~np.isnan(self.scores)).sum(axis=1) >= 2)

    def unnamed(self) -> "Rows":
        """Forget who gave a score: each row's scores move to the left, empty columns go."""
        given = ~np.isnan(self.scores)
        order = np.argsort(~given, axis=1, kind="stable")
        most = int(given.sum(axis=1).max(initial=0))
        scores = np.take_along_axis(self.scores, order, axis=1)[:, :most]
        return Rows(scores, self.counts, self.points, self.clusters)

    def complete(self) -> "Rows":
        """Return the rows that lack no score."""
        whole = self.whole
        return self if whole.all() else self.where(whole)

    def distinct(self, *, named: bool = True) -> "Rows":
        """Tell equal rows once, unless clusters keep them apart."""
        if self.clusters is not None:
            return self
        tallied = PanelPatterns.of(self.scores, self.counts, named=named)
        return Rows(tallied.scores, tallied.counts, self.points)


def units_of(kind: str, rows: Rows) -> Units[Any]:
    """Return the units of one kind of tally."""
    makers: dict[str, Callable[[Rows], Units[Any]]] = {
        "table": _table,
        "moments": _moments,
        "ranks": _ranks,
        "errors": _errors,
        "panel": _panel,
        "pairable": _pairable,
        "raters": _raters,
        "complete": _complete,
        "oneway": _oneway,
        "spread": _spread,
        "pairwise": _pairwise,
    }
    return makers[kind](rows)


def _table(rows: Rows) -> Units[PairCounts]:
    kept, k = rows.complete(), rows.points.size
    cell = nearest(kept.scores[:, 0], rows.points) * k + nearest(kept.scores[:, 1], rows.points)

    def build(sums: NDArray[Any]) -> PairCounts:
        return PairCounts(sums.reshape(*sums.shape[:-1], k, k), rows.points)

    if kept.clusters is not None:
        return summed(kept, np.ones((cell.size, 1)), build, place=cell, places=k * k)
    counts = np.zeros(k * k, dtype=np.int64)
    np.add.at(counts, cell, kept.counts)
    used = np.flatnonzero(counts)

    def spread(weights: NDArray[Any]) -> PairCounts:
        table = np.zeros((*weights.shape[:-1], k * k), dtype=weights.dtype)
        table[..., used] = weights
        return build(table)

    return Units(counts[used], spread, int(counts.sum()))


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


def _ranks(rows: Rows) -> Units[PairPatterns]:
    kept = rows.complete()
    pairs = PairPatterns.of(kept.scores[:, 0], kept.scores[:, 1], kept.counts)
    n = int(kept.counts.sum())
    if kept.clusters is None:
        return Units(pairs.counts.astype(np.int64), pairs.weighted, n)
    from scipy.sparse import csr_array

    ids, unit, word = _clusters(kept.clusters)
    given = (kept.counts.astype(np.float64), (unit, _position(kept.scores, pairs)))
    incidence = csr_array(given, shape=(ids.size, pairs.first.size))
    times = np.ones(ids.size, dtype=np.int64)
    return Units(times, pairs.weighted, n, rows=incidence, kind=word, ids=ids)


def _position(scores: Floats, pairs: PairPatterns) -> Whole:
    """Position of each pair of scores among the distinct ones, which are sorted."""
    first, a = np.unique(pairs.first, return_inverse=True)
    second, b = np.unique(pairs.second, return_inverse=True)
    wanted = np.searchsorted(first, scores[:, 0]) * second.size
    wanted = wanted + np.searchsorted(second, scores[:, 1])
    return np.searchsorted(a * second.size + b, wanted).astype(np.int64)


def _panel(rows: Rows) -> Units[PanelCounts]:
    kept = rows.distinct(named=False)
    ratings = PanelPatterns(kept.scores, kept.counts).ratings(rows.points)
    values = PanelCounts.rows(ratings)
    return summed(kept, values, lambda sums: PanelCounts(sums, rows.points))


def _pairable(rows: Rows) -> Units[PanelCounts]:
    """As a panel, of the responses rated at least twice."""
    return _panel(rows.where(rows.twice))


def _raters(rows: Rows) -> Units[RaterCounts]:
    kept = rows.distinct()
    values = RaterCounts.rows(kept.scores, rows.points)
    return summed(kept, values, lambda sums: RaterCounts(sums, rows.points))


def _complete(rows: Rows) -> Units[PanelMoments]:
    kept = rows.complete().distinct()
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


def _pairwise(rows: Rows) -> Units[PairCounts]:
    """Every two raters who share a response."""
    given = ~np.isnan(rows.scores)
    shared = given.T.astype(np.int64) @ given
    pairs = [pair for pair in combinations(range(given.shape[1]), 2) if shared[pair]]
    return pairs_of("table", rows.distinct(), pairs)


def pairs_of(kind: str, rows: Rows, pairs: Sequence[tuple[int, int]]) -> Units[Any]:
    """Return units of the tallies of several pairs of raters, stacked along a leading axis.

    A response adds to every pair of which it has both scores.
    """
    group, center = _grouped(rows), float(rows.points[0] + rows.points[-1]) / 2
    k, blocks = rows.points.size, []
    for first, second in pairs:
        a, b = rows.scores[:, first], rows.scores[:, second]
        both = ~(np.isnan(a) | np.isnan(b))
        if kind == "table":
            cell = nearest(a, rows.points) * k + nearest(b, rows.points)
            counted = both[:, None].astype(np.float64)
            blocks.append(group.sums(counted, np.where(both, cell, 0), k * k))
        else:
            values = features(np.where(both, a - center, 0.0), np.where(both, b - center, 0.0))
            blocks.append(group.sums(values * both[:, None]))

    def build(sums: NDArray[Any]) -> Any:
        width = sums.shape[-1] // max(len(pairs), 1)
        stacked = sums.reshape(*sums.shape[:-1], len(pairs), width)
        if kind == "table":
            return PairCounts(stacked.reshape(*stacked.shape[:-1], k, k), rows.points)
        return PairMoments(stacked, center)

    if not pairs:
        blocks.append(np.zeros((group.times.size, 0)))
    return group.units(np.concatenate(blocks, axis=1), build)


@dataclass(frozen=True, slots=True)
class _Group:
    """How rows become units: the unit of each entry, its row, and how much it counts."""

    unit: Whole
    row: Whole
    weight: Whole | None
    times: Whole
    n: int
    kind: str = "responses"
    ids: Whole | None = None

    def sums(self, values: Floats, place: Whole | None = None, places: int = 1) -> Floats:
        """Add up rows of values within units, each at its place out of ``places``."""
        if self.unit is self.row and self.weight is None and place is None:
            return values
        entries = values[self.row]
        if self.weight is not None:
            entries = entries * self.weight[:, None]
        target = self.unit * places + (0 if place is None else place[self.row])
        size = self.times.size
        columns = [np.bincount(target, weights=v, minlength=size * places) for v in entries.T]
        stacked = np.stack(columns, axis=-1).reshape(size, places * len(columns))
        return stacked.astype(np.float64, copy=False)

    def units(self, rows: Floats, build: Callable[[Any], Any]) -> Units[Any]:
        """Return the units with what each adds to the sums."""
        return Units(self.times, build, self.n, rows=rows, kind=self.kind, ids=self.ids)


def _grouped(kept: Rows) -> _Group:
    """Units that are responses, shards of many responses, or clusters."""
    n, every = int(kept.counts.sum()), np.arange(len(kept.counts))
    if kept.clusters is not None:
        ids, unit, word = _clusters(kept.clusters)
        return _Group(unit, every, kept.counts, np.ones(ids.size, np.int64), n, word, ids)
    if every.size > SHARD_ABOVE:
        row = np.repeat(every, kept.counts)
        unit, size = shards_of_responses(row.size)
        return _Group(unit, row, None, np.ones(size, np.int64), n, "shards of responses")
    return _Group(every, every, None, kept.counts, n)


def summed(
    kept: Rows,
    values: Floats,
    build: Callable[[Any], Any],
    *,
    place: Whole | None = None,
    places: int = 1,
) -> Units[Any]:
    """Units whose rows are sums of the values, each at its place out of ``places``."""
    group = _grouped(kept)
    return group.units(group.sums(values, place, places), build)


def _clusters(codes: Whole) -> tuple[Whole, Whole, str]:
    """Ids of the clusters, or of their shards if they are many, and which one each row is in."""
    ids, unit = np.unique(codes, return_inverse=True)
    if ids.size <= SHARD_ABOVE:
        return ids, unit, "clusters"
    ids, unit = np.unique(shards_of_clusters(codes), return_inverse=True)
    return ids, unit, "shards of clusters"
