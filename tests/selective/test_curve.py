"""Curves and areas: brute force over the orders of ties, other programs, and invariances."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from tallymark.errors import DataError, OptionError
from tallymark.selective.curve import (
    RiskCoverage,
    augrc,
    aurc,
    aurc_oracle,
    auroc,
    coverage_at,
    critical_errors,
    e_aurc,
    most_confident,
    risk_coverage,
)

AREAS = (aurc, e_aurc, augrc, auroc)
responses = st.lists(
    st.tuples(st.integers(0, 6), st.booleans(), st.integers(1, 4)), min_size=1, max_size=30
)


def columns(rows):
    return (np.array(column) for column in zip(*rows, strict=True))


def test_areas_average_over_the_orders_of_ties():
    confidence, error = np.array([2, 2, 1, 1, 1, 0]), np.array([1, 0, 0, 1, 0, 1])
    means = []
    for order in permutations(range(6)):
        if (np.diff(confidence[list(order)]) > 0).any():
            continue
        k = np.cumsum(error[list(order)])
        means.append([np.mean(k / np.arange(1, 7)), np.mean(k / 6)])
    curve = risk_coverage(confidence, error)
    assert [aurc(curve), augrc(curve)] == pytest.approx(np.mean(means, axis=0), abs=1e-14)


@given(responses)
def test_counts_are_repetitions_and_order_does_not_matter(rows):
    confidence, error, times = columns(rows)
    told = risk_coverage(confidence, error, times)
    order = np.random.default_rng(0).permutation(times.sum())
    whole = risk_coverage(np.repeat(confidence, times)[order] ** 3, np.repeat(error, times)[order])
    assert told.n.tolist() == whole.n.tolist()
    assert told.k.tolist() == whole.k.tolist()
    for area in AREAS:
        np.testing.assert_allclose(area(told), area(whole), rtol=1e-12)


@given(responses)
def test_auroc_is_that_of_scikit_learn(rows):
    confidence, error, times = columns(rows)
    found = auroc(risk_coverage(confidence, error, times))
    if error.all() or not error.any():
        assert np.isnan(found)
    else:
        assert found == pytest.approx(roc_auc_score(~error, confidence, sample_weight=times))


@given(responses)
def test_no_order_is_better_than_the_oracle(rows):
    confidence, error, times = columns(rows)
    curve = risk_coverage(confidence, error, times)
    assert e_aurc(curve) >= -1e-12
    best = risk_coverage(-error.astype(float), error, times)
    right_first = risk_coverage(np.arange(times.sum())[::-1], np.sort(np.repeat(error, times)))
    assert best.threshold.size <= 2
    assert aurc_oracle(curve) == pytest.approx(aurc(right_first), abs=1e-12)


def test_leading_axes_are_resamples():
    rng = np.random.default_rng(0)
    confidence, error = rng.integers(0, 5, 40), rng.random(40) < 0.3
    weights = rng.multinomial(40, np.full(40, 1 / 40), 3)
    whole = risk_coverage(confidence, error)
    at = np.searchsorted(-whole.threshold, -confidence)
    rows = np.eye(whole.threshold.size, dtype=int)[at]
    n, k = (np.cumsum(weights @ part, axis=-1) for part in (rows, rows * error[:, None]))
    many = RiskCoverage(whole.threshold, n, k)
    for i, row in enumerate(weights):
        one = risk_coverage(confidence, error, row)
        for area in AREAS:
            assert area(many)[i] == pytest.approx(area(one), abs=1e-12)
        reached, alone = coverage_at(many, 0.2), coverage_at(one, 0.2)
        assert reached.max_coverage[i] == pytest.approx(alone.max_coverage)
        assert reached.prefix_coverage[i] == pytest.approx(alone.prefix_coverage)


def test_areas_take_an_imaginary_step():
    curve = risk_coverage([3, 2, 2, 1], [0, 1, 0, 1])
    step = 1e-30j * np.arange(1, 4)
    for area in AREAS:
        moved = area(RiskCoverage(curve.threshold, curve.n + step, curve.k + step / 3))
        up = area(
            RiskCoverage(
                curve.threshold, curve.n + step.imag * 1e24, curve.k + step.imag * 1e24 / 3
            )
        )
        down = area(
            RiskCoverage(
                curve.threshold, curve.n - step.imag * 1e24, curve.k - step.imag * 1e24 / 3
            )
        )
        assert moved.imag * 1e30 == pytest.approx((up - down) / 2e-6, rel=1e-6)


def test_undefined_is_nan():
    assert np.isnan(auroc(risk_coverage([1, 2], [0, 0])))
    none = coverage_at(risk_coverage([1, 2], [1, 1]), 0.1)
    assert none.max_coverage == none.prefix_coverage == 0
    assert np.isnan(none.max_tau)
    assert np.isnan(none.prefix_tau)


def test_the_most_confident_with_counts():
    found = most_confident([0.9, 0.5, 0.1], 0.3, counts=[1, 2, 7])
    assert (found.threshold, found.n, found.coverage) == (0.5, 3, 0.3)
    assert most_confident([0.5, 0.5], 0.1).coverage == 1


@pytest.mark.parametrize(
    ("confidence", "errors", "counts", "message"),
    [
        ([0.1, np.nan], [0, 1], None, "1 of 2 confidences are missing"),
        ([-np.inf, 0.2], [0, 1], None, r"1 of 2 confidences are missing \(NaN\) or infinite"),
        ([0.1, 0.2], [0, 2], None, "errors must be 0 or 1"),
        ([0.1, 0.2], [0], None, "lists of one length"),
        ([], [], None, "no responses"),
        ([0.1], [0], [0.5], "whole numbers"),
        ([0.1, 0.2], [0, 1], [-1, 2], "whole numbers"),
    ],
)
def test_what_cannot_be_ranked_is_refused(confidence, errors, counts, message):
    with pytest.raises(DataError, match=message):
        risk_coverage(confidence, errors, counts)


def test_a_gap_of_exactly_lambda_times_the_range_is_critical():
    # .07 * 100 is 7.000000000000001 in doubles
    assert critical_errors([0, 0], [7, 6.9], 0.07, 100).tolist() == [True, False]
    assert critical_errors([0, 0], [2, 2], 0.2, [10, 11]).tolist() == [True, False]
    with pytest.raises(OptionError, match="lambda and the score range must be positive"):
        critical_errors([0], [1], 0, 5)
    with pytest.raises(DataError, match="machine scores: 1 of 2 are missing"):
        critical_errors([0, 1], [1, np.nan], 0.2, 5)
