"""Pairs of scores are counted exactly, however they come."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.tally import PairCounts, PairMoments, PairPatterns
from tallymark.tally.pairs import GRID


def as_rows(pairs):
    return list(
        zip(pairs.first.tolist(), pairs.second.tolist(), pairs.counts.tolist(), strict=True)
    )


def test_distinct_pairs_are_sorted_and_counted():
    pairs = PairPatterns.of([2, 1, 2, 1, 2], [1, 3, 1, 1, 2])
    assert as_rows(pairs) == [(1, 1, 1), (1, 3, 1), (2, 1, 2), (2, 2, 1)]
    assert pairs.counts.dtype == np.int64


def test_pairs_with_a_missing_score_or_a_count_of_zero_are_left_out():
    assert as_rows(PairPatterns.of([1, np.nan, 2], [1, 1, np.nan])) == [(1, 1, 1)]
    assert as_rows(PairPatterns.of([1, 2], [1, 2], counts=[0, 3])) == [(2, 2, 3)]
    assert as_rows(PairPatterns.of([], [])) == []
    assert as_rows(PairPatterns.of([np.nan], [1])) == []


UNITS = st.sampled_from([1.0, 0.5, 0.25, 0.1, 1 / 3, 1e6, float(GRID)])


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=30),
    UNITS,
    st.sampled_from([0.0, -2.5, 0.1]),
)
def test_counting_on_a_grid_gives_what_sorting_gives(rows, unit, shift):
    scores = np.array(rows, dtype=float).reshape(-1, 2) * unit + shift
    first, second = scores.T
    sorted_out = PairPatterns.of(first, second, counts=np.ones(len(scores), dtype=int))
    assert as_rows(PairPatterns.of(first, second)) == as_rows(sorted_out)


def test_counts_add_up_beyond_what_fits_32_bits():
    pairs = PairPatterns.of([1, 1, 2], [1, 1, 2], counts=[7_000_000_000, 1, 2])
    assert pairs.counts.tolist() == [7_000_000_001, 2]
    assert pairs.table(np.array([1.0, 2])).n == 7_000_000_003


def test_a_table_puts_each_score_at_its_nearest_point_half_up():
    pairs = PairPatterns.of([1, 2, 2], [1.4, 2.5, 9])
    table = pairs.table(np.array([1.0, 2, 3]))
    assert table.counts.tolist() == [[1, 0, 0], [0, 0, 2], [0, 0, 0]]


def test_the_margins_and_shares_of_a_table():
    pairs = PairCounts(np.array([[3, 1], [2, 4]]), np.array([0.0, 1]))
    first, second = pairs.margins
    assert first.tolist() == [0.4, 0.6]
    assert second.tolist() == [0.5, 0.5]
    assert pairs.shares.tolist() == [0.45, 0.55]
    assert pairs.ratings == 20
    assert pairs.products(np.array([1.0, 2])) == pytest.approx((3 + 2 * 1 + 2 * 2 + 4 * 4) / 10)
    assert pairs.disagreement(np.array([[0.0, 1], [1, 0]])) == pytest.approx(0.3)


def test_moments_of_sequences_are_those_of_their_patterns():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 5, (2, 100)).astype(float)
    here = PairPatterns.of(first, second).moments(2.0)
    there = PairMoments.of_scores(first, second, 2.0)
    assert here.sums.tolist() == there.sums.tolist()
    assert list(there.means) == pytest.approx([first.mean(), second.mean()])
    assert list(there.variances) == pytest.approx([first.var(), second.var()])
    assert there.covariance == pytest.approx(np.cov(first, second, ddof=0)[0, 1])
    assert there.mean_squared_difference == pytest.approx(np.mean((second - first) ** 2))


def test_tiny_differences_of_large_scores_are_not_lost():
    first = np.linspace(1e6, 1e6 + 10, 50)
    second = first + 1e-4
    moments = PairMoments.of_scores(first, second, 1e6)
    assert np.sqrt(moments.mean_squared_difference) == pytest.approx(1e-4, rel=1e-4)


def test_errors_are_kept_by_gold_score():
    errors = PairPatterns.of([1, 1, 3], [1, 2, 1]).errors()
    assert errors.points.tolist() == [1, 3]
    assert errors.sums.tolist() == [[2, 1, 1], [1, 2, 4]]
