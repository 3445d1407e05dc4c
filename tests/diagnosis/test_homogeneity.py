"""Marginal homogeneity against hand calculations, McNemar's test and SciPy."""

import numpy as np
import pytest
from scipy.stats import chi2

from tallymark.diagnosis.homogeneity import (
    bhapkar,
    margin_gap,
    stuart_maxwell,
)
from tallymark.tally import PairCounts


def pairs(table):
    table = np.array(table)
    return PairCounts(table, np.arange(table.shape[0] * 1.0))


def bhapkar_of(tally):
    return bhapkar(stuart_maxwell(tally), float(tally.n))


@pytest.mark.parametrize(("b", "c"), [(5, 15), (40, 3), (7, 7), (1, 0)])
def test_two_points_are_mcnemars_test(b, c):
    found = stuart_maxwell(pairs([[30, b], [c, 20]]))
    assert found.statistic == pytest.approx((b - c) ** 2 / (b + c), abs=1e-12)
    assert found.df == 1
    assert found.p == pytest.approx(chi2.sf(found.statistic, 1))


def test_three_points_by_hand():
    """Fleiss & Everitt's closed form for three points, with n_ij the mean of both cells."""
    table = np.array([[35, 5, 0], [15, 20, 5], [10, 5, 5]])
    d = table.sum(axis=1) - table.sum(axis=0)
    n12, n13, n23 = ((table[i, j] + table[j, i]) / 2 for i, j in ((0, 1), (0, 2), (1, 2)))
    by_hand = (n23 * d[0] ** 2 + n13 * d[1] ** 2 + n12 * d[2] ** 2) / (
        2 * (n12 * n23 + n12 * n13 + n13 * n23)
    )
    assert d.tolist() == [-20, 10, 10]
    assert by_hand == pytest.approx((5 * 400 + 5 * 100 + 10 * 100) / (2 * (50 + 50 + 25)))  # 14
    found = stuart_maxwell(pairs(table))
    assert found.statistic == pytest.approx(14.0)
    assert found.df == 2
    assert found.p == pytest.approx(np.exp(-7))
    assert bhapkar_of(pairs(table)).statistic == pytest.approx(14 / (1 - 14 / 100))


def test_bhapkar_is_the_wald_test_of_the_observed_differences():
    """Independent route: multinomial covariance of the margin differences, last point left out."""
    table = np.random.default_rng(3).integers(0, 30, (5, 5))
    n, k = table.sum(), 5
    p = table.ravel() / n
    i, j = np.divmod(np.arange(k * k), k)
    contrast = (np.arange(k)[:, None] == i) * 1.0 - (np.arange(k)[:, None] == j)
    contrast = contrast[:-1]
    covariance = contrast @ (np.diag(p) - np.outer(p, p)) @ contrast.T / n
    wald = contrast @ p @ np.linalg.solve(covariance, contrast @ p)
    found = bhapkar_of(pairs(table))
    assert found.statistic == pytest.approx(wald)
    assert found.df == k - 1


def test_unused_points_and_separate_blocks_cost_degrees_of_freedom():
    empty = np.zeros((4, 4), dtype=int)
    empty[:2, :2] = [[30, 5], [15, 20]]
    assert stuart_maxwell(pairs(empty)).df == 1
    blocks = empty + np.diag([0, 0, 3, 4])
    blocks[2, 3] = 6
    found = stuart_maxwell(pairs(blocks))
    assert found.df == 2
    assert found.statistic == pytest.approx(100 / 20 + 36 / 6)


def test_raters_who_never_differ_are_not_tested():
    found = stuart_maxwell(pairs([[4, 0], [0, 9]]))
    assert np.isnan(found.statistic)
    assert np.isnan(bhapkar_of(pairs([[4, 0], [0, 9]])).statistic)
    assert np.isnan(bhapkar_of(pairs([[0, 5], [0, 0]])).statistic)


def test_margin_gap_of_two_points_is_the_bias_index():
    assert float(margin_gap(pairs([[64, 4], [16, 16]]))) == pytest.approx(0.12)
