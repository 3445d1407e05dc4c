"""Equations within bounds, beside SciPy's least squares."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from tallymark.reliability.solving import damped, newton

FREE = np.full(2, np.inf)


def bent(at):
    """Two curves that meet at (1, 1), where steps of full length go astray."""
    return np.stack([10 * (at[..., 1] - at[..., 0] ** 2), 1 - at[..., 0]], axis=-1)


def beside(at, which):
    return bent(at)


def test_both_solvers_find_where_the_curves_meet():
    start = np.array([-1.2, 1.0])
    quick = newton(beside, np.array([[0.9, 0.7]]), -FREE, FREE)[0]
    sturdy = damped(bent, start, -FREE, FREE, near=1e-8)
    assert quick is not None
    assert sturdy is not None
    assert quick.at == pytest.approx([1, 1], abs=1e-9)
    assert sturdy.at == pytest.approx([1, 1], abs=1e-9)
    again = newton(beside, np.array([[0.99, 0.99]]), -FREE, FREE, quick.slopes[None])[0]
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


def test_problems_side_by_side_are_solved_as_each_alone_is():
    starts = np.array([[0.9, 0.7], [1.0, 1.0], [0.3, 0.0], [1.3, 2.0], [0.2, 0.1]])
    high = np.array([[np.inf, np.inf], [np.inf, 3.0], [0.5, 0.5], *[[2.0, 9.0]] * 2])
    together = newton(beside, starts, -high, high)
    alone = [newton(beside, starts[[i]], -high[i], high[i])[0] for i in range(5)]
    assert [fit is None for fit in alone] == [False, False, True, False, False]
    for one, other in zip(together, alone, strict=True):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one.at.tolist() == pytest.approx(other.at.tolist(), abs=1e-12)
