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

    The derivative by each sum of the tally is taken with an imaginary step, which loses no
    digits, and then carried to the units by the chain rule.
    """
    sums = units.sums(units.times)
    block = max(1, CHUNK // max(sums.size, 1))
    slopes = []
    for start in range(0, sums.size, block):
        stop = min(start + block, sums.size)
        shifted = np.repeat(sums[None, :].astype(np.complex128), stop - start, axis=0)
        shifted[np.arange(stop - start), np.arange(start, stop)] += 1j * STEP
        slopes.append(np.imag(formula(units.build(shifted))) / STEP)
    gradient = np.concatenate(slopes) if slopes else np.empty(0)
    by_unit = gradient if units.rows is None else np.asarray(units.rows @ gradient)
    return by_unit * units.size


def standard_error(influences: Floats, times: NDArray[np.int64], *, ddof: int = 0) -> float:
    """Return sqrt(mean of squared influence / (n - ddof)), equal units counted as often as seen."""
    size = int(times.sum())
    if size <= ddof:
        return float("nan")
    centred = influences - (times @ influences) / size
    return float(np.sqrt((times @ centred**2) / size / (size - ddof)))
