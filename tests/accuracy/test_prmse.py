"""Intervals of PRMSE cover its true value also near 1 and, with errors shared with raters, above it."""

import numpy as np
import pytest

from tallymark.inference import estimate
from tallymark.questions.true_scores import _formulas, rated_units
from tallymark.study.units import Rows

PRMSE = next(formula for formula in _formulas(None) if formula.name == "prmse")
NOISE = 0.7
"""Standard deviation of a rater's error; true scores have variance 1."""
SYSTEMS = {"near 1": (0.0, 0.2), "just above 1": (0.3, 0.2), "mean of both raters": (1.0, 0.0)}
"""Share of the mean of both raters' errors that the system has too, and the SD of its own error."""


def true_prmse(share, own):
    """By hand: E(mean h - s)^2 = (1 - share)^2 v + own^2, v = NOISE^2 / 2 the error of the mean."""
    v = NOISE**2 / 2
    return 1 - ((1 - share) ** 2 * v + own**2 - v)


def covered(share, own, *, n, runs):
    """How often the interval covers the true value, and misses it below and above."""
    low, high = np.empty((2, runs))
    for run in range(runs):
        rng = np.random.default_rng([n, round(10 * share), run])
        truth, error = rng.normal(size=n), NOISE * rng.normal(size=(n, 2))
        system = truth + share * error.mean(axis=1) + own * rng.normal(size=n)
        scores = np.column_stack([truth[:, None] + error, system])
        rows = Rows(scores, np.ones(n, dtype=np.int64), np.array([-8.0, 8.0]))
        found = estimate(PRMSE, rated_units(rows))
        low[run], high[run] = found.low, found.high
    true = true_prmse(share, own)
    return np.mean((low <= true) & (true <= high)), np.mean(true < low), np.mean(high < true)


@pytest.mark.parametrize("system", SYSTEMS)
def test_intervals_cover_near_and_above_1(system):
    share, below, above = covered(*SYSTEMS[system], n=200, runs=150)
    assert share >= 0.90  # 150 runs: a share of .95 has a standard error of .018
    assert max(below, above) <= 0.08


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 200, 1000])
@pytest.mark.parametrize("system", SYSTEMS)
def test_intervals_cover_near_and_above_1_in_many_samples(system, n):
    share, below, above = covered(*SYSTEMS[system], n=n, runs=2000)
    assert 0.92 <= share <= 0.97  # 2,000 runs: a share of .95 has a standard error of .005
    assert max(below, above) <= 0.05
