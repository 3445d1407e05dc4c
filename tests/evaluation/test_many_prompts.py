"""More prompts than are shown one by one: the means stay, the detail goes."""

from functools import cache

import numpy as np
import pytest

import tallymark as tm
from tallymark.defaults import MANY
from tallymark.results import AMONG_PEOPLE, CEILING, ITSELF, TRUE_SCORES, Evaluation


def columns(prompts: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(4)
    truth = rng.normal(3, 1.3, (prompts, 12)).ravel()
    scores = {
        name: np.clip(np.rint(truth + rng.normal(0, 0.7, truth.size)), 0, 6)
        for name in ("h1", "h2", "engine", "again")
    }
    return {**scores, "essay": np.repeat([f"p{i}" for i in range(prompts)], 12)}


@cache
def evaluated(prompts: int) -> Evaluation:
    return tm.evaluate(
        columns(prompts), humans=["h1", "h2"], systems=["engine"], prompt="essay", scale="0:6",
        repeats={"engine": ["engine", "again"]}, interval="analytic",
    )  # fmt: skip


def means(evaluation: Evaluation) -> dict[tuple[object, str], float]:
    return {
        (evaluation.subsets[e.subset].against, e.text): e.value
        for e in evaluation.estimates
        if evaluation.subsets[e.subset].average == "prompt"
    }


def test_the_means_of_many_prompts_are_those_of_few():
    compared = {against for against, _ in means(evaluated(MANY + 1))}
    assert compared == {against for against, _ in means(evaluated(MANY))}
    assert {AMONG_PEOPLE, CEILING, ITSELF, TRUE_SCORES} <= compared


@pytest.mark.parametrize("against", [AMONG_PEOPLE, CEILING, ITSELF, TRUE_SCORES])
def test_only_the_detail_of_many_prompts_is_left_out(against):
    shown = [evaluated(n).subsets for n in (MANY, MANY + 1)]
    few, many = (sum(s.against == against and bool(s.prompt) for s in each) for each in shown)
    assert few >= MANY
    assert many == 0 or against == AMONG_PEOPLE  # of people alone, alpha in each


def test_a_mean_over_many_prompts_is_the_mean_of_each():
    scores = columns(MANY + 1)
    each = [scores["essay"] == prompt for prompt in np.unique(scores["essay"])]
    agree = [
        tm.metrics.cohen_kappa(scores["h1"][here], scores["h2"][here], weights="quadratic")
        for here in each
    ]
    values = means(evaluated(MANY + 1))
    key = next(
        key for key in values if key[0] == CEILING and key[1].startswith("human_human[cohen")
    )
    assert values[key] == pytest.approx(np.mean(agree), abs=1e-12)


def test_what_is_not_given_of_each_of_many_prompts_is_said_once():
    many, few = (
        [note for note in evaluated(n).data.notes if "leading statistics" in note]
        for n in (MANY + 1, MANY)
    )
    assert few == []
    (note,) = many
    assert "Numbers of people are means over them" in note
    assert "what these numbers hide is of all responses" in note
