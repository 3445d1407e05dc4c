"""Shared: the responses that all systems scored, as units that are drawn for all of them alike."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole
from tallymark.inference import Formula, Units
from tallymark.inference.units import shards_of_responses
from tallymark.scale import Scale
from tallymark.study.parts import Part
from tallymark.study.rows import SHARD_ABOVE, Rows, clustered
from tallymark.study.units import units_of


class Shared(Struct, frozen=True):
    """Scores of some responses: the gold in the first column, then one system a column.

    ``rows.clusters`` holds the unit of each row: a distinct response, a cluster or a shard, which
    ``times`` says how often it occurs.
    """

    rows: Rows
    times: Whole
    n: int
    kind: str
    ids: Whole | None

    def pair(self, column: int) -> Rows:
        """The gold and the scores of one column."""
        return replace(self.rows, scores=self.rows.scores[:, [0, column]])

    def units(self, tally: str, column: int, formulas: Sequence[Formula] = ()) -> Units[Any]:
        """Units of one kind of tally of one system against the gold; the same for all systems."""
        pair_units = units_of(tally, self.pair(column), formulas)
        by_row, scaled = self.rows.scaled, self.scaled
        factor = 1.0  # brings weights to a mean of 1 over responses, not over distinct ones
        if by_row is not None and scaled is not None:
            factor = float(scaled[0] / by_row[0])
        return replace(
            pair_units,
            times=self.times,
            n=self.n,
            rows=pair_units.rows * factor,
            kind=self.kind,
            ids=self.ids,
            sizes=self.sizes,
            worth=self.worth,
            near=pair_units.near if scaled is None else None,
            strata=self.rows.strata if self.kind == "responses" else None,
        )

    @property
    def sizes(self) -> Floats:
        """Responses of each unit."""
        unit = np.asarray(self.rows.clusters)
        sizes = np.bincount(unit, weights=self.heavy, minlength=self.times.size)
        return sizes.astype(np.float64)

    @property
    def scaled(self) -> Floats | None:
        """The weight of a response of each row, 1 on average."""
        if self.rows.weights is None:
            return None
        often = self.often
        return np.asarray(self.rows.weights * (often.sum() / (often @ self.rows.weights)))

    @property
    def heavy(self) -> Floats:
        """How much each row adds to its unit."""
        scaled = self.scaled
        return np.asarray(self.rows.counts * (1.0 if scaled is None else scaled), np.float64)

    @property
    def often(self) -> Floats:
        """Responses of each row."""
        return np.asarray(self.rows.counts * 1.0 * self.times[np.asarray(self.rows.clusters)])

    @property
    def worth(self) -> float | None:
        """How many responses of equal weight these are worth (Kish); None without weights."""
        scaled = self.scaled
        if scaled is None:
            return None
        return float((self.often @ scaled) ** 2 / (self.often @ scaled**2))


def shared(rows: Rows, *, sharded: bool = False) -> Shared:
    """Keep equal rows once, deal many into shards, and keep clusters together."""
    rows = rows.complete().distinct()
    n, index = int(rows.counts.sum()), np.arange(rows.counts.size)
    if rows.clusters is not None:
        ids, unit, kind = clustered(rows.clusters, sharded=sharded)
        return Shared(replace(rows, clusters=unit), np.ones(ids.size, np.int64), n, kind, ids)
    if index.size <= SHARD_ABOVE:
        distinct = replace(rows, counts=np.ones_like(rows.counts), clusters=index)
        return Shared(distinct, rows.counts, n, "responses", None)
    row = np.repeat(index, rows.counts)
    unit, size = shards_of_responses(row.size)
    weights = None if rows.weights is None else rows.weights[row]
    sharded_rows = Rows(rows.scores[row], np.ones(row.size, np.int64), rows.points, unit, weights)
    return Shared(sharded_rows, np.ones(size, np.int64), n, "shards of responses", None)


class Ground(Struct, frozen=True):
    """Parts of the data whose units are drawn together: ``places[part][u]`` is unit u of a part.

    Clusters that occur in several parts are one unit.
    """

    parts: tuple[Shared, ...]
    places: tuple[Whole, ...]
    times: Whole

    @property
    def units(self) -> Units[Any]:
        """What is drawn, without a tally."""
        n = sum(part.n for part in self.parts)
        sizes = np.zeros((self.times.size, len(self.parts)))
        for i, (part, place) in enumerate(zip(self.parts, self.places, strict=True)):
            sizes[place, i] = part.sizes
        return Units(self.times, lambda sums: sums, n, kind=self.parts[0].kind, sizes=sizes)

    def mean(self, influences: Sequence[Floats]) -> Floats:
        """What units do to the mean over parts, from what they do to each part."""
        moved = np.zeros(self.times.size)
        for influence, place in zip(influences, self.places, strict=True):
            moved[place] += influence / len(self.parts)
        return moved


def ground_of(rows: Sequence[Rows]) -> Ground:
    """Bring the units of several parts of the data together."""
    parts = tuple(shared(of_part) for of_part in rows)
    if {part.kind for part in parts} == {"clusters", "shards of clusters"}:
        # a cluster is one unit everywhere
        parts = tuple(shared(of_part, sharded=True) for of_part in rows)
    clusters = [part.ids for part in parts if part.ids is not None]
    if clusters:
        ids = np.unique(np.concatenate(clusters))
        places = tuple(np.searchsorted(ids, of_part) for of_part in clusters)
        return Ground(parts, places, np.ones(ids.size, dtype=np.int64))
    edges = np.cumsum([0, *(part.times.size for part in parts)])
    places = tuple(np.arange(start, stop) for start, stop in pairwise(edges.tolist()))
    return Ground(parts, places, np.concatenate([part.times for part in parts]))


class Arena(Struct, frozen=True):
    """Where systems compete: one part of the data, or several whose statistics are averaged.

    ``over`` is the column over whose values the average is taken, empty for a single part.
    """

    parts: tuple[Part, ...]
    scales: tuple[Scale, ...]
    rows: tuple[Rows, ...]
    over: str = ""

    @property
    def label(self) -> str:
        """A text that is unique to the arena; random streams are keyed by it."""
        return f"average:{self.over}" if self.over else self.parts[0].label

    @property
    def sizes(self) -> list[int]:
        """The responses of each part."""
        return [int(rows.counts.sum()) for rows in self.rows]

    @property
    def n(self) -> int:
        """Responses."""
        return sum(self.sizes)

    @property
    def systems(self) -> int:
        """How many systems there are."""
        return int(self.rows[0].scores.shape[1]) - 1


def arena_of(systems: Sequence[str], parts: Sequence[Part], *, over: str = "") -> Arena | None:
    """Bring the scores of all systems on some parts together; None where scales are mixed."""
    names = ["gold", *(f"system:{system}" for system in systems)]
    scored = []
    for part in parts:
        scales = part.scales
        if scales is None:
            return None
        rows = part.columns(names, scales[1]).complete()
        if rows.counts.size:
            scored.append((part, scales[1], rows))
    if not scored:
        return None
    scored_parts, part_scales, part_rows = zip(*scored, strict=True)
    return Arena(scored_parts, part_scales, part_rows, over)
