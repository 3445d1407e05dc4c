"""From tallied scores to the units that are resampled, for each kind of tally a formula needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Units
from tallymark.inference.units import SHARDS, dealt, scrambled
from tallymark.tally import (
    PairCounts,
    PairMoments,
    PairPatterns,
    PanelCounts,
    PanelMoments,
    PanelPatterns,
    PointErrors,
    RaterCounts,
)
from tallymark.tally.moments import features

Floats = NDArray[np.float64]
SHARD_ABOVE = 10_000
"""More distinct units than this are dealt into shards before they are resampled."""


@dataclass(frozen=True, slots=True)
class Clusters:
    """What belongs together: a code for each row, and the word for it in ``method``."""

    codes: NDArray[np.int64]
    word: str = "clusters"


@dataclass(frozen=True, slots=True)
class Rows:
    """Complete scores of responses (rows) by raters (columns), with how often each row occurs."""

    scores: Floats
    counts: NDArray[np.int64]
    points: Floats
    clusters: Clusters | None = None

    def where(self, keep: NDArray[np.bool_]) -> "Rows":
        """Return the rows for which ``keep`` holds."""
        clusters = self.clusters
        return Rows(
            self.scores[keep],
            self.counts[keep],
            self.points,
            Clusters(clusters.codes[keep], clusters.word) if clusters else None,
        )

    @property
    def complete(self) -> bool:
        """Whether no score is missing."""
        return not np.isnan(self.scores).any()


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
    }
    return makers[kind](rows)


def _pairs(rows: Rows) -> tuple[Rows, PairPatterns | None]:
    """Leave out rows without both scores; distinct pairs too when responses are the units."""
    kept = rows.where(~np.isnan(rows.scores).any(axis=1))
    if kept.clusters:
        return kept, None
    return kept, PairPatterns.of(kept.scores[:, 0], kept.scores[:, 1], kept.counts)


def _table(rows: Rows) -> Units[PairCounts]:
    kept, _ = _pairs(rows)
    k = rows.points.size
    pairs = PairPatterns(kept.scores[:, 0], kept.scores[:, 1], kept.counts)
    if kept.clusters is None:
        counts = pairs.table(rows.points).counts.reshape(-1)
        cells = np.flatnonzero(counts)

        def build(weights: NDArray[Any]) -> PairCounts:
            table = np.zeros((*weights.shape[:-1], k * k), dtype=weights.dtype)
            table[..., cells] = weights
            return PairCounts(table.reshape(*weights.shape[:-1], k, k), rows.points)

        return Units(counts[cells], build, int(counts.sum()))
    one = pairs.weighted(np.ones_like(kept.counts))
    cell = _cells(one, rows.points)
    flat = np.zeros((len(kept.scores), k * k))
    flat[np.arange(len(flat)), cell] = 1.0
    return _added_up(
        flat, kept, lambda sums: PairCounts(sums.reshape(*sums.shape[:-1], k, k), rows.points)
    )


def _cells(pairs: PairPatterns, points: Floats) -> NDArray[np.int64]:
    from tallymark.tally import nearest

    return nearest(pairs.first, points) * points.size + nearest(pairs.second, points)


def _moments(rows: Rows) -> Units[PairMoments]:
    kept, pairs = _pairs(rows)
    center = float(rows.points[0] + rows.points[-1]) / 2 if rows.points.size else 0.0
    if pairs is not None:
        kept = Rows(np.stack([pairs.first, pairs.second], axis=1), pairs.counts, rows.points)
    values = features(kept.scores[:, 0] - center, kept.scores[:, 1] - center)
    return _added_up(values, kept, lambda sums: PairMoments(sums, center))


def _errors(rows: Rows) -> Units[PointErrors]:
    kept, pairs = _pairs(rows)
    if pairs is not None:
        kept = Rows(np.stack([pairs.first, pairs.second], axis=1), pairs.counts, rows.points)
    points, place = np.unique(kept.scores[:, 0], return_inverse=True)
    error = kept.scores[:, 1] - kept.scores[:, 0]
    values = np.zeros((len(error), points.size, 3))
    values[np.arange(len(error)), place] = np.stack(
        [np.ones_like(error), np.abs(error), error * error], axis=-1
    )
    return _added_up(
        values.reshape(len(error), points.size * 3),
        kept,
        lambda sums: PointErrors(sums.reshape(*sums.shape[:-1], points.size, 3), points),
    )


def _ranks(rows: Rows) -> Units[PairPatterns]:
    kept, pairs = _pairs(rows)
    if pairs is not None or kept.clusters is None:
        pairs = pairs or PairPatterns.of([], [])
        return Units(pairs.counts, pairs.weighted, int(pairs.counts.sum()))
    distinct = PairPatterns.of(kept.scores[:, 0], kept.scores[:, 1], kept.counts)
    from scipy.sparse import csr_array

    ids, unit, word = _units_of_clusters(kept.clusters)
    incidence = csr_array(
        (kept.counts.astype(np.float64), (unit, _place(kept.scores, distinct))),
        shape=(ids.size, distinct.first.size),
    )
    times, n = np.ones(ids.size, dtype=np.int64), int(kept.counts.sum())
    return Units(times, distinct.weighted, n, rows=incidence, kind=word, ids=ids)


def _place(scores: Floats, distinct: PairPatterns) -> NDArray[np.int64]:
    """Position of each pair of scores among the distinct ones, which are sorted."""
    second, b = np.unique(distinct.second, return_inverse=True)
    first, a = np.unique(distinct.first, return_inverse=True)
    codes = a * second.size + b
    wanted = np.searchsorted(first, scores[:, 0]) * second.size
    wanted = wanted + np.searchsorted(second, scores[:, 1])
    return np.searchsorted(codes, wanted).astype(np.int64)


def _panel(rows: Rows) -> Units[PanelCounts]:
    if rows.clusters is None:
        distinct = PanelPatterns.of(rows.scores, rows.counts, named=False)
        values, kept = PanelCounts.rows(distinct.ratings(rows.points)), _as_rows(distinct, rows)
    else:
        plain = PanelPatterns(rows.scores, rows.counts)
        values, kept = PanelCounts.rows(plain.ratings(rows.points)), rows
    return _added_up(values, kept, lambda sums: PanelCounts(sums, rows.points))


def _pairable(rows: Rows) -> Units[PanelCounts]:
    """As a panel, of the responses rated at least twice."""
    twice = (~np.isnan(rows.scores)).sum(axis=1) >= 2
    return _panel(rows.where(twice))


def _raters(rows: Rows) -> Units[RaterCounts]:
    kept = _distinct(rows)
    values = RaterCounts.rows(kept.scores, rows.points)
    return _added_up(values, kept, lambda sums: RaterCounts(sums, rows.points))


def _complete(rows: Rows) -> Units[PanelMoments]:
    kept = _distinct(rows.where(~np.isnan(rows.scores).any(axis=1)))
    center = float(np.mean(kept.scores)) if kept.scores.size else 0.0
    values = PanelMoments.rows(kept.scores - center)
    return _added_up(values, kept, lambda sums: PanelMoments(sums, center))


def _distinct(rows: Rows) -> Rows:
    if rows.clusters is not None:
        return rows
    return _as_rows(PanelPatterns.of(rows.scores, rows.counts), rows)


def _as_rows(distinct: PanelPatterns, rows: Rows) -> Rows:
    return Rows(distinct.scores, distinct.counts, rows.points)


def _added_up(values: Floats, kept: Rows, build: Callable[[Any], Any]) -> Units[Any]:
    """Units of rows of sums: responses, or clusters when given; dealt into shards if many."""
    n = int(kept.counts.sum())
    if kept.clusters is None:
        if len(values) <= SHARD_ABOVE:
            return Units(kept.counts, build, n, rows=values)
        shards = dealt(np.repeat(values, kept.counts, axis=0))
        return Units(np.ones(len(shards), np.int64), build, n, rows=shards, kind="shards")
    ids, place, word = _units_of_clusters(kept.clusters)
    sums = np.zeros((ids.size, values.shape[1]))
    np.add.at(sums, place, values * kept.counts[:, None])
    return Units(np.ones(ids.size, np.int64), build, n, rows=sums, kind=word, ids=ids)


def _units_of_clusters(
    clusters: Clusters,
) -> tuple[NDArray[np.int64], NDArray[np.int64], str]:
    """Ids of the clusters, or of their shards if they are many, and which one each row is in."""
    ids, place = np.unique(clusters.codes, return_inverse=True)
    if ids.size <= SHARD_ABOVE:
        return ids, place, clusters.word
    # a cluster goes to the same shard in every part of the data
    shards, place = np.unique(scrambled(clusters.codes) % SHARDS, return_inverse=True)
    return shards.astype(np.int64), place, f"shards of {clusters.word}"
