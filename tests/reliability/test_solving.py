"""Equations within bounds, beside SciPy's least squares."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from tallymark.reliability.solving import damped, newton

FREE = np.full(2, np.inf)


def bent(at):
    """Two curves that meet at (1, 1), where steps of full length go astray."""
    return np.array([10 * (at[1] - at[0] ** 2), 1 - at[0]])


def test_both_solvers_find_where_the_curves_meet():
    start = np.array([-1.2, 1.0])
    quick = newton(bent, np.array([0.9, 0.7]), -FREE, FREE)
    sturdy = damped(bent, start, -FREE, FREE, near=1e-8)
    assert quick is not None
    assert sturdy is not None
    assert quick.at == pytest.approx([1, 1], abs=1e-9)
    assert sturdy.at == pytest.approx([1, 1], abs=1e-9)
    again = newton(bent, np.array([0.99, 0.99]), -FREE, FREE, quick.slopes)
    assert again is not None
    assert again.at == pytest.approx([1, 1], abs=1e-9)


def test_the_best_within_bounds_is_that_of_scipy():
    low, high = np.array([-2.0, -2.0]), np.array([0.5, 2.0])
    start = np.array([-1.2, 1.0])
    found = damped(bent, start, low, high, near=1.0)
    expected = least_squares(bent, start, bounds=(low, high))
    assert found is not None
    assert found.at == pytest.approx(expected.x, abs=1e-4)
    assert damped(bent, start, low, high, near=0.1) is None


def test_a_place_where_nothing_moves_is_left_as_it_is():
    flat = damped(lambda at: 0 * at + 0.5, np.array([0.1, 0.2]), -FREE, FREE, near=1.0)
    assert flat is not None
    assert flat.at == pytest.approx([0.1, 0.2])
