"""Pairs of raters counted by what they gave are those counted one by one, however many there are."""

from itertools import combinations, permutations

import numpy as np
import pytest

from tallymark.catalogue import find
from tallymark.questions.confidence.lambdas import _every_two
from tallymark.questions.people.contrasts import Joined
from tallymark.scale import Scale
from tallymark.study.pairings import EveryTwo, pairs_of
from tallymark.study.units import Rows

POINTS = np.arange(1.0, 5.0)


def ratings(raters, seed, *, fine=False):
    """Ratings with gaps, two or more a response, and a system in the last column."""
    rng = np.random.default_rng(seed)
    scores = (
        rng.uniform(1, 4, (30, raters + 1)).round(2)
        if fine
        else rng.integers(1, 5, (30, raters + 1))
    )
    scores = scores.astype(float)
    scores[:, 2:raters][rng.random((30, raters - 2)) < 0.4] = np.nan
    return scores


@pytest.mark.parametrize(
    ("kind", "name", "fine"),
    [("table", "qwk", False), ("table", "exact", False), ("moments", "pearson", False), ("moments", "smd", True)],
)  # fmt: skip
@pytest.mark.parametrize("raters", [2, 3, 13])
def test_every_two_of_a_pool_add_what_their_pairs_add(kind, name, fine, raters):
    scores = ratings(raters, raters, fine=fine)
    scores[3, raters] = np.nan
    rows = Rows(scores, np.ones(30, dtype=np.int64), POINTS, None)
    ways = [(a, b, raters) for a, b in permutations(range(raters), 2)]
    formula = [find(name)]
    pooled = pairs_of(kind, rows, [EveryTwo(raters, raters)], formula)
    one_by_one = pairs_of(kind, rows, [ways], formula)
    np.testing.assert_allclose(pooled.rows, one_by_one.rows, atol=1e-12)


@pytest.mark.parametrize("raters", [3, 13])
def test_the_system_of_a_pool_is_compared_with_each_rating_once(raters):
    scores = ratings(raters, 7)
    rows = Rows(scores, np.ones(30, dtype=np.int64), POINTS, None)
    both = Joined(rows, raters, Scale.of("1:4"), ()).single
    ways = [(a, raters, b) for a, b in permutations(range(raters), 2)]
    formula = [find("qwk")]
    pooled = pairs_of("table", rows, both.system, formula)
    np.testing.assert_allclose(
        pooled.rows, pairs_of("table", rows, [ways], formula).rows, atol=1e-12
    )
    assert sum(map(len, both.pairings)) == raters + 2  # not one for every two raters


@pytest.mark.parametrize("raters", [2, 3, 5, 13])
@pytest.mark.parametrize("fine", [False, True])
def test_gaps_by_value_are_those_of_every_two_ratings(raters, fine):
    scores = ratings(raters, raters, fine=fine)[:, :raters]
    gaps, weights = _every_two(scores)
    for row, gap, weight in zip(scores, gaps, weights, strict=True):
        given = row[~np.isnan(row)]
        expected = [abs(a - b) for a, b in combinations(given, 2)]
        for limit in (0.0, 0.5, 1.0, 2.0, 3.0):
            share = np.mean([e >= limit for e in expected])
            assert (weight * (gap >= limit)).sum() == pytest.approx(share)
        assert (gap * weight).sum() == pytest.approx(np.mean(expected))
