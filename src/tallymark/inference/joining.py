"""Joining: the expansions of statistics, those of several parts of the data from those of the parts."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.expansion import (
    STEP,
    TINY,
    Bend,
    Expansion,
    bend,
    expand_functions,
    expansion,
)
from tallymark.inference.formula import Formula, Joint
from tallymark.inference.units import Units

Floats = NDArray[np.float64]


def name_of(formula: Formula, what: str = "") -> tuple[Any, ...]:
    """What tells one formula from another on the same units, and what was worked out of it."""
    return (what, formula.key, getattr(formula.value, "func", formula.value))


def expand(formulas: Sequence[Formula], units: Units[Any]) -> list[Expansion | None]:
    """Expand statistics about the data; None for one that has no derivative in its sums.

    What was worked out is kept with the units: means over parts of the data use it again. With a
    statistic goes the function whose influence gives its analytic error, where that is another.
    """
    new: dict[Any, Callable[[Any], Any]] = {}
    for formula in formulas:
        if formula.joint is None and name_of(formula) not in units.kept:
            new[name_of(formula)] = formula.value
            if formula.linear is not None:
                new[name_of(formula, "linear")] = formula.linear
    made = expand_functions([*new.values()], units)
    units.kept.update(zip(new, made, strict=True))
    together = [f for f in formulas if f.joint and name_of(f) not in units.kept]
    if together:
        units.kept.update(zip(map(name_of, together), _expand_joint(together, units), strict=True))
    return [units.kept[name_of(formula)] for formula in formulas]


def joint_of(formula: Formula) -> Joint:
    """How a formula follows from statistics of several parts."""
    if formula.joint is None:
        raise TypeError(f"{formula.key} is not a function of statistics of several parts")
    return formula.joint


def _expand_joint(formulas: Sequence[Formula], units: Units[Any]) -> list[Expansion | None]:
    """Expand functions of statistics of several parts."""
    each = _of_parts(formulas, units)
    return [
        _expanded(joint_of(formula), [of_part[j] for of_part in each], units)
        for j, formula in enumerate(formulas)
    ]


def _of_parts(formulas: Sequence[Formula], units: Units[Any]) -> list[list[Expansion | None]]:
    """The expansions ``[part][formula]`` that functions of several parts rest on."""
    return [
        expand([joint_of(formula).formula(i) for formula in formulas], part)
        for i, part in enumerate(units.parts)
    ]


def _expanded(
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
    bias += float(_second(joint, values, _spread([part.moves for part in known], units)).sum()) / 2
    return expansion(float(joint.of(values)), moves, bias, units.times)


def _spread(moves: Sequence[Floats], units: Units[Any]) -> Floats:
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


def bend_each(
    formulas: Sequence[Formula], expansions: Sequence[Expansion], units: Units[Any]
) -> list[Bend]:
    """Differentiate each formula along the direction in which the data move it, one standard error.

    What was worked out is kept with the units.
    """
    new = [i for i, f in enumerate(formulas) if name_of(f, "bend") not in units.kept]
    for joint in (False, True):
        which = [i for i in new if (formulas[i].joint is not None) is joint]
        if which:
            chosen, theirs = [formulas[i] for i in which], [expansions[i] for i in which]
            made = _bend_joint(chosen, theirs, units) if joint else _bend(chosen, theirs, units)
            names = [name_of(f, "bend") for f in chosen]
            units.kept.update(zip(names, made, strict=True))
    return [units.kept[name_of(f, "bend")] for f in formulas]


def directions_of(expansions: Sequence[Expansion], units: Units[Any]) -> Floats:
    """The way in the sums along which each statistic moves by one standard error."""
    pulls = [units.times * e.moves / (e.se or 1.0) for e in expansions]
    return units.sums(np.stack(pulls))


def _bend(
    formulas: Sequence[Formula], expansions: Sequence[Expansion], units: Units[Any]
) -> list[Bend]:
    return bend(formulas, units, directions_of(expansions, units))


def _bend_joint(
    formulas: Sequence[Formula], expansions: Sequence[Expansion], units: Units[Any]
) -> list[Bend]:
    """Bends of functions of several parts, from those of the parts along their own directions.

    Where no two parts share a unit, the direction within a part is the part's own, shortened.
    """
    each = [[e for e in part if e is not None] for part in _of_parts(formulas, units)]
    if units.disjoint:
        bends = _shortened(formulas, expansions, each, units)
    else:
        directions = directions_of(expansions, units)
        edges = np.cumsum([0, *(part.width for part in units.parts)])
        bends = [
            bend([joint_of(f).formula(i) for f in formulas], part, directions[:, start:stop])
            for i, (part, (start, stop)) in enumerate(
                zip(units.parts, pairwise(edges), strict=True)
            )
        ]
    made = []
    for j, formula in enumerate(formulas):
        values = np.array([part[j].value for part in each])
        along, second, measured = np.array([of_part[j] for of_part in bends]).T
        slopes = _slopes(joint_of(formula), values)
        curved = float(_second(joint_of(formula), values, along))
        made.append(Bend(float(slopes @ along), slopes @ second + curved, slopes @ measured))
    return made


def _shortened(
    formulas: Sequence[Formula],
    expansions: Sequence[Expansion],
    each: Sequence[Sequence[Expansion]],
    units: Units[Any],
) -> list[list[Bend]]:
    """The bends ``[part][formula]`` along the direction of the whole, from the parts' own."""
    whole = [e.se for e in expansions]
    slopes = [
        _slopes(joint_of(f), np.array([part[j].value for part in each]))
        for j, f in enumerate(formulas)
    ]
    made = []
    for i, part in enumerate(units.parts):
        bends = bend_each([joint_of(f).formula(i) for f in formulas], each[i], part)
        short = [slopes[j][i] * e.se / whole[j] for j, e in enumerate(each[i])]
        made.append([_shorter(b, s) for b, s in zip(bends, short, strict=True)])
    return made


def _shorter(full: Bend, share: float) -> Bend:
    return Bend(full.slope * share, full.second * share**2, full.measured * share)
