"""Intervals of ceilings hold the true ceilings of simulated populations."""

import pytest

from tests.ceilings.coverage import (
    POOLS,
    SETTINGS,
    TOLD,
    Pool,
    Setting,
    simulate,
    simulate_pool,
)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.words)
def test_intervals_of_ceilings_hold_the_true_value(setting: Setting):
    found = simulate(setting, runs=200)
    # 200 runs: a share of .95 has a standard error of .015
    least = 0.90 if setting.n >= 200 else 0.88
    assert all(found[text] >= least for text in TOLD), found


@pytest.mark.slow
@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_intervals_for_raters_like_these_hold_the_reliability_of_raters_at_random(pool: Pool):
    like, these = simulate_pool(pool, runs=100)
    assert like >= 0.90
    assert these < like
