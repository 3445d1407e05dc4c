"""The same for panels: three raters with gaps, drawn from known distributions."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Settings
from tallymark.inference.estimate import Kind
from tallymark.study.panel import panel_estimates
from tallymark.study.units import Rows
from tests.intervals.coverage import RUNS, Coverage, counted

K, RATERS, MISSING = 5, 3, 0.3
WITH_GAPS = (
    "percent_agreement",
    "fleiss_kappa[quadratic]",
    "conger_kappa[quadratic]",
    "mean_pairwise_kappa[quadratic]",
    "gwet_ac[identity]",
    "gwet_ac[quadratic]",
    "krippendorff_alpha[ordinal]",
    "krippendorff_alpha[interval]",
    "icc[1,1]",
)
COMPLETE = ("icc[1,1]", "icc[2,1]")
"""Computed without gaps too, by default and F-based."""
LINES = (
    *WITH_GAPS,
    *(f"{name}, no gaps" for name in COMPLETE),
    *(f"{name}, no gaps, F-based" for name in COMPLETE),
)


@dataclass(frozen=True, slots=True)
class Panel:
    """One population and sample size."""

    n: int
    skewed: bool

    @property
    def words(self) -> str:
        """As the page has it."""
        return f"{'skewed' if self.skewed else 'even'} n={self.n}"

    def population(self, missing: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Every row of ratings, NaN missing, and its probability.

        A response has a true score; a rater gives it or, a quarter as likely for each step, one
        further away, independently of the others.
        """
        i = np.arange(K)
        common = 2.5**-i if self.skewed else np.ones(K)
        given = 0.25 ** np.abs(i[:, None] - i)
        given = (1 - missing) * given / given.sum(axis=1, keepdims=True)
        each = np.concatenate([given, np.full((K, 1), missing)], axis=1)
        rows = np.array(list(product(range(K + 1), repeat=RATERS)))
        chance = (common / common.sum()) @ each[:, rows].prod(axis=-1)
        return np.where(rows == K, np.nan, rows), chance


PANELS = tuple(Panel(n, skewed) for skewed in (False, True) for n in (50, 200))


def simulate_panel(
    panel: Panel, *, runs: int = RUNS, paired: int | None = None
) -> dict[str, Coverage]:
    """Draw samples with gaps and without, estimate, and count; BCa on the first samples beside."""
    found: dict[str, Coverage] = {}
    for missing, names, words in ((MISSING, WITH_GAPS, ""), (0.0, COMPLETE, ", no gaps")):
        true, samples = drawn(panel, missing, names, runs)
        ends, beside = ends_of(names, samples, None), ends_of(names, samples[:paired], "bca")
        found |= {
            f"{name}{words}": counted(true[name], ends[name], beside.get(name)) for name in ends
        }
    by_f = ends_of(COMPLETE, samples, "analytic")
    return found | {
        f"{name}, no gaps, F-based": counted(true[name], pairs) for name, pairs in by_f.items()
    }


def drawn(
    panel: Panel, missing: float, names: tuple[str, ...], runs: int
) -> tuple[dict[str, float], list[Rows]]:
    """The true values, and samples."""
    rows, chance = panel.population(missing)
    whole = _rows(rows, np.rint(chance * 1e14).astype(np.int64))
    exact = panel_estimates(names, whole, Settings(interval="analytic"), "", continuous=False)
    rng = np.random.default_rng([panel.n, panel.skewed, round(100 * missing)])
    samples = rng.multinomial(panel.n, chance / chance.sum(), size=runs)
    return {one.text: one.value for one in exact}, [_rows(rows, counts) for counts in samples]


def ends_of(
    names: tuple[str, ...], samples: list[Rows], interval: Kind | None
) -> dict[str, NDArray[np.float64]]:
    """Interval ends of every statistic for every sample."""
    ends, settings = defaultdict(list), Settings(interval=interval)
    for run, sample in enumerate(samples):
        for found in panel_estimates(names, sample, settings, str(run), continuous=False):
            ends[found.text].append((found.low, found.high))
    return {name: np.array(pairs) for name, pairs in ends.items()}


def _rows(scores: NDArray[np.float64], counts: NDArray[np.int64]) -> Rows:
    kept = (counts > 0) & ~np.isnan(scores).all(axis=1)
    return Rows(scores[kept], counts[kept], np.arange(K, dtype=np.float64))
