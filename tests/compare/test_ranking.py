"""Ranks, their bounds, the share of firsts, and the bars of what is not told apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from tallymark.inference.ranking import bars, joint_draws, rank_bounds, ranks, share_first


def decisions(pairs, size):
    better = np.zeros((size, size), dtype=bool)
    for first, second in pairs:
        better[first, second] = True
    return better


def test_equal_systems_share_the_better_rank_and_undefined_ones_come_last():
    assert ranks(np.array([0.5, 0.9, 0.5, np.nan])).tolist() == [2, 1, 2, 4]


def test_firsts_are_split_between_equals():
    replicates = np.array([[0.9, 0.9, 0.1], [0.2, 0.8, 0.1], [0.5, 0.1, 0.1], [0.5, 0.1, 0.6]])
    assert share_first(replicates).tolist() == [1.5 / 4, 1.5 / 4, 1 / 4]


def test_two_systems_are_first_as_often_as_the_normal_distribution_says():
    rng = np.random.default_rng(3)
    scores, times = rng.normal(size=(2, 50)), rng.integers(1, 4, 50)
    n = times.sum()
    means = scores @ times / n
    apart = scores[0] - scores[1]
    se = np.sqrt(times @ (apart - times @ apart / n) ** 2) / n
    drawn = joint_draws(means, scores, times, draws=40_000, seed=(0, 0))
    assert share_first(drawn)[0] == pytest.approx(norm.cdf((means[0] - means[1]) / se), abs=0.01)
    assert np.cov(drawn.T) * n == pytest.approx(np.cov(scores, fweights=times, ddof=0), abs=0.03)


def test_systems_that_score_alike_share_the_firsts_and_an_undefined_one_has_none():
    moved = np.random.default_rng(5).normal(size=30)
    influences = np.stack([moved, moved, np.full(30, np.nan)])
    values = np.array([0.7, 0.7, np.nan])
    drawn = joint_draws(values, influences, np.ones(30, dtype=int), draws=500, seed=(0, 0))
    assert share_first(drawn).tolist() == [0.5, 0.5, 0]


def test_bounds_say_what_decisions_leave_open():
    low, high = rank_bounds(decisions([(0, 1), (0, 2)], 3))
    assert low.tolist() == [1, 2, 2]
    assert high.tolist() == [1, 3, 3]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_every_bar_is_free_of_decisions_and_cannot_grow(pairs):
    better = decisions([(a, b) for a, b in pairs if a < b], 6)
    order = np.arange(6)
    found = bars(better, order)
    assert sorted({i for first, last in found for i in range(first, last + 1)}) == list(range(6))
    for first, last in found:
        assert not better[first : last + 1, first : last + 1].any()
        assert first == 0 or better[first - 1 : last + 1, first - 1 : last + 1].any()
        assert last == 5 or better[first : last + 2, first : last + 2].any()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_ranks_lie_within_bounds_of_right_decisions(values):
    merit = np.array(values)
    better = merit[:, None] > merit[None, :]
    low, high = rank_bounds(better)
    assert (low == ranks(merit)).all()
    assert (high >= ranks(merit)).all()


def test_no_system_has_no_bar():
    assert bars(np.zeros((0, 0), dtype=bool), np.arange(0)) == []
    with pytest.raises(ValueError, match="zero-size"):
        share_first(np.zeros((2, 0)))
