"""Which gold is in use is worked out in one way: for the numbers, the screens and the verdict."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.results import CEILING, PEOPLE, Evaluation, gold_in_use, gold_rule


def table(gold: str | None = None) -> dict[str, list[object]]:
    rng = np.random.default_rng(3)
    true = rng.integers(1, 6, 120)
    h1, h2, engine = (np.clip(true + rng.integers(-1, 2, 120), 1, 5) for _ in range(3))
    columns: dict[str, list[object]] = {
        "prompt": ["a", "b"] * 60, "h1": [*h1], "h2": [*h2], "engine": [*engine],
    }  # fmt: skip
    golds = {"higher": np.maximum(h1, h2), "hardly": np.where(rng.random(120) < 0.6, h1, true)}
    return columns if gold is None else {**columns, "gold": [*golds[gold]]}


def rules(found: Evaluation) -> dict[str | None, tuple[str | None, str]]:
    people = [s for s in found.subsets if (s.subject, s.against) == (PEOPLE, CEILING)]
    return {s.prompt: (gold_rule(found, s), gold_in_use(found, s)) for s in people}


HUMANS: dict[str, Any] = {
    "humans": ["h1", "h2"],
    "systems": ["engine"],
    "scale": "1:5",
    "replicates": 100,
}


@pytest.mark.parametrize(
    ("asked", "rule"),
    [("first", "first"), ("mean", "mean"), ("sum", "sum"), ("higher", "higher")],
)
def test_it_is_the_rule_that_was_asked_for(asked, rule):
    found = tm.evaluate(table(), resolve=asked, prompt="prompt", **HUMANS)
    assert set(rules(found).values()) == {(rule, rule)}


def test_a_prompt_with_a_rule_of_its_own_has_that_and_both_together_have_none():
    own = {"a": {"resolve": "higher"}}
    found = tm.evaluate(table(), resolve="first", prompt="prompt", prompts=own, **HUMANS)
    assert rules(found) == {
        None: (None, "mean"), "a": ("higher", "higher"), "b": ("first", "first"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("gold", "rule"), [("higher", ("higher", "higher")), ("hardly", (None, "mean"))]
)
def test_of_a_gold_column_it_is_the_rule_that_gives_nearly_all_of_it(gold, rule):
    found = tm.evaluate(table(gold), gold="gold", prompt="prompt", **HUMANS)
    assert rules(found)[None] == rule
    assert Evaluation.from_json(found.to_json()).subsets == found.subsets
    assert rules(Evaluation.from_json(found.to_json())) == rules(found)
