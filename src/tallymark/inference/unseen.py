"""Unseen: how far a statistic may lie if the data just lack the largest errors of the population.

Where few responses carry a statistic, many samples hold none of them, and neither the spread nor the
skewness of such a sample tells. So one error is thought of that is a step or two larger than any seen.
Empirical likelihood says how much weight it may have: Owen (2001), Empirical Likelihood, chapter 2.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.inference.distributions import t_quantile
from tallymark.inference.expansion import TINY, AtPoints, Expansion, at
from tallymark.inference.formula import Formula
from tallymark.inference.joining import Expanded
from tallymark.inference.units import Units


class _Lacking(NamedTuple):
    """Statistics of some units, and what the error that these lack would add to the sums."""

    formulas: Sequence[Formula]
    expansions: Sequence[Expansion]
    units: Units[Any]
    row: Floats

    def at(self, away: NDArray[Any]) -> AtPoints:
        """The sums, moved this far for each statistic."""
        return AtPoints(self.formulas, self.units, (self.units.total + away)[:, None])

    @property
    def towards(self) -> AtPoints:
        """A tiny step towards the unseen error."""
        step = 1j * TINY * (self.row - self.units.total / self.units.size)
        return self.at(np.tile(step, (len(self.formulas), 1)))


def beyond_each(many: Sequence[Expanded], level: float) -> list[Floats]:
    """Each statistic at the weights that hold the unseen error, of units of one shape.

    NaN where it gets none, and where none is known.
    """
    made = [np.full(len(each.formulas), np.nan) for each in many]
    which = [[j for j, f in enumerate(each.formulas) if f.unseen] for each in many]
    lacking = {
        i: _Lacking(
            [each.formulas[j] for j in which[i]], [each.expansions[j] for j in which[i]], units, row
        )
        for i, each in enumerate(many)
        if which[i] and (units := each.units).unseen and (row := units.unseen()) is not None
    }
    if lacking:
        moves = [
            values.imag[:, 0] / TINY for values in at([each.towards for each in lacking.values()])
        ]
        away = [_moved(*each, level) for each in zip(lacking.values(), moves, strict=True)]
        there = at([each.at(by) for each, by in zip(lacking.values(), away, strict=True)])
        for i, values, by in zip(lacking, there, away, strict=True):
            made[i][which[i]] = np.where(by.any(axis=1), values[:, 0], np.nan)
    return made


def _moved(lacking: _Lacking, moves: Floats, level: float) -> Floats:
    """How far the weights that hold the unseen error move the sums, for each statistic; 0 without.

    Of all weights p_u whose likelihood ratio prod (n p_u / c_u)^c_u is at least exp(-z^2 / 2), those
    that move the statistic furthest towards the unseen error, which moves it by b, are p_u =
    c_u / (g (b - k_u)), with the moves k_u of the units and g by the likelihood ratio; the rest is the
    unseen error's. Without a rest the data themselves tell enough.
    """
    units, n = lacking.units, lacking.units.size
    z = t_quantile(level, n - 1) * math.sqrt(n / (n - 1))
    shares, away = units.times / n, np.zeros((len(moves), units.width))
    for i, (move, expansion) in enumerate(zip(moves.tolist(), lacking.expansions, strict=True)):
        gaps = math.copysign(1.0, move) * (move - expansion.moves)
        if not (gaps > 0).all():
            continue
        scale = math.exp(z * z / (2 * n) - float(shares @ np.log(gaps)))
        weights = shares / (scale * gaps)
        rest = 1 - float(weights.sum())
        if rest > 0:
            away[i] = units.sums(n * weights) + n * rest * lacking.row - units.total
    return away
