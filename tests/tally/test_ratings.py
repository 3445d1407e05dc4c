"""Rating counts: the same rows whichever way they are counted."""

from collections import Counter

import numpy as np
import pytest

from tallymark.tally import nearest
from tallymark.tally.ratings import distinct_rating_counts, rating_counts


def index(seed, responses=200, raters=4, k=3):
    """Positions of ratings on k points, a third missing."""
    return np.random.default_rng(seed).integers(-1, k, (responses, raters))


def by_hand(rows, k, times):
    found: Counter[tuple[int, ...]] = Counter()
    for row, time in zip(rows, times, strict=True):
        counts = Counter(int(place) for place in row if place >= 0)
        found[tuple(counts[point] for point in range(k))] += int(time)
    del found[(0,) * k]
    return found


# few keys are counted, more are sorted, and those too long for a whole number are compared by row
@pytest.mark.parametrize(("raters", "k"), [(4, 3), (4, 12), (4, 40), (1, 2), (40, 11)])
@pytest.mark.parametrize("weighted", [False, True])
def test_distinct_rows_of_counts_are_those_of_counting_by_hand(raters, k, weighted):
    rows = index(raters, raters=raters, k=k)
    times = np.random.default_rng(k).integers(1, 4, len(rows)) if weighted else None
    vectors, counts = distinct_rating_counts(rows, k, times)
    expected = by_hand(rows, k, np.ones(len(rows)) if times is None else times)
    assert {tuple(v.tolist()): int(c) for v, c in zip(vectors, counts, strict=True)} == expected


def test_the_order_of_responses_and_raters_changes_neither_rows_nor_their_order():
    rows = index(1)
    rng = np.random.default_rng(2)
    mixed = rng.permuted(rng.permutation(rows), axis=1)
    for one, other in zip(
        distinct_rating_counts(rows, 3), distinct_rating_counts(mixed, 3), strict=True
    ):
        assert (one == other).all()


def test_nothing_to_count_gives_nothing():
    for rows in (np.empty((0, 3), dtype=np.int64), np.full((4, 3), -1)):
        for k in (3, 60):
            vectors, counts = distinct_rating_counts(rows, k)
            assert vectors.shape == (0, k)
            assert counts.size == 0
            assert rating_counts(rows, k).shape == (len(rows), k)


@pytest.mark.parametrize("points", [np.arange(1.0, 7), np.arange(0, 3.1, 0.5), np.arange(101) / 10])
def test_arithmetic_on_even_points_is_the_search_for_the_nearest(points):
    rng = np.random.default_rng(3)
    halfway = (points[:-1] + points[1:]) / 2
    scores = np.concatenate([rng.uniform(points[0] - 2, points[-1] + 2, 500), points, halfway])
    apart = np.abs(scores[:, None] - points)
    # the last of those that are nearest up to rounding: half goes up
    close = apart <= apart.min(axis=1, keepdims=True) + 1e-10
    expected = points.size - 1 - close[:, ::-1].argmax(axis=1)
    assert (nearest(scores, points) == expected).all()
    uneven = np.append(points, points[-1] + 50)
    inside = scores < points[-1]
    assert (nearest(scores[inside], uneven) == expected[inside]).all()


def test_the_nearest_point_of_one_score_is_one_number():
    assert nearest(2.5, [1, 2, 3]).item() == 2
    assert nearest(np.nan, [1, 2, 3]).item() == -1
    assert nearest([7.0, np.inf, -np.inf], [1]).tolist() == [0, 0, 0]
