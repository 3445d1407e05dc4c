"""Influence: how much one unit moves a statistic; analytic standard errors come from it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.inference.expansion import moves_of
from tallymark.inference.units import Units


def influence(formula: Callable[[Any], Any], units: Units[Any]) -> Floats:
    """Return the influence of each unit: the derivative of the statistic by its weight, times n.

    The number of units is held, so that influences are 0 on average. NaN for a statistic that has no derivative in its sums.
    """
    moves = moves_of([formula], units)[0]
    return np.full(units.times.size, np.nan) if moves is None else moves * units.size


def error_of(influences: Floats, units: Units[Any], *, ddof: int = 0) -> float:
    """The standard error of a statistic from the influences of its units, by their design."""
    if not units.stratified:
        return standard_error(influences, units.times, ddof=ddof)
    return float(np.sqrt(units.times @ (influences / units.size) ** 2))


def standard_error(influences: Floats, times: Whole, *, ddof: int = 0) -> float:
    """Return sqrt(mean of squared influence / (n - ddof)), equal units counted as often as seen."""
    size = int(times.sum())
    if size <= ddof:
        return float("nan")
    centred = influences - (times @ influences) / size
    return float(np.sqrt((times @ centred**2) / size / (size - ddof)))
