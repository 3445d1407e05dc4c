"""Raters needed, Phi and severity are about other raters than those at hand: so are their intervals."""

from itertools import product

import numpy as np
import pytest

from tallymark.reliability.absorbed import absorb, absorbed
from tallymark.reliability.ceiling import components
from tallymark.reliability.icc import other_raters, within_sd
from tallymark.tally import OneWay, PanelMoments
from tests.reliability.random_raters import Population, coverage


@pytest.mark.parametrize("raters", [3, 5, 10])
def test_intervals_hold_what_is_true_of_other_raters(raters):
    found = coverage(Population(200, raters), runs=60, seed=raters)
    # at .95 fewer than 51 of 60 have a chance of 1 in 400
    assert min(found.values()) >= 51 / 60, found


@pytest.mark.parametrize("kind", ["2,1", "2,k"])
def test_limits_for_other_raters_lie_in_order_or_are_undefined_on_every_small_panel(kind):
    limits = other_raters(type=kind)
    assert limits is not None
    for scores in product((1.0, 2.0, 3.0), repeat=6):
        rows = PanelMoments.rows(np.reshape(scores, (2, 3)))
        found = limits(PanelMoments(rows.sum(axis=0)), 0.95)
        assert found.low <= found.high <= 1 or np.isnan([found.low, found.high]).all(), scores


@pytest.mark.slow
@pytest.mark.parametrize("severity", [0.1, 0.25])
def test_components_are_not_biased_where_ten_raters_read_unequal_numbers(severity):
    rng = np.random.default_rng(5)
    loads = np.array([0.4, 0.2, 0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02, 0.02])
    found = []
    for _ in range(1200):
        ratings = Population(200, 10, severity=severity, residual=0.49).draw(rng)
        place = (rng.random(ratings.shape) ** (1 / loads)).argsort(axis=1).argsort(axis=1)
        ratings[place < 8] = np.nan
        made = absorb(ratings, np.ones(200, dtype=np.int64))
        found.append(absorbed(made.tally(made.rows.sum(axis=0))))
    bias = np.mean(found, axis=0) - [1.0, severity, 0.49]
    assert np.abs(bias).max() < 0.02


@pytest.mark.parametrize("ratings", range(2, 9))
def test_raters_who_agree_on_every_response_have_no_error_at_all(ratings):
    """Sums of squares leave a rounding error, of either sign, which is no variance."""
    rng = np.random.default_rng(ratings)
    for n in (1, 2, 48, 1000):
        each = rng.integers(1, 7, n) - 3.5 + rng.integers(0, 2) / 3
        found = OneWay(OneWay.rows(np.repeat(each[:, None], ratings, axis=1)).sum(axis=0))
        assert within_sd(found) == 0
        assert components(found).error == 0
