"""The swap test: against brute force, its sums and slopes, and its p-values at the edges."""

from itertools import product

import numpy as np
import pytest

from tallymark.catalogue import find
from tallymark.inference.permutation import Stratum, swap_test
from tallymark.study.rows import Rows
from tallymark.study.units import units_of
from tallymark.tally import PairPatterns
from tallymark.tally.margins import PairMargins, distances_of, margin_rows

POINTS = np.arange(1.0, 7.0)


def scores(n, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(3.5, 1.2, n)
    return np.stack(
        [np.clip(np.rint(truth + rng.normal(0, e, n)), 1, 6) for e in (0.5, 0.6, 1.2)], axis=1
    )


def stratum(given, name="qwk", at=None, kind="cells"):
    n, formula = len(given), find(name)
    single = np.ones(n, dtype=np.int64)
    both = [units_of(kind, Rows(given[:, [0, j]], single, POINTS, np.arange(n))) for j in (1, 2)]
    at = np.arange(n) if at is None else at
    build = both[0].build
    return Stratum(both[0].rows, both[1].rows, at, [lambda sums: formula.value(build(sums))])


def units(n):
    return np.ones(n, dtype=np.int64)


def value(name, gold, system):
    return float(find(name).value(PairPatterns.of(gold, system).table(POINTS)))


def influences(gold, system):
    """Of QWK as a concordance coefficient: spec form, written out anew."""
    a, b = gold - gold.mean(), system - system.mean()
    top = 2 * (a * b).mean()
    bottom = (a**2).mean() + (b**2).mean() + (gold.mean() - system.mean()) ** 2
    each_top = 2 * a * b - top
    each_bottom = (gold - system) ** 2 + 2 * a * b - bottom
    return each_top / bottom - top * each_bottom / bottom**2


def studentised(gold, first, second):
    apart = value("qwk", gold, first) - value("qwk", gold, second)
    spread = np.sqrt(np.mean((influences(gold, first) - influences(gold, second)) ** 2))
    return abs(apart) / spread if abs(apart) > 1e-12 else 0.0


def test_the_studentised_test_is_that_of_brute_force():
    given = scores(8, seed=4)
    gold, first, second = given.T
    observed, extreme = studentised(gold, first, second), 0
    for swapped in product([False, True], repeat=8):
        mask = np.array(swapped)
        one, two = np.where(mask, second, first), np.where(mask, first, second)
        extreme += studentised(gold, one, two) >= observed * (1 - 1e-9)
    found = swap_test([stratum(given)], units(8))
    assert found.exact
    assert found.p_values[0] == pytest.approx(extreme / 256, abs=1e-12)


def test_the_plain_difference_averages_over_strata():
    given = scores(10, seed=2)
    halves = [stratum(given[:5], at=np.arange(5)), stratum(given[5:], at=np.arange(5, 10))]
    found = swap_test(halves, units(10), studentised=False)
    each = [
        value("qwk", part[:, 0], part[:, 1]) - value("qwk", part[:, 0], part[:, 2])
        for part in (given[:5], given[5:])
    ]
    assert found.differences[0] == pytest.approx(np.mean(each))


def test_equal_units_told_once_are_swapped_one_by_one():
    given = scores(7, seed=5)
    twice = np.concatenate([given[:3], given[:3], given[3:]])
    once, times = given, np.array([2, 2, 2, *[1] * 4])
    assert (
        swap_test([stratum(once)], times).p_values
        == swap_test([stratum(twice)], units(10)).p_values
    )


def test_many_permutations_come_close_to_all_of_them():
    given = scores(8, seed=7)
    exact = swap_test([stratum(given)], units(8)).p_values[0]
    from tallymark.inference import permutation

    few, permutation.EXACT = permutation.EXACT, 0
    try:
        drawn = swap_test([stratum(given)], units(8), permutations=2000)
    finally:
        permutation.EXACT = few
    assert not drawn.exact
    assert drawn.p_values[0] == pytest.approx(exact, abs=0.025)


def test_counts_above_a_byte_are_drawn_fairly():
    given = scores(15, seed=8)
    together, apart = (
        swap_test([stratum(rows)], times, permutations=4000, studentised=False).p_values[0]
        for rows, times in ((given, np.full(15, 9)), (np.repeat(given, 9, axis=0), units(135)))
    )
    assert 0.1 < together < 0.5
    assert together == pytest.approx(apart, abs=0.03)


def test_identical_systems_give_one():
    given = scores(40)[:, [0, 1, 1]]
    found = swap_test([stratum(given)], units(40), permutations=200)
    assert found.differences == [0.0]
    assert found.p_values == [1.0]


def test_an_undefined_difference_has_no_p_value():
    given = np.full((20, 3), 3.0)
    assert np.isnan(swap_test([stratum(given)], units(20)).p_values[0])


def test_the_smallest_p_value_is_that_of_the_number_of_permutations():
    rng = np.random.default_rng(0)
    gold = rng.integers(1, 7, 200).astype(float)
    given = np.stack([gold, gold, 7 - gold], axis=1)
    assert swap_test([stratum(given)], units(200), permutations=99).p_values == [0.01]


@pytest.mark.parametrize(
    "name", ["exact", "adjacent", "csrate", "kappa", "lwk", "qwk", "scott_pi", "ac2", "bp"]
)
def test_margins_and_distances_are_all_that_a_coefficient_needs(name):
    given, formula = scores(60, seed=3), find(name)
    distances = distances_of([formula.value], POINTS)
    sums = margin_rows(given[:, :2], POINTS, distances).sum(axis=0)
    found = float(formula.value(PairMargins(sums, POINTS, distances)))
    assert found == pytest.approx(value(name, given[:, 0], given[:, 1]), abs=1e-12)


def test_margins_and_tables_give_the_same_p_value():
    given, formula = scores(50, seed=11), find("ac2")
    distances = distances_of([formula.value], POINTS)
    first, second = (margin_rows(given[:, [0, j]], POINTS, distances) for j in (1, 2))
    by_margins = Stratum(
        first, second, np.arange(50), [lambda s: formula.value(PairMargins(s, POINTS, distances))]
    )
    found = [
        swap_test([one], units(50), permutations=300) for one in (by_margins, stratum(given, "ac2"))
    ]
    assert found[0].p_values == found[1].p_values
    assert found[0].differences == pytest.approx(found[1].differences)
