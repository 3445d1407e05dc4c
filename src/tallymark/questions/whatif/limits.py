"""Limits that correspond: where one coefficient has its limit, what do the others have?"""

import math
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from tallymark.diagnosis.moving import chance_mixed, errors_scaled
from tallymark.tally import PairCounts

Statistic = Callable[[PairCounts], float]
STEPS, HALVINGS = 400, 50


def at_limit(
    table: PairCounts, leading: Statistic, limit: float, others: Mapping[str, Statistic]
) -> dict[str, dict[str, float]]:
    """What the others are where the leading one is at its limit, on two families of tables.

    ``errors``: the same errors more or less often; ``chance``: a share of the responses scored by
    chance, where the leading one is above its limit. NaN where a family does not reach the limit.
    """
    ways = {
        "errors": _at_errors(table, leading, limit),
        "chance": _at_chance(table, leading, limit),
    }
    return {
        way: {
            name: math.nan if moved is None else statistic(moved)
            for name, statistic in others.items()
        }
        for way, moved in ways.items()
    }


def _at_errors(table: PairCounts, leading: Statistic, limit: float) -> PairCounts | None:
    """The table with the fewest errors of this kind that takes the leading one down to its limit."""
    total = table.counts.sum(axis=1)
    wrong = total - np.diagonal(table.counts)
    if not (wrong > 0).any():
        return None
    most = float((total[wrong > 0] / wrong[wrong > 0]).max())
    return _first_below(partial(errors_scaled, table), most, leading, limit)


def _at_chance(table: PairCounts, leading: Statistic, limit: float) -> PairCounts | None:
    if not leading(table) >= limit:
        return None
    return _first_below(partial(chance_mixed, table), 1.0, leading, limit)


def _first_below(
    made: Callable[[float], PairCounts], most: float, leading: Statistic, limit: float
) -> PairCounts | None:
    """Follow a family from 0 on; bisect where the leading statistic first falls below the limit."""
    grid = np.linspace(0.0, most, STEPS + 1)
    below = next((i for i, at in enumerate(grid) if leading(made(at)) < limit), 0)
    if below == 0:
        return None
    low, high = float(grid[below - 1]), float(grid[below])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if leading(made(middle)) >= limit else (low, middle)
    return made(low)
