"""How often do the default intervals hold the true value? Simulation from known joint tables."""

import csv
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray
from scipy.special import beta

from tallymark.catalogue import BY_NAME, find
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.inference.estimate import Kind
from tallymark.study.measured import home
from tallymark.study.units import Rows, units_of
from tests.conftest import shared_path

STATISTICS = (
    "percent_agreement",
    "adjacent_agreement[1]",
    "csrate[0.2]",
    "cohen_kappa[identity]",
    "cohen_kappa[linear]",
    "cohen_kappa[quadratic]",
    "scott_pi[identity]",
    "gwet_ac[identity]",
    "gwet_ac[quadratic]",
    "brennan_prediger[identity]",
    "brennan_prediger[quadratic]",
    "krippendorff_alpha[ordinal]",
    "krippendorff_alpha[interval]",
    "lin_ccc",
    "pearson",
    "spearman",
    "kendall_tau_b",
    "bias",
    "mae",
    "mse",
    "rmse",
    "r2",
    "smd[unpooled]",
    "sd_ratio",
    "macro_mae",
    "macro_rmse",
    "pabak",
    "prevalence_index",
    "bias_index",
    "prevalence_doewes",
)
RUNS = 1000
KINDS = ("even", "skewed", "essays", "beta-binomial")
"""The last two were not used to choose anything."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One population and sample size."""

    n: int
    k: int
    kind: str

    @property
    def population(self) -> NDArray[np.float64]:
        """Probability of each pair of scores."""
        if self.kind == "essays":
            return essays()
        joint = binomial(self.k) if self.kind == "beta-binomial" else neighbours(self.k, self.kind)
        return joint / joint.sum()


def neighbours(k: int, kind: str) -> NDArray[np.float64]:
    """Neighbouring scores are confused, more often upwards."""
    i = np.arange(k)
    common = 2.0**-i if kind == "skewed" else np.ones(k)
    apart = 0.25 ** np.abs(i[:, None] - i) * np.where(i[:, None] < i, 1.5, 1.0)
    return np.asarray(np.outer(common, common) * apart)


def binomial(k: int, up: float = 1.2, down: float = 0.8) -> NDArray[np.float64]:
    """Two binomial scores of a response, whose chance of a point is beta: QWK .71 on 6 points."""
    i = np.arange(k)
    ways = np.array([math.comb(k - 1, j) for j in i], dtype=np.float64)
    both = i[:, None] + i
    least = 2 * (k - 1)
    return np.asarray(np.outer(ways, ways) * beta(up + both, down + least - both))


@cache
def essays() -> NDArray[np.float64]:
    """The scores that a person and a language model gave 686 essays on five competences."""
    table = Counter[tuple[int, int]]()
    with shared_path("data", "essay_br_llm", "scores.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            given = float(row["chimera_few_shot"])
            table[int(row["human"]) // 40, math.floor(given / 40 + 0.5)] += 1
    joint = np.zeros((6, 6))
    for (gold, system), count in table.items():
        joint[gold, system] = count
    return joint / joint.sum()


SETTINGS = tuple(Setting(n, k, s) for s, k, n in product(KINDS[:2], (2, 4, 6), (50, 200, 1000)))
OTHERS = tuple(Setting(n, 6, s) for s, n in product(KINDS[2:], (50, 200, 1000)))


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of one statistic in one setting: intervals made, and how many lie below or above.

    Beside BCa on the first ``paired`` samples: how often this alone held the true value, or BCa's.
    """

    true: float
    runs: int
    made: int
    too_low: int
    too_high: int
    width: float
    paired: int = 0
    alone: int = 0
    bca_alone: int = 0

    @property
    def share(self) -> float:
        """Share of the intervals that hold the true value."""
        return 1 - (self.too_low + self.too_high) / self.made if self.made else math.nan

    @property
    def difference(self) -> tuple[float, float]:
        """Coverage less that of BCa on the same samples, and its standard error."""
        if not self.paired:
            return math.nan, math.nan
        mean = (self.alone - self.bca_alone) / self.paired
        square = (self.alone + self.bca_alone) / self.paired
        return mean, math.sqrt((square - mean**2) / self.paired)


def simulate(setting: Setting, *, runs: int = RUNS, paired: int = 0) -> dict[str, Coverage]:
    """Draw samples, estimate every statistic that is defined for this scale, and count."""
    rng = np.random.default_rng([setting.n, setting.k, KINDS.index(setting.kind)])
    samples = rng.multinomial(setting.n, setting.population.ravel(), size=runs)
    groups = _by_tally(setting)
    ends = ends_of(setting, samples, groups)
    curved = {kind: [f for f in group if f.interval == "abc"] for kind, group in groups.items()}
    beside = ends_of(setting, samples[:paired], curved, "bca")
    true = _true_values(setting, groups)
    return {name: counted(true[name], ends[name], beside.get(name)) for name in ends}


def ends_of(
    setting: Setting,
    samples: NDArray[np.int64],
    groups: Mapping[str, Sequence[Formula]],
    interval: Kind | None = None,
) -> dict[str, NDArray[np.float64]]:
    """Interval ends of every statistic for every sample."""
    ends = defaultdict(list)
    for run, sample in enumerate(samples):
        for kind, formulas in groups.items():
            units = units_of(kind, _rows(sample, setting.k), formulas)
            settings = Settings(seed=run, interval=interval)
            for found in estimate_all(formulas, units, settings):
                ends[found.text].append((found.low, found.high))
    return {name: np.array(pairs) for name, pairs in ends.items()}


def _paired(setting: Setting, runs: int) -> dict[str, Coverage]:
    """With 1,000 responses half of the samples have BCa beside."""
    return simulate(setting, runs=runs, paired=runs if setting.n < 1000 else runs // 2)


def simulate_all(runs: int = RUNS) -> Mapping[Setting, dict[str, Coverage]]:
    """Every setting, on all cores."""
    every = (*SETTINGS, *OTHERS)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        results = pool.map(partial(_paired, runs=runs), every)
        return dict(zip(every, results, strict=True))


def _by_tally(setting: Setting) -> dict[str, list[Formula]]:
    groups: dict[str, list[Formula]] = defaultdict(list)
    whole = units_of("cells", _exact(setting)).tally
    for text in STATISTICS:
        formula = find(text)
        row = BY_NAME[formula.name]
        kind = home(formula)
        if row.settled_on(np.arange(float(setting.k)), formula.params):
            continue
        if kind not in ("table", "cells", "ordinal") or not math.isnan(float(formula.value(whole))):
            groups[kind].append(formula)
    return groups


def _true_values(setting: Setting, groups: Mapping[str, Sequence[Formula]]) -> dict[str, float]:
    """The formulas themselves on the joint distribution, as counts of so many responses."""
    return {
        formula.key: float(formula.value(units_of(kind, _exact(setting), formulas).tally))
        for kind, formulas in groups.items()
        for formula in formulas
    }


def _exact(setting: Setting) -> Rows:
    return _rows(np.rint(setting.population.ravel() * 1e14).astype(np.int64), setting.k)


def _rows(counts: NDArray[np.int64], k: int) -> Rows:
    scores = np.stack(np.divmod(np.arange(k * k), k), axis=1).astype(np.float64)
    return Rows(scores[counts > 0], counts[counts > 0], np.arange(k, dtype=np.float64))


def counted(
    true: float, ends: NDArray[np.float64], beside: NDArray[np.float64] | None = None
) -> Coverage:
    """Count the intervals that hold the true value, and those that others on the same samples do."""
    given = np.asarray(~np.isnan(ends).any(axis=1))
    made = ends[given]
    # a bound that equals the true value up to rounding holds it
    low, high = made[:, 0] - 1e-9, made[:, 1] + 1e-9
    width = float(np.median(high - low)) if len(made) else math.nan
    below, above = int((high < true).sum()), int((low > true).sum())
    if beside is None:
        return Coverage(true, len(ends), len(made), below, above, width)
    both = given[: len(beside)] & ~np.isnan(beside).any(axis=1)
    here, there = (_holds(true, pairs[: len(beside)][both]) for pairs in (ends, beside))
    pairs = (int(both.sum()), int((here & ~there).sum()), int((there & ~here).sum()))
    return Coverage(true, len(ends), len(made), below, above, width, *pairs)


def _holds(true: float, ends: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((ends[:, 0] - 1e-9 <= true) & (true <= ends[:, 1] + 1e-9))
