"""ABC: the interval that BCa approaches by resampling, in closed form for smooth statistics.

DiCiccio & Efron (1992), doi:10.1093/biomet/79.2.231; Efron & Tibshirani (1993), An Introduction to
the Bootstrap, chapter 22.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.distributions import NORMAL, t_quantile
from tallymark.inference.expansion import TINY, Bend, Expansion, at
from tallymark.inference.formula import Formula
from tallymark.inference.interval import ROUNDING, Interval, quantile
from tallymark.inference.joining import bend_each, directions_of, expand
from tallymark.inference.units import Units
from tallymark.inference.unseen import beyond

Floats = NDArray[np.float64]
SMOOTH = 1e-3
"""The slope by a real step may differ by this share from the derivative of a smooth statistic."""
FAR = 0.25
"""An end may lie so far from where the slopes on the way lead, by share of its distance (Simpson's
rule); a jump lies further off."""
SKEWNESS = 0.75
"""How much of the squared skewness is taken off the kurtosis; 1.165 if samples told both alike."""
MANY_PARTS = 16
"""Of a function of this many parts each moves so little that its parabola is the statistic itself."""
NOT_SMOOTH = "the statistic is not smooth here"
NO_SPREAD = "no unit moves it"


class Curved(NamedTuple):
    """The interval of a smooth statistic and its standard error; ``why`` there is none."""

    interval: Interval = Interval(math.nan, math.nan)
    se: float = math.nan
    why: str = ""


def abc(formulas: Sequence[Formula], units: Units[Any], level: float) -> list[Curved]:
    """Make the interval of each statistic, or say why it has none.

    With moves k_u of the units and counts c_u: se^2 = sum c k^2, acceleration a = sum c k^3 /
    (6 se^3), direction sum c k rows / se in the sums, curvature half the second derivative along
    it over se. The ends are the statistic itself, moved along the direction by w / (1 - a w)^2,
    w = z0 -/+ z; z is widened for few units as a t interval is.
    """
    made = [Curved(why=NOT_SMOOTH)] * len(formulas)
    smooth: dict[int, Expansion] = {}
    for i, expansion in enumerate(expand(formulas, units)):
        if expansion is None or not math.isfinite(expansion.bias):
            continue
        if expansion.se > ROUNDING * max(1.0, abs(expansion.value)):
            smooth[i] = expansion
        else:
            made[i] = Curved(why=NO_SPREAD)
    if smooth:
        chosen = [formulas[i] for i in smooth]
        intervals = _intervals(chosen, [*smooth.values()], units, level)
        for i, interval in zip(smooth, intervals, strict=True):
            made[i] = interval
    return made


def _intervals(
    formulas: Sequence[Formula],
    expansions: Sequence[Expansion],
    units: Units[Any],
    level: float,
) -> list[Curved]:
    bends = bend_each(formulas, expansions, units)
    steps = np.array(
        [
            _steps(expansion, bent, units, reach(expansion, units, level))
            for expansion, bent in zip(expansions, bends, strict=True)
        ]
    )
    many = units.disjoint and len(units.parts) > MANY_PARTS
    ends, led = (
        _parabolas(expansions, bends, steps) if many else _along(formulas, expansions, steps, units)
    )
    made = []
    for i, (formula, expansion) in enumerate(zip(formulas, expansions, strict=True)):
        smooth = abs(bends[i].measured - expansion.se) <= SMOOTH * expansion.se
        away = ends[i] - expansion.value
        near = bool((np.abs(away - led[i]) <= FAR * np.abs(away)).all())
        both = ends[i]
        if formula.unseen and units.unseen:
            further = beyond(formula, expansion, units, level)
            both = np.array([np.fmin(both[0], further), np.fmax(both[1], further)])
        interval = _inside(expansion.value, both, formula.range)
        made.append(Curved(interval, expansion.se) if smooth and near else Curved(why=NOT_SMOOTH))
    return made


def _along(
    formulas: Sequence[Formula],
    expansions: Sequence[Expansion],
    steps: Floats,
    units: Units[Any],
) -> tuple[Floats, Floats]:
    """The ends, and how far from the value the slopes on the way lead, by Simpson's rule."""
    points = np.concatenate([steps / 2, steps], axis=1)[:, :, None] + 1j * TINY
    directions = directions_of(expansions, units)[:, None, :]
    half, whole = np.split(at(formulas, units, units.sums(units.times) + points * directions), 2, 1)
    slopes = (half.imag * 4 + whole.imag) / TINY
    se = np.array([[expansion.se] for expansion in expansions])
    return whole.real, steps * (se + slopes) / 6


def _parabolas(
    expansions: Sequence[Expansion], bends: Sequence[Bend], steps: Floats
) -> tuple[Floats, Floats]:
    """The same by value, slope and second derivative alone."""
    value, se = (np.array([[e.value] for e in expansions]), np.array([[e.se] for e in expansions]))
    second = np.array([[bent.second] for bent in bends])
    away = steps * se + steps**2 * second / 2
    return value + away, away


def _inside(value: float, ends: Floats, bounds: tuple[float, float]) -> Interval:
    """Ends within the range of the statistic, and around its value."""
    low, high = np.clip(ends, *bounds)
    return Interval(min(float(low), value), max(float(high), value))


def _steps(expansion: Expansion, bent: Bend, units: Units[Any], z: float) -> tuple[float, float]:
    """How far along the direction the two ends lie, in standard errors; NaN where there are none."""
    se = expansion.se
    a = float(units.times @ expansion.moves**3) / (6 * se**3)
    shift = bent.second / (2 * se) - expansion.bias / se
    below = 2 * NORMAL.cdf(a) * NORMAL.cdf(shift)
    middle = NORMAL.inv_cdf(below) if 0 < below < 1 else a + shift
    steps = []
    for side in (-z, z):
        w = middle + side
        steps.append(w / (1 - a * w) ** 2 if a * w < 1 else math.nan)
    return steps[0], steps[1]


def reach(expansion: Expansion, units: Units[Any], level: float) -> float:
    """Normal quantile, widened for few units and for units that move the statistic far.

    *Few*: as a t interval is. The squared standard error is a sum over the parts of the data where
    no two share a unit, each short by (n - 1) / n; the degrees of freedom are Satterthwaite's.

    *Far*: for a mean of n responses, ABC with a t quantile falls short of its level in the two
    tails together by 2 z phi(z) / n times kurtosis (3 z^2 + 5) / 12 - skewness^2 (22 z^2 + 31) / 72
    (from the Edgeworth expansion of Student's t; Hall (1992), The Bootstrap and Edgeworth
    Expansion, 2.6). A reach longer by that share makes up for it. Samples tell less of the kurtosis
    than of the skewness, so that of the latter less is taken off (`SKEWNESS`): docs/coverage.md.
    """
    parts = [(units.times, expansion.moves, units.size, units.worth)]
    if units.parts and units.disjoint:
        parts = [
            (part.times, expansion.moves[place], part.size, part.worth)
            for part, place in zip(units.parts, units.places, strict=True)
        ]
    total = raised = inverse = 0.0
    for times, moves, size, worth in parts:
        square, n = float(times @ moves**2), min(size, worth or size)
        if n > 1 and square > 0:
            total += square
            raised += square * n / (n - 1)
            inverse += square**2 / (n - 1)
    if not total > 0:
        return math.nan
    df, z = total**2 / inverse, quantile(level)
    third, fourth = (float(units.times @ expansion.moves**power) for power in (3, 4))
    far = fourth / total**2 - 3 / df - SKEWNESS * third**2 / total**3
    widened = 1 + (3 * z * z + 5) / 12 * max(far, 0.0)
    return t_quantile(level, df) * math.sqrt(raised / total) * widened
