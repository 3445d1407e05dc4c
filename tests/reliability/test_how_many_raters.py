"""How many raters are needed has one answer, whoever is asked: with so many the mean of the parts reaches it."""

import math
import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import summary

SPREAD = {"coherence": 0.25, "consistency": 0.9, "fluency": 0.4, "relevance": 0.6}
HUMANS = ["h1", "h2", "h3"]
TARGETS = (0.8, 0.9)


def table():
    """Four traits of 400 texts by three raters; some of them hardly tell texts apart."""
    rng = np.random.default_rng(3)
    columns: dict[str, list[Any]] = {name: [] for name in ("trait", *HUMANS, "engine")}
    for trait, spread in SPREAD.items():
        quality = rng.normal(3, spread, 400)
        ratings = quality[:, None] + rng.normal(0, 0.2, 3) + rng.normal(0, 1, (400, 3))
        ratings = np.clip(np.rint(ratings), 1, 5)
        columns["trait"] += [trait] * 400
        columns["engine"] += np.clip(np.rint(quality), 1, 5).tolist()
        for name, scores in zip(HUMANS, ratings.T, strict=True):
            columns[name] += scores.tolist()
    return columns


def noise(ratings):
    """Error of one rating over the variance of responses, by the analysis of variance."""
    n, k = ratings.shape
    of_response, of_rater, mean = ratings.mean(1), ratings.mean(0), ratings.mean()
    ms_p = k * np.sum((of_response - mean) ** 2) / (n - 1)
    ms_r = n * np.sum((of_rater - mean) ** 2) / (k - 1)
    left = ratings - of_response[:, None] - of_rater + mean
    ms_e = np.sum(left**2) / ((n - 1) * (k - 1))
    return (max((ms_r - ms_e) / n, 0) + ms_e) / ((ms_p - ms_e) / k)


def fewest(noises, target):
    """The first number of raters whose mean reliability over traits reaches the target."""
    return next(
        k for k in range(1, 10_000) if np.mean([k / (k + part) for part in noises]) >= target
    )


@pytest.fixture(scope="module")
def columns():
    return table()


@pytest.fixture(scope="module")
def truth(columns):
    ratings = np.stack([columns[name] for name in HUMANS], axis=1)
    noises = [noise(ratings[np.array(columns["trait"]) == trait]) for trait in SPREAD]
    return {target: fewest(noises, target) for target in TARGETS}


COMMANDS = {
    "raters": lambda columns: tm.raters(columns, humans=HUMANS, trait="trait", scale="1:5"),
    "ceiling": lambda columns: tm.ceiling(columns, humans=HUMANS, trait="trait", scale="1:5"),
    "evaluate": lambda columns: tm.evaluate(
        columns, humans=HUMANS, systems=["engine"], trait="trait", scale="1:5"
    ),
}


def answers(evaluation, target):
    """Value and ends of what an evaluation says that the mean over traits needs."""
    return [
        (e.value, e.low, e.high)
        for e in evaluation.estimates
        if e.text == f"raters_needed[crossed,dependability,{target}]"
        and evaluation.subsets[e.subset].average == "trait"
    ]


@pytest.fixture(scope="module")
def found(columns):
    return {name: command(columns) for name, command in COMMANDS.items()}


def planned(columns, target):
    plan = tm.plan.raters(columns, humans=HUMANS, trait="trait", scale="1:5", reliability=target)
    return plan, next(f.numbers for f in plan.findings if "needed" in f.numbers)


@pytest.mark.parametrize("target", TARGETS)
def test_every_command_gives_the_same_number_and_it_is_enough(found, columns, truth, target):
    every = [answer for each in found.values() for answer in answers(each, target)]
    assert len(every) >= len(COMMANDS)
    for answer in every:
        assert answer == pytest.approx(every[0], rel=1e-9)
    assert math.ceil(every[0][0]) == truth[target]
    numbers = planned(columns, target)[1]
    assert numbers["needed"] == truth[target]
    assert numbers["reached"] >= target
    assert [numbers[end] for end in ("fewest", "most")] == [math.ceil(e) for e in every[0][1:]]


@pytest.mark.parametrize("name", ["raters", "ceiling"])
def test_screens_say_the_same_sentence(found, truth, name):
    text = " ".join(line.text.strip() for line in summary(found[name], width=2000, full=True))
    said = re.search(r"Raters needed for a Phi, mean over traits: (\d+) \[.*?; (\d+) \[", text)
    assert said is not None
    assert [int(number) for number in said.groups()] == [*truth.values()]


def test_parts_are_named_by_the_plan_as_they_are_by_raters(found, columns):
    rated = found["raters"]
    needs = {
        rated.subsets[e.subset].trait: math.ceil(e.value)
        for e in rated.estimates
        if e.text == "raters_needed[crossed,dependability,0.8]"
        and rated.subsets[e.subset].column == "trait"
    }
    note = next(f for f in planned(columns, 0.8)[0].findings if f.name == "plan_raters_by_part")
    assert note.numbers["fewest"] == needs[note.texts["least"]] == min(needs.values())
    assert note.numbers["most"] == needs[note.texts["last"]] == max(needs.values())
