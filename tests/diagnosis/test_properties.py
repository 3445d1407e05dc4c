"""The properties told of each coefficient are those that simulations after the source show."""

import numpy as np
import pytest

from tallymark.lab.experiments.yannakoudakis import with_margins
from tallymark.questions.diagnosis.metrics import COEFFICIENTS, PROPERTIES
from tallymark.tally import PairPatterns

SIMULATED = [one for one in COEFFICIENTS if one.value is not None]
VALUES = {one.text: one.value for one in COEFFICIENTS if one.value is not None}
NO_PREVALENCE = {"cohen_kappa[identity]"}
"""Steady in this simulation, but not where one of two scores dominates, below."""


def told(one, name):
    return one.properties[PROPERTIES.index(name)]


def word(change, *, partly):
    """How robust a coefficient is that changes so much."""
    limits = {"yes": 0.02, "mostly": 0.11, "partly": partly}
    return next((name for name, limit in limits.items() if abs(change) <= limit), "no")


def values(first, second, k):
    table = PairPatterns.of(first, second).table(np.arange(1.0, k + 1))
    return {text: float(value(table)) for text, value in VALUES.items()}


def spread_of(sd, n=5000):
    """Gold on five points with this spread; a quarter of the scores is two points off."""
    rng = np.random.default_rng(0)
    drawn = np.rint(rng.normal(3, sd, 40 * n))
    gold = drawn[(drawn >= 1) & (drawn <= 5)][:n]
    system, move = gold.copy(), rng.choice([-2, 2], n)
    can = rng.permutation(np.flatnonzero((gold + move >= 1) & (gold + move <= 5)))[: n // 4]
    system[can] += move[can]
    return values(gold, system, 5)


def test_robust_to_the_spread_of_the_scores():
    narrow, wide = spread_of(0.5), spread_of(5.0)
    assert narrow["percent_agreement"] == wide["percent_agreement"] == 0.75
    for one in SIMULATED:
        found = word(wide[one.text] - narrow[one.text], partly=0.24)
        expected = told(one, "robust_to_prevalence")
        assert found == expected or (one.text in NO_PREVALENCE and expected == "no"), one.text


def test_kappa_is_not_robust_where_one_score_dominates():
    even, skewed = (
        PairPatterns(np.array([0.0, 0, 1, 1]), np.array([0.0, 1, 0, 1]), np.array(counts))
        for counts in ([45, 5, 5, 45], [89, 5, 5, 1])
    )
    kappa = VALUES["cohen_kappa[identity]"]
    found = [float(kappa(pairs.table(np.arange(2.0)))) for pairs in (even, skewed)]
    assert found == pytest.approx([0.80, 0.113], abs=1e-3)  # the agreement is .90 in both


def test_robust_to_the_margins():
    """Pass or fail at the same agreement and mean share; the shares of both move apart."""
    alike, apart = (
        {text: float(value(with_margins(by, 1))[0]) for text, value in VALUES.items()}
        for by in (0.0, 0.6)
    )
    assert alike["percent_agreement"] == apart["percent_agreement"] == 0.4
    for one in SIMULATED:
        found = word(apart[one.text] - alike[one.text], partly=0.15)
        assert found == told(one, "robust_to_marginals"), one.text


def test_robust_to_the_number_of_points():
    """Forty levels told in three, r = .78."""
    rng = np.random.default_rng(1)
    z, e = rng.normal(size=(2, 20_000))
    x, y = (np.clip(np.rint(20.5 + 7 * s), 1, 40) for s in (z, 0.78 * z + np.sqrt(1 - 0.78**2) * e))
    coarse_x, coarse_y = (np.minimum((s - 1) // (40 / 3), 2) + 1 for s in (x, y))
    before, after = values(x, y, 40), values(coarse_x, coarse_y, 3)
    for one in SIMULATED:
        found = word(after[one.text] - before[one.text], partly=0.15)
        assert found == told(one, "robust_to_scale"), one.text


def test_distance_order_and_chance():
    """Far errors cost more; a scorer in reverse order and one that reads nothing gain nothing."""
    rng = np.random.default_rng(2)
    gold = rng.integers(1, 7, 20_000)
    wrong = rng.random(gold.size) < 0.2
    inwards = np.where(gold > 3, -1, 1)
    near, far = (values(gold, gold + wrong * inwards * size, 6) for size in (1, 3))
    nothing = values(gold, rng.permutation(gold), 6)
    # nearly all at 3 and 4: the wrong order there costs little agreement
    middle = rng.choice([3, 4], 20_000)
    reversed_ = values(middle, 7 - middle, 6)
    for one in SIMULATED:
        falls = near[one.text] - far[one.text] > 0.05
        assert falls or told(one, "penalises_distance") != "yes", one.text
        zero = abs(nothing[one.text]) < 0.03
        chance = told(one, "corrects_for_chance") == "yes"
        assert zero == chance or "gwet" in one.text, one.text
        below = reversed_[one.text] <= 0
        assert below or told(one, "detects_order_errors") in ("no", "partly"), one.text
    assert near["percent_agreement"] == far["percent_agreement"]
    assert reversed_["gwet_ac[quadratic]"] > 0.8
