"""Pairings: tallies of several pairs of raters at once, so that they share the resamples."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, Units
from tallymark.inference.expansion import STEP, TINY, Expansion, expansion
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
    return _paired(kind, rows, pairings, distances)


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


def expand_pairs(
    formula: Formula, units: Units[Any], shared: NDArray[np.bool_]
) -> PairExpansions | None:
    """Expand a statistic of every pairing that shares responses; None if it has no derivative.

    Every pairing has sums of its own, so one step along a sum of each tells the derivatives of all:
    as many evaluations as one pairing has sums, not as many as all of them have.
    """
    pairings = shared.size
    rows = units.rows.reshape(units.times.size, pairings, -1)
    sums = units.sums(units.times).reshape(pairings, -1)
    size = sums.shape[1]

    def slopes(at: NDArray[Any], directions: NDArray[Any]) -> NDArray[Any]:
        moved = at + 1j * TINY * directions
        values = np.asarray(formula.value(units.build(moved.reshape(len(moved), -1))))
        return values.imag / TINY if np.iscomplexobj(values) else np.zeros(0)

    along = np.broadcast_to(np.eye(size)[:, None], (size, pairings, size))
    first = slopes(sums, along)
    if not first.size:
        return None
    moves = np.einsum("ups,sp->up", rows, np.where(shared, first, 0.0))
    if "spreads" not in units.kept:
        units.kept["spreads"] = np.moveaxis(_spreads(rows, sums, units), 1, 0)
    spread = units.kept["spreads"]
    bent = slopes(sums + STEP * spread, spread) - slopes(sums - STEP * spread, spread)
    values = np.real(formula.value(units.build(sums.reshape(1, -1) + 0j)))[0]
    return PairExpansions(
        values, moves - units.times @ moves / units.size, bent.sum(axis=0) / (4 * STEP)
    )


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
