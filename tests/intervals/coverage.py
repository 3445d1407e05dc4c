"""How often do the default intervals hold the true value? Simulation from known joint tables."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import product
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, find
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.inference.estimate import Kind
from tallymark.study.measured import home
from tallymark.study.units import Rows, units_of

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
    "macro_mae",
    "macro_rmse",
    "pabak",
    "prevalence_index",
    "bias_index",
    "prevalence_doewes",
)
RUNS = 1000


@dataclass(frozen=True, slots=True)
class Setting:
    """One population and sample size."""

    n: int
    k: int
    skewed: bool

    @property
    def population(self) -> NDArray[np.float64]:
        """Probability of each pair of scores: neighbours are confused, more often upwards."""
        i = np.arange(self.k)
        common = 2.0**-i if self.skewed else np.ones(self.k)
        apart = 0.25 ** np.abs(i[:, None] - i) * np.where(i[:, None] < i, 1.5, 1.0)
        joint = np.outer(common, common) * apart
        return joint / joint.sum()


SETTINGS = tuple(Setting(n, k, s) for s, k, n in product((False, True), (2, 4, 6), (50, 200, 1000)))


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of one statistic in one setting: intervals made, and how many lie below or above."""

    true: float
    runs: int
    made: int
    too_low: int
    too_high: int
    width: float

    @property
    def share(self) -> float:
        """Share of the intervals that hold the true value."""
        return 1 - (self.too_low + self.too_high) / self.made if self.made else math.nan


def simulate(
    setting: Setting, *, runs: int = RUNS, interval: Kind | None = None
) -> dict[str, Coverage]:
    """Draw samples, estimate every statistic that is defined for this scale, and count."""
    rng = np.random.default_rng([setting.n, setting.k, setting.skewed])
    samples = rng.multinomial(setting.n, setting.population.ravel(), size=runs)
    groups = _by_tally(setting)
    ends = defaultdict(list)
    for run, sample in enumerate(samples):
        for kind, formulas in groups.items():
            units = units_of(kind, _rows(sample, setting.k), formulas)
            settings = Settings(seed=run, interval=interval)
            for found in estimate_all(formulas, units, settings):
                ends[found.text].append((found.low, found.high))
    true = _true_values(setting, groups)
    return {name: counted(true[name], np.array(pairs)) for name, pairs in ends.items()}


def simulate_all(runs: int = RUNS) -> Mapping[Setting, dict[str, Coverage]]:
    """Every setting, on all cores."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        results = pool.map(partial(simulate, runs=runs), SETTINGS)
        return dict(zip(SETTINGS, results, strict=True))


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


def counted(true: float, ends: NDArray[np.float64]) -> Coverage:
    made = ends[~np.isnan(ends).any(axis=1)]
    # a bound that equals the true value up to rounding holds it
    low, high = made[:, 0] - 1e-9, made[:, 1] + 1e-9
    width = float(np.median(high - low)) if len(made) else math.nan
    below, above = int((high < true).sum()), int((low > true).sum())
    return Coverage(true, len(ends), len(made), below, above, width)
