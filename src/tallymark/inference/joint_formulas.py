"""Joint formulas: expansions of statistics; those of several parts of the data follow from the parts'."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference.expansion import (
    CHUNK,
    STEP,
    TINY,
    Bend,
    Expansion,
    bend,
    expand_functions,
    expansion,
)
from tallymark.inference.formula import Formula, Joint, divisor_of, name_of
from tallymark.inference.units import Units, build_each

POINTS = 4
"""At so many points a formula is evaluated for its interval, beside its derivatives."""


class OnUnits(NamedTuple):
    """Statistics of some units."""

    formulas: Sequence[Formula]
    units: Units[Any]


def alike(many: Sequence[OnUnits]) -> Iterator[list[int]]:
    """Which of them have units of one shape, so many together as memory allows."""
    shapes: dict[Any, list[int]] = {}
    for i, (_, units) in enumerate(many):
        shape = id(units) if units.shape is None else (units.shape, units.width)
        shapes.setdefault(shape, []).append(i)
    for indices in shapes.values():
        formulas, units = many[indices[0]]
        size = max(1, CHUNK // (POINTS * max(1, len(formulas)) * max(1, units.width)))
        yield from (indices[start : start + size] for start in range(0, len(indices), size))


def values_each(many: Sequence[OnUnits]) -> list[list[float]]:
    """The value of each statistic, which is kept with the units."""
    for indices in alike(many):
        chosen = [many[i] for i in indices]
        new = {
            name_of(f): f
            for formulas, units in chosen
            for f in formulas
            if f.joint is None and name_of(f, "value") not in units.kept
        }
        first, *rest = (units for _, units in chosen)
        if new:
            sums = [units.total for units in (first, *rest)]
            tally = first.tally
            if rest:
                tally = build_each([first, *rest], np.stack(sums), np.arange(len(sums)))
            for name, formula in new.items():
                values = np.asarray(formula.value(tally)).reshape(-1).tolist()
                for (_, units), value in zip(chosen, values, strict=True):
                    units.kept["value", name[1]] = value
    for formulas, units in many:
        joint = [f for f in formulas if f.joint and name_of(f, "value") not in units.kept]
        by_part = np.array(values_each(_of_parts(joint, units))) if joint else np.empty((0, 0))
        for formula, values in zip(joint, by_part.T, strict=True):
            units.kept[name_of(formula, "value")] = float(joint_of(formula).of(values))
    return [[units.kept[name_of(f, "value")] for f in formulas] for formulas, units in many]


def expand(
    formulas: Sequence[Formula], units: Units[Any], *, second: bool = True
) -> list[Expansion | None]:
    """Expand statistics about the data; None for one that has no derivative in its sums."""
    return expand_each([OnUnits(formulas, units)], second=second)[0]


def expand_each(many: Sequence[OnUnits], *, second: bool = True) -> list[list[Expansion | None]]:
    """Expand statistics of several units about their data, those of one shape in one go.

    What was worked out is kept with the units: means over parts of the data use it again. With a
    statistic goes the function whose influence gives its analytic error, where that is another, and
    what it is divided by, where that may be 0.
    Without ``second`` first derivatives are enough, a third of the work.
    """
    separate = [
        OnUnits([f for f in formulas if f.joint is None], units) for formulas, units in many
    ]
    for indices in alike(separate):
        new: dict[Any, Callable[[Any], Any]] = {}
        for formulas, units in (separate[i] for i in indices):
            for formula in formulas:
                if _missing(formula, units, second=second):
                    new[name_of(formula)] = formula.value
                    if formula.linear is not None:
                        new[name_of(formula, "linear")] = formula.linear
                    if formula.divisor is not None:
                        new[name_of(divisor_of(formula))] = formula.divisor
        expansions = expand_functions(
            [*new.values()], [separate[i].units for i in indices], second=second
        )
        for i, of_units in zip(indices, expansions, strict=True):
            separate[i].units.kept.update(zip(new, of_units, strict=True))
    for formulas, units in many:
        joint = [f for f in formulas if f.joint and _missing(f, units, second=second)]
        if joint:
            joined = _expand_joint(joint, units, second=second)
            units.kept.update(zip(map(name_of, joint), joined, strict=True))
    return [[units.kept[name_of(f)] for f in formulas] for formulas, units in many]


def _missing(formula: Formula, units: Units[Any], *, second: bool) -> bool:
    """Whether the expansion is still to be made, or lacks the bias that is wanted."""
    name = name_of(formula)
    if name not in units.kept:
        return True
    expanded: Expansion | None = units.kept[name]
    return second and expanded is not None and math.isnan(expanded.bias)


def joint_of(formula: Formula) -> Joint:
    """How a formula follows from statistics of several parts."""
    if formula.joint is None:
        raise TypeError(f"{formula.key} is not a function of statistics of several parts")
    return formula.joint


def _expand_joint(
    formulas: Sequence[Formula], units: Units[Any], *, second: bool
) -> list[Expansion | None]:
    """Expand functions of statistics of several parts."""
    by_part = expand_each(_of_parts(formulas, units), second=second)
    return [
        _expanded(joint_of(formula), [of_part[j] for of_part in by_part], units, second=second)
        for j, formula in enumerate(formulas)
    ]


def _of_parts(formulas: Sequence[Formula], units: Units[Any]) -> list[OnUnits]:
    """The statistics of each part that functions of several parts rest on."""
    return [
        OnUnits([joint_of(formula).formula(i) for formula in formulas], part)
        for i, part in enumerate(units.parts)
    ]


def _expanded(
    joint: Joint, parts: Sequence[Expansion | None], units: Units[Any], *, second: bool
) -> Expansion | None:
    smooth = [part for part in parts if part is not None]
    if len(smooth) < len(parts):
        return None
    values = np.array([part.value for part in smooth])
    slopes = _slopes(joint, values)
    moves, places = np.zeros(units.times.size), np.concatenate(units.places)
    moves_by_part = [slope * part.moves for slope, part in zip(slopes, smooth, strict=True)]
    np.add.at(moves, places, np.concatenate(moves_by_part))  # some units may share a place
    bias = math.nan
    if second:
        bias = float(slopes @ [part.bias for part in smooth])
        spread = _spread([part.moves for part in smooth], units)
        bias += float(_second_derivatives(joint, values, spread).sum()) / 2
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


def _second_derivatives(joint: Joint, values: Floats, directions: Floats) -> Floats:
    """Second derivatives of a function of the parts' statistics along some directions."""
    up, down = (joint.of(values + (s * STEP + 1j * TINY) * directions).imag for s in (1, -1))
    return np.asarray((up - down) / TINY / (2 * STEP))


class Expanded(NamedTuple):
    """Statistics of some units, and their expansions."""

    formulas: Sequence[Formula]
    expansions: Sequence[Expansion]
    units: Units[Any]


def bend_each(many: Sequence[Expanded]) -> list[list[Bend]]:
    """Differentiate each formula along the direction in which the data move it, one standard error.

    What was worked out is kept with the units; those of one shape take one go.
    """
    separate = [_new(expanded, lambda f: f.joint is None) for expanded in many]
    for indices in alike([OnUnits(expanded.formulas, expanded.units) for expanded in separate]):
        new = [separate[i] for i in indices if separate[i].formulas]
        directions = [(e.formulas, e.units, directions_of(e.expansions, e.units)) for e in new]
        _keep(new, bend(directions) if new else [])
    for expanded in many:
        joint = _new(expanded, lambda f: f.joint is not None)
        if joint.formulas:
            _keep([joint], [_bend_joint(*joint)])
    return [[e.units.kept[name_of(f, "bend")] for f in e.formulas] for e in many]


def _new(expanded: Expanded, wanted: Callable[[Formula], bool]) -> Expanded:
    """Those whose bends are wanted, and not kept yet."""
    formulas, expansions, units = expanded
    new = [
        (formula, expansion)
        for formula, expansion in zip(formulas, expansions, strict=True)
        if wanted(formula) and name_of(formula, "bend") not in units.kept
    ]
    return Expanded([formula for formula, _ in new], [e for _, e in new], units)


def _keep(many: Sequence[Expanded], bends: Sequence[Sequence[Bend]]) -> None:
    for (formulas, _, units), bends_of_units in zip(many, bends, strict=True):
        names = [name_of(formula, "bend") for formula in formulas]
        units.kept.update(zip(names, bends_of_units, strict=True))


def directions_of(expansions: Sequence[Expansion], units: Units[Any]) -> Floats:
    """The way in the sums along which each statistic moves by one standard error."""
    moves = np.stack([e.moves for e in expansions])
    lengths = np.array([[e.se or 1.0] for e in expansions])
    # one product after the other has the same digits for one statistic as for several
    return np.stack([units.pulled(pull) for pull in moves * units.times / lengths])


def _bend_joint(
    formulas: Sequence[Formula], expansions: Sequence[Expansion], units: Units[Any]
) -> list[Bend]:
    """Bends of functions of several parts, from those of the parts along their own directions.

    Where no two parts share a unit, the direction within a part is the part's own, shortened.
    """
    of_parts = _of_parts(formulas, units)
    expanded = [[e for e in part if e is not None] for part in expand_each(of_parts)]
    if units.disjoint:
        bends = _shortened(formulas, expansions, expanded, units)
    else:
        directions = directions_of(expansions, units)
        edges = np.cumsum([0, *(part.width for part in units.parts)])
        bends = [
            bend([(part.formulas, part.units, directions[:, start:stop])])[0]
            for part, (start, stop) in zip(of_parts, pairwise(edges), strict=True)
        ]
    joint_bends = []
    for j, formula in enumerate(formulas):
        values = np.array([part[j].value for part in expanded])
        along, second, measured = np.array([of_part[j] for of_part in bends]).T
        slopes = _slopes(joint_of(formula), values)
        curved = float(_second_derivatives(joint_of(formula), values, along))
        joint_bends.append(Bend(float(slopes @ along), slopes @ second + curved, slopes @ measured))
    return joint_bends


def _shortened(
    formulas: Sequence[Formula],
    expansions: Sequence[Expansion],
    by_part: Sequence[Sequence[Expansion]],
    units: Units[Any],
) -> list[list[Bend]]:
    """The bends ``[part][formula]`` along the direction of the whole, from the parts' own."""
    slopes = [
        _slopes(joint_of(f), np.array([part[j].value for part in by_part]))
        for j, f in enumerate(formulas)
    ]
    parts = zip(_of_parts(formulas, units), by_part, strict=True)
    bends = bend_each([Expanded(part.formulas, e, part.units) for part, e in parts])
    return [
        [
            _shorter(b, slopes[j][i] * by_part[i][j].se / expansions[j].se)
            for j, b in enumerate(of_part)
        ]
        for i, of_part in enumerate(bends)
    ]


def _shorter(unit: Bend, share: float) -> Bend:
    return Bend(unit.slope * share, unit.second * share**2, unit.measured * share)
