"""Testing: p-values of the differences of all pairs of systems, adjusted by Holm."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.evaluation.comparison.differences import Spread
from tallymark.evaluation.comparison.shared import Field, Shared, shared
from tallymark.evaluation.measured import home, stream_of
from tallymark.evaluation.rows import Rows
from tallymark.inference import Formula, Settings
from tallymark.inference.interval import NORMAL, ROUNDING
from tallymark.inference.multiplicity import holm
from tallymark.inference.permutation import Stratum, swap_test
from tallymark.tally import nearest
from tallymark.tally.margins import PairMargins, distances_of, margin_rows

Floats = NDArray[np.float64]
MOST_PAIRS = 45
"""Of more pairs than this 2,000 permutations could not settle one after Holm's adjustment."""
POWER = 0.8
"""How often enough responses should settle a difference."""
BY_MARGINS = frozenset(
    {
        "percent_agreement", "adjacent_agreement", "csrate", "cohen_kappa", "scott_pi", "gwet_ac",
        "brennan_prediger",
    }
)  # fmt: skip
"""Statistics of a table that need no more of it than margins and mean distances."""
Z_TEST = "paired z test"
SWAP_TEST = "studentised permutation test"


class Tests(NamedTuple):
    """P-values of one statistic by pair of systems, plain and adjusted, and how they were made."""

    p: dict[tuple[int, int], float]
    adjusted: dict[tuple[int, int], float]
    method: str


def tests_of(field: Field, spread: Spread, formula: Formula, settings: Settings) -> Tests:
    """Test a statistic for every pair of systems.

    By permutation where the statistic's slopes are quickly had and pairs are not too many, else by
    the difference over its paired standard error, held against the normal distribution.
    """
    pairs = list(combinations(range(len(spread.values)), 2))
    swapped = len(pairs) <= MOST_PAIRS and _can_be_swapped(formula)
    how = partial(_swapped, field, formula, settings) if swapped else partial(_by_z, spread)
    found = [how(a, b) for a, b in pairs]
    adjusted = holm([p for p, _ in found])
    return Tests(
        dict(zip(pairs, [p for p, _ in found], strict=True)),
        dict(zip(pairs, adjusted, strict=True)),
        found[0][1],
    )


def _can_be_swapped(formula: Formula) -> bool:
    table = formula.name in BY_MARGINS and home(formula) == "table"
    return table or home(formula) == "moments"


def _by_z(spread: Spread, a: int, b: int) -> tuple[float, str]:
    apart, se = float(spread.values[a] - spread.values[b]), spread.se(a, b)
    if math.isnan(apart):
        return math.nan, Z_TEST
    if abs(apart) <= ROUNDING:
        return 1.0, Z_TEST
    return (2 * NORMAL.cdf(-abs(apart) / se) if se > ROUNDING else math.nan), Z_TEST


def _swapped(
    field: Field, formula: Formula, settings: Settings, a: int, b: int
) -> tuple[float, str]:
    """Swap the scores of two systems within responses or clusters."""
    maker = _by_margins if home(formula) == "table" else _by_moments
    every = [shared(_three(rows, a, b, rounded=home(formula) == "table")) for rows in field.rows]
    ids = None if every[0].ids is None else np.unique(np.concatenate([_ids(one) for one in every]))
    strata, start = [], 0
    for one in every:
        at = np.arange(start, start + one.times.size)
        at = at if ids is None else np.searchsorted(ids, _ids(one))
        start += one.times.size
        strata.append(maker(one, formula, at))
    times = np.concatenate([one.times for one in every])
    times = times if ids is None else np.ones(ids.size, dtype=np.int64)
    seed = (settings.seed, stream_of(f"swap:{field.label}"))
    found = swap_test(strata, times, permutations=settings.replicates, seed=seed)
    how = "exact" if found.exact else f"{found.permutations} permutations, seed {settings.seed}"
    return found.p_values[0], f"{SWAP_TEST}, {how}"


def _ids(one: Shared) -> NDArray[np.int64]:
    return np.arange(one.times.size) if one.ids is None else one.ids


def _three(rows: Rows, a: int, b: int, *, rounded: bool) -> Rows:
    """The gold and two systems, whose scores are on points where only these count."""
    scores = rows.scores[:, [0, a + 1, b + 1]]
    scores = rows.points[nearest(scores, rows.points)] if rounded else scores
    return replace(rows, scores=scores)


def _by_margins(one: Shared, formula: Formula, at: NDArray[np.int64]) -> Stratum:
    points, distances = one.rows.points, distances_of(formula.value, one.rows.points)

    def value(sums: Any) -> Any:
        return formula.value(PairMargins(sums, points, distances))

    def rows(column: int) -> Floats:
        return _within_units(one, margin_rows(one.pair(column).scores, points, distances))

    return Stratum(rows(1), rows(2), at, [value])


def _within_units(one: Shared, rows: Floats) -> Floats:
    """Add rows up within units."""
    unit = np.asarray(one.rows.clusters)
    summed = np.zeros((one.times.size, rows.shape[1]))
    np.add.at(summed, unit, rows * one.rows.counts[:, None])
    return summed


def _by_moments(one: Shared, formula: Formula, at: NDArray[np.int64]) -> Stratum:
    first, second = one.units("moments", 1), one.units("moments", 2)
    build: Callable[[Any], Any] = first.build

    def value(sums: Any) -> Any:
        return formula.value(build(sums))

    return Stratum(np.asarray(first.rows), np.asarray(second.rows), at, [value])


def settled(tests: Tests, spread: Spread, *, better: str, level: float) -> NDArray[np.bool_]:
    """Which systems are settled as better than which: the adjusted test rejects."""
    found = np.zeros((len(spread.values),) * 2, dtype=bool)
    merit = merits(spread.values, better)
    for (a, b), p in tests.adjusted.items():
        if p <= 1 - level:
            first, second = (a, b) if merit[a] > merit[b] else (b, a)
            found[first, second] = True
    return found


def merits(values: Floats, better: str) -> Floats:
    """Values turned so that the greatest is best."""
    return -values if better == "lower" else values


def needed(value: float, se: float, n: int, pairs: int, level: float) -> int | None:
    """Responses with which a true difference of this size would be settled 4 times of 5.

    The test of each of so many pairs is taken at the level that Holm's first step asks for.
    """
    if not (se > ROUNDING and abs(value) > ROUNDING):
        return None
    reach = NORMAL.inv_cdf(POWER) - NORMAL.inv_cdf((1 - level) / 2 / max(pairs, 1))
    return math.ceil(n * (reach * se / value) ** 2)
