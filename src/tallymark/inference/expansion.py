"""Expansion: a statistic near the data, to second order in what every unit adds to its sums."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.inference.formula import Formula, name_of
from tallymark.inference.units import Units, build_each

Function = Callable[[Any], Any]
TINY = 1e-30
"""Imaginary step: f(x + ih) = f(x) + ih f'(x), exact to the last digit for so small an h."""
STEP = 1e-4
"""Real step of second derivatives, in units or in standard errors of the sums."""
CHUNK = 500_000
"""Numbers held at once in moved sums."""


class Expansion(NamedTuple):
    """What one more of each unit adds to a statistic, at a fixed number of units, and its bias.

    ``bias`` is half the second derivative along every unit, summed: the plug-in estimate of bias;
    NaN where first derivatives alone were asked for. ``se`` is the standard error, the root of the squared moves of all units.
    """

    value: float
    moves: Floats
    bias: float
    se: float


def expansion(value: float, moves: Floats, bias: float, times: NDArray[Any]) -> Expansion:
    """The expansion of a statistic of units that occur this many times."""
    return Expansion(value, moves, bias, math.sqrt(float(times @ moves**2)))


class Bend(NamedTuple):
    """First and second derivative along one direction, and the first taken with a real step."""

    slope: float
    second: float
    measured: float


class Directions(NamedTuple):
    """So many directions in the space of the sums, and how far along each the sums have moved."""

    rows: Callable[[int, int], Floats]
    size: int
    step: float = 0.0


class Moving(NamedTuple):
    """Along which directions first and second derivatives are taken; how often the second count."""

    first: Directions
    second: Directions | None
    times: Floats

    @property
    def sections(self) -> list[Directions]:
        """The sums as they are, then first derivatives, then second ones to both sides."""
        origin = Directions(lambda start, stop: 0.0 * self.first.rows(start, stop), 1)
        sides = [self.second._replace(step=way) for way in (STEP, -STEP)] if self.second else []
        return [origin, self.first, *sides]


def expand_functions(
    functions: Sequence[Function], many: Sequence[Units[Any]], *, second: bool = True
) -> list[list[Expansion | None]]:
    """Expand functions of the tallies of units, all of one shape.

    First derivatives are taken along each unit, or along each sum where these are fewer, and
    carried to the units by the chain rule. For second ones a step is taken along each unit to both
    sides or, where sums are fewer, along directions whose squares add up to their covariance.
    """
    nearby = [units.nearby for units in many if units.size]
    if not functions or not nearby:
        return [[None] * len(functions) for _ in many]
    plans = [_plan(units, second=second) for units in nearby]
    values = _evaluated(functions, nearby, [plan.sections for plan in plans])
    expansions = map(_expansions, values, plans, nearby)
    return [next(expansions) if units.size else [None] * len(functions) for units in many]


def _plan(units: Units[Any], *, second: bool) -> Moving:
    along = _along_sums(units) if units.by_sum else _along_units(units)
    if not second:
        return Moving(along, None, np.empty(0))
    if not units.by_sum:
        return Moving(along, along, units.times.astype(np.float64))
    spread = _spread(units)
    sides = Directions(lambda start, stop: spread[start:stop], len(spread))
    return Moving(along, sides, np.ones(len(spread)))


def _expansions(values: Sequence[Any], plan: Moving, units: Units[Any]) -> list[Expansion | None]:
    smooth = [i for i, value in enumerate(values) if value is not None]
    expansions: list[Expansion | None] = [None] * len(values)
    if not smooth:
        return expansions
    stacked = np.stack([values[i] for i in smooth])
    slopes, first, number = stacked.imag / TINY, plan.first.size, plan.times.size
    moves, sides = _of_units(slopes[:, 1 : first + 1], units), slopes[:, first + 1 :]
    # sums along the last axis have the same digits for one statistic as for several
    bias = np.full(len(smooth), np.nan)
    if plan.second:
        bias = ((sides[:, :number] - sides[:, number:]) * plan.times).sum(axis=1) / (4 * STEP)
    se = np.sqrt((moves**2 * units.times).sum(axis=1))
    fields = zip(stacked.real[:, 0].tolist(), moves, bias.tolist(), se.tolist(), strict=True)
    for i, numbers in zip(smooth, fields, strict=True):
        expansions[i] = Expansion(*numbers)
    return expansions


def _of_units(slopes: Floats, units: Units[Any]) -> Floats:
    """The moves of the units, given derivatives ``[function, ...]`` along them or the sums."""
    if not units.by_sum:
        return slopes
    if units.stratified:
        return np.asarray(slopes @ units.spreading.T)
    moves = np.stack([units.rows @ slope for slope in slopes])
    return np.asarray(moves - (moves * units.times).sum(axis=1, keepdims=True) / units.size)


def moves_of(functions: Sequence[Function], units: Units[Any]) -> list[Floats | None]:
    """What one more of each unit adds to each function of the tally, at a fixed number of units."""
    if not functions or not units.size:
        return [None for _ in functions]
    units = units.nearby
    along = _along_sums(units) if units.by_sum else _along_units(units)
    values = _evaluated(functions, [units], [[along]])[0]
    return [None if v is None else _of_units(v.imag[None] / TINY, units)[0] for v in values]


class AtPoints(NamedTuple):
    """Points ``[formula, point, sum]`` at which each of some formulas is evaluated."""

    formulas: Sequence[Formula]
    units: Units[Any]
    points: NDArray[Any]


def at(many: Sequence[AtPoints]) -> list[NDArray[Any]]:
    """Values ``[formula, point]`` of each formula at its own points, of units of one shape."""
    points = np.concatenate([places.points.reshape(-1, places.points.shape[-1]) for places in many])
    number = many[0].points.shape[1]
    values = np.zeros((len(points) // number, number), dtype=points.dtype)
    positions: dict[Any, tuple[Formula, list[int]]] = {}
    formulas = [formula for places in many for formula in places.formulas]
    for i, formula in enumerate(formulas):
        positions.setdefault(name_of(formula), (formula, []))[1].append(i)
    sizes = [places.points.shape[0] * number for places in many]
    owner = np.repeat(np.arange(len(many)), sizes)
    tally = build_each([places.units for places in many], points, owner)
    with np.errstate(invalid="ignore", divide="ignore"):  # it may be undefined so far away
        for formula, rows in positions.values():
            values[rows] = np.asarray(formula.value(tally)).reshape(values.shape)[rows]
    return np.split(values, np.cumsum([len(places.formulas) for places in many])[:-1])


def bend(many: Sequence[tuple[Sequence[Formula], Units[Any], Floats]]) -> list[list[Bend]]:
    """Differentiate each formula twice along its own direction in the space of the sums.

    ``many`` are formulas with their directions, of units of one shape.
    """
    steps = np.array([-STEP, STEP])[:, None] + 1j * TINY
    places = [
        AtPoints(formulas, units, units.total + steps * directions[:, None])
        for formulas, units, directions in many
    ]
    values_each = at(places)
    bends = iter(_bends(np.concatenate(values_each)))
    return [list(islice(bends, len(values))) for values in values_each]


def _bends(values: Any) -> list[Bend]:
    slopes = values.imag / TINY
    measured = (values.real[:, 1] - values.real[:, 0]) / (2 * STEP)
    second = (slopes[:, 1] - slopes[:, 0]) / (2 * STEP)
    rows = np.stack([slopes.mean(axis=1), second, measured], axis=1).tolist()
    return [Bend(*bent) for bent in rows]


def _along_units(units: Units[Any]) -> Directions:
    """What each unit adds to the sums, less what a unit adds on average."""
    if units.stratified:
        return Directions(lambda start, stop: units.spreading[start:stop], units.times.size)
    mean = units.total / units.size
    return Directions(
        lambda start, stop: np.asarray(units.rows_between(start, stop) - mean), units.times.size
    )


def _along_sums(units: Units[Any]) -> Directions:
    return Directions(lambda start, stop: np.eye(stop - start, units.width, start), units.width)


def _spread(units: Units[Any]) -> Floats:
    """Directions whose squares add up to the covariance of the sums: as few as there are sums."""
    sums, rows = units.total, units.rows
    if not isinstance(rows, np.ndarray):
        rows = rows.toarray()
    squares = rows.T @ (rows * units.times[:, None]) - np.outer(sums, sums) / units.size
    if units.stratified:
        squares = units.spreading.T @ (units.spreading * units.times[:, None])
    diagonal = np.diag(squares)
    scale = np.sqrt(np.maximum(diagonal, 0))
    used = scale > 1e-9 * np.sqrt(np.maximum(diagonal + sums**2, 0))
    scale = scale[used]
    values, vectors = np.linalg.eigh(squares[np.ix_(used, used)] / np.outer(scale, scale))
    nonzero = values > 1e-11
    directions = np.zeros((int(nonzero.sum()), units.width))
    directions[:, used] = (vectors[:, nonzero] * np.sqrt(values[nonzero])).T * scale
    return directions


def _evaluated(
    functions: Sequence[Function],
    many: Sequence[Units[Any]],
    sections: Sequence[Sequence[Directions]],
) -> list[list[Any]]:
    """Each function along the directions of all sections of each units, which are of one shape.

    Imaginary parts are derivatives; None for a function that gives real numbers for complex sums.
    """
    parts: list[list[Any]] = [[] for _ in functions]
    sums = [units.total for units in many]
    largest = max(max(size.size, units.held) for size, units in zip(sums, many, strict=True))
    for moved, sizes in _blocks(zip(sums, sections, strict=True), max(1, CHUNK // largest)):
        owner = np.repeat(np.arange(len(sizes)), [*sizes.values()])
        tally = build_each([many[i] for i in sizes], moved, owner)
        with np.errstate(invalid="ignore", divide="ignore"):  # it may be undefined for some
            for part, function in zip(parts, functions, strict=True):
                part.append(np.asarray(function(tally)))
    joined = [np.concatenate(part) for part in parts]
    ends = np.cumsum([0, *(sum(along.size for along in each) for each in sections)])
    return [
        [part[start:stop] if np.iscomplexobj(part) else None for part in joined]
        for start, stop in pairwise(ends)
    ]


def _blocks(
    many: Iterable[tuple[Floats, Sequence[Directions]]], size: int
) -> Iterator[tuple[NDArray[Any], dict[int, int]]]:
    """Sums of each units, moved along all their directions, so many at once; how many of whose."""
    waiting: list[Any] = []
    counts: dict[int, int] = {}
    for i, (sums, sections) in enumerate(many):
        for rows, count, step in sections:
            for start in range(0, count, size):
                moved = (step + 1j * TINY) * rows(start, min(start + size, count))
                waiting.append(sums + moved)
                counts[i] = counts.get(i, 0) + len(moved)
                if sum(counts.values()) >= size:
                    yield np.concatenate(waiting), counts
                    waiting, counts = [], {}
    if waiting:
        yield np.concatenate(waiting), counts
