"""Ceilings from variance components: as large simulations have them."""

import numpy as np
import pytest

from tallymark.inference import Settings
from tallymark.questions.ceilings.formulas import component_ceilings
from tallymark.questions.ceilings.rungs import PeopleAndGold, rungs_each
from tallymark.reliability.gold_rule import gold_weights, label
from tallymark.reliability.rasch import probabilities
from tallymark.scale import Scale
from tallymark.study.parts import People
from tallymark.study.units import Rows

POINTS, THRESHOLDS = np.arange(5.0), np.linspace(-1.5, 1.5, 4)
PILES = (-1.0, -0.33, 0.33, 1.0)
MANY = 200_000
GOLDS = ("mean", "first")


def drawn(n, severity, rng, *, each=2, piles=(), twice=1.0):
    """Ratings by the Rasch model, and of each gold what is expected of it given the quality.

    With ``piles`` each response belongs to a rater whose responses have this mean quality; another
    one rates it too with chance ``twice``.
    """
    raters = len(severity)
    order = rng.random((n, raters)).argsort(axis=1)
    owner = order[:, 0]
    quality = rng.normal(0.3, 1.2, n) + (np.array(piles)[owner] if piles else 0.0)
    chance = probabilities(quality[:, None] - np.array(severity), THRESHOLDS)
    ratings = (chance.cumsum(-1) < rng.random((n, raters, 1))).sum(-1).astype(float)
    for place in range(1, raters):
        left = np.full(n, place >= each) | (rng.random(n) >= twice)
        ratings[left, order[left, place]] = np.nan
    return ratings, quality


def true_ceiling(rule, severity, **more):
    """Root of Var E(gold | quality) / Var gold, quality cut into a thousand parts."""
    ratings, quality = drawn(MANY, severity, np.random.default_rng(5), **more)
    gold = label(rule, ratings) if rule == "mean" else first(ratings)
    parts = np.array_split(gold[np.argsort(quality)], 1000)
    within = np.mean([part.var(ddof=1) for part in parts])
    return float(np.sqrt(1 - within / gold.var()))


def first(ratings):
    weights = gold_weights("first", ratings)
    return (weights * np.nan_to_num(ratings)).sum(axis=1)


def found(ratings, *, seed=0):
    rows = Rows(ratings, np.ones(len(ratings), dtype=np.int64), POINTS)
    names = tuple(f"r{i}" for i in range(ratings.shape[1]))
    rungs = rungs_each([PeopleAndGold(People(names, rows, Scale(tuple(POINTS.tolist()))), None)])[0]
    settings = Settings(replicates=400, seed=seed)
    return {e.text: e for e in component_ceilings(rungs, settings, "")}


def golds_of(name):
    """Golds of which components are right: they take all raters for alike."""
    return [rule for rule in GOLDS if rule != "first" or "equal" in name]


DESIGNS = {
    "the same two": ((0.5, -0.5), {}),
    "two of four": ((0.9, 0.3, -0.3, -0.9), {}),
    "piles, equal raters": ((0.0,) * 4, {"piles": PILES, "twice": 0.3}),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_components_find_the_ceiling_that_qualities_reach(name):
    severity, more = DESIGNS[name]
    ratings, _ = drawn(12_000, severity, np.random.default_rng(6), **more)
    numbers = found(ratings)
    for rule in golds_of(name):
        true = true_ceiling(rule, severity, **more)
        value = numbers[f"ceiling_theoretical[{rule},components]"].value
        assert value == pytest.approx(true, abs=0.012), rule


def test_severity_is_error_only_where_raters_vary():
    rng = np.random.default_rng(7)
    ratings = rng.normal(size=(20_000, 1)) + np.array([0.8, 0, -0.8]) + rng.normal(size=(20_000, 3))
    rows = Rows(ratings, np.ones(len(ratings), dtype=np.int64), np.array([-9.0, 9.0]))
    people = People(("a", "b", "c"), rows, Scale((-9.0, 9.0), (), True))
    sparse = ratings.copy()
    sparse[np.arange(20_000), rng.integers(3, size=20_000)] = np.nan
    by_data = []
    for own in (people, people._replace(rows=Rows(sparse, rows.counts, rows.points))):
        made = component_ceilings(
            rungs_each([PeopleAndGold(own, None)])[0], Settings(replicates=100), ""
        )
        by_data.append({e.text: e for e in made})
    same, varying = (one["ceiling_theoretical[mean,components]"].value for one in by_data)
    assert same == pytest.approx(np.sqrt(1 / (1 + 1 / 3)), abs=0.01)
    # two of three: severities have the variance .64 (divisor 2), weights each (1/2)(1/3)(1/2)
    assert varying == pytest.approx(np.sqrt(1 / (1 + 1 / 2 + 0.64 * 3 / 18)), abs=0.01)


def test_what_has_no_interval_says_why():
    ratings, _ = drawn(200, (0.5, -0.5), np.random.default_rng(8))
    for one in found(ratings).values():
        assert (one.why == "") == (one.low < one.value < one.high)


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_hold_the_ceiling(name):
    for text, share in coverage(name, 100).items():
        assert share >= 0.88, (text, share)  # a share of .95 has a standard error of .022


def coverage(name, runs):
    """Share of the intervals that hold the ceiling, 300 responses."""
    severity, more = DESIGNS[name]
    true = {rule: true_ceiling(rule, severity, **more) for rule in GOLDS}
    held: dict[str, list[bool]] = {}
    for run in range(runs):
        ratings, _ = drawn(300, severity, np.random.default_rng([9, run]), **more)
        numbers = found(ratings, seed=run)
        for rule in golds_of(name):
            one = numbers[f"ceiling_theoretical[{rule},components]"]
            held.setdefault(one.text, []).append(one.low <= true[rule] <= one.high)
    return {text: float(np.mean(own)) for text, own in held.items()}
