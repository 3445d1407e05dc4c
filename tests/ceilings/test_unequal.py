"""Raters who differ in reliability: estimates of ceilings are right, and their intervals hold."""

import numpy as np
import pytest

import tallymark as tm
from tallymark.reliability.congeneric import (
    Raters,
    further_rater,
    gold_reliability,
    model_of,
    own_errors,
)
from tallymark.reliability.gold_rule import gold_weights
from tallymark.tally.linked import LinkedSums, WeightedSums
from tests.ceilings.unequal import CREWS, Crew, simulate
from tests.said import notes

EVERY = np.array([True, True, True])


def linked(ratings):
    return LinkedSums(
        np.concatenate([*LinkedSums.blocks(ratings)], axis=1).sum(axis=0), len(ratings.T)
    )


def weighted(ratings, rule):
    weights = gold_weights(rule, ratings)
    assert weights is not None
    blocks = WeightedSums.blocks(ratings, weights)
    return WeightedSums(np.concatenate([*blocks], axis=1).sum(axis=0), len(ratings.T))


def test_two_raters_are_split_as_grubbs_does():
    made = np.array([[1.0, 2], [2, 2], [3, 4], [5, 4], [4, 6]])
    # variances 2.5 and 2.8, covariance 8 / 4 = 2
    found = own_errors(linked(made), "grubbs", np.array([True, True]))
    assert found.error == pytest.approx([0.5, 0.8])
    assert found.loading**2 == pytest.approx([2.0, 2.0])
    assert gold_reliability(found, weighted(made, "first")) == pytest.approx(2 / 2.5)


def test_three_raters_are_solved_exactly():
    # l_1^2 = s_12 s_13 / s_23
    made = np.random.default_rng(1).normal(size=(80, 3)) + np.linspace(-2, 2, 80)[:, None]
    s = np.cov(made.T)
    found = own_errors(linked(made), "congeneric", EVERY)
    assert found.loading[0] ** 2 == pytest.approx(s[0, 1] * s[0, 2] / s[1, 2], rel=1e-6)
    w, expected = np.full(3, 1 / 3), found.loading
    model = (w @ expected) ** 2 / ((w @ expected) ** 2 + (w**2) @ found.error)
    assert gold_reliability(found, weighted(made, "mean")) == pytest.approx(model)


def test_five_raters_are_fitted_by_maximum_likelihood():
    made = np.random.default_rng(2).normal(size=(200, 5)) * [0.4, 0.6, 0.8, 1, 1.2]
    made = made + np.random.default_rng(3).normal(size=(200, 1))
    found = own_errors(linked(made), "congeneric", np.ones(5, dtype=bool))
    s, implied = np.cov(made.T), np.outer(found.loading, found.loading) + np.diag(found.error)
    # Lawley & Maxwell: (S - Sigma) Sigma^-1 l = 0, and the diagonals agree
    assert np.diag(implied) == pytest.approx(np.diag(s))
    assert (s - implied) @ np.linalg.solve(implied, found.loading) == pytest.approx(0, abs=1e-6)


def test_the_order_of_raters_does_not_matter():
    made = np.random.default_rng(4).normal(size=(90, 4)) + np.linspace(-2, 2, 90)[:, None]
    made[::3, 1], made[1::3, 3] = np.nan, np.nan
    turned = made[:, ::-1]
    one, other = (
        own_errors(linked(m), "congeneric", np.ones(4, dtype=bool)) for m in (made, turned)
    )
    for part, same in zip(one, other, strict=True):
        assert part == pytest.approx(same[::-1], abs=1e-6)
    assert further_rater(one) == pytest.approx(further_rater(other))


def test_tallies_add_and_stack():
    made = np.random.default_rng(5).normal(size=(60, 3)) + np.linspace(-2, 2, 60)[:, None]
    whole, halves = linked(made), [linked(made[:30]), linked(made[30:])]
    assert (halves[0] + halves[1]).sums == pytest.approx(whole.sums)
    both = LinkedSums(np.stack([one.sums for one in halves]), 3)
    stacked = own_errors(both, "congeneric", EVERY).error
    for i, one in enumerate(halves):
        assert stacked[i] == pytest.approx(own_errors(one, "congeneric", EVERY).error, abs=1e-7)


@pytest.mark.parametrize(
    ("shared", "model"),
    [
        ([[90, 90], [90, 90]], "grubbs"),
        ([[90, 9], [9, 90]], "pool"),  # too few are shared
        ([[90, 30, 30], [30, 60, 30], [30, 30, 60]], "congeneric"),
        ([[90, 40, 40], [40, 50, 0], [40, 0, 50]], "grubbs"),  # a chain: no ring
        ([[90, 40, 0, 0], [40, 50, 0, 0], [0, 0, 90, 40], [0, 0, 40, 50]], "pool"),  # apart
        (np.full((25, 25), 50), "pool"),
    ],
)
def test_the_design_decides_how_far_raters_are_told_apart(shared, model):
    assert model_of(np.asarray(shared))[0] == model


def test_an_error_variance_below_zero_is_told_and_taken_as_none():
    rng = np.random.default_rng(6)
    truth = rng.normal(size=60)
    own = truth[:, None] + rng.normal(size=(60, 2)) * [0.1, 1.5]
    # what remains of the first once the other is known is negative here
    own[:, 0] = 0.3 * own[:, 0]
    found = tm.ceiling({"h1": own[:, 0], "h2": own[:, 1]}, humans=["h1", "h2"], replicates=100)
    (said,) = [text for text in notes(found) if "comes out negative" in text]
    assert "negative (h1: " in said
    numbers = found.numbers[0]
    assert numbers["rater_reliability[h1]"].value > 1
    assert numbers["ceiling_theoretical[first]"].value == 1


def test_a_rater_at_random_is_named_and_does_not_lower_the_ceiling_of_another():
    rng = np.random.default_rng(7)
    truth = rng.normal(size=400)
    made = truth[:, None] * [1, 1, 0] + rng.normal(size=(400, 3)) * [0.5, 0.5, 1.1]
    columns = {f"h{i + 1}": made[:, i] for i in range(3)}
    found = tm.ceiling(columns, humans=["h1", "h2", "h3"], replicates=100)
    assert any(text.startswith("h3 hardly follows") for text in notes(found))
    top = found.numbers[0]["ceiling_theoretical[first]"]
    assert top.value == pytest.approx(np.corrcoef(truth, made[:, 0])[0, 1], abs=0.03)


def test_a_system_above_the_ceiling_is_told_with_the_likely_reason():
    rng = np.random.default_rng(8)
    truth = rng.normal(size=400)
    made = truth[:, None] + rng.normal(size=(400, 2)) * 0.8
    columns = {"h1": made[:, 0], "h2": made[:, 1], "engine": made[:, 0] + 0.01 * truth}
    found = tm.evaluate(columns, humans=["h1", "h2"], systems=["engine"], replicates=100)
    (said,) = [text for text in notes(found) if "above the theoretical ceiling" in text]
    assert "shares errors with the raters behind the gold" in said


@pytest.mark.slow
@pytest.mark.parametrize("crew", CREWS, ids=lambda crew: f"{crew.words}, n = {crew.n}")
def test_intervals_hold_the_ceiling_where_raters_differ(crew: Crew):
    runs = 150  # a share of .95 has a standard error of .018
    for text, (true, mean, held) in simulate(crew, runs).items():
        few = crew.n < 100 or crew.points
        assert held >= (0.85 if few else 0.88), (text, held)
        assert mean == pytest.approx(true, abs=0.03 if few else 0.015), text


def test_a_rater_who_neither_follows_the_truth_nor_errs_has_no_correlation_and_no_warning():
    """Resamples of few shared responses meet such raters; warnings are errors here."""
    none, one = np.array([0.0, 0.0, 0.5]), np.array([0.8, 0.8, 0.5])
    errors, ratings = np.array([0.0, 0.0, 0.75]), np.array([5.0, 5.0, 9.0])
    assert np.isnan(further_rater(Raters(none, errors, 0 * none, ratings)))
    assert further_rater(Raters(one, errors, 0 * one, ratings)) < 1
