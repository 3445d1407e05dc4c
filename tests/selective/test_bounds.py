"""Bounds beside SciPy's distributions, and the numbers of labels planned with them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, binomtest, hypergeom

from tallymark.errors import OptionError
from tallymark.selective.bounds import (
    audit_size,
    binomial_cdf,
    future_errors,
    future_errors_certified,
    interval,
    labels_for_zero,
    largest_k,
    lower,
    n_min,
    upper,
)
from tallymark.selective.plan import accepted_needed, plan

rates = st.sampled_from([0.01, 0.05, 0.2, 0.5])
deltas = st.sampled_from([0.01, 0.05, 0.3, 0.7])


@given(st.integers(0, 60), st.integers(0, 60), rates)
def test_binomial_cdf(k, n, rate):
    assert binomial_cdf(k, n, rate) == pytest.approx(binom.cdf(k, n, rate), abs=1e-13)


@given(st.integers(0, 50), st.integers(1, 50), deltas)
def test_clopper_pearson(k, more, delta):
    n = k + more
    assert upper(k, n, delta) == pytest.approx(beta.ppf(1 - delta, k + 1, n - k))
    assert lower(k, n, delta) == pytest.approx(beta.ppf(delta, k, n - k + 1) if k else 0)
    exact = binomtest(k, n).proportion_ci(0.9, "exact")
    assert tuple(map(float, interval(k, n, 0.9))) == pytest.approx(tuple(exact), abs=1e-12)


def test_bounds_at_the_ends():
    assert upper(5, 5, 0.05) == 1
    assert lower(0, 5, 0.05) == 0
    assert np.isnan(upper(0, 0, 0.05))
    assert binomial_cdf(0, 0, 0.1) == 1


@given(rates, deltas)
def test_the_most_errors_is_what_every_n_would_give_alone(alpha, delta):
    n = np.arange(0, 200)
    passed = binom.cdf(n[:, None], n, alpha) <= delta
    slow = np.where(passed.any(axis=0), n.size - 1 - np.argmax(passed[::-1], axis=0), -1)
    assert largest_k(alpha, delta, n).tolist() == slow.tolist()


@given(st.integers(0, 5), st.integers(1, 60), st.integers(0, 60), deltas)
def test_future_errors_are_those_not_spoken_against(k, more, m, delta):
    n = k + more
    spoken = [hypergeom.cdf(k, n + m, k + x, n) for x in range(m + 1)]
    assert future_errors(k, n, m, delta) == max(
        x for x in range(m + 1) if spoken[x] > delta + 1e-12
    )


@given(rates, st.integers(0, 300), deltas)
def test_future_errors_after_a_certificate(alpha, m, delta):
    assert future_errors_certified(alpha, m, delta) == binom.ppf(1 - delta, m, alpha)


def test_future_errors_hold_as_often_as_they_say():
    rng = np.random.default_rng(0)
    rate, n, m = 0.03, 150, 200
    seen = rng.binomial(n, rate, 4000)
    bounds = np.array([future_errors(k, n, m, 0.1) for k in range(seen.max() + 1)])
    missed = np.mean(rng.binomial(m, rate, 4000) > bounds[seen])
    assert missed <= 0.1 + 3 * np.sqrt(0.09 / 4000)


def test_zero_among_the_next_takes_the_labels_it_takes():
    for m in (1, 7, 100):
        n = labels_for_zero(m, 0.05)
        assert future_errors(0, n, m, 0.05) == 0
        assert future_errors(0, n - 1, m, 0.05) > 0


@pytest.mark.parametrize(("accepted", "most", "found"), [(1000, 20, 0), (300, 3, 2), (50, 0, 0)])
def test_the_audit_is_the_smallest_that_bounds_the_rest(accepted, most, found):
    size = audit_size(accepted, most, 0.05, found)
    assert future_errors(found, size, accepted - size, 0.05) <= most
    assert future_errors(found, size - 1, accepted - size + 1, 0.05) > most


@pytest.mark.parametrize(
    ("alpha", "rate", "first", "stays"),
    [
        (0.05, 0.01, 124, 124),
        (0.05, 0.02, 234, 286),
        (0.02, 0.005, 386, 386),
        (0.02, 0.01, 969, 1091),
        (0.01, 0.002, 628, 773),
        (0.01, 0.005, 1941, 2185),
    ],
)
def test_labels_for_power(alpha, rate, first, stays):
    def power_of(n):
        return binom.cdf(largest_k(alpha, 0.05, n), n, rate)

    assert accepted_needed(alpha, 0.05, rate, 0.8) == (first, stays)
    assert power_of(first) >= 0.8
    assert power_of(first - 1) < 0.8
    assert power_of(stays - 1) < 0.8 or stays == first
    later = [power_of(n) for n in range(stays, stays + 400, 7)]
    assert min(later) >= 0.8


def test_plans():
    six = plan(0.05, true_rate=0.01, prompts=6)
    assert six.least[0] == 94
    assert six.labels_in_all == 6 * six.labels
    common = plan(0.05, true_rate=0.01, prompts=6, family="common")
    assert common.stays == 124
    hopeless = plan(0.05, true_rate=0.05)
    assert np.isnan(hopeless.labels)
    assert "below alpha" in hopeless.why
    assert "too close" in plan(0.05, true_rate=0.049999).why
    assert plan(0.05, true_rate=0.0, coverage=0.5).labels == 118


def test_limits_no_sample_could_keep_are_refused():
    with pytest.raises(
        OptionError, match=r"zero cannot be certified.*takes 1900 accepted.*takes 299"
    ):
        n_min(0, 0.05)
    with pytest.raises(OptionError, match="delta must lie between 0 and 1"):
        n_min(0.05, 1)
    with pytest.raises(OptionError, match="alpha must be below 1"):
        plan(1.5, true_rate=0.1)
    with pytest.raises(OptionError, match="0 <= errors <= responses"):
        future_errors(5, 3, 10, 0.05)
    with pytest.raises(OptionError, match="coverage must be a share"):
        plan(0.05, true_rate=0.01, coverage=0)
