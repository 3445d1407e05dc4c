"""Pairings: tallies of several pairs of raters at once, so that they share the resamples."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, OnUnits, Units
from tallymark.inference.expansion import CHUNK, STEP, TINY, Expansion, expansion
from tallymark.inference.formula import name_of
from tallymark.inference.joining import alike
from tallymark.inference.units import SHARDS
from tallymark.study.rows import Rows, Whole, grouped
from tallymark.tally import PairMargins, PairMoments, nearest
from tallymark.tally.margins import Distances, cell_rows, distances_of
from tallymark.tally.moments import features

Floats = NDArray[np.float64]
Way = tuple[int, int, int]
"""Columns of the first and the second score of a pair, and of one that must be there too."""
Pairing = Sequence[Way]
"""Ways to draw a pair of scores from a response; the response counts once, over its ways."""


MOST_SUMS = 30_000_000
"""Sums of pairs of raters over all responses beyond which a bootstrap takes several seconds."""


def too_many_pairs(rows: Rows) -> int:
    """How many pairs of raters share a response, where these are too many to resample; else 0."""
    pairs, units = len(_sharing(rows)), min(len(rows.counts), SHARDS)
    return pairs if pairs * 2 * rows.points.size * max(units, 100) > MOST_SUMS else 0


def every_two(rows: Rows, distances: Distances) -> Units[PairMargins]:
    """Tallies of every two raters who share a response."""
    pairings = [[(a, b, a)] for a, b in _sharing(rows).tolist()]
    return _paired("table", rows.distinct(), pairings, distances)


def _sharing(rows: Rows) -> Whole:
    """Every two raters who share a response."""
    given = (~np.isnan(rows.scores)).astype(np.float64)
    return np.argwhere(np.triu(given.T @ given, 1))


def pairs_of(
    kind: str, rows: Rows, pairings: Sequence[Pairing], formulas: Sequence[Formula]
) -> Units[Any]:
    """Return units of the tallies of several pairings, stacked along a leading axis.

    ``kind`` is "table", with the sums that ``formulas`` need, or "moments". A response adds to a
    pairing the mean over those of its ways that it has all scores of.
    """
    distances = distances_of([f.value for f in formulas], rows.points) if kind == "table" else ()
    units = _paired(kind, rows, pairings, distances)
    shape = (kind, repr(pairings), rows.points.tobytes(), *map(name_of, formulas))
    return replace(units, shape=(*shape, *map(id, distances)))


def _paired(kind: str, rows: Rows, pairings: Sequence[Pairing], distances: Distances) -> Units[Any]:
    center, k = float(rows.points[0] + rows.points[-1]) / 2, rows.points.size
    each = 2 * k + len(distances) if kind == "table" else 8
    group = grouped(rows, width=len(pairings) * each)
    given = ~np.isnan(rows.scores)
    index = nearest(rows.scores, rows.points)
    added = np.empty((group.times.size, len(pairings) * each))  # one copy: it may be large
    for place, ways in enumerate(pairings):
        weight = 1 / np.maximum(sum(given[:, list(way)].all(axis=1) for way in ways), 1)
        total = np.zeros((len(weight), each))
        for first, second, beside in ways:
            all_three = given[:, first] & given[:, second] & given[:, beside]
            share = np.where(all_three, weight, 0.0)[:, None]
            if kind == "table":
                i, j = (np.where(all_three, index[:, c], 0) for c in (first, second))
                total += cell_rows(i, j, rows.points, distances) * share
            else:
                a, b = (
                    np.where(all_three, rows.scores[:, c] - center, 0.0) for c in (first, second)
                )
                total += features(a, b) * share
        added[:, place * each : (place + 1) * each] = group.sums(total)

    def build(sums: NDArray[Any]) -> Any:
        stacked = sums.reshape(*sums.shape[:-1], len(pairings), each)
        if kind == "table":
            return PairMargins(stacked, rows.points, distances)
        return PairMoments(stacked, center)

    return group.units(added, build)


class PairExpansions(NamedTuple):
    """The expansion of one statistic of every pairing: values, moves by unit, and biases."""

    values: Floats
    moves: Floats
    biases: Floats

    def mean(self, which: NDArray[np.bool_], units: Units[Any]) -> Expansion:
        """The expansion of the mean over some pairings."""
        value, bias = float(self.values[which].mean()), float(self.biases[which].mean())
        return expansion(value, self.moves[:, which].mean(axis=1), bias, units.times)


class OnPairs(NamedTuple):
    """Statistics of some units of pairings."""

    formulas: Sequence[Formula]
    units: Units[Any]

    @property
    def shared(self) -> NDArray[np.bool_]:
        """Which pairings share responses."""
        return np.asarray(np.real(self.units.tally.n) > 0)


def expand_pairs(many: Sequence[OnPairs]) -> list[list[PairExpansions | None]]:
    """Expand statistics of every pairing that shares responses; None where one has no derivative.

    Every pairing has sums of its own, so one step along a sum of each tells the derivatives of all:
    as many evaluations as one pairing has sums, not as many as all of them have. Units of one
    shape, which have the same statistics, take one go.
    """
    made: list[list[PairExpansions | None]] = [[] for _ in many]
    for which in alike([OnUnits(each.formulas, each.units) for each in many]):
        steps = [_steps(many[i]) for i in which]
        size = max(1, CHUNK // steps[0].moved.size)
        for start in range(0, len(which), size):
            some = steps[start : start + size]
            tally = some[0].units.build(np.concatenate([step.moved for step in some]))
            for formula in many[which[0]].formulas:
                values = np.asarray(formula.value(tally))
                parts = np.split(values, len(some))
                for i, step, part in zip(which[start : start + size], some, parts, strict=True):
                    known = step.expansions(part) if np.iscomplexobj(values) else None
                    made[i].append(known)
    return made


class _Steps(NamedTuple):
    """The sums of units of pairings, moved along each sum and then along each way they spread."""

    units: Units[Any]
    rows: Floats
    shared: NDArray[np.bool_]
    moved: NDArray[Any]

    def expansions(self, values: NDArray[Any]) -> PairExpansions:
        """Of a statistic with these values at the sums and along all steps."""
        units = self.units
        first, up, down = np.split(values[1:].imag / TINY, 3)
        moves = np.einsum("ups,sp->up", self.rows, np.where(self.shared, first, 0.0))
        moves = moves - units.times @ moves / units.size
        return PairExpansions(values[0].real, moves, (up - down).sum(axis=0) / (4 * STEP))


def _steps(asked: OnPairs) -> _Steps:
    units, shared = asked.units, asked.shared
    rows = units.rows.reshape(units.times.size, shared.size, -1)
    sums = units.sums(units.times).reshape(shared.size, -1)
    size = sums.shape[1]
    along = np.broadcast_to(np.eye(size)[:, None], (size, shared.size, size))
    spread = np.moveaxis(_spreads(rows, sums, units), 1, 0)
    moved = [
        sums[None] + 0j,
        sums + 1j * TINY * along,
        *(sums + (way * STEP + 1j * TINY) * spread for way in (1, -1)),
    ]
    return _Steps(units, rows, shared, np.concatenate(moved).reshape(3 * size + 1, -1))


def _spreads(rows: Floats, sums: Floats, units: Units[Any]) -> Floats:
    """Directions ``[pairing, direction, sum]`` whose squares add up to the sums' covariances."""
    squares = np.einsum("ups,upt->pst", rows * units.times[:, None, None], rows, optimize=True)
    squares -= sums[:, :, None] * sums[:, None] / units.size
    scale = np.sqrt(np.maximum(np.einsum("pss->ps", squares), 0.0))
    scale = np.where(scale > 1e-9 * np.sqrt(scale**2 + sums**2), scale, 0.0)
    unit = np.where(scale > 0, scale, 1.0)
    known = (scale > 0)[:, :, None] & (scale > 0)[:, None]
    values, vectors = np.linalg.eigh(
        np.where(known, squares / unit[:, :, None] / unit[:, None], 0.0)
    )
    lengths = np.sqrt(np.where(values > 1e-11, values, 0.0))
    return np.asarray(np.moveaxis(vectors * lengths[:, None], 1, 2) * scale[:, None])
