"""Ceilings on points: fitted to ratings, best over all maps, and equal to what simulation gives."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.reliability.congeneric import bent_slopes
from tallymark.reliability.gold_rule import label
from tallymark.reliability.quantised import (
    best_kappa,
    fit_latent,
    fit_near,
    label_ceilings,
    label_of,
    latent,
)
from tallymark.simulation import Rater, simulate
from tallymark.tally import PairPatterns

RULES = ("first", "mean", "sum", "mean_up", "mean_down", "mean_even", "higher", "lower")


def ceilings(made, rule, points=None, *, ratings=2, times=1.0, **options):
    gold = label_of(made, rule, {ratings: 1.0}, **options)
    assert gold is not None
    return label_ceilings(made, gold, made.points if points is None else points, times=times)


@pytest.mark.parametrize("points", [np.arange(3.0), np.arange(1.0, 7), np.array([0, 0.5, 1, 3])])
@pytest.mark.parametrize("centre", [0.25, 0.5, 0.9])
def test_the_fitted_true_scores_give_ratings_of_the_same_mean_and_variances(points, centre):
    wide = np.ptp(points)
    wanted = latent(points, points[0] + centre * wide, wide / 4, wide / 8).moments()
    made = fit_latent(points, np.array([wanted]))[0]
    assert made is not None
    assert made.moments() == pytest.approx(wanted, abs=1e-3)


def test_scores_that_nearly_all_lie_at_the_top_are_fitted_by_true_scores_beyond_it():
    # four fifths of the ratings are the highest: a cut-off normal of reasonable spread cannot
    made = fit_latent(np.arange(1.0, 6), np.array([[4.67, 0.65, 0.18]]))[0]
    assert made is not None
    assert not made.cut_off
    assert made.moments() == pytest.approx((4.67, 0.65, 0.18), abs=1e-3)


@pytest.mark.parametrize("moments", [(1.0, 0.5, 0.6), (1.0, 0.5, 0.0), (0.1, 2.0, 0.1)])
def test_moments_that_no_ratings_can_have_give_no_fit(moments):
    assert fit_latent(np.arange(3.0), np.array([moments])) == [None]


def test_no_monotone_map_onto_the_points_does_better():
    made = latent(np.arange(4.0), 0.8, 1.0, 0.6)
    gold = label_of(made, "mean_up", {2: 1.0})
    assert gold is not None
    nodes = np.linspace(0, made.truth.size, 31).astype(int)
    mean = made.weights @ gold.expected

    def kappa(scores):
        apart = made.weights @ (scores**2 - 2 * scores * gold.expected) + gold.square
        chance = made.weights @ (scores**2 - 2 * scores * mean) + gold.square
        return 1 - apart / chance

    every = [
        kappa(np.searchsorted(cuts, np.arange(made.truth.size), side="right") * 1.0)
        for cuts in combinations_with_replacement(nodes, 3)
    ]
    best = best_kappa(made, gold, made.points)
    assert max(every) <= best + 1e-12
    assert max(every) == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize("rule", RULES)
def test_the_ceiling_of_each_gold_is_what_simulated_raters_give(rule):
    raters = [Rater(name, noise=0.6) for name in ("h1", "h2", "h3")]
    made = simulate(40_000, scale="0:4", mean=1.6, sd=1.1, raters=raters, seed=3)
    gold = label(rule, made.ratings[:, :2])
    exact = latent(np.arange(5.0), 1.6, 1.1, 0.6)
    found = ceilings(exact, rule, np.arange(0, 9, 0.5), times=2.0 if rule == "sum" else 1.0)
    made_gold = label_of(exact, rule, {2: 1.0})
    assert made_gold is not None
    expected = np.interp(made.truth, exact.truth, made_gold.expected)
    further = pearson(PairPatterns.of(gold, made.ratings[:, 2]).moments(2.0))
    assert found.theoretical == pytest.approx(np.corrcoef(expected, gold)[0, 1], abs=0.006)
    assert found.human_like == pytest.approx(float(further), abs=0.01)


def test_the_ceiling_of_adjudicated_scores_is_what_simulated_raters_give():
    raters = [Rater(name, noise=0.8) for name in ("h1", "h2", "h3")]
    made = simulate(40_000, scale="0:5", mean=2.5, sd=1.2, raters=raters, seed=4)
    ratings = made.ratings.copy()
    ratings[np.abs(ratings[:, 0] - ratings[:, 1]) <= 1, 2] = np.nan
    gold = label("third_mean", ratings)
    exact = latent(np.arange(6.0), 2.5, 1.2, 0.8)
    found = ceilings(exact, "third_mean", np.arange(0, 5.1, 0.5), adjacency=1.0)
    adjudicated = label_of(exact, "third_mean", {2: 1.0}, adjacency=1.0)
    assert adjudicated is not None
    expected = np.interp(made.truth, exact.truth, adjudicated.expected)
    assert found.theoretical == pytest.approx(np.corrcoef(expected, gold)[0, 1], abs=0.006)


def test_one_rating_and_the_mean_have_the_ceilings_of_their_reliability():
    made = latent(np.arange(6.0), 2.5, 1.2, 0.7)
    _, variance, error = made.moments()
    one = 1 - error / variance
    assert ceilings(made, "first").theoretical == pytest.approx(np.sqrt(one))
    assert ceilings(made, "first").human_like == pytest.approx(one)
    mean = 3 * one / (1 + 2 * one)
    three = ceilings(made, "mean", ratings=3)
    assert three.theoretical == pytest.approx(np.sqrt(mean))
    assert three.human_like == pytest.approx(np.sqrt(one * mean))


def test_the_best_scores_on_points_stay_below_the_theoretical_ceiling():
    for k in (2, 3, 4, 6):
        made = latent(np.arange(float(k)), (k - 1) / 2, k / 4, k / 8)
        found = ceilings(made, "mean_up")
        assert found.uncalibrated <= found.quantised < found.theoretical


def test_predictions_at_the_quantised_ceiling_reach_it_on_simulated_ratings():
    raters = [Rater("h1", noise=0.6), Rater("h2", noise=0.6)]
    made = simulate(60_000, scale="0:3", mean=0.8, sd=1.0, raters=raters, seed=5)
    exact = latent(np.arange(4.0), 0.8, 1.0, 0.6)
    gold = label_of(exact, "mean_up", {2: 1.0})
    assert gold is not None
    best = best_kappa(exact, gold, exact.points)
    mean = exact.weights @ gold.expected
    stretched = mean + (np.interp(made.truth, exact.truth, gold.expected) - mean) / best
    scores = np.clip(np.floor(stretched + 0.5), 0, 3)
    target = label("mean_up", made.ratings)
    reached = lin_ccc(PairPatterns.of(target, scores).moments(1.5))
    assert float(reached) == pytest.approx(best, abs=0.006)


def test_true_scores_are_fitted_side_by_side_as_each_alone():
    points = np.arange(1.0, 6)
    wanted = np.array([[3, 1.2, 0.3], [4.67, 0.65, 0.18], [3, 0.5, 0.6], [2.2, 1.6, 0.2]])
    together = fit_latent(points, wanted)
    alone = [fit_latent(points, row[None])[0] for row in wanted]
    assert [made is None for made in together] == [False, False, True, False]
    known = [made for made in together if made is not None]
    assert [made.cut_off for made in known] == [True, False, True]
    near = fit_near(known, wanted[[0, 1, 3]] * 1.01)
    for made, again in zip(together, alone, strict=True):
        assert (made is None) == (again is None)
        if made is not None and again is not None:
            assert made.truth == pytest.approx(again.truth, abs=1e-9)
    for made, start, row in zip(near, known, wanted[[0, 1, 3]] * 1.01, strict=True):
        assert made is not None
        assert made.moments() == pytest.approx(row, abs=1e-3)
        again = fit_near([start], row[None])[0]
        assert again is not None
        assert made.truth == pytest.approx(again.truth, abs=1e-9)


def test_bent_slopes_are_fitted_side_by_side_as_each_alone():
    rng, points = np.random.default_rng(3), np.arange(-2.0, 3)
    truth = rng.normal(0.8, 1.2, (3, 400))
    tables = []
    for part, noise in zip(truth, (0.4, 0.7, 1.1), strict=True):
        a, b = (np.clip(np.round(part + rng.normal(0, sd, 400)), -2, 2) for sd in (0.4, noise))
        table = np.zeros((5, 5))
        np.add.at(table, (a.astype(int) + 2, b.astype(int) + 2), 1)
        tables.append(table)
    tables.append(np.eye(5)[::-1] * 9)  # they agree in nothing
    together = bent_slopes(points, tables)
    assert [bent is None for bent in together] == [False, False, False, True]
    for bent, table in zip(together, tables, strict=True):
        (alone,) = bent_slopes(points, [table])
        assert (bent is None) == (alone is None)
        if bent is not None and alone is not None:
            assert bent.factors == pytest.approx(alone.factors, abs=1e-9)
            assert bent.slopes == pytest.approx(alone.slopes, abs=1e-6)
