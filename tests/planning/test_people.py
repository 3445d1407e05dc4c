"""Plans for people keep what they promise: the width of PRMSE and the reliability of a mean."""

import math
import re

import numpy as np
import pytest

import tallymark as tm
from tallymark.accuracy.true_score import prmse
from tallymark.inference import Settings
from tallymark.planning import double_scores
from tallymark.questions.true_scores import true_score_estimates
from tallymark.study.units import Rows
from tallymark.tally import RatedSums
from tests.said import notes

RNG = np.random.default_rng
Model = tuple[float, int, float, float]
"""Half width, responses, PRMSE, variance of rater errors; that of true scores is 1."""
MODELS: list[Model] = [
    (0.05, 2000, 0.8, 0.3),
    (0.1, 300, 0.8, 0.3),
    (0.1, 500, 0.6, 0.75),
    (0.15, 300, 0.5, 0.75),
    (0.2, 200, 0.5, 0.75),
]


def scored(rng, model, double, runs):
    """Two ratings, the second missing where a response was rated once, and the system's score."""
    _, responses, value, error = model
    truth = rng.normal(size=(runs, responses))
    system = value * truth + rng.normal(0, math.sqrt(value * (1 - value)), truth.shape)
    people = truth[..., None] + rng.normal(0, math.sqrt(error), (*truth.shape, 2))
    people[:, double:, 1] = np.nan
    return people, system


def values(rng, model, double, runs):
    people, system = scored(rng, model, double, runs)
    rows = RatedSums.rows(people.reshape(-1, 2), system.ravel())
    return prmse(RatedSums(rows.reshape(*system.shape, -1).sum(axis=1)))


def interval(rng, model, double, seed):
    people, system = (own[0] + 3.5 for own in scored(rng, model, double, 1))
    rows = Rows(np.c_[people, system], np.ones(len(system), np.int64), np.arange(1.0, 7))
    found = true_score_estimates(rows, Settings(replicates=500, seed=seed), "all")
    return next(own for own in found if own.name == "prmse")


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_the_planned_double_scores_give_prmse_the_width_they_promise(model):
    half_width, responses, value, error = model
    double = double_scores.needed(
        half_width, responses=responses, value=value, true_variance=1, error_variance=error
    )
    rng = RNG(7)
    drawn = np.concatenate([values(rng, model, double, 100) for _ in range(60)])
    low, high = np.quantile(drawn, [0.025, 0.975])
    # the half width of the middle of 6,000 values has a standard error of about 1.5 %
    assert (high - low) / 2 == pytest.approx(half_width, rel=0.05)
    made = [interval(rng, model, double, seed) for seed in range(100)]
    halves = [(own.high - own.low) / 2 for own in made]
    assert np.median(halves) == pytest.approx(half_width, rel=0.1)


SCALE = np.arange(1, 7)


def rated(rng, truth, raters, error):
    """Ratings on six points, by raters who are drawn anew for each response."""
    raw = 3.5 + truth[:, None] + rng.normal(0, error, (truth.size, raters))
    return np.clip(np.round(raw), SCALE[0], SCALE[-1])


def reliability(raters, error, n=100_000):
    """Of the mean of so many: its correlation with the mean of as many others."""
    rng = RNG(8)
    truth = rng.normal(0, 1.1, n)
    first, second = (rated(rng, truth, raters, error).mean(axis=1) for _ in range(2))
    return float(np.corrcoef(first, second)[0, 1])


@pytest.mark.slow
@pytest.mark.parametrize(("error", "goal"), [(0.7, 0.9), (1.0, 0.85), (1.4, 0.8)])
def test_the_planned_raters_reach_the_reliability_and_one_fewer_does_not(error, goal):
    single = reliability(1, error)
    planned = int(notes(tm.plan.raters(reliability=goal, single=single))[0].split()[0])
    assert reliability(planned, error) >= goal > reliability(planned - 1, error)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "error", "goal"), [(200, 0.7, 0.9), (100, 1.0, 0.85)])
def test_a_pilot_names_the_needed_raters_between_the_ends_it_gives(n, error, goal):
    single = reliability(1, error)
    needed = int(notes(tm.plan.raters(reliability=goal, single=single))[0].split()[0])
    rng, inside, runs = RNG(9), 0, 60
    for _ in range(runs):
        ratings = rated(rng, rng.normal(0, 1.1, n), 2, error)
        pilot = {"h1": ratings[:, 0], "h2": ratings[:, 1]}
        said = tm.plan.raters(pilot, humans=["h1", "h2"], scale="1:6", reliability=goal)
        ends = re.search(r"interval (\d+) to (\d+)", notes(said)[0])
        low, high = map(int, ends.groups()) if ends else (int(notes(said)[0].split()[0]),) * 2
        inside += low <= needed <= high
    assert inside / runs >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)


def test_a_number_of_numpy_is_a_number():
    planned = tm.plan.raters(reliability=0.9, single=np.float64(0.7))
    assert planned == tm.plan.raters(reliability=0.9, single=0.7)
