"""ABC: the interval that BCa approaches by resampling, in closed form for smooth statistics.

DiCiccio & Efron (1992), doi:10.1093/biomet/79.2.231; Efron & Tibshirani (1993), An Introduction to
the Bootstrap, chapter 22.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference.distributions import NORMAL, t_quantile
from tallymark.inference.expansion import TINY, AtPoints, Bend, Expansion, at
from tallymark.inference.formula import Formula
from tallymark.inference.interval import ROUNDING, Interval, quantile
from tallymark.inference.joining import (
    Expanded,
    OnUnits,
    alike,
    bend_each,
    directions_of,
    expand_each,
)
from tallymark.inference.units import Units
from tallymark.inference.unseen import beyond_each

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
    made: list[list[Curved]] = []
    smooth: list[Expanded] = []
    for (formulas, units), expansions in zip(many, expand_each(many), strict=True):
        made.append([_none(expansion) for expansion in expansions])
        known = [
            (formula, expansion)
            for formula, expansion, none in zip(formulas, expansions, made[-1], strict=True)
            if expansion is not None and not none.why
        ]
        smooth.append(Expanded([f for f, _ in known], [e for _, e in known], units))
    for curved, intervals in zip(made, _intervals(smooth, level), strict=True):
        rest = iter(intervals)
        curved[:] = [none if none.why else next(rest) for none in curved]
    return made


def _none(expansion: Expansion | None) -> Curved:
    """Why there is no interval, so far as the expansion tells."""
    if expansion is None or not math.isfinite(expansion.bias):
        return Curved(why=NOT_SMOOTH)
    spread = expansion.se > ROUNDING * max(1.0, abs(expansion.value))
    return Curved(why="" if spread else NO_SPREAD)


def _intervals(many: Sequence[Expanded], level: float) -> list[list[Curved]]:
    bends = bend_each(many)
    steps = [_steps(each, bent, level) for each, bent in zip(many, bends, strict=True)]
    made: list[list[Curved]] = [[] for _ in many]
    for which in alike([OnUnits(each.formulas, each.units) for each in many]):
        some = [i for i in which if many[i].formulas]
        units = many[which[0]].units
        if units.disjoint and len(units.parts) > MANY_PARTS:
            ends = [_parabolas(many[i].expansions, bends[i], steps[i]) for i in some]
        else:
            ends = _along([many[i] for i in some], [steps[i] for i in some])
        further = beyond_each([many[i] for i in some], level)
        for i, (end, led), beyond in zip(some, ends, further, strict=True):
            made[i] = _curved(many[i], bends[i], end, led, beyond, level)
    return made


def _curved(
    each: Expanded, bends: Sequence[Bend], ends: Floats, led: Floats, beyond: Floats, level: float
) -> list[Curved]:
    formulas, expansions, units = each
    values, errors = np.array([(e.value, e.se) for e in expansions]).T
    smooth = np.abs([bent.measured for bent in bends] - errors) <= SMOOTH * errors
    away = ends - values[:, None]
    near = (np.abs(away - led) <= FAR * np.abs(away)).all(axis=1)
    further = np.stack([np.fmin(ends[:, 0], beyond), np.fmax(ends[:, 1], beyond)], axis=1)
    made = []
    for formula, value, se, both, trusted in zip(
        formulas, values.tolist(), errors.tolist(), further, (smooth & near).tolist(), strict=True
    ):
        low, high = _with_hidden(formula, value, both, units, level).clip(*formula.range).tolist()
        around = low <= value + ROUNDING and high >= value - ROUNDING
        interval = Interval(min(low, value), max(high, value))
        made.append(Curved(interval, se) if trusted and around else Curved(why=NOT_SMOOTH))
    return made


def _with_hidden(
    formula: Formula, value: float, both: Floats, units: Units[Any], level: float
) -> Floats:
    """The ends, further off by what errors would move that strata did not show.

    Distances add up as variances do: Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    hiding = units.hiding(level) if units.stratified else np.empty((0, units.width))
    if not len(hiding):
        return both
    moved = np.real(formula.value(units.build(units.total + hiding))) - value
    away = both - value
    below, above = (
        np.linalg.norm(side[np.isfinite(side)])
        for side in (np.minimum(moved, 0.0), np.maximum(moved, 0.0))
    )
    return value + np.array([-np.hypot(away[0], below), np.hypot(away[1], above)])


def _along(many: Sequence[Expanded], steps: Sequence[Floats]) -> list[tuple[Floats, Floats]]:
    """The ends, and how far from the value the slopes on the way lead, by Simpson's rule."""
    places = []
    for (formulas, expansions, units), each in zip(many, steps, strict=True):
        points = np.concatenate([each / 2, each], axis=1)[:, :, None] + 1j * TINY
        directions = directions_of(expansions, units)[:, None, :]
        places.append(AtPoints(formulas, units, units.total + points * directions))
    made = []
    for values, each, (_, expansions, _) in zip(
        at(places) if places else [], steps, many, strict=True
    ):
        half, whole = np.split(values, 2, axis=1)
        slopes = (half.imag * 4 + whole.imag) / TINY
        se = np.array([[expansion.se] for expansion in expansions])
        made.append((whole.real, each * (se + slopes) / 6))
    return made


def _parabolas(
    expansions: Sequence[Expansion], bends: Sequence[Bend], steps: Floats
) -> tuple[Floats, Floats]:
    """The same by value, slope and second derivative alone."""
    value, se = (np.array([[e.value] for e in expansions]), np.array([[e.se] for e in expansions]))
    second = np.array([[bent.second] for bent in bends])
    away = steps * se + steps**2 * second / 2
    return value + away, away


def _steps(each: Expanded, bends: Sequence[Bend], level: float) -> Floats:
    """How far along the direction the two ends lie, in standard errors; NaN where there are none."""
    if not each.formulas:
        return np.empty((0, 2))
    moves = np.stack([expansion.moves for expansion in each.expansions])
    thirds = (moves**3 * each.units.times).sum(axis=1).tolist()
    steps = []
    for expansion, bent, third, z in zip(
        each.expansions, bends, thirds, reaches(moves, each.units, level), strict=True
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
        here = units.strata.added(units.times.astype(np.float64))
        for n, square in zip(here.tolist(), units.strata.added(squares.T), strict=True):
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
        far = fourth / total**2 - 3 / df - SKEWNESS * third**2 / total**3
        widened = (1 + (3 * z * z + 5) / 12 * np.maximum(far, 0.0)) * np.sqrt(raised / total)
    return [t_quantile(level, d) * w for d, w in zip(df.tolist(), widened.tolist(), strict=True)]
