"""On data at the edge every number has an interval of some width that holds it, or a reason."""

import math
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import range_of

FAR = 1e4
"""So many times the value, or 1, no end of an interval lies from 0."""


def three(n=60, seed=6):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    columns = {"h1": 0.7, "h2": 0.7, "s": 0.8}
    return {
        name: np.clip(np.rint(1.1 * truth + 1.5 + rng.normal(size=n) * sd), 0, 3)
        for name, sd in columns.items()
    }


def all_agree():
    scores = three(40)["h1"]
    return {"h1": scores, "h2": scores, "s": scores}, {}


def one_disagreement():
    scores = three(40)["h1"]
    other = scores.copy()
    other[0] = (other[0] + 1) % 4
    return {"h1": scores, "h2": scores, "s": other}, {}


def groups_one_of_which_is_constant():
    columns = three(62)
    for scores in columns.values():
        scores[60:] = 1
    return {**columns, "g": ["a"] * 30 + ["b"] * 30 + ["c"] * 2}, {"group": "g"}


def one_cluster():
    return {**three(), "c": [1] * 60}, {"cluster": "c"}


def two_clusters():
    prompts = ["a", "b"] * 30
    return {**three(), "p": prompts, "c": np.repeat([0, 1], 30)}, {"prompt": "p", "cluster": "c"}


def prompts_that_are_clusters():
    of = np.repeat(list("abcdef"), 10)
    return {**three(), "p": of, "c": of}, {"prompt": "p", "cluster": "c"}


def raters_who_guess():
    rng = np.random.default_rng(2)
    return dict(zip(("h1", "h2", "s"), rng.integers(0, 4, (3, 50)), strict=True)), {}


def raters_who_disagree():
    scores = three(50)["h1"]
    return {"h1": scores, "h2": 3 - scores, "s": scores}, {}


def strata_of_two():
    design = {
        "w": [2.0] * 30 + [50.0] * 30 + [500.0] * 2,
        "st": ["a"] * 30 + ["b"] * 30 + ["c"] * 2,
    }
    return {**three(62), **design}, {"weight": "w", "stratum": "st"}


def a_cluster_that_is_nearly_all_of_a_group():
    group, codes = ["a"] * 40 + ["b"] * 20, [*range(40), *[90] * 19, 91]
    return {**three(), "g": group, "c": codes}, {"group": "g", "cluster": "c"}


def errors_that_follow_the_group():
    gold = np.array([0.0, 1, 2, 3] * 3)
    group = ["a"] * 6 + ["b"] * 6
    return {"h1": gold, "h2": gold, "s": gold + np.repeat([0.0, 1.0], 6), "g": group}, {
        "group": "g"
    }


def continuous_scores_of_which_a_prompt_has_one():
    columns = {name: scores + np.linspace(0, 0.5, 60) for name, scores in three().items()}
    for scores in columns.values():
        scores[50:] = 1.5
    return {**columns, "p": ["a"] * 50 + ["b"] * 10, "c": [*range(20)] * 3}, {
        "prompt": "p",
        "cluster": "c",
    }


def a_prompt_of_one():
    return {**three(41), "p": ["a"] * 20 + ["b"] * 20 + ["c"]}, {"prompt": "p"}


EDGES = (
    all_agree,
    one_disagreement,
    groups_one_of_which_is_constant,
    one_cluster,
    two_clusters,
    prompts_that_are_clusters,
    raters_who_guess,
    raters_who_disagree,
    strata_of_two,
    a_cluster_that_is_nearly_all_of_a_group,
    errors_that_follow_the_group,
    continuous_scores_of_which_a_prompt_has_one,
    a_prompt_of_one,
)


def evaluations(edge):
    columns: Any
    roles: Any
    columns, roles = edge()
    people: Any = {"humans": ["h1", "h2"]}
    ungrouped: Any = {role: name for role, name in roles.items() if role != "group"}
    yield tm.evaluate(columns, systems="s", **people, **roles)
    yield tm.compare({**columns, "t": columns["h2"]}, systems=["s", "t"], **people, **roles)
    yield tm.raters(columns, **people, **ungrouped)
    yield tm.ceiling(columns, **people, **ungrouped)


@pytest.mark.parametrize("edge", EDGES)
def test_every_number_has_an_interval_that_holds_it_or_a_reason(edge):
    for found in evaluations(edge):
        for e in found.estimates:
            check(e)
        for curve in found.curves:
            check_band(curve)


def check(e):
    """Whether value, interval and reason go together, and the ends are possible and near."""
    if any(map(math.isnan, (e.value, e.low, e.high))):
        assert e.why, e
        assert math.isnan(e.low), e
        assert math.isnan(e.high), e
        return
    size = max(1.0, abs(e.value))
    least, most = range_of(e.key)
    assert min(least, e.value) <= e.low <= e.value <= e.high <= max(most, e.value), e
    assert e.high - e.low > 1e-9 * size, e
    assert max(abs(e.low), abs(e.high)) < FAR * size, e


def check_band(curve):
    """Whether the band of a curve holds it."""
    for y, low, high in zip(curve.y, curve.low or (), curve.high or (), strict=False):
        assert math.isnan(low) == math.isnan(high), curve.name
        if not math.isnan(y + low):
            assert low - 1e-9 <= y <= high + 1e-9, curve.name
            assert curve.name != "ceiling_theoretical[shared]" or 0 <= low <= high <= 1


def test_decisions_at_a_cut_have_intervals_of_the_strata():
    columns, roles = strata_of_two()
    found = tm.evaluate(columns, humans=["h1", "h2"], systems="s", cuts=[2.0], **roles)
    decided = next(e for e in found.estimates if e.name == "decision_agreement")
    assert "orders of weight" in decided.method
    assert decided.low < decided.value < decided.high


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n", [3, 8])
def test_tiny_samples_warn_of_nothing(n):
    for seed in range(4):
        columns = three(n, seed)
        tm.ceiling(columns, humans=["h1", "h2"])
        tm.evaluate(columns, humans=["h1", "h2"], systems="s")
