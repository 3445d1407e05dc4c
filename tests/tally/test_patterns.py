"""Rows are sorted and grouped alike, however many of them differ."""

import numpy as np
import pytest

from tallymark.tally import PairPatterns
from tallymark.tally.patterns import MANY, group_rows


@pytest.mark.parametrize("decimals", [0, 2, 4, 12])
def test_many_rows_are_sorted_by_all_columns_and_equal_rows_keep_their_order(decimals):
    rng = np.random.default_rng(7)
    first = np.round(rng.normal(0, 1, MANY + 1), decimals) + 0.0  # no -0
    first[rng.random(first.size) < 0.01] = np.nan
    second = np.round(rng.normal(0, 1, first.size), 1) + 0.0
    second[rng.random(first.size) < 0.5] = np.nan
    third = rng.integers(0, 2, first.size)
    order, starts = group_rows([first, second, third])
    assert order.tolist() == np.lexsort([third, second, first]).tolist()
    different = {
        *zip(*(map(str, column.tolist()) for column in (first, second, third)), strict=True)
    }
    assert starts.size == len(different)


@pytest.mark.parametrize("rows", [0, 1])
def test_no_row_and_one_row_are_grouped(rows):
    order, starts = group_rows([np.zeros(rows), np.zeros(rows)])
    assert (order.tolist(), starts.tolist()) == ([*range(rows)], [*range(rows)])


def test_tallies_of_continuous_scores_hold_each_pair_once():
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 1, (MANY + 1, 2))
    twice = PairPatterns.of(*np.concatenate([scores, scores[::-1]]).T)
    assert twice.first.tolist() == np.sort(scores[:, 0]).tolist()
    assert set(twice.counts.tolist()) == {2}
