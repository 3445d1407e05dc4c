"""Measured: everything that docs/guarantees.md publishes, simulated."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from tests.selective import assumptions as under
from tests.selective import ties
from tests.selective import uses as used
from tests.selective.assumptions import Delay, Expected
from tests.selective.uses import Few, Shifted, Watching
from tests.selective.violations import DELTA, Measured, measure

RUNS = 1500
ALPHAS, SIZES, SCENARIOS = (0.02, 0.05), (200, 500, 1000), "ABCDE"
FEW = (60, 80, 100, 150, 200, 300)
LIMIT = DELTA + 3 * math.sqrt(DELTA * (1 - DELTA) / RUNS)

Cell = tuple[float, str, int]


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything the page tells, as measured."""

    rules: Mapping[Cell, Mapping[str, Measured]]
    drawn: Mapping[ties.Way, ties.Drawn]
    discrete: Mapping[int, Mapping[str, Mapping[str, float]]]
    clustered: Mapping[str, float]
    clustered_little: Mapping[str, float]
    stratified: Mapping[str, float]
    looked_again: Mapping[str, float]
    families: Mapping[str, float]
    on_average: Mapping[str, Mapping[str, Expected]]
    tied_risk_control: Mapping[str, float]
    delays: Mapping[int, Mapping[str, Delay]]
    run_lengths: Mapping[str, float]
    used: "Uses"


@dataclass(frozen=True, slots=True)
class Uses:
    """What happens in use, as measured."""

    sized: Mapping[str, float]
    few: Mapping[tuple[str, int], Few]
    powers: Mapping[tuple[float, float], Mapping[int, tuple[float, float]]]
    second: Mapping[tuple[int, float], Mapping[str, float]]
    shifts: Mapping[str, Shifted]
    watches: Mapping[str, Watching]
    psi: Mapping[tuple[int, int], float]
    planned: Mapping[tuple[float, float, float], tuple[int, float, float]]


def find_uses(runs: int = RUNS) -> Uses:
    """Measure what happens in use; two minutes of one processor."""
    plans = ((0.05, 0.0125, 1.0), (0.05, 0.0125, 0.6), (0.05, 0.025, 0.8), (0.02, 0.005, 0.6))
    return Uses(
        sized=used.sized_clusters(400, 0.05, runs),
        few={(s, n): used.few_labels(s, n, 0.05, 2 * runs) for s in "ABC" for n in FEW},
        powers={
            (rate, share): used.power_by_labels(0.02, rate, share, range(150, 3001, 15))
            for rate in (0.002, 0.005, 0.01)
            for share in (1.0, 0.6)
        },
        second={
            (n, shared): used.second_rater(n, 0.03, shared, runs)
            for n in (200, 500, 1000)
            for shared in (0.0, 0.3, 0.9)
        },
        shifts=used.shifts(max(2, runs // 3)),
        watches=used.watches(runs),
        psi=used.shifts_without_one(2 * runs // 3),
        planned={plan: used.planned(*plan, runs) for plan in plans},
    )


def find(runs: int = RUNS) -> Findings:
    """Measure everything; five minutes of one processor."""
    cells = list(product(ALPHAS, SCENARIOS, SIZES))
    return Findings(
        rules={(a, name, n): measure(name, n, a, runs) for a, name, n in cells},
        drawn={way: ties.drawn_to_break(2 * runs // 3, way) for way in ties.WAYS},
        discrete={n: under.discrete(n, 0.05, runs) for n in SIZES},
        clustered=under.clustered(100, 20, 0.05, runs),
        clustered_little=under.clustered(200, 5, 0.05, runs),
        stratified=under.stratified(1000, 0.05, runs),
        looked_again=under.looked_again(200, 0.05, runs),
        families=under.families(500, 0.05, max(1, runs // 2)),
        on_average={name: under.on_average(name, 1000, 0.05, runs) for name in "ABC"},
        tied_risk_control=under.tied_risk_control(1000, 0.02, runs),
        delays={change: under.delays(change, max(2, runs // 3)) for change in (0, 500, 2000)},
        run_lengths=under.run_lengths(max(1, runs // 5)),
        used=find_uses(runs),
    )
