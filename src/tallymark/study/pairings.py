"""Pairings: tallies of several pairs of raters at once, so that they share the resamples."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import Formula, OnUnits, Units
from tallymark.inference.expansion import CHUNK, STEP, TINY, Expansion, expansion
from tallymark.inference.formula import name_of
from tallymark.inference.interval import ROUNDING
from tallymark.inference.joint_formulas import alike
from tallymark.inference.units import SHARDS
from tallymark.study.rows import Rows, grouped
from tallymark.tally import PairMargins, PairMoments, nearest
from tallymark.tally.margins import Distances, cell_rows, distances_of
from tallymark.tally.moments import features

Way = tuple[int, int, int]
"""Columns of the first and the second score of a pair, and of one that must be there too."""


class EveryTwo(NamedTuple):
    """Every two of the first ``raters`` columns, in both orders, beside a column that must be there."""

    raters: int
    beside: int


Pairing = Sequence[Way] | EveryTwo
"""Ways to draw a pair of scores from a response; the response counts once, over its ways."""


MOST_SUMS = 30_000_000
"""Sums of pairs of raters over all responses beyond which a bootstrap takes several seconds."""


def too_many_pairs(rows: Rows) -> int:
    """How many pairs of raters share a response, where these are too many to resample; else 0."""
    pairs, units = len(_sharing(rows)), min(len(rows.counts), SHARDS)
    return pairs if pairs * 2 * rows.points.size * max(units, 100) > MOST_SUMS else 0


def every_two(rows: Rows, distances: Distances) -> Units[PairMargins]:
    """Tallies of every two raters who share a response."""
    rows = rows.by_content()
    pairings = [[(a, b, a)] for a, b in _sharing(rows).tolist()]
    return _paired("table", rows, pairings, distances)


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
    units = _paired(kind, rows.distinct(), pairings, distances)
    shape = (kind, repr(pairings), rows.points.tobytes(), *map(name_of, formulas))
    return replace(units, shape=(*shape, *map(id, distances)))


def _paired(kind: str, rows: Rows, pairings: Sequence[Pairing], distances: Distances) -> Units[Any]:
    center, k = float(rows.points[0] + rows.points[-1]) / 2, rows.points.size
    each = 2 * k + len(distances) if kind == "table" else 8
    group = grouped(rows, width=len(pairings) * each)
    given = ~np.isnan(rows.scores)
    index = nearest(rows.scores, rows.points)
    scores = index.astype(np.float64) if kind == "table" else rows.scores
    least, most = np.full((2, len(scores), 2), np.inf)
    added = np.empty((group.times.size, len(pairings) * each))  # one copy: it may be large
    for place, ways in enumerate(pairings):
        if isinstance(ways, EveryTwo):
            ratings = _counted_ratings(kind, rows, index, ways)
            total = _of_every_two(kind, ratings, rows.points, center, distances)
            added[:, place * each : (place + 1) * each] = group.sums(total)
            continue
        weight = 1 / np.maximum(sum(given[:, list(way)].all(axis=1) for way in ways), 1)
        total = np.zeros((len(weight), each))
        for first, second, beside in ways:
            all_three = given[:, first] & given[:, second] & given[:, beside]
            share = np.where(all_three, weight, 0.0)[:, None]
            both = scores[:, (first, second)]
            least = np.minimum(least, np.where(all_three[:, None], both, np.inf))
            most = np.minimum(most, np.where(all_three[:, None], -both, np.inf))
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

    # each pairing sees the same two scores of a response, or they carry what pairings differ by
    apart = (least + most < -ROUNDING).any(axis=1)
    carry = group.sums(apart[:, None] * 1.0)[:, 0] > 0
    return replace(group.units(added, build), differing=carry)


def _counted_ratings(kind: str, rows: Rows, index: Whole, pool: EveryTwo) -> tuple[Floats, Floats]:
    """The values of ratings, points by their place, and how many ratings of each row have each."""
    ratings = index if kind == "table" else rows.scores
    ratings = ratings[:, : pool.raters].astype(np.float64)
    absent = np.isnan(rows.scores[:, : pool.raters]) | np.isnan(rows.scores[:, [pool.beside]])
    values = np.unique(ratings[~absent])
    given = np.where(absent, np.nan, ratings)
    return values, np.stack([(given == value).sum(axis=1) for value in values], axis=1).astype(
        float
    )


def _of_every_two(
    kind: str, ratings: tuple[Floats, Floats], points: Floats, center: float, distances: Distances
) -> Floats:
    """The mean over every two ratings of a row of what the two add, by their values.

    As many steps as there are pairs of values, however many raters gave them.
    """
    values, counts = ratings
    number = counts.sum(axis=1)
    weight = 1 / np.maximum(number * (number - 1), 1)
    total = 0.0
    for (i, first), (j, second) in product(enumerate(values), repeat=2):
        share = counts[:, i] * (counts[:, j] - (i == j)) * weight
        if kind == "table":
            one = cell_rows(np.array([int(first)]), np.array([int(second)]), points, distances)
        else:
            one = features(np.array([first - center]), np.array([second - center]))
        total = total + share[:, None] * one
    return np.asarray(total)


class PairExpansions(NamedTuple):
    """The expansion of one statistic of every pairing: values, moves by unit, and biases."""

    values: Floats
    moves: Floats
    biases: Floats

    def mean(self, which: NDArray[np.bool_], units: Units[Any]) -> Expansion:
        """The expansion of the mean over some pairings."""
        place = np.flatnonzero(which)
        if place.size == 1:  # of itself, which needs no mean
            value, moves, bias = (part[..., place[0]] for part in self)
        else:
            value, moves, bias = (part[..., place].mean(axis=-1) for part in self)
        return expansion(float(value), moves, float(bias), units.times)


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
        points = 3 * many[which[0]].units.width + 1
        size = max(1, CHUNK // (points * max(1, many[which[0]].units.width)))
        for start in range(0, len(which), size):
            some = which[start : start + size]
            steps = _Steps.of([many[i] for i in some])
            tally = steps.units[0].build(steps.moved.reshape(-1, steps.moved.shape[-1]))
            for formula in many[which[0]].formulas:
                values = np.asarray(formula.value(tally))
                known = steps.expansions(values) if np.iscomplexobj(values) else [None] * len(some)
                for i, expansions in zip(some, known, strict=True):
                    made[i].append(expansions)
    return made


class _Steps(NamedTuple):
    """Sums ``[units, step, sum]`` of pairings, moved along each sum and then each way they spread.

    ``rows`` are those of all units, one after the other; ``whose`` says of which units each is.
    """

    units: list[Units[Any]]
    rows: Floats
    whose: Whole
    shared: NDArray[np.bool_]
    moved: NDArray[Any]

    @classmethod
    def of(cls, many: Sequence[OnPairs]) -> "_Steps":
        units, shared = [each.units for each in many], np.stack([each.shared for each in many])
        pairings = shared.shape[1]
        sums = np.stack([each.total for each in units]).reshape(len(units), pairings, -1)
        each_rows = [
            (each.spreading if each.stratified else each.rows).reshape(
                each.times.size, pairings, -1
            )
            for each in units
        ]
        size = sums.shape[2]
        along = np.broadcast_to(np.eye(size)[:, None], (size, pairings, size))
        spread = np.swapaxes(_spreads(each_rows, sums, units), 1, 2)
        moved = [
            sums[:, None] + 0j,
            sums[:, None] + 1j * TINY * along,
            *(sums[:, None] + (way * STEP + 1j * TINY) * spread for way in (1, -1)),
        ]
        steps = np.concatenate(moved, axis=1).reshape(len(units), 3 * size + 1, -1)
        whose = np.repeat(np.arange(len(units)), [len(rows) for rows in each_rows])
        return cls(units, np.concatenate(each_rows), whose, shared, steps)

    def expansions(self, values: NDArray[Any]) -> list[PairExpansions]:
        """Of a statistic with these values at the sums and along all steps."""
        values = values.reshape(len(self.units), -1, self.shared.shape[1])
        first, up, down = np.split(values[:, 1:].imag / TINY, 3, axis=1)
        slopes = np.where(self.shared[:, None], first, 0.0)
        moves = np.einsum("ups,usp->up", self.rows, slopes[self.whose])
        ends = np.cumsum([each.times.size for each in self.units])
        biases = (up - down).sum(axis=1) / (4 * STEP)
        each = zip(self.units, values[:, 0].real, np.split(moves, ends[:-1]), biases, strict=True)
        return [
            PairExpansions(value, move - units.times @ move * _centred(units), bias)
            for units, value, move, bias in each
        ]


def _centred(units: Units[Any]) -> float:
    """What share of the sum the mean of a unit is; 0 where the design has taken it off."""
    return 0.0 if units.stratified else 1 / units.size


def _spreads(each_rows: Sequence[Floats], sums: Floats, many: Sequence[Units[Any]]) -> Floats:
    """Directions ``[units, pairing, direction, sum]`` whose squares add up to the covariances."""
    by_pairing = [np.moveaxis(rows, 0, -1) for rows in each_rows]
    squares = np.stack(
        [
            (rows * units.times) @ np.swapaxes(rows, 1, 2)
            for rows, units in zip(by_pairing, many, strict=True)
        ]
    )
    centred = np.reshape([_centred(units) for units in many], (-1, 1, 1, 1))
    squares -= sums[..., :, None] * sums[..., None, :] * centred
    scale = np.sqrt(np.maximum(np.einsum("upss->ups", squares), 0.0))
    scale = np.where(scale > 1e-9 * np.sqrt(scale**2 + sums**2), scale, 0.0)
    unit = np.where(scale > 0, scale, 1.0)
    known = (scale > 0)[..., :, None] & (scale > 0)[..., None, :]
    values, vectors = np.linalg.eigh(
        np.where(known, squares / unit[..., :, None] / unit[..., None, :], 0.0)
    )
    lengths = np.sqrt(np.where(values > 1e-11, values, 0.0))
    return np.asarray(np.swapaxes(vectors * lengths[..., None, :], -1, -2) * scale[..., None, :])
