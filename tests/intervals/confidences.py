"""The same for what confidences and class probabilities are worth, from forecasts that are known."""

from collections import defaultdict
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Settings
from tallymark.questions.confidence.compute import areas, mean_losses
from tallymark.results import Estimate
from tallymark.selective.confidence import brier, rps
from tallymark.study.judged import Judged
from tallymark.study.units import Rows
from tests.intervals.coverage import RUNS, Coverage, counted

K, FORECASTS = 4, 200
CASES = tuple((n, skewed) for skewed in (False, True) for n in (50, 200, 1000))
EXACT = 10**9


class Forecasts(NamedTuple):
    """Probabilities of each score that a system states, and those with which the gold is drawn."""

    stated: NDArray[np.float64]
    true: NDArray[np.float64]

    def estimates(self, counts: NDArray[np.int64], settings: Settings) -> list[Estimate]:
        """Every number of responses with so many of each forecast and gold score."""
        forecast, gold = np.nonzero(counts)
        times, stated = counts[forecast, gold], self.stated[forecast]
        losses = np.stack([brier(stated, gold), rps(stated, gold)], axis=1)
        wrong = np.abs(stated.argmax(axis=1) - gold) > 1
        every = np.ones(gold.size, dtype=bool)
        cases = Judged(stated.max(axis=1), wrong, wrong * 1.0, times, None, every, 0)
        made = mean_losses(Rows(losses, times, np.zeros(1)).distinct(), K - 1.0, settings)
        return made + [e for e in areas(cases, settings, "") if "coverage" not in e.name]


def words(n: int, *, skewed: bool) -> str:
    """As the page has it."""
    return f"{'skewed' if skewed else 'even'} n={n}"


@cache
def forecasts(*, skewed: bool) -> Forecasts:
    """A normal guess of the score, stated a third too surely; low scores may dominate."""
    rng = np.random.default_rng(4)
    centre = rng.exponential(0.7, FORECASTS) if skewed else rng.uniform(0, K - 1, FORECASTS)
    spread, points = rng.uniform(0.4, 1.2, FORECASTS)[:, None], np.arange(K)

    def shares(width: NDArray[np.float64]) -> NDArray[np.float64]:
        made = np.exp(-(((points - centre[:, None]) / width) ** 2) / 2)
        return np.asarray(made / made.sum(axis=1, keepdims=True))

    return Forecasts(shares(spread * 0.75), shares(spread))


def simulate_confidences(n: int, *, skewed: bool, runs: int = RUNS) -> dict[str, Coverage]:
    """Draw samples, estimate, and count."""
    made, exact = forecasts(skewed=skewed), Settings(interval="analytic")
    shares = made.true / FORECASTS
    true = made.estimates(np.rint(shares * EXACT).astype(np.int64), exact)
    rng, ends = np.random.default_rng([n, skewed]), defaultdict(list)
    for sample in rng.multinomial(n, shares.ravel(), size=runs):
        for estimate in made.estimates(sample.reshape(shares.shape), Settings()):
            ends[estimate.text].append((estimate.low, estimate.high))
    return {e.text: counted(e.value, np.array(ends[e.text])) for e in true}
