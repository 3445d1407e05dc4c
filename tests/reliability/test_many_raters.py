"""What is quick for a thousand raters is what it was for a few."""

import numpy as np

from tallymark.reliability.adjudicators import EXCEPTIONS, FEW, adjudicators
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
