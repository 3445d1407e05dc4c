"""Testing: p-values of the differences of all pairs of systems, adjusted by Holm."""

import math
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.catalogue import find, texts
from tallymark.defaults import POWER
from tallymark.inference import Formula, Settings
from tallymark.inference.distributions import t_tail
from tallymark.inference.interval import ROUNDING
from tallymark.inference.multiplicity import holm
from tallymark.inference.permutation import Stratum, Swapped, swap_test
from tallymark.planning.forecast import of_difference
from tallymark.questions.comparison.differences import SystemValues
from tallymark.questions.comparison.shared import Arena, Shared, ground_of
from tallymark.study.measured import home, stream_of
from tallymark.study.rows import Rows
from tallymark.tally import nearest
from tallymark.tally.margins import PairMargins, distances_of, margin_rows

Pair = tuple[int, int]
Test = Literal["auto", "permutation", "t"]
MOST_PAIRS = 45
"""Beyond this many pairs, permutations would take long: Holm's adjustment asks for more."""
MOST_POINTS = 40
"""Slopes by the margins of more points take long: with the square of their number."""
FEWEST = 20
"""Fewer responses say too little about how many would be needed."""
QWK = "cohen_kappa[quadratic]"
"""It is Lin's coefficient of scores on points: six sums, on any number of points."""
T_TEST = "paired t test"
SWAP_TEST = "studentised permutation test"


class Tests(NamedTuple):
    """P-values of one statistic by pair of systems, plain and adjusted, and how they were made.

    ``critical`` are the standard errors that settle the difference of a pair, by permutation.
    """

    p: dict[Pair, float]
    adjusted: dict[Pair, float]
    method: str
    critical: dict[Pair, float] = {}  # noqa: RUF012 - never changed


def tests_of(
    arena: Arena, statistics: Sequence[SystemValues], settings: Settings, *, test: Test
) -> dict[str, Tests]:
    """Test some statistics for every pair of systems.

    By permutation where the statistic's slopes are quickly had and pairs are not too many, or
    where that is asked for and can be; else by the difference over its paired standard error, held
    against Student's t.
    """
    pairs = list(combinations(range(arena.systems), 2))
    p_values: dict[str, dict[Pair, float]] = {}
    critical: dict[str, dict[Pair, float]] = {}
    methods: dict[str, str] = {}
    # swapping takes responses for exchangeable, which unequal weights say they are not
    few = len(pairs) <= MOST_PAIRS if test == "auto" else test == "permutation"
    few = few and all(rows.weights is None for rows in arena.rows)
    long = any(rows.points.size > MOST_POINTS for rows in arena.rows) and test == "auto"
    for kind in ("rounded", "moments") if long else ("rounded", "table", "moments"):
        swappable = [
            values for values in statistics if few and _can_be_swapped(values.formula, kind)
        ]
        for a, b in pairs if swappable else ():
            swapped = _swapped(arena, swappable, kind, settings, a, b)
            draws = f"{swapped.permutations} permutations, seed {settings.seed}"
            method = f"{SWAP_TEST}, {'exact' if swapped.exact else draws}"
            for values, p, errors in zip(
                swappable, swapped.p_values, swapped.critical, strict=True
            ):
                p_values.setdefault(values.text, {})[a, b] = p
                critical.setdefault(values.text, {})[a, b] = errors
                methods[values.text] = method
    for statistic in statistics:
        if statistic.text not in p_values:
            p_values[statistic.text] = {(a, b): _by_t(statistic, a, b) for a, b in pairs}
            methods[statistic.text] = T_TEST
    return {
        text: Tests(
            p, dict(zip(p, holm([*p.values()]), strict=True)), methods[text], critical.get(text, {})
        )
        for text, p in p_values.items()
    }


def can_be_permuted(text: str) -> bool:
    """Whether a statistic can be tested by permutation at all.

    >>> can_be_permuted("cohen_kappa[quadratic]"), can_be_permuted("kendall_tau_b")
    (True, False)
    """
    return any(_can_be_swapped(find(text), kind) for kind in ("rounded", "table", "moments"))


def _can_be_swapped(formula: Formula, kind: str) -> bool:
    """Whether a statistic is swapped by moments of scores on points, by margins, or by moments."""
    if formula.key == QWK or kind == "rounded":
        return formula.key == QWK and kind == "rounded"
    return home(formula) == kind and (kind == "moments" or formula.name in texts("by_margins"))


def _by_t(spread: SystemValues, a: int, b: int) -> float:
    difference = float(spread.values[a] - spread.values[b])
    se, df = spread.se(a, b), spread.units.leverage.df
    if math.isnan(difference):
        return math.nan
    if abs(difference) <= ROUNDING:
        return 1.0
    if not (se > ROUNDING and df >= 1 - ROUNDING):
        return math.nan
    return 2 * t_tail(abs(difference) / se, df)


def _swapped(
    arena: Arena, statistics: Sequence[SystemValues], kind: str, settings: Settings, a: int, b: int
) -> Swapped:
    """Swap the scores of two systems within responses or clusters; statistics share the swaps."""
    ground = ground_of(
        [_gold_and_two(rows, a, b, rounded=kind != "moments") for rows in arena.rows]
    )
    formulas = [values.formula for values in statistics]
    formulas = [find("lin_ccc") if formula.key == QWK else formula for formula in formulas]
    stratum = _by_margins if kind == "table" else _by_moments
    parts = zip(ground.parts, ground.places, strict=True)
    raised = ground.units.leverage.raised
    return swap_test(
        [stratum(part, formulas, places) for part, places in parts],
        ground.times,
        permutations=permutations_of(arena.systems, settings),
        seed=(settings.seed, stream_of(f"swap:{arena.label}")),
        level=settings.level,
        raised=np.where(np.isinf(raised), 1.0, raised),  # no interval there, but a test
    )


def permutations_of(systems: int, settings: Settings) -> int:
    """As many as asked for, and so many that the least p-value is settled after Holm's adjustment.

    The least is 1 / (1 + permutations); times all pairs it comes to half of what settles a pair.

    >>> permutations_of(10, Settings(replicates=500))
    1800
    """
    pairs = systems * (systems - 1) // 2
    return max(settings.replicates, math.ceil(round(2 * pairs / (1 - settings.level), 6)))


def _gold_and_two(rows: Rows, a: int, b: int, *, rounded: bool) -> Rows:
    """The gold and two systems, whose scores are on points where only these count."""
    scores = rows.scores[:, [0, a + 1, b + 1]]
    scores = rows.points[nearest(scores, rows.points)] if rounded else scores
    return replace(rows, scores=scores)


def _by_margins(ground: Shared, formulas: Sequence[Formula], places: Whole) -> Stratum:
    points = ground.rows.points
    distances = distances_of([f.value for f in formulas], points)

    def value(formula: Formula, sums: Any) -> Any:
        return formula.value(PairMargins(sums, points, distances))

    def rows(column: int) -> Floats:  # added up within units
        margins = margin_rows(ground.pair(column).scores, points, distances)
        sums = np.zeros((ground.times.size, margins.shape[1]))
        np.add.at(sums, np.asarray(ground.rows.clusters), margins * ground.rows.counts[:, None])
        return sums

    return Stratum(rows(1), rows(2), places, [partial(value, formula) for formula in formulas])


def _by_moments(ground: Shared, formulas: Sequence[Formula], places: Whole) -> Stratum:
    first, second = ground.units("moments", 1), ground.units("moments", 2)

    def value(formula: Formula, sums: Any) -> Any:
        return formula.value(first.build(sums))

    values = [partial(value, formula) for formula in formulas]
    return Stratum(np.asarray(first.rows), np.asarray(second.rows), places, values)


def settled(tests: Tests, spread: SystemValues, *, better: str, level: float) -> NDArray[np.bool_]:
    """Which systems are settled as better than which: the adjusted test rejects."""
    better_than = np.zeros((len(spread.values),) * 2, dtype=bool)
    merit = merits(spread.values, better)
    for (a, b), p in tests.adjusted.items():
        if p <= 1 - level:
            first, second = (a, b) if merit[a] > merit[b] else (b, a)
            better_than[first, second] = True
    return better_than


def merits(values: Floats, better: str) -> Floats:
    """Values turned so that the greatest is best."""
    return -values if better == "lower" else values


def needed(value: float, se: float, n: int, pairs: int, level: float) -> int | None:
    """Responses with which a true difference of this size would be settled 4 times of 5.

    The test of each of this many pairs is taken at the level that Holm's first step asks for.
    """
    if n < FEWEST or not (se > ROUNDING and abs(value) > ROUNDING):
        return None
    return of_difference(value, se, n, level, pairs).needed(POWER)
