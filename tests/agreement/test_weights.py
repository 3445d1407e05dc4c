"""Weights come from the values of the points, or from a matrix that makes sense."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.agreement.weights import NAMED, distance
from tallymark.errors import OptionError

POINTS = np.array([1.0, 2, 4])


@pytest.mark.parametrize(
    ("weights", "row"),
    [
        ("identity", [0, 1, 1]),
        ("linear", [0, 1 / 3, 1]),
        ("quadratic", [0, 1 / 9, 1]),
        ("ordinal", [0, 1 / 3, 1]),
        ("ratio", [0, (1 / 3) ** 2 / (3 / 5) ** 2, 1]),
    ],
)
def test_named_weights_of_three_uneven_points(weights, row):
    assert distance(POINTS, weights)[0] == pytest.approx(row)


@pytest.mark.parametrize("weights", NAMED)
def test_a_point_is_at_no_distance_from_itself_and_the_farthest_at_one(weights):
    d = distance(POINTS, weights)
    assert (np.diag(d) == 0).all()
    assert (d == d.T).all()
    assert d.max() == 1
    assert distance(np.array([3.0]), weights).tolist() == [[0]]


def test_ratio_weights_take_a_zero_but_not_two_signs():
    assert distance(np.array([0.0, 1, 2]), "ratio")[0].tolist() == [0, 1, 1]
    with pytest.raises(OptionError, match="score points of one sign, got -1 to 2"):
        distance(np.array([-1.0, 2]), "ratio")


def test_a_matrix_of_agreement_or_of_disagreement_is_the_same_statistic():
    agreement = np.array([[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])
    table = [[5, 2, 1], [1, 6, 2], [0, 1, 4]]
    found = [
        tm.estimate("cohen_kappa", table=table, weights=w, interval="analytic").value
        for w in (agreement, 1 - agreement, 7 * (1 - agreement), "linear")
    ]
    assert found == pytest.approx([found[0]] * 4)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.eye(2), r"must be 3 x 3 as the scale, got \(2, 2\)"),
        (np.full((3, 3), np.nan), "finite numbers"),
        (np.full((3, 3), 0.5), "1 on the diagonal and at most 1 elsewhere"),
        ("quadratc", "Did you mean 'quadratic'"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights, said):
    with pytest.raises(OptionError, match=said):
        distance(POINTS, weights)
