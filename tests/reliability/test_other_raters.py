"""Raters needed, Phi and severity are about other raters than those at hand: so are their intervals."""

import pytest

from tests.reliability.random_raters import Population, coverage


@pytest.mark.parametrize("raters", [3, 5, 10])
def test_intervals_hold_what_is_true_of_other_raters(raters):
    found = coverage(Population(200, raters), runs=60, seed=raters)
    # at .95 fewer than 51 of 60 have a chance of 1 in 400
    assert min(found.values()) >= 51 / 60, found
