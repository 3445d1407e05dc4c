"""Influence: how much one unit moves a statistic; analytic standard errors come from it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.units import Units

Floats = NDArray[np.float64]
STEP = 1e-30
"""Imaginary step: f(x + ih) = f(x) + ih f'(x), exact to the last digit for so small an h."""
CHUNK = 2_000_000


def influence(formula: Callable[[Any], Any], units: Units[Any]) -> Floats:
    """Return the influence of each unit: the derivative of the statistic by its weight, times n.

    The derivative is taken with an imaginary step, which loses no digits: along each unit where
    the units are fewer than the sums of the tally, else along each sum and carried to the units
    by the chain rule.
    """
    if units.rows is None or units.times.size < units.width:
        return _slopes(formula, units, units.rows_between, units.times.size) * units.size

    def one_sum(start: int, stop: int) -> NDArray[Any]:
        return np.eye(stop - start, units.width, start)

    by_sum = _slopes(formula, units, one_sum, units.width)
    return np.asarray(units.rows @ by_sum) * units.size


def _slopes(
    formula: Callable[[Any], Any],
    units: Units[Any],
    directions: Callable[[int, int], NDArray[Any]],
    count: int,
) -> Floats:
    """Derivatives of the statistic along so many directions in the space of the sums."""
    sums = units.sums(units.times)
    block = max(1, CHUNK // max(sums.size, 1))
    found = [np.empty(0)]
    for start in range(0, count, block):
        stop = min(start + block, count)
        moved = sums + 1j * STEP * directions(start, stop)
        found.append(np.imag(formula(units.build(moved))) / STEP)
    return np.concatenate(found)


def standard_error(influences: Floats, times: NDArray[np.int64], *, ddof: int = 0) -> float:
    """Return sqrt(mean of squared influence / (n - ddof)), equal units counted as often as seen."""
    size = int(times.sum())
    if size <= ddof:
        return float("nan")
    centred = influences - (times @ influences) / size
    return float(np.sqrt((times @ centred**2) / size / (size - ddof)))
