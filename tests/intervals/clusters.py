"""The same for clusters: a handful, which have a t interval, and more, which have ABC."""

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import find
from tallymark.inference import Settings, estimate_all
from tallymark.study.measured import home
from tallymark.study.units import units_of
from tests.intervals.coverage import RUNS, Coverage, counted
from tests.verdict.errors_at_limit import of_gold, population
from tests.verdict.few_clusters import (
    NAMES,
    SHAPES,
    STRONG,
    Cell,
    K,
    errors_of_raters,
    sample,
    wrong,
)

MANY = tuple(
    Cell(*design, STRONG)
    for design in ((45, 3, "equal"), (134, 3, "equal"), (60, 10, "equal"), (120, 5, "unequal"))
)
STATISTICS = ("cohen_kappa[quadratic]", "gwet_ac[quadratic]", "mse", "smd[unpooled]")


def simulate_few(cell: Cell, *, runs: int = RUNS) -> dict[str, Coverage]:
    """What the verdict's simulation finds, as coverage."""
    found = wrong(cell, runs=runs)
    return {
        name: Coverage(
            np.nan, runs, runs, round(runs * found.not_met[i]), round(runs * found.met[i]), np.nan
        )
        for name, i in NAMES.items()
    }


def simulate_clusters(
    cell: Cell, *, runs: int = RUNS, paired: int | None = None
) -> dict[str, Coverage]:
    """Draw clusters, estimate by default, the first samples by BCa too, and count."""
    rng = np.random.default_rng([cell.clusters, cell.size, SHAPES.index(cell.shape)])
    ends: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for run in range(runs):
        rows = sample(cell, rng)
        for text in STATISTICS:
            formula = find(text)
            units = units_of(home(formula), rows, [formula])
            for kind in (None, "bca") if paired is None or run < paired else (None,):
                (one,) = estimate_all([formula], units, Settings(seed=run, interval=kind))
                ends[text][str(kind)].append((one.low, one.high))
    true = _true_values()
    return {text: counted(true[text], *map(_array, ends[text].values())) for text in STATISTICS}


def _array(ends: list[tuple[float, float]]) -> NDArray[np.float64]:
    return np.array(ends)


def _true_values() -> dict[str, float]:
    people, noise = errors_of_raters()
    made = population(K, mean=0.0, people=people, noise=noise, shift=0.0)
    exact = Settings(interval="analytic")
    return {text: of_gold(text)(made, made.exact(), exact).value for text in STATISTICS}
