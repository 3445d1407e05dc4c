"""How many responses are ordered alike is counted exactly, of few and of many distinct scores."""

import numpy as np
import pytest

from tallymark.agreement.correlation import KEPT, kendall_influence, kendall_tau_b, surplus_of_each
from tallymark.tally import PairPatterns


def pairs_of(n, decimals, seed):
    rng = np.random.default_rng(seed)
    first = np.round(rng.normal(0, 1, n), decimals)
    return PairPatterns.of(
        first, np.round(first + rng.normal(0, 1, n), decimals), rng.integers(1, 4, n)
    )


@pytest.mark.parametrize(("n", "decimals"), [(1, 0), (2, 0), (60, 0), (300, 1), (KEPT + 50, 9)])
def test_the_surplus_is_that_of_comparing_every_two(n, decimals):
    pairs = pairs_of(n, decimals, seed=n)
    alike = [
        float(pairs.counts @ (np.sign(pairs.first - a) * np.sign(pairs.second - b)))
        for a, b in zip(pairs.first, pairs.second, strict=True)
    ]
    assert surplus_of_each(pairs).tolist() == alike


def test_resamples_of_the_counts_are_counted_as_each_by_itself():
    pairs = pairs_of(200, 1, seed=5)
    counts = np.random.default_rng(6).poisson(2.0, (3, pairs.first.size))
    surplus_of_each(pairs)  # what is kept of the data is not theirs
    stacked = surplus_of_each(pairs.weighted(counts))
    one_by_one = [surplus_of_each(pairs.weighted(each)) for each in counts]
    assert stacked.tolist() == [each.tolist() for each in one_by_one]


def test_the_influence_on_tau_b_of_continuous_scores_is_its_derivative():
    pairs = pairs_of(KEPT + 100, 12, seed=8)
    influence = kendall_influence(pairs)
    for pattern in (0, 99, KEPT):
        more = pairs.counts.astype(float)
        more[pattern] += 1e-3
        slope = (kendall_tau_b(pairs.weighted(more)) - kendall_tau_b(pairs)) / 1e-3 * pairs.n
        assert influence[pattern] == pytest.approx(float(slope), abs=2e-3)
