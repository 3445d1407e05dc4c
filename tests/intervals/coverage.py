"""How often do the default intervals hold the true value? Simulation from known joint tables."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import BY_NAME, find
from tallymark.inference import Formula, Settings, estimate_all
from tallymark.inference.estimate import Kind
from tallymark.study.measured import home
from tallymark.study.units import Rows, units_of
from tests.intervals.populations import Population

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
KEPT = ("bias_index",)
"""What has BCa by default."""
RUNS = 1000
PAIRED, DOUBT = 400, 1.5
"""Samples with BCa beside, and standard errors below it from which on all samples have it."""


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

    @classmethod
    def of(cls, held: Iterable[bool]) -> "Coverage":
        """Of intervals of which it is known only whether they hold; the sides count as low."""
        each = list(held)
        return cls(math.nan, len(each), len(each), len(each) - sum(map(bool, each)), 0, math.nan)

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

    @property
    def doubtful(self) -> bool:
        """Whether more samples could show that BCa holds more often, by three standard errors."""
        mean, error = self.difference
        return mean < -DOUBT * error


def simulate(
    setting: Population,
    *,
    runs: int = RUNS,
    paired: int = 0,
    statistics: Sequence[str] = STATISTICS,
) -> dict[str, Coverage]:
    """Draw samples, estimate every statistic that is defined for this scale, and count.

    BCa stands beside on the first samples, and on all of them where those leave a doubt.
    """
    rng = np.random.default_rng(setting.seed)
    samples = rng.multinomial(setting.n, setting.population.ravel(), size=runs)
    groups = _by_tally(setting, statistics)
    ends, true = ends_of(setting, samples, groups), _true_values(setting, groups)
    curved = {kind: [f for f in group if f.interval == "abc"] for kind, group in groups.items()}
    beside = ends_of(setting, samples[:paired], curved, "bca")
    found = {name: counted(true[name], ends[name], beside.get(name)) for name in ends}
    open_yet = {kind: [f for f in own if found[f.key].doubtful] for kind, own in curved.items()}
    for name, more in ends_of(setting, samples, open_yet, "bca", start=paired).items():
        every = np.concatenate([beside[name], more])
        found[name] = counted(true[name], ends[name], every)
    return found


def simulate_kept(setting: Population, *, runs: int = 400) -> dict[str, Coverage]:
    """What keeps BCa, beside ABC on the same samples."""
    samples = np.random.default_rng(setting.seed).multinomial(
        setting.n, setting.population.ravel(), size=runs
    )
    groups = _by_tally(setting, KEPT)
    true = _true_values(setting, groups)
    ends, beside = (ends_of(setting, samples, groups, kind) for kind in (None, "abc"))
    return {name: counted(true[name], ends[name], beside[name]) for name in ends}


def ends_of(
    setting: Population,
    samples: NDArray[np.int64],
    groups: Mapping[str, Sequence[Formula]],
    interval: Kind | None = None,
    *,
    start: int = 0,
) -> dict[str, NDArray[np.float64]]:
    """Interval ends of every statistic for every sample from one on."""
    ends = defaultdict(list)
    asked = {kind: formulas for kind, formulas in groups.items() if formulas}
    for run, sample in enumerate(samples[start:], start):
        for kind, formulas in asked.items():
            units = units_of(kind, _rows(sample, setting.k), formulas)
            settings = Settings(seed=run, interval=interval)
            for found in estimate_all(formulas, units, settings):
                ends[found.text].append((found.low, found.high))
    return {name: np.array(pairs) for name, pairs in ends.items()}


def _by_tally(
    setting: Population, statistics: Sequence[str] = STATISTICS
) -> dict[str, list[Formula]]:
    groups: dict[str, list[Formula]] = defaultdict(list)
    whole = units_of("cells", _exact(setting)).tally
    for text in statistics:
        formula = find(text)
        row = BY_NAME[formula.name]
        kind = home(formula)
        if row.settled_on(np.arange(float(setting.k)), formula.params):
            continue
        if kind not in ("table", "cells", "ordinal") or not math.isnan(float(formula.value(whole))):
            groups[kind].append(formula)
    return groups


def _true_values(setting: Population, groups: Mapping[str, Sequence[Formula]]) -> dict[str, float]:
    """The formulas themselves on the joint distribution, as counts of so many responses."""
    return {
        formula.key: float(formula.value(units_of(kind, _exact(setting), formulas).tally))
        for kind, formulas in groups.items()
        for formula in formulas
    }


def _exact(setting: Population) -> Rows:
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
    pairs = [int(each.sum()) for each in (both, here & ~there, there & ~here)]
    return Coverage(true, len(ends), len(made), below, above, width, *pairs)


def _holds(true: float, ends: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((ends[:, 0] - 1e-9 <= true) & (true <= ends[:, 1] + 1e-9))
