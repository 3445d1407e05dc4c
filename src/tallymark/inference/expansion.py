"""Expansion: a statistic near the data, to second order in what every unit adds to its sums."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.formula import Formula
from tallymark.inference.units import Units

Floats = NDArray[np.float64]
Function = Callable[[Any], Any]
TINY = 1e-30
"""Imaginary step: f(x + ih) = f(x) + ih f'(x), exact to the last digit for so small an h."""
STEP = 1e-4
"""Real step of second derivatives, in units or in standard errors of the sums."""
CHUNK = 500_000
"""Numbers held at once in moved sums."""


class Expansion(NamedTuple):
    """What one more of each unit adds to a statistic, at a fixed number of units, and its bias.

    ``bias`` is half the second derivative along every unit, summed: the plug-in estimate of bias.
    ``se`` is the standard error, the root of the squared moves of all units.
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


def expand_functions(functions: Sequence[Function], units: Units[Any]) -> list[Expansion | None]:
    """Expand functions of the tally.

    First derivatives are taken along each unit, or along each sum where these are fewer, and
    carried to the units by the chain rule. For second ones a step is taken along each unit to both
    sides or, where sums are fewer, along directions whose squares add up to their covariance.
    """
    if not functions or not units.size:
        return [None for _ in functions]
    units = units.near or units
    first, times = _along_units(units), units.times.astype(np.float64)
    second = first
    if _by_sum(units):
        spread = _spread(units)
        first, times = _along_sums(units), np.ones(len(spread))
        second = Directions(lambda start, stop: spread[start:stop], len(spread))
    here = Directions(lambda start, stop: np.zeros((stop - start, units.width)), 1)
    sections = [here, first, second._replace(step=STEP), second._replace(step=-STEP)]
    values = _evaluated(functions, units, sections)
    return [None if v is None else _expansion(v, first.size, times, units) for v in values]


def _expansion(values: Any, first: int, times: Floats, units: Units[Any]) -> Expansion:
    slopes = values.imag / TINY
    moves, both = _of_units(slopes[1 : first + 1], units), slopes[first + 1 :]
    bias = times @ (both[: times.size] - both[times.size :]) / (4 * STEP)
    return expansion(float(values.real[0]), moves, float(bias), units.times)


def _of_units(slopes: Floats, units: Units[Any]) -> Floats:
    """The moves of the units, given derivatives along them or along the sums."""
    if not _by_sum(units):
        return slopes
    moves = np.asarray(units.rows @ slopes)
    return np.asarray(moves - units.times @ moves / units.size)


def moves_of(functions: Sequence[Function], units: Units[Any]) -> list[Floats | None]:
    """What one more of each unit adds to each function of the tally, at a fixed number of units."""
    if not functions or not units.size:
        return [None for _ in functions]
    units = units.near or units
    along = _along_sums(units) if _by_sum(units) else _along_units(units)
    values = _evaluated(functions, units, [along])
    return [None if v is None else _of_units(v.imag / TINY, units) for v in values]


def bend(formulas: Sequence[Formula], units: Units[Any], directions: Floats) -> list[Bend]:
    """Differentiate each formula twice along its own direction in the space of the sums."""
    sums = units.sums(units.times)
    moved = np.concatenate([sums + (s * STEP + 1j * TINY) * directions for s in (-1, 1)])
    values = _each_at_its_place(formulas, units.build(moved), 2)
    slopes = values.imag / TINY
    real = (values.real[:, 1] - values.real[:, 0]) / (2 * STEP)
    second = (slopes[:, 1] - slopes[:, 0]) / (2 * STEP)
    return [Bend(*map(float, each)) for each in zip(slopes.mean(axis=1), second, real, strict=True)]


def at(formulas: Sequence[Formula], units: Units[Any], points: NDArray[Any]) -> NDArray[Any]:
    """Values of each formula at its own points ``[formula, point, sum]``."""
    number = points.shape[1]
    moved = np.moveaxis(points, 1, 0).reshape(-1, points.shape[-1])
    with np.errstate(invalid="ignore", divide="ignore"):  # it may be undefined so far away
        return np.asarray(_each_at_its_place(formulas, units.build(moved), number))


def _each_at_its_place(formulas: Sequence[Formula], tally: Any, number: int) -> Any:
    """Each formula at its own places of a tally, where those of all formulas stand in turn."""
    count = len(formulas)
    values = [
        np.asarray(f.value(tally)).reshape(number, count)[:, i] for i, f in enumerate(formulas)
    ]
    return np.stack(values)


def _by_sum(units: Units[Any]) -> bool:
    return units.rows is not None and units.times.size > units.width


def _along_units(units: Units[Any]) -> Directions:
    """What each unit adds to the sums, less what a unit adds on average."""
    mean = units.sums(units.times) / units.size
    return Directions(
        lambda start, stop: np.asarray(units.rows_between(start, stop) - mean), units.times.size
    )


def _along_sums(units: Units[Any]) -> Directions:
    return Directions(lambda start, stop: np.eye(stop - start, units.width, start), units.width)


def _spread(units: Units[Any]) -> Floats:
    """Directions whose squares add up to the covariance of the sums: as few as there are sums."""
    sums, rows = units.sums(units.times), units.rows
    if not isinstance(rows, np.ndarray):
        rows = rows.toarray()
    squares = rows.T @ (rows * units.times[:, None]) - np.outer(sums, sums) / units.size
    diagonal = np.diag(squares)
    scale = np.sqrt(np.maximum(diagonal, 0))
    used = scale > 1e-9 * np.sqrt(np.maximum(diagonal + sums**2, 0))
    scale = scale[used]
    values, vectors = np.linalg.eigh(squares[np.ix_(used, used)] / np.outer(scale, scale))
    real = values > 1e-11
    directions = np.zeros((int(real.sum()), units.width))
    directions[:, used] = (vectors[:, real] * np.sqrt(values[real])).T * scale
    return directions


def _evaluated(
    functions: Sequence[Function], units: Units[Any], sections: Sequence[Directions]
) -> list[Any]:
    """Each function along the directions of all sections; imaginary parts are derivatives.

    None for a function that gives real numbers for complex sums.
    """
    sums = units.sums(units.times)
    parts: list[list[Any]] = [[] for _ in functions]
    for moved in _blocks(sections, max(1, CHUNK // max(sums.size, units.held))):
        tally = units.build(sums + moved)
        for part, function in zip(parts, functions, strict=True):
            part.append(np.asarray(function(tally)))
    joined = [np.concatenate(part) for part in parts]
    return [part if np.iscomplexobj(part) else None for part in joined]


def _blocks(sections: Sequence[Directions], size: int) -> Iterator[Any]:
    """Moves of the sums along all directions, this many at once."""
    waiting: list[Any] = []
    for rows, count, step in sections:
        for start in range(0, count, size):
            waiting.append((step + 1j * TINY) * rows(start, min(start + size, count)))
            if sum(map(len, waiting)) >= size:
                yield np.concatenate(waiting)
                waiting = []
    if waiting:
        yield np.concatenate(waiting)
