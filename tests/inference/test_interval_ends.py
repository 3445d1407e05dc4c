"""Interval ends against SciPy."""

import math

import numpy as np
import pytest
import scipy.stats

from tallymark.inference import interval as ends
from tests.inference.data import continuous

PROPORTIONS = [(0, 10), (1, 10), (5, 10), (10, 10), (0, 1), (1, 1), (37, 200), (199, 200)]


@pytest.mark.parametrize(("hits", "n"), PROPORTIONS)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_wilson_intervals_are_those_of_scipy(hits, n, level):
    wilson = scipy.stats.binomtest(hits, n).proportion_ci(level, "wilson")
    assert ends.wilson(hits / n, n, level) == pytest.approx(tuple(wilson), abs=1e-12)


def test_proportions_of_nothing_have_no_interval():
    assert all(math.isnan(end) for end in ends.wilson(0.5, 0, 0.95))


def test_normal_and_t_intervals_are_those_of_scipy():
    found = ends.normal(0.4, 0.1, 0.9)
    assert found == pytest.approx(scipy.stats.norm.interval(0.9, 0.4, 0.1))
    found = ends.student(0.4, 0.1, 7, 0.9)
    assert found == pytest.approx(scipy.stats.t.interval(0.9, 7, 0.4, 0.1))
    assert all(math.isnan(end) for end in ends.student(0.4, 0.1, 0, 0.9))


def test_the_z_interval_of_a_correlation_is_that_of_scipy():
    result = scipy.stats.pearsonr(*continuous(1, n=40))
    found = ends.fisher_z(result.statistic, 1 / math.sqrt(37), 0.95)
    assert found == pytest.approx(tuple(result.confidence_interval(0.95)))
    assert all(math.isnan(end) for end in ends.fisher_z(1.0, 0.1, 0.95))


def test_percentiles_are_the_middle_of_the_replicates():
    replicates = np.random.default_rng(0).permutation(1001) / 1000
    assert ends.percentile(replicates, 0.9) == pytest.approx((0.05, 0.95))


@pytest.mark.parametrize(("value", "se"), [(0.02, 0.015), (0.3, 0.05), (0.97, 0.02)])
def test_a_normal_interval_of_log_odds_stays_between_0_and_1_and_turns_with_the_value(value, se):
    low, high = ends.logit(value, se, 0.95)
    assert 0 < low < value < high < 1
    turned = ends.logit(1 - value, se, 0.95)
    assert (1 - turned.high, 1 - turned.low) == pytest.approx((low, high))
    # the slope of the log odds is 1 / (p (1 - p)): both ends lie as far away
    log = [np.log(p / (1 - p)) for p in (low, value, high)]
    assert np.diff(log) == pytest.approx(1.959964 * se / (value * (1 - value)), rel=1e-6)
