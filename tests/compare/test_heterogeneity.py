"""The spread between prompts and the prediction for a new one."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.inference.heterogeneity import heterogeneity


def test_without_sampling_error_the_spread_is_that_of_the_values():
    values = np.array([0.6, 0.7, 0.75, 0.9])
    found = heterogeneity(values, np.zeros(4), 0.95)
    assert found.sd == pytest.approx(values.std(ddof=1))
    # t(3) = 3.1824 at .975: mean +- t s sqrt(1 + 1/4)
    half = 3.182446 * values.std(ddof=1) * np.sqrt(1.25)
    assert found.new_prompt == pytest.approx((values.mean() - half, values.mean() + half), abs=1e-6)
    # s sqrt(df / chi2): chi2(3) quantiles 9.3484 and 0.2158
    ends = values.std(ddof=1) * np.sqrt(3 / np.array([9.348404, 0.215795]))
    assert found.sd_ends == pytest.approx(tuple(ends), rel=1e-5)


def test_values_that_differ_less_than_chance_show_no_spread():
    found = heterogeneity(np.array([0.70, 0.701, 0.699]), np.full(3, 0.05), 0.95)
    assert found.sd == found.sd_ends.low == 0


def test_equal_errors_are_taken_off_the_variance():
    values, errors = np.array([0.5, 0.7, 0.9]), np.full(3, 0.1)
    found = heterogeneity(values, errors, 0.95)
    assert found.sd == pytest.approx(np.sqrt(values.var(ddof=1) - 0.01))
    assert found.sd_ends.low <= found.sd <= found.sd_ends.high


@pytest.mark.slow
@pytest.mark.parametrize("prompts", [3, 8])
@pytest.mark.parametrize("spread", [0.0, 0.05, 0.1])
def test_a_new_prompt_lies_within_its_interval(prompts, spread):
    rng, runs = np.random.default_rng(prompts), 2000
    measured = true = sd = 0
    for _ in range(runs):
        each = 0.05 * np.exp(rng.normal(0, 0.3, prompts))
        values = rng.normal(rng.normal(0.7, spread, prompts), each)
        found = heterogeneity(values, each, 0.95)
        new = rng.normal(0.7, spread)
        true += found.new_prompt.low <= new <= found.new_prompt.high
        measured += (
            found.new_prompt.low <= rng.normal(new, rng.choice(each)) <= found.new_prompt.high
        )
        sd += found.sd_ends.low <= spread <= found.sd_ends.high
    assert measured / runs > 0.935
    assert true / runs > 0.94
    assert sd / runs > 0.935


def test_equal_values_do_not_show_where_a_new_prompt_lies():
    gold = [1, 2, 3, 4] * 30
    columns = {"gold": gold, "a": gold, "b": [1, 2, 3, 3] * 30, "p": sorted("xyz" * 40)}
    found = tm.compare(columns, gold="gold", systems=["a", "b"], prompt="p")
    new = [e for e in found.estimates if e.name == "new_prompt"]
    equal = [e for e in new if "every prompt has the same value" in e.why]
    assert equal
    assert all(math.isnan(e.low) for e in equal)
    assert all(e.why or e.high - e.low > 1e-9 for e in new)
