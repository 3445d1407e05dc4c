"""Shares of accepted responses and of critical errors hold the truth also where responses cluster."""

import math

import numpy as np
import pytest

from tallymark.inference.interval import wilson
from tallymark.questions.confidence.groups import share_of


def held(clusters, size, share, *, correlation, runs=300):
    """How often the interval holds the share; clusters have beta shares of their own."""
    rng = np.random.default_rng([clusters, size])
    both = (1 - correlation) / correlation
    codes = np.repeat(np.arange(clusters), size)
    count = 0
    for own in rng.beta(share * both, (1 - share) * both, (runs, clusters)):
        hit = (rng.random(codes.size) < own[codes]).astype(float)
        made = share_of("accepted", {}, hit, np.ones(codes.size, np.int64), codes, 0.95)
        count += made.low <= share <= made.high
    return count / runs


@pytest.mark.parametrize(("clusters", "size"), [(4, 30), (6, 30), (10, 30), (40, 10)])
def test_shares_of_few_clusters_hold_the_truth(clusters, size):
    # 300 samples: .92 is two standard errors below .95
    assert held(clusters, size, 0.3, correlation=0.2) >= 0.92


def test_one_cluster_gives_no_interval_but_the_reason():
    hit = np.array([1.0, 0, 0, 1, 0])
    made = share_of("accepted", {}, hit, np.ones(5, np.int64), np.zeros(5, np.int64), 0.95)
    assert made.value == 0.4
    assert math.isnan(made.low)
    assert "one cluster" in made.why


def test_clusters_that_happen_to_agree_are_no_more_than_their_responses():
    hit = np.tile([1.0, 0.0], 30)
    codes = np.repeat(np.arange(6), 10)
    made = share_of("accepted", {}, hit, np.ones(60, np.int64), codes, 0.95)
    low, high = wilson(0.5, 60, 0.95)
    assert made.low < low
    assert made.high > high
