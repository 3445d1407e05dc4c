"""Influence of single responses: by leaving them out of the data."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from tallymark.diagnosis.influence_of_one import Pairs, handful, without_one


def data(n=60, seed=2):
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, 7, n)
    system = np.clip(gold + rng.integers(-1, 2, n), 1, 6)
    system[0], gold[0] = 6, 1
    return gold, system


def tallied(gold, system):
    both, counts = np.unique(np.stack([gold, system], 1), axis=0, return_counts=True)
    return Pairs(both[:, 0] * 1.0, both[:, 1] * 1.0, counts)


def qwk(gold, system):
    return cohen_kappa_score(gold, system, weights="quadratic", labels=range(1, 7))


def test_leaving_one_out():
    gold, system = data()
    pairs = tallied(gold, system)
    ccc, r = without_one(pairs)
    for i, (a, b) in enumerate(zip(pairs.first, pairs.second, strict=True)):
        at = np.flatnonzero((gold == a) & (system == b))[0]
        rest = np.delete(gold, at), np.delete(system, at)
        assert ccc[i] == pytest.approx(qwk(*rest))
        assert r[i] == pytest.approx(np.corrcoef(*rest)[0, 1])


def test_a_handful_is_the_best_of_all_pairs_of_responses():
    gold, system = data(n=20)
    pairs = tallied(gold, system)
    rest = [np.delete(np.arange(20), two) for two in combinations(range(20), 2)]
    every = [qwk(gold[kept], system[kept]) for kept in rest]
    up, down = handful(pairs, 2, upwards=True), handful(pairs, 2, upwards=False)
    assert up.without == pytest.approx(max(every))
    assert down.without == pytest.approx(min(every))
    assert len(up.taken) == 2


def test_the_standard_error_of_the_others_is_that_of_a_jackknife():
    gold, system = data(n=150)
    found = handful(tallied(gold, system), 1, upwards=True)
    gold, system = gold[1:], system[1:]
    left = [qwk(np.delete(gold, i), np.delete(system, i)) for i in range(149)]
    jackknife = np.sqrt(148 / 149 * np.var(left) * 149)
    assert found.se == pytest.approx(jackknife, rel=0.04)


def test_perfect_agreement_cannot_be_raised():
    pairs = Pairs(np.arange(3.0), np.arange(3.0), np.array([3, 4, 5]))
    assert handful(pairs, 2, upwards=True).taken == ()
