"""The position effect: the worked matrices, and every placement tried one by one."""

from itertools import permutations

import numpy as np
import pytest

from tallymark.agreement.kappa import cohen_kappa
from tallymark.diagnosis import position
from tallymark.diagnosis.position import apart_rows, placed, placements, spread_evenly
from tallymark.tally import PairCounts

OFF = np.array([[0, 51, 5, 0], [166, 0, 92, 0], [14, 98, 0, 102], [0, 4, 70, 0]])
"""Rebuilt from the printed figures of Doewes, Kurdhi & Saxena (2023); not the authors' data."""
WORKED = [
    ([139, 476, 404, 149], 0.7653),
    ([151, 900, 82, 35], 0.6646),
    ([151, 35, 82, 900], 0.8530),
    ([151, 1000, 12, 5], 0.5993),
    ([151, 5, 12, 1000], 0.8548),
]


def qwk(pairs):
    return float(cohen_kappa(pairs, weights="quadratic"))


@pytest.mark.parametrize(("diagonal", "expected"), WORKED)
def test_the_worked_example(diagonal, expected):
    table = PairCounts(OFF + np.diag(diagonal), np.arange(4.0))
    assert qwk(table) == pytest.approx(expected, abs=5e-5)
    found = placements(table)
    assert found.lowest - 1e-12 <= qwk(table) <= found.highest + 1e-12


def test_moving_the_agreement_turns_a_verdict_around():
    """Table 6 of the paper: the same agreement is rejected in one place and accepted in another."""
    found = placements(PairCounts(OFF + np.diag([151, 900, 82, 35]), np.arange(4.0)))
    assert found.lowest < 0.70 < 0.8530 - 5e-5 <= found.highest


def random_table(k, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 8, (k, k)) + np.diag(rng.integers(0, 400, k) ** 2 // 400)
    points = np.sort(rng.choice(40, k, replace=False)) / 2.0
    return PairCounts(table, points)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", range(4))
def test_the_range_is_that_of_every_placement(k, seed):
    table = random_table(k, seed)
    every = [
        qwk(placed(table, np.array(order, dtype=float)))
        for order in permutations(np.diagonal(table.counts))
    ]
    found = placements(table)
    assert found.lowest == pytest.approx(min(every), abs=1e-12)
    assert found.highest == pytest.approx(max(every), abs=1e-12)
    assert found.bound == pytest.approx(found.highest, abs=1e-12)
    assert qwk(placed(table, found.lowest_diagonal)) == found.lowest
    assert sorted(found.highest_diagonal) == sorted(np.diagonal(table.counts))


@pytest.mark.parametrize("seed", range(12))
def test_long_scales_are_searched_and_bounded(seed, monkeypatch):
    """Where every order can still be tried, the search finds nearly the highest, and never more."""
    table = random_table(7, seed)
    exact = placements(table)
    monkeypatch.setattr(position, "EVERY", 2)
    found = placements(table)
    assert found.lowest == exact.lowest
    assert exact.highest - 0.002 <= found.highest <= exact.highest + 1e-12
    assert exact.highest <= found.bound + 1e-12
    assert found.bound - found.highest < 0.02


def test_a_hundred_points():
    table = random_table(40, 1)
    found = placements(table)
    assert found.lowest <= qwk(table) <= found.highest <= found.bound < found.highest + 0.001


def test_agreement_spread_evenly():
    table = PairCounts(OFF + np.diag([151, 900, 82, 35]), np.arange(4.0))
    even = PairCounts(OFF + np.diag([292.0] * 4), np.arange(4.0))
    first, second = np.divmod(np.repeat(np.arange(16), table.counts.astype(np.int64).ravel()), 4)
    made = spread_evenly(apart_rows(first, second, table.points).sum(axis=0), table.points)
    assert float(cohen_kappa(made, weights="quadratic")) == pytest.approx(qwk(even))


def test_one_point_used_by_both_has_no_range():
    found = placements(PairCounts(np.array([[5, 0], [0, 0]]), np.arange(2.0)))
    assert np.isnan(found.lowest)
