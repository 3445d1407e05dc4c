"""Ranks, their bounds, the share of firsts, and the bars of what is not told apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.inference.ranking import bars, rank_bounds, ranks, share_first


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
