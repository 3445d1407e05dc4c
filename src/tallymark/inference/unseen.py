"""Unseen: how far a statistic may lie if the data just lack the largest errors of the population.

Where few responses carry a statistic, many samples hold none of them, and neither the spread nor the
skewness of such a sample tells. So one error is thought of that is a step or two larger than any seen.
Empirical likelihood says how much weight it may have: Owen (2001), Empirical Likelihood, chapter 2.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.distributions import t_quantile
from tallymark.inference.expansion import TINY, Expansion
from tallymark.inference.formula import Formula
from tallymark.inference.units import Units

Floats = NDArray[np.float64]


def beyond(formula: Formula, expansion: Expansion, units: Units[Any], level: float) -> float:
    """The statistic at the weights that hold the unseen error; NaN where it gets none.

    Of all weights p_u whose likelihood ratio prod (n p_u / c_u)^c_u is at least exp(-z^2 / 2), those
    that move the statistic furthest towards the unseen error, which moves it by b, are p_u =
    c_u / (g (b - k_u)), with the moves k_u of the units and g by the likelihood ratio; the rest is the
    unseen error's. Without a rest the data themselves tell enough.
    """
    row, n = units.unseen() if units.unseen else None, units.size
    if row is None:
        return math.nan
    z = t_quantile(level, n - 1) * math.sqrt(n / (n - 1))
    sums = units.total.astype(np.float64)
    away = np.asarray(formula.value(units.build(sums + 1j * TINY * (row - sums / n))))
    move = float(away.imag) / TINY
    gaps = math.copysign(1.0, move) * (move - expansion.moves)
    if not (gaps > 0).all():
        return math.nan
    shares = units.times / n
    scale = math.exp(z * z / (2 * n) - float(shares @ np.log(gaps)))
    weights = shares / (scale * gaps)
    rest = 1 - float(weights.sum())
    if rest <= 0:
        return math.nan
    return float(formula.value(units.build(units.sums(n * weights) + n * rest * row)))
