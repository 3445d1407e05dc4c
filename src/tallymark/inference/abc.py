"""ABC: the interval that BCa approaches by resampling, in closed form for smooth statistics.

DiCiccio & Efron (1992), doi:10.1093/biomet/79.2.231; Efron & Tibshirani (1993), An Introduction to
the Bootstrap, chapter 22.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.inference.distributions import NORMAL, t_quantile
from tallymark.inference.expansion import TINY, AtPoints, Bend, Expansion, at
from tallymark.inference.formula import Formula
from tallymark.inference.interval import ROUNDING, Interval, quantile
from tallymark.inference.joint_formulas import (
    Expanded,
    OnUnits,
    alike,
    bend_each,
    directions_of,
    expand_each,
)
from tallymark.inference.units import Units

SMOOTH = 1e-3
"""The slope by a real step may differ by this share from the derivative of a smooth statistic."""
FAR = 0.25
"""An end may lie so far from where the slopes on the way lead, by share of its distance (Simpson's
rule); a jump lies further off."""
SKEWNESS = 0.75
"""How much of the squared skewness is taken off the kurtosis; 1.165 if samples told both alike."""
MANY_PARTS = 16
"""With this many parts, each moves so little that its parabola is the statistic itself."""
NOT_SMOOTH = "the statistic is not smooth here"
NO_SPREAD = "no unit moves it"


class Curved(NamedTuple):
    """The interval of a smooth statistic and its standard error; ``why`` there is none."""

    interval: Interval = Interval(math.nan, math.nan)
    se: float = math.nan
    why: str = ""


def abc_each(many: Sequence[OnUnits], level: float) -> list[list[Curved]]:
    """Make the interval of each statistic, or say why it has none; units of one shape take one go.

    With moves k_u of the units and counts c_u: se^2 = sum c k^2, acceleration a = sum c k^3 /
    (6 se^3), direction sum c k rows / se in the sums, curvature half the second derivative along
    it over se. The ends are the statistic itself, moved along the direction by w / (1 - a w)^2,
    w = z0 -/+ z; z is widened for few units as a t interval is.
    """
    reasons: list[list[Curved]] = []
    smooth: list[Expanded] = []
    for (formulas, units), expansions in zip(many, expand_each(many), strict=True):
        reasons.append([_none(expansion) for expansion in expansions])
        moving = [
            (formula, expansion)
            for formula, expansion, none in zip(formulas, expansions, reasons[-1], strict=True)
            if expansion is not None and not none.why
        ]
        smooth.append(Expanded([f for f, _ in moving], [e for _, e in moving], units))
    intervals = [iter(row) for row in _intervals(smooth, level)]
    return [
        [none if none.why else next(curved) for none in row]
        for row, curved in zip(reasons, intervals, strict=True)
    ]


def _none(expansion: Expansion | None) -> Curved:
    """Why there is no interval, so far as the expansion tells."""
    if expansion is None or not math.isfinite(expansion.bias):
        return Curved(why=NOT_SMOOTH)
    spread = expansion.se > ROUNDING * max(1.0, abs(expansion.value))
    return Curved(why="" if spread else NO_SPREAD)


def _intervals(many: Sequence[Expanded], level: float) -> list[list[Curved]]:
    bends = bend_each(many)
    steps = [_steps(expanded, bent, level) for expanded, bent in zip(many, bends, strict=True)]
    intervals: list[list[Curved]] = [[] for _ in many]
    for indices in alike([OnUnits(expanded.formulas, expanded.units) for expanded in many]):
        filled = [i for i in indices if many[i].formulas]
        units = many[indices[0]].units
        if units.disjoint and len(units.parts) > MANY_PARTS:
            ends = [_parabolas(many[i].expansions, bends[i], steps[i]) for i in filled]
        else:
            ends = _along([many[i] for i in filled], [steps[i] for i in filled])
        unseen = _with_unseen_error([many[i] for i in filled], level)
        for i, (end, led), beyond in zip(filled, ends, unseen, strict=True):
            intervals[i] = _curved(many[i], bends[i], end, led, beyond, level)
    return intervals


def _curved(
    expanded: Expanded,
    bends: Sequence[Bend],
    ends: Floats,
    led: Floats,
    beyond: Floats,
    level: float,
) -> list[Curved]:
    formulas, expansions, units = expanded
    values, errors = np.array([(e.value, e.se) for e in expansions]).T
    smooth = np.abs([bent.measured for bent in bends] - errors) <= SMOOTH * errors
    distances = ends - values[:, None]
    simpson = (np.abs(distances - led) <= FAR * np.abs(distances)).all(axis=1)
    limits_of_all = np.stack([np.fmin(ends[:, 0], beyond), np.fmax(ends[:, 1], beyond)], axis=1)
    intervals = []
    for formula, value, se, limits, trusted in zip(
        formulas,
        values.tolist(),
        errors.tolist(),
        limits_of_all,
        (smooth & simpson).tolist(),
        strict=True,
    ):
        low, high = _with_hidden(formula, value, limits, units, level).clip(*formula.range).tolist()
        around = low <= value + ROUNDING and high >= value - ROUNDING
        interval = Interval(min(low, value), max(high, value))
        intervals.append(Curved(interval, se) if trusted and around else Curved(why=NOT_SMOOTH))
    return intervals


def _with_hidden(
    formula: Formula, value: float, limits: Floats, units: Units[Any], level: float
) -> Floats:
    """The ends, limits_of_all off by what errors would move that strata did not show.

    Distances add up as variances do: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    hiding = units.hiding(level) if units.stratified else np.empty((0, units.width))
    if not len(hiding):
        return limits
    moved = np.real(formula.value(units.build(units.total + hiding))) - value
    distances = limits - value
    below, above = (
        np.linalg.norm(side[np.isfinite(side)])
        for side in (np.minimum(moved, 0.0), np.maximum(moved, 0.0))
    )
    return value + np.array([-np.hypot(distances[0], below), np.hypot(distances[1], above)])


def _along(many: Sequence[Expanded], steps: Sequence[Floats]) -> list[tuple[Floats, Floats]]:
    """The ends, and how far from the value the slopes on the way lead, by Simpson's rule."""
    sums = []
    for (formulas, expansions, units), step in zip(many, steps, strict=True):
        points = np.concatenate([step / 2, step], axis=1)[:, :, None] + 1j * TINY
        directions = directions_of(expansions, units)[:, None, :]
        sums.append(AtPoints(formulas, units, units.total + points * directions))
    ends = []
    for values, step, (_, expansions, _) in zip(at(sums) if sums else [], steps, many, strict=True):
        half, end = np.split(values, 2, axis=1)
        slopes = (half.imag * 4 + end.imag) / TINY
        se = np.array([[expansion.se] for expansion in expansions])
        ends.append((end.real, step * (se + slopes) / 6))
    return ends


def _parabolas(
    expansions: Sequence[Expansion], bends: Sequence[Bend], steps: Floats
) -> tuple[Floats, Floats]:
    """The same by value, slope and second derivative alone."""
    value, se = (np.array([[e.value] for e in expansions]), np.array([[e.se] for e in expansions]))
    second = np.array([[bent.second] for bent in bends])
    moves = steps * se + steps**2 * second / 2
    return value + moves, moves


def _steps(expanded: Expanded, bends: Sequence[Bend], level: float) -> Floats:
    """How far along the direction the two ends lie, in standard errors; NaN where there are none."""
    if not expanded.formulas:
        return np.empty((0, 2))
    moves = np.stack([expansion.moves for expansion in expanded.expansions])
    thirds = (moves**3 * expanded.units.times).sum(axis=1).tolist()
    steps = []
    for expansion, bent, third, z in zip(
        expanded.expansions, bends, thirds, reaches(moves, expanded.units, level), strict=True
    ):
        a = third / (6 * expansion.se**3)
        shift = bent.second / (2 * expansion.se) - expansion.bias / expansion.se
        below = 2 * NORMAL.cdf(a) * NORMAL.cdf(shift)
        middle = NORMAL.inv_cdf(below) if 0 < below < 1 else a + shift
        ways = (middle - z, middle + z)
        steps.append([w / (1 - a * w) ** 2 if a * w < 1 else math.nan for w in ways])
    return np.array(steps)


class Independent(NamedTuple):
    """Squared moves of units that vary by themselves, how many they are, and the sum's shortfall."""

    square: Floats
    n: float
    short: float


def _independent(squares: Floats, units: Units[Any]) -> Iterator[Independent]:
    """The squared moves of parts that share no unit, of each stratum, or of all units."""
    if units.parts and units.disjoint:
        for part, place in zip(units.parts, units.places, strict=True):
            yield from _independent(squares[:, place], part)
    elif units.strata is not None:  # their moves are raised already
        sizes = units.strata.added(units.times.astype(np.float64))
        for n, square in zip(sizes.tolist(), units.strata.added(squares.T), strict=True):
            yield Independent(square, max(n, 2.0), 1.0)
    else:
        n = min(units.size, units.worth or units.size)
        yield Independent(squares.sum(axis=1), n, n / max(n - 1, 1e-9))


def reaches(moves: Floats, units: Units[Any], level: float) -> list[float]:
    """Normal quantile, widened for few units and for units that move the statistic far.

    *Few*: as a t interval is. The squared standard error is a sum over the parts of the data where
    no two share a unit, each short by (n - 1) / n; the degrees of freedom are Satterthwaite's.

    *Far*: for a mean of n responses, ABC with a t quantile falls short of its level in the two
    tails together by 2 z phi(z) / n times kurtosis (3 z^2 + 5) / 12 - skewness^2 (22 z^2 + 31) / 72
    (from the Edgeworth expansion of Student's t; Hall (1992), The Bootstrap and Edgeworth
    Expansion, 2.6). A reach longer by that share makes up for it. Samples tell less of the kurtosis
    than of the skewness, so that of the latter less is taken off (`SKEWNESS`): docs/coverage.md.

    ``moves`` are those of each statistic.
    """
    squares, times = moves**2, units.times
    total, raised, inverse = np.zeros((3, len(moves)))
    for square, n, short in _independent(squares * times, units):
        if n > 1:
            total, inverse = total + square, inverse + square**2 / (n - 1)
            raised = raised + square * short
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing moves it
        df, z = total**2 / inverse, quantile(level)
        third, fourth = ((squares * power * times).sum(axis=1) for power in (moves, squares))
        excess = fourth / total**2 - 3 / df - SKEWNESS * third**2 / total**3
        widened = (1 + (3 * z * z + 5) / 12 * np.maximum(excess, 0.0)) * np.sqrt(raised / total)
    return [t_quantile(level, d) * w for d, w in zip(df.tolist(), widened.tolist(), strict=True)]


class _UnseenError(NamedTuple):
    """Statistics of some units, and what the error that these lack would add to the sums."""

    formulas: Sequence[Formula]
    expansions: Sequence[Expansion]
    units: Units[Any]
    row: Floats

    def at(self, shift: NDArray[Any]) -> AtPoints:
        """The sums, moved this far for each statistic."""
        return AtPoints(self.formulas, self.units, (self.units.total + shift)[:, None])

    @property
    def towards(self) -> AtPoints:
        """A tiny step towards the unseen error."""
        step = 1j * TINY * (self.row - self.units.total / self.units.size)
        return self.at(np.tile(step, (len(self.formulas), 1)))


def _with_unseen_error(many: Sequence[Expanded], level: float) -> list[Floats]:
    """Each statistic at the weights that hold an unseen error, of units of one shape.

    Where few responses carry a statistic, many samples hold none of them, and neither the spread nor
    the skewness of such a sample tells. So one error is thought of that is a step or two larger than
    any seen; empirical likelihood says how much weight it may have: Owen (2001), Empirical
    Likelihood, chapter 2. NaN where it gets none, and where none is known.
    """
    statistics = [np.full(len(expanded.formulas), np.nan) for expanded in many]
    errors: dict[int, _UnseenError] = {}
    positions: dict[int, list[int]] = {}
    for i, (formulas, expansions, units) in enumerate(many):
        positions[i] = [j for j, formula in enumerate(formulas) if formula.unseen]
        if positions[i] and units.unseen and (row := units.unseen()) is not None:
            carried = [formulas[j] for j in positions[i]], [expansions[j] for j in positions[i]]
            errors[i] = _UnseenError(*carried, units, row)
    if errors:
        slopes = [
            values.imag[:, 0] / TINY for values in at([error.towards for error in errors.values()])
        ]
        shifts = [
            _shifts(error, slope, level)
            for error, slope in zip(errors.values(), slopes, strict=True)
        ]
        shifted = at([e.at(shift) for e, shift in zip(errors.values(), shifts, strict=True)])
        for i, values, shift in zip(errors, shifted, shifts, strict=True):
            statistics[i][positions[i]] = np.where(shift.any(axis=1), values[:, 0], np.nan)
    return statistics


def _shifts(error: _UnseenError, slopes: Floats, level: float) -> Floats:
    """How far the weights that hold the unseen error move the sums, for each statistic; 0 without.

    Of all weights p_u whose likelihood ratio prod (n p_u / c_u)^c_u is at least exp(-z^2 / 2), those
    that move the statistic furthest towards the unseen error, which moves it by b, are p_u =
    c_u / (g (b - k_u)), with the moves k_u of the units and g by the likelihood ratio; the rest is the
    unseen error's. Without a rest the data themselves tell enough.
    """
    units, n = error.units, error.units.size
    z = t_quantile(level, n - 1) * math.sqrt(n / (n - 1))
    shares, shifts = units.times / n, np.zeros((len(slopes), units.width))
    for i, (slope, expansion) in enumerate(zip(slopes.tolist(), error.expansions, strict=True)):
        gaps = math.copysign(1.0, slope) * (slope - expansion.moves)
        if not (gaps > 0).all():
            continue
        scale = math.exp(z * z / (2 * n) - float(shares @ np.log(gaps)))
        weights = shares / (scale * gaps)
        rest = 1 - float(weights.sum())
        if rest > 0:
            shifts[i] = units.sums(n * weights) + n * rest * error.row - units.total
    return shifts
