"""The same ratings as a wide, a long and a slot table give the same JSON."""

import json
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tests.sparse import as_long, as_slots, as_wide, sparse_ratings

RULES = ("first", "mean", "sum", "higher", "lower")
NAMED = ("humans", "response", "rater", "score", "id")
"""What names columns must differ with the shape of the table; nothing else may."""


def told(evaluation: tm.Evaluation) -> dict[str, Any]:
    found = json.loads(evaluation.to_json())
    for name in NAMED:
        found["options"].pop(name, None)
    del found["data"]["guesses"]
    return found


def shapes(sparse, slots=None):
    wide, long = as_wide(sparse), as_long(sparse)
    keys = {"prompt": "essay", "groups": ["gender"], "replicates": 100}
    return {
        "wide": (wide, {"humans": list(sparse.raters), "id": "text", **keys}),
        "long": (long, {"response": "text", "rater": "who", "score": "given", **keys}),
        "slots": (slots or as_slots(sparse), {"humans": sparse.slots, "id": "text", **keys}),
    }


def same(run, every):
    found = {shape: told(run(*one)) for shape, one in every.items()}
    assert found["long"] == found["wide"]
    assert found["slots"] == found["wide"]
    return found["wide"]


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_of_an_evaluation(rule):
    sparse = sparse_ratings(60, seed=1)

    def run(table, options):
        own: dict[str, Any] = {"system_scale": "1:5", "scale": "1:5", "resolve": rule}
        return tm.evaluate(table, systems=["engine"], **own, **options)

    found = same(run, shapes(sparse))
    assert found["data"]["read"] == 60
    counted = rule in ("sum", "higher", "lower")
    assert found["data"]["used"] == (sum(sparse.number == 5) if counted else 60)


@pytest.mark.slow
def test_of_an_adjudicated_evaluation():
    rng = np.random.default_rng(2)
    sparse = sparse_ratings(50, raters=3, fewest=3, most=3, seed=2)
    first, second, judge = sparse.ratings
    judge[(np.abs(first - second) <= 1) & (rng.random(50) < 0.9)] = np.nan
    second[:3] = np.nan

    def run(table, options):
        options = {**options, "systems": ["engine"], "scale": "1:5"}
        return tm.evaluate(table, resolve="adjudicated", **options)

    found = same(run, shapes(sparse, as_slots(sparse, in_place=True)))
    assert found["data"]["used"] == 47


def test_of_raters_and_ceilings():
    sparse = sparse_ratings(60, seed=3)
    del sparse.columns["engine"]
    every = shapes(sparse)
    same(lambda table, options: tm.raters(table, **options), every)
    same(lambda table, options: tm.ceiling(table, **options), every)


@pytest.mark.slow
def test_of_a_comparison():
    sparse = sparse_ratings(60, seed=4)
    sparse.columns["other"] = np.clip(sparse.columns["engine"] + 0.3, 1, 5)

    def run(table, options):
        return tm.compare(table, systems=["engine", "other"], scale="1:5", **options)

    found = same(run, shapes(sparse))
    assert "second human" in {subset["subject"]["name"] for subset in found["subsets"]}


def test_gaps_of_the_system_and_rules_of_prompts():
    sparse = sparse_ratings(60, seed=5)
    sparse.columns["engine"][::7] = np.nan
    own = {"a": {"resolve": "mean"}, "b": {"resolve": "sum"}}

    def run(table, options):
        more: dict[str, Any] = {"system_scale": "1:5", "scale": "1:5", "prompts": own}
        return tm.evaluate(table, systems=["engine"], **more, **options)

    found = same(run, shapes(sparse))
    assert found["data"]["gold"].startswith("first rating present: ")
    assert "; prompt a: mean of the ratings present, 3 to 5 a response" in found["data"]["gold"]


@pytest.mark.slow
def test_of_a_gold_column_whose_rule_is_found_out():
    sparse = sparse_ratings(60, seed=7)
    given = np.sort(np.where(np.isnan(sparse.ratings), np.inf, sparse.ratings), axis=0)
    sparse.columns["gold"] = given[0]
    every = shapes(sparse)
    del every["long"]

    def run(table, options):
        return tm.evaluate(table, systems=["engine"], gold="gold", scale="1:5", **options)

    found = {shape: told(run(*one)) for shape, one in every.items()}
    assert found["slots"] == found["wide"]


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_gold_that_is_the_first_second_or_third_rating_of_a_pool_is_known_as_such(place):
    sparse = sparse_ratings(80, seed=8)
    slots = as_slots(sparse)
    sparse.columns["gold"] = slots[f"given_{place}"]
    every = shapes(sparse)
    for shape in ("wide", "slots"):
        table, options = every[shape]
        found = tm.ceiling(table, gold="gold", scale="1:5", **options)
        (top,) = [e for e in found.estimates if e.name == "gold_rule" and e.value == 1][:1]
        assert top.params == {"rule": ("first", "second", "third")[place]}


@pytest.mark.parametrize(
    "rule", ["first", *(pytest.param(r, marks=pytest.mark.slow) for r in RULES[1:])]
)
def test_people_do_not_depend_on_what_the_gold_needs(rule):
    sparse = sparse_ratings(60, seed=6)
    sparse.columns["engine"][:20] = np.nan
    table, options = shapes(sparse)["wide"]
    alone = tm.raters(table, **options)
    own: dict[str, Any] = {"system_scale": "1:5", "scale": "1:5", "resolve": rule}
    beside = tm.evaluate(table, systems=["engine"], **own, **options)
    assert beside.data.used <= 40
    panels = [
        {
            e.text: e
            for e in found.estimates
            if found.subsets[e.subset].id == "people against people"
        }
        for found in (alone, beside)
    ]
    assert panels[0]
    for text, estimate in panels[0].items():
        assert panels[1][text].n == estimate.n
        assert panels[1][text].value == pytest.approx(estimate.value, nan_ok=True)
