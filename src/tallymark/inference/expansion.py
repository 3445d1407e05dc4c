"""Expansion: a statistic near the data, to second order in what every unit adds to its sums."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.formula import Formula, Joint
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
    """

    value: float
    moves: Floats
    bias: float


class Bend(NamedTuple):
    """First and second derivative along one direction, and the first taken with a real step."""

    slope: Floats
    second: Floats
    measured: Floats


def expand(formulas: Sequence[Formula], units: Units[Any]) -> list[Expansion | None]:
    """Expand statistics about the data; None for one that has no derivative in its sums.

    What was worked out is kept with the units: means over parts of the data use it again.
    """
    new = {_name(f): f for f in formulas if _name(f) not in units.kept}
    plain = [f for f in new.values() if f.joint is None]
    made = dict(zip(map(_name, plain), _expanded([f.value for f in plain], units), strict=True))
    together = [f for f in new.values() if f.joint is not None]
    units.kept.update(made)
    units.kept.update(zip(map(_name, together), _joined(together, units), strict=True))
    return [units.kept[_name(f)] for f in formulas]


def moves_of(functions: Sequence[Function], units: Units[Any]) -> list[Floats | None]:
    """What one more of each unit adds to each function of the tally, at a fixed number of units."""
    if not functions or not units.size:
        return [None for _ in functions]
    units = units.near or units
    if not _by_sum(units):
        slopes = _derivatives(
            functions, units, lambda a, b: _centred(units, a, b), units.times.size
        )
        return [None if slope is None else slope.imag for slope in slopes]

    def one_sum(start: int, stop: int) -> Floats:
        return np.eye(stop - start, units.width, start)

    slopes = _derivatives(functions, units, one_sum, units.width)
    moves = [None if slope is None else np.asarray(units.rows @ slope.imag) for slope in slopes]
    return [None if move is None else move - units.times @ move / units.size for move in moves]


def bend(formulas: Sequence[Formula], units: Units[Any], directions: Floats) -> Bend:
    """Differentiate each formula twice along its own direction in the space of the sums."""
    if formulas[0].joint is not None:
        return _bend_joint(formulas, units, directions)
    sums = units.sums(units.times)
    moved = np.concatenate([sums + (s * STEP + 1j * TINY) * directions for s in (-1, 1)])
    values = _own(formulas, units.build(moved), 2)
    slopes = values.imag / TINY
    real = (values.real[:, 1] - values.real[:, 0]) / (2 * STEP)
    second = (slopes[:, 1] - slopes[:, 0]) / (2 * STEP)
    return Bend(slopes.mean(axis=1), second, real)


def at(formulas: Sequence[Formula], units: Units[Any], points: NDArray[Any]) -> NDArray[Any]:
    """Values of each formula at its own points ``[formula, point, sum]``."""
    if not formulas:
        return np.empty(points.shape[:2])
    number = points.shape[1]
    moved = np.moveaxis(points, 1, 0).reshape(-1, points.shape[-1])
    with np.errstate(invalid="ignore", divide="ignore"):  # it may be undefined so far away
        return np.asarray(_own(formulas, units.build(moved), number))


def _own(formulas: Sequence[Formula], tally: Any, number: int) -> Any:
    """Each formula at its own places of a tally, where those of all formulas stand in turn."""
    count = len(formulas)
    values = [
        np.asarray(f.value(tally)).reshape(number, count)[:, i] for i, f in enumerate(formulas)
    ]
    return np.stack(values)


def _name(formula: Formula) -> tuple[Any, ...]:
    """What tells one formula from another on the same units."""
    return (formula.key, getattr(formula.value, "func", formula.value))


def _by_sum(units: Units[Any]) -> bool:
    return units.rows is not None and units.times.size > units.width


def _centred(units: Units[Any], start: int, stop: int) -> Floats:
    """What units add to the sums, less what a unit adds on average."""
    mean = units.sums(units.times) / units.size
    return np.asarray(units.rows_between(start, stop) - mean)


def _expanded(functions: Sequence[Function], units: Units[Any]) -> list[Expansion | None]:
    moves = moves_of(functions, units)
    smooth = [f for f, move in zip(functions, moves, strict=True) if move is not None]
    biases = iter(_biases(smooth, units))
    tally = units.tally
    return [
        None if move is None else Expansion(float(function(tally)), move, next(biases))
        for function, move in zip(functions, moves, strict=True)
    ]


def _biases(functions: Sequence[Function], units: Units[Any]) -> list[float]:
    """Half the sum of second derivatives along the units, or along as many as there are sums."""
    if not functions:
        return []
    units = units.near or units
    times: NDArray[Any] = units.times
    if _by_sum(units):
        chosen = _spread(units)
        times = np.ones(len(chosen))

        def directions(start: int, stop: int) -> Floats:
            return chosen[start:stop]
    else:

        def directions(start: int, stop: int) -> Floats:
            return _centred(units, start, stop)

    up, down = (_derivatives(functions, units, directions, times.size, s) for s in (STEP, -STEP))
    pairs = zip(up, down, strict=True)
    return [float(times @ (a.imag - b.imag) / (4 * STEP)) for a, b in pairs]


def _spread(units: Units[Any]) -> Floats:
    """Directions whose squares add up to the covariance of the sums: as few as there are sums."""
    sums = units.sums(units.times)
    rows = units.rows
    if not isinstance(rows, np.ndarray):
        rows = rows.toarray()
    squares = rows.T @ (rows * units.times[:, None]) - np.outer(sums, sums) / units.size
    scale = np.sqrt(np.maximum(np.diag(squares), 0))
    used = scale > 1e-9 * np.sqrt(np.maximum(np.diag(squares + np.outer(sums, sums)), 0))
    scale = scale[used]
    values, vectors = np.linalg.eigh(squares[np.ix_(used, used)] / np.outer(scale, scale))
    real = values > 1e-11
    directions = np.zeros((int(real.sum()), units.width))
    directions[:, used] = (vectors[:, real] * np.sqrt(values[real])).T * scale
    return directions


def _derivatives(
    functions: Sequence[Function],
    units: Units[Any],
    directions: Callable[[int, int], Floats],
    count: int,
    step: float = 0.0,
) -> list[Any]:
    """Derivatives along so many directions, as imaginary parts, a real step along each away.

    None for a function that gives real numbers for complex sums.
    """
    sums = units.sums(units.times)
    block = max(1, CHUNK // max(sums.size, 1))
    parts: list[list[Any]] = [[] for _ in functions]
    for start in range(0, count, block):
        tally = units.build(
            sums + (step + 1j * TINY) * directions(start, min(start + block, count))
        )
        for part, function in zip(parts, functions, strict=True):
            part.append(np.asarray(function(tally)))
    joined = [np.concatenate(part) if part else np.empty(0, complex) for part in parts]
    return [part / TINY if np.iscomplexobj(part) else None for part in joined]


def _joined(formulas: Sequence[Formula], units: Units[Any]) -> list[Expansion | None]:
    """Expand functions of statistics of several parts from the expansions of the parts."""
    each = _of_parts(formulas, units)
    return [
        _one_joint(joint_of(formula), [of_part[j] for of_part in each], units)
        for j, formula in enumerate(formulas)
    ]


def _of_parts(formulas: Sequence[Formula], units: Units[Any]) -> list[list[Expansion | None]]:
    """The expansions ``[part][formula]`` that functions of several parts rest on."""
    return [
        expand([joint_of(formula).formula(i) for formula in formulas], part)
        for i, part in enumerate(units.parts)
    ]


def joint_of(formula: Formula) -> Joint:
    """How a formula follows from statistics of several parts."""
    if formula.joint is None:
        raise TypeError(f"{formula.key} is not a function of statistics of several parts")
    return formula.joint


def _one_joint(
    joint: Joint, parts: Sequence[Expansion | None], units: Units[Any]
) -> Expansion | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    values = np.array([part.value for part in known])
    slopes = _slopes(joint, values)
    moves = np.zeros(units.times.size)
    for slope, part, place in zip(slopes, known, units.places, strict=True):
        np.add.at(moves, place, slope * part.moves)  # some units may share a place
    bias = float(slopes @ [part.bias for part in known])
    spread = _spread_of_parts([part.moves for part in known], units)
    bias += float(_second(joint, values, spread).sum()) / 2
    return Expansion(float(joint.of(values)), moves, bias)


def _spread_of_parts(moves: Sequence[Floats], units: Units[Any]) -> Floats:
    """Directions whose squares add up to the covariance of the parts' statistics."""
    if units.disjoint:
        pairs = zip(moves, units.parts, strict=True)
        return np.diag([float(np.sqrt(part.times @ move**2)) for move, part in pairs])
    aligned = np.zeros((len(moves), units.times.size))
    for row, move, place in zip(aligned, moves, units.places, strict=True):
        np.add.at(row, place, move)
    values, vectors = np.linalg.eigh((aligned * units.times) @ aligned.T)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))).T)


def _slopes(joint: Joint, values: Floats) -> Floats:
    return np.asarray(joint.of(values + 1j * TINY * np.eye(values.size)).imag / TINY)


def _second(joint: Joint, values: Floats, directions: Floats) -> Floats:
    """Second derivatives of a function of the parts' statistics along some directions."""
    up, down = (joint.of(values + (s * STEP + 1j * TINY) * directions).imag for s in (1, -1))
    return np.asarray((up - down) / TINY / (2 * STEP))


def _value(expansion: Expansion | None) -> float:
    return np.nan if expansion is None else expansion.value


def _bend_joint(formulas: Sequence[Formula], units: Units[Any], directions: Floats) -> Bend:
    edges = np.cumsum([0, *(part.width for part in units.parts)])
    bends = [
        bend([joint_of(f).formula(i) for f in formulas], part, directions[:, start:stop])
        for i, (part, start, stop) in enumerate(zip(units.parts, edges, edges[1:], strict=False))
    ]
    each = _of_parts(formulas, units)
    made = []
    for j, formula in enumerate(formulas):
        values = np.array([_value(part[j]) for part in each])
        along, second, real = (np.array([b[field][j] for b in bends]) for field in range(3))
        slopes = _slopes(joint_of(formula), values)
        curved = float(_second(joint_of(formula), values, along))
        made.append((slopes @ along, slopes @ second + curved, slopes @ real))
    return Bend(*np.array(made).T)
