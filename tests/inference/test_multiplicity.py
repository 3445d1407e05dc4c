"""Adjusted p-values: what step-down max-T promises, against Holm and against simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from tallymark.inference.multiplicity import holm, joint_null, step_down

P = st.lists(st.floats(1e-9, 1.0) | st.just(math.nan), min_size=1, max_size=8)


def independent(m, draws=2000, seed=0):
    return [np.random.default_rng(seed).normal(size=(draws, m))]


@settings(max_examples=60)
@given(P, st.integers(0, 9))
def test_adjusted_p_lies_between_the_p_itself_and_holm_and_keeps_the_order(p, seed):
    found, bound = step_down(p, independent(len(p), 200, seed)), holm(p)
    for one, raw, most in zip(found, p, bound, strict=True):
        assert math.isnan(one) == math.isnan(raw)
        assert math.isnan(one) or raw <= one <= most + 1e-12
    known = [(raw, one) for raw, one in zip(p, found, strict=True) if not math.isnan(raw)]
    ordered = [one for _, one in sorted(known)]
    assert ordered == sorted(ordered)


@settings(max_examples=30)
@given(P, st.randoms(use_true_random=False))
def test_the_order_of_comparisons_does_not_matter(p, random):
    order = random.sample(range(len(p)), len(p))
    draws = independent(len(p), 200)[0]
    here = step_down(p, [draws])
    there = step_down([p[i] for i in order], [draws[:, order]])
    for place, i in enumerate(order):
        # equal p-values are one step of either order
        if p.count(p[i]) == 1 or math.isnan(p[i]):
            assert there[place] == pytest.approx(here[i], nan_ok=True)


def test_one_comparison_keeps_its_p_and_small_p_values_are_not_rounded_up_to_the_draws():
    assert step_down([0.02], independent(1)) == [0.02]
    assert step_down([1e-12, 0.5], independent(2))[0] == pytest.approx(2e-12)


def test_independent_comparisons_cost_what_sidak_says():
    found = step_down([0.01] * 10, independent(10, 100_000))
    assert found[0] == pytest.approx(1 - 0.99**10, abs=0.003)


def test_draws_depend_on_each_other_as_the_influences_do():
    rng = np.random.default_rng(1)
    base = rng.normal(size=(300, 1))
    influences = np.concatenate([base, base * 3 + 1, rng.normal(size=(300, 1))], axis=1)
    times = rng.integers(1, 4, 300)
    drawn = np.concatenate(list(joint_null(influences, times, draws=20_000)))
    expected = np.cov(influences.T, fweights=times)
    spread = np.sqrt(np.diag(expected))
    assert np.corrcoef(drawn.T) == pytest.approx(expected / np.outer(spread, spread), abs=0.03)
    assert drawn.std(axis=0) == pytest.approx(1, abs=0.02)
    few = np.concatenate(list(joint_null(influences[:2], np.array([1, 1]), draws=50)))
    assert few.shape == (50, 3)


def test_a_family_errs_as_often_as_it_says_where_holm_errs_less():
    """20 correlated means, all null: any adjusted p <= .05 in 5 % of 1,000 families."""
    rng = np.random.default_rng(2)
    runs, n, m = 1000, 100, 20
    hits = {"step_down": 0, "holm": 0}
    for run in range(runs):
        shared = rng.normal(size=(n, 1))
        data = np.sqrt(0.8) * shared + np.sqrt(0.2) * rng.normal(size=(n, m))
        t = data.mean(axis=0) / (data.std(axis=0, ddof=1) / np.sqrt(n))
        p = 2 * norm.sf(abs(t))
        null = joint_null(data - data.mean(axis=0), np.ones(n, np.int64), draws=500, seed=run)
        hits["step_down"] += min(step_down(p, null)) <= 0.05
        hits["holm"] += min(holm(p)) <= 0.05
    assert hits["step_down"] / runs == pytest.approx(0.05, abs=0.021)  # three standard errors
    assert hits["holm"] / runs < 0.035
