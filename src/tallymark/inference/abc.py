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
from tallymark.inference.expansion import TINY, Expansion, at, bend, expand
from tallymark.inference.formula import Formula
from tallymark.inference.interval import ROUNDING, Interval, quantile
from tallymark.inference.units import Units

Floats = NDArray[np.float64]
SMOOTH = 1e-3
"""The slope by a real step may differ by this share from the derivative of a smooth statistic."""
FAR = 0.25
"""An end may lie so far from where the slopes on the way lead, by share of its distance (Simpson's
rule); a jump lies further off."""
SKEWNESS = 0.75
"""How much of the squared skewness is taken off the kurtosis; 1.165 if samples told both alike."""
NOT_SMOOTH = "the statistic is not smooth here"
NO_SPREAD = "no unit moves it"


class Curved(NamedTuple):
    """The interval of a smooth statistic and its standard error; ``why`` there is none."""

    interval: Interval = Interval(math.nan, math.nan)
    se: float = math.nan
    why: str = ""


class _Shape(NamedTuple):
    """Standard error, acceleration, bias in standard errors, and the way the data move it."""

    se: float
    acceleration: float
    bias: float
    direction: Floats


def abc(formulas: Sequence[Formula], units: Units[Any], level: float) -> list[Curved]:
    """Make the interval of each statistic, or say why it has none.

    With moves k_u of the units and counts c_u: se^2 = sum c k^2, acceleration a = sum c k^3 /
    (6 se^3), direction sum c k rows / se in the sums, curvature half the second derivative along
    it over se. The ends are the statistic itself, moved along the direction by w / (1 - a w)^2,
    w = z0 -/+ z; z is widened for few units as a t interval is.
    """
    made: dict[int, Curved] = {}
    shapes: dict[int, _Shape] = {}
    expansions = expand(formulas, units)
    for i, expansion in enumerate(expansions):
        if expansion is None or not math.isfinite(expansion.bias):
            made[i] = Curved(why=NOT_SMOOTH)
            continue
        shape = _shape(expansion, units)
        if shape.se > ROUNDING * max(1.0, abs(expansion.value)):
            shapes[i] = shape
        else:
            made[i] = Curved(why=NO_SPREAD)
    if shapes:
        made |= _intervals(formulas, units, level, expansions, shapes)
    return [made[i] for i in range(len(formulas))]


def _shape(expansion: Expansion, units: Units[Any]) -> _Shape:
    pull = units.times * expansion.moves
    se = math.sqrt(float(pull @ expansion.moves))
    if not se > 0:
        return _Shape(0.0, 0.0, 0.0, np.empty(0))
    acceleration = float(pull @ expansion.moves**2) / (6 * se**3)
    return _Shape(se, acceleration, expansion.bias / se, units.sums(pull / se))


def _intervals(
    formulas: Sequence[Formula],
    units: Units[Any],
    level: float,
    expansions: Sequence[Expansion | None],
    shapes: dict[int, _Shape],
) -> dict[int, Curved]:
    chosen = [formulas[i] for i in shapes]
    directions = np.stack([shape.direction for shape in shapes.values()])
    bends = bend(chosen, units, directions)
    steps = np.array(
        [
            _steps(shape, bends.second[j] / (2 * shape.se), reach(expansions[i], units, level))
            for j, (i, shape) in enumerate(shapes.items())
        ]
    )
    sums = units.sums(units.times)
    points = np.concatenate([steps / 2, steps], axis=1)[:, :, None] + 1j * TINY
    along = at(chosen, units, sums + points * directions[:, None, :])
    half, whole = np.split(along, 2, axis=1)
    made = {}
    for j, (i, shape) in enumerate(shapes.items()):
        value, ends = expansions[i].value, whole[j].real  # type: ignore[union-attr]
        slopes = (half[j].imag * 4 + whole[j].imag) / TINY
        simpson = steps[j] * (shape.se + slopes) / 6
        smooth = abs(bends.measured[j] - shape.se) <= SMOOTH * shape.se
        near = bool((np.abs(ends - value - simpson) <= FAR * np.abs(ends - value)).all())
        made[i] = (
            Curved(_inside(value, ends, formulas[i].range), shape.se)
            if smooth and near
            else Curved(why=NOT_SMOOTH)
        )
    return made


def _inside(value: float, ends: Floats, bounds: tuple[float, float]) -> Interval:
    """Ends within the range of the statistic, and around its value."""
    low, high = np.clip(ends, *bounds)
    return Interval(min(float(low), value), max(float(high), value))


def _steps(shape: _Shape, curvature: float, z: float) -> tuple[float, float]:
    """How far along the direction the two ends lie, in standard errors; NaN where there are none."""
    a, shift = shape.acceleration, curvature - shape.bias
    below = 2 * NORMAL.cdf(a) * NORMAL.cdf(shift)
    middle = NORMAL.inv_cdf(below) if 0 < below < 1 else a + shift
    steps = []
    for side in (-z, z):
        w = middle + side
        steps.append(w / (1 - a * w) ** 2 if a * w < 1 else math.nan)
    return steps[0], steps[1]


def reach(expansion: Expansion | None, units: Units[Any], level: float) -> float:
    """Normal quantile, widened for few units and for units that move the statistic far.

    *Few*: as a t interval is. The squared standard error is a sum over the parts of the data where
    no two share a unit, each short by (n - 1) / n; the degrees of freedom are Satterthwaite's.

    *Far*: for a mean of n responses, ABC with a t quantile falls short of its level in the two
    tails together by 2 z phi(z) / n times kurtosis (3 z^2 + 5) / 12 - skewness^2 (22 z^2 + 31) / 72
    (from the Edgeworth expansion of Student's t; Hall (1992), The Bootstrap and Edgeworth
    Expansion, 2.6). A reach longer by that share makes up for it. Samples tell less of the kurtosis
    than of the skewness, so that of the latter less is taken off (`SKEWNESS`): docs/coverage.md.
    """
    if expansion is None:
        return math.nan
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
