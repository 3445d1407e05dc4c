"""What is quick for a thousand raters is what it was for a few."""

import numpy as np
import pytest

from tallymark.reliability import rasch, rasch_marginal, severity
from tallymark.reliability.connected import EXCEPTIONS, FEW, adjudicators
from tallymark.reliability.rasch import less_last, sum_to_zero, with_last


def one_at_a_time(ratings, counts):
    """Adjudicators by their definition, from the ratings of all the others."""
    found = []
    for rater in range(ratings.shape[1]):
        others = np.delete(ratings, rater, axis=1)
        twice = (~np.isnan(others)).sum(axis=1) >= 2
        apart = np.nanmax(others[twice], axis=1) - np.nanmin(others[twice], axis=1)
        here, times = ~np.isnan(ratings[twice, rater]), counts[twice]
        if times[here].sum() >= FEW and not here.all():
            least = apart[here].min()
            without = times[~here & (apart >= least)].sum() / times[~here].sum()
            found += [rater] if least > 0 and without <= EXCEPTIONS else []
    return found


def test_adjudicators_are_those_of_their_definition():
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(40):
        ratings = rng.integers(1, 4, (60, 4)).astype(float)
        ratings[ratings[:, 0] == ratings[:, 1], 3] = np.nan
        ratings[:, 2] = np.where(rng.random(60) < 0.5, ratings[:, 0], np.nan)
        counts = rng.integers(1, 4, len(ratings))
        expected = one_at_a_time(ratings, counts)
        assert adjudicators(ratings, counts) == expected
        seen += len(expected)
    assert seen


def test_numbers_that_sum_to_zero_need_no_matrix():
    numbers = np.random.default_rng(1).normal(size=7)
    assert np.allclose(with_last(numbers[:-1]), sum_to_zero(7) @ numbers[:-1], atol=1e-14)
    assert np.allclose(less_last(numbers), sum_to_zero(7).T @ numbers, atol=1e-14)


@pytest.mark.parametrize(("gaps", "dense"), [(0.0, True), (0.5, True), (0.5, False)])
def test_the_information_in_closed_form_is_that_of_imaginary_steps(monkeypatch, gaps, dense):
    rng = np.random.default_rng(5)
    ratings = rng.integers(0, 4, (150, 6)).astype(float)
    ratings[:, 1:][rng.random((150, 5)) < gaps] = np.nan
    monkeypatch.setattr(rasch, "DENSE", rasch.DENSE if dense else 0)
    answers = rasch.answers(ratings, np.arange(4.0), rng.integers(1, 4, 150))
    model = rasch_marginal.Marginal(answers, *rasch_marginal.nodes_of(61))
    free = np.array([0.5, -0.2, 0.1, 0.4, -0.9, -1.2, 0.1, 0.3, 1.2])
    expected = model.curvature(free)
    monkeypatch.setattr(rasch_marginal, "MANY", 0)
    assert np.allclose(model.curvature(free), expected, rtol=1e-11, atol=1e-9)


def test_more_pairs_than_memory_holds_leave_severity_unknown_and_name_the_options(monkeypatch):
    monkeypatch.setattr(severity, "MANY_RATERS", 2)
    monkeypatch.setattr(severity, "MOST_PAIRS", 89)
    ratings = np.random.default_rng(2).integers(0, 3, (30, 3)).astype(float)

    def fitted():
        return severity.severities(
            ratings, np.arange(3.0), names=["a", "b", "c"], method="conditional"
        )

    assert fitted().why == (
        "90 pairs of ratings of the same response are too many to compare; name fewer raters with "
        "--human, or take each rating once with --severity mml"
    )
    monkeypatch.setattr(severity, "MOST_PAIRS", 90)
    assert fitted().conditional
