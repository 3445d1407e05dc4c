"""Rows of scores, and how they are grouped into the units that are resampled."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import Units
from tallymark.inference.strata import Strata
from tallymark.inference.units import SHARDS, shards_of_clusters, shards_of_responses
from tallymark.tally import PanelPatterns

SHARD_ABOVE = SHARDS
"""More distinct units than this are dealt into shards before they are resampled."""
MOST_DEALT = 1_000_000
"""Of more responses than this, fewer rows that differ are units themselves."""
LARGEST = 10_000_000
"""And so are units whose sums would take more numbers than this, into half as many."""


class Rows(Struct, frozen=True):
    """Scores of responses (rows) by raters (columns), NaN missing, and how often each row occurs.

    ``clusters`` holds the code of the cluster of each row when clusters are what is resampled;
    ``weights`` the design weight of a response, of which only ratios matter; ``strata`` those that
    responses were drawn from.
    """

    scores: Floats
    counts: Whole
    points: Floats
    clusters: Whole | None = None
    weights: Floats | None = None
    strata: Strata | None = None

    def where(self, keep: NDArray[np.bool_]) -> "Rows":
        """Return the rows for which ``keep`` holds."""
        return self.at(keep, self.counts[keep])

    def at(self, which: NDArray[Any], counts: Whole) -> "Rows":
        """Return some rows, with how often each occurs."""
        clusters = None if self.clusters is None else self.clusters[which]
        weights = None if self.weights is None else self.weights[which]
        strata = None if self.strata is None else self.strata.where(which)
        return Rows(self.scores[which], counts, self.points, clusters, weights, strata)

    @property
    def apart(self) -> list[NDArray[Any]]:
        """What keeps rows of equal scores apart: cluster, stratum, weight."""
        strata = None if self.strata is None else self.strata.codes
        return [column for column in (self.clusters, strata, self.weights) if column is not None]

    @property
    def heavy(self) -> Floats:
        """How many responses each row stands for in the population, 1 a response on average."""
        scaled = self.scaled
        return np.asarray(self.counts * 1.0 if scaled is None else self.counts * scaled, np.float64)

    @property
    def scaled(self) -> Floats | None:
        """The weight of a response of each row, 1 on average over the responses of these rows."""
        if self.weights is None or not self.counts.sum():
            return self.weights
        if np.ptp(self.weights) == 0:
            return np.ones(self.weights.size)
        mean = float(self.counts @ self.weights) / float(self.counts.sum())
        return np.asarray(self.weights / mean)

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which rows lack no score."""
        return np.asarray(~np.isnan(self.scores).any(axis=1))

    @property
    def twice(self) -> NDArray[np.bool_]:
        """Which rows have two or more scores."""
        return np.asarray((~np.isnan(self.scores)).sum(axis=1) >= 2)

    def unnamed(self) -> "Rows":
        """Forget who gave a score: each row's scores are sorted, empty columns go."""
        most = int((~np.isnan(self.scores)).sum(axis=1).max(initial=1))
        return replace(self, scores=np.sort(self.scores, axis=1)[:, :most])

    def by_content(self) -> "Rows":
        """Tell equal rows once, raters in an order that their scores settle, not their names.

        Columns are ordered by their scores, each beside the sorted scores of its response.
        """
        kept = self.distinct()
        if not kept.counts.size:
            return kept
        place = np.unique(kept.scores, return_inverse=True)[1].reshape(kept.scores.shape)
        alike = np.column_stack([np.sort(place, axis=1), kept.counts])
        rank = np.unique(alike, axis=0, return_inverse=True)[1].reshape(-1, 1)
        beside = np.sort(place * (kept.counts.size + 1) + rank, axis=0)
        return replace(kept, scores=kept.scores[:, np.lexsort(beside[::-1])]).distinct()

    def rated(self) -> "Rows":
        """Return the rows that have a score."""
        gaps = np.isnan(self.scores)
        some = ~gaps.all(axis=1) if gaps.any() else np.ones(1, dtype=bool)
        return self if some.all() else self.where(np.asarray(some))

    def without_silent(self) -> "Rows":
        """Leave out raters who gave no score."""
        heard = np.asarray(~np.isnan(self.scores).all(axis=0))
        return replace(self, scores=self.scores[:, heard]) if heard.any() else self

    def complete(self) -> "Rows":
        """Return the rows that lack no score."""
        return self.where(self.whole) if np.isnan(self.scores).any() else self

    def distinct(self, *, named: bool = True) -> "Rows":
        """Tell equal rows once, unless clusters keep them apart; rows without a score go."""
        if self.clusters is not None:
            return self.rated()
        if self.weights is not None:
            return self.rated()._of_one_weight(named=named)
        tallied = PanelPatterns.of(self.scores, self.counts, named=named)
        return Rows(tallied.scores, tallied.counts, self.points)

    def _of_one_weight(self, *, named: bool) -> "Rows":
        """Tell equal rows of equal weight and stratum once."""
        scores = self.scores if named else np.sort(self.scores, axis=1)
        tallied = PanelPatterns.of(np.column_stack([scores, *self.apart]), self.counts)
        scores, rest = np.split(tallied.scores, [scores.shape[1]], axis=1)
        strata = self.strata
        if strata is not None:
            strata = replace(strata, codes=rest[:, 0].astype(np.int64))
        return Rows(scores, tallied.counts, self.points, weights=rest[:, -1], strata=strata)


class Grouping(Struct, frozen=True):
    """How rows become units: the unit of each entry, its row, and how much it counts.

    ``scaled`` is the design weight of a response of each row, 1 on average.
    """

    unit: Whole
    row: Whole
    weight: Whole | None
    times: Whole
    n: int
    kind: str = "responses"
    ids: Whole | None = None
    scaled: Floats | None = None
    strata: Strata | None = None

    def sums(self, values: Floats, place: Whole | None = None, places: int = 1) -> Floats:
        """Add up rows of values within units, each at its place out of ``places``."""
        values = values if self.scaled is None else values * self.scaled[:, None]
        if self.unit is self.row and self.weight is None and place is None:
            return values
        target = self.unit * places + (0 if place is None else place[self.row])
        size, columns = self.times.size, []
        for value in values.T:
            entries = value[self.row] * (1 if self.weight is None else self.weight)
            columns.append(np.bincount(target, weights=entries, minlength=size * places))
        stacked = np.array(columns).reshape(len(columns), size * places).T  # there may be none
        stacked = stacked.reshape(size, places * len(columns))
        return stacked.astype(np.float64, copy=False)

    def units(self, rows: Floats, build: Callable[[Any], Any]) -> Units[Any]:
        """Return the units with what each adds to the sums."""
        return Units(
            self.times, build, self.n, rows=rows, kind=self.kind, ids=self.ids, sizes=self.sizes,
            worth=self.worth, strata=self.strata,
        )  # fmt: skip

    @property
    def worth(self) -> float | None:
        """How many responses of equal weight these are worth (Kish); None without weights."""
        if self.scaled is None or not self.n:
            return None
        each = self.scaled[self.row]
        often = self.weight
        if often is None:
            often = self.times if self.kind == "responses" else np.ones(each.size, np.int64)
        return float((often @ each) ** 2 / (often @ each**2))

    @property
    def sizes(self) -> Floats | None:
        """Responses of each cluster; none where units are not clusters."""
        if self.ids is None:
            return None
        weight = self.weight
        if self.scaled is not None:
            heavy_rows = self.scaled[self.row] * (1 if weight is None else weight)
            heavy = np.bincount(self.unit, weights=heavy_rows, minlength=self.times.size)
            return heavy.astype(np.float64)
        sizes = np.bincount(self.unit, weights=weight, minlength=self.times.size)
        return sizes.astype(np.float64)


def grouped(kept: Rows, *, width: int = 0) -> Grouping:
    """Units that are responses, shards of many responses, or clusters.

    ``width`` is how many sums each unit adds to, where they are many. Clusters and shards span
    strata, which are left aside there: intervals are a little wide.
    """
    n, every, scaled = int(kept.counts.sum()), np.arange(len(kept.counts)), kept.scaled
    if kept.clusters is not None:
        ids, unit, word = clustered(kept.clusters)
        times = np.ones(ids.size, np.int64)
        return Grouping(unit, every, kept.counts, times, n, word, ids, scaled)
    large = min(every.size, SHARD_ABOVE) * width > LARGEST
    if dealt(kept.counts) or large:
        row = np.repeat(every, kept.counts)
        unit, size = shards_of_responses(row.size, shards=SHARDS // 2 if large else SHARDS)
        times = np.ones(size, np.int64)
        return Grouping(unit, row, None, times, n, "shards of responses", scaled=scaled)
    return Grouping(every, every, None, kept.counts, n, scaled=scaled, strata=kept.strata)


def summed(
    kept: Rows,
    values: Floats,
    build: Callable[[Any], Any],
    *,
    place: Whole | None = None,
    places: int = 1,
) -> Units[Any]:
    """Units whose rows are sums of the values, each at its place out of ``places``."""
    group = grouped(kept)
    return group.units(group.sums(values, place, places), build)


def dealt(counts: Whole) -> bool:
    """Whether distinct rows are so many that their responses are dealt into shards, one by one."""
    return counts.size > SHARD_ABOVE and not counts.size <= MOST_DEALT < int(counts.sum())


def clustered(codes: Whole, *, sharded: bool = False) -> tuple[Whole, Whole, str]:
    """Ids of the clusters, or of their shards if they are many, and which one each row is in.

    ``sharded`` deals few clusters too, beside a part of the data that has many.
    """
    ids, unit = np.unique(codes, return_inverse=True)
    if ids.size <= SHARD_ABOVE and not sharded:
        return ids, unit, "clusters"
    ids, unit = np.unique(shards_of_clusters(codes), return_inverse=True)
    return ids, unit, "shards of clusters"
