"""The first screen of one system: short, the answer first, the data below it."""

import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.simulation import Group, Prompt, Rater, System, simulate
from tests.awkward import SETS, awkward

MOST_LINES = 40


def people_and_groups(n, seed=0, **more):
    made = simulate(
        n,
        scale=more.pop("scale", "1:6"),
        raters=[Rater("h1", noise=0.6), Rater("h2", noise=0.6)],
        systems=[System("engine", noise=more.pop("noise", 0.5))],
        groups={"gender": [Group("f"), Group("m")], "language": [Group("a"), Group("b")]},
        seed=seed,
        **more,
    )
    return made.columns()


def lines_of(columns, **asked):
    return [line.text for line in summary(tm.evaluate(columns, **asked), width=80, full=False)]


TABLES = {
    "plain": lambda: people_and_groups(400),
    "large": lambda: people_and_groups(5_000, seed=1),
    "poor": lambda: people_and_groups(300, seed=2, noise=2.5),
    "fine": lambda: people_and_groups(300, seed=3, scale="0:3:0.5"),
    "few": lambda: people_and_groups(8, seed=4),
    "two responses": lambda: {"h1": [1, 2], "h2": [1, 2], "engine": [2, 2], "gender": ["f", "m"]},
    "one score": lambda: (
        {k: [2] * 30 for k in ("h1", "h2", "engine")} | {"gender": ["f", "m"] * 15}
    ),
    "no second rating": lambda: people_and_groups(200, seed=5) | {"h2": [np.nan] * 200},
}


@cache
def shown(name):
    return lines_of(TABLES[name]())


@pytest.mark.parametrize("name", TABLES)
def test_one_system_with_two_raters_and_groups_fits_forty_lines(name):
    lines = shown(name)
    assert len(lines) <= MOST_LINES, "\n".join(lines)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", TABLES)
def test_the_answer_comes_first_and_the_data_last(name):
    lines = shown(name)
    assert lines[0].startswith("engine ")
    numbers = next(i for i, line in enumerate(lines) if line.startswith("engine against the gold"))
    read = next(i for i, line in enumerate(lines) if "responses read," in line)
    assert 0 < numbers < read
    assert lines[-1].startswith("--full prints all")


@pytest.mark.parametrize("name", TABLES)
def test_no_sentence_is_built_around_a_number_that_is_undefined(name):
    text = " ".join(shown(name))
    assert not re.search(r"(reaches|reach|at|in) (QWK:? )?undefined", text)
    assert "difference: undefined" not in text


def test_with_a_policy_the_verdict_comes_first():
    lines = lines_of(people_and_groups(400), policy="williamson2012")
    assert lines[0].startswith("Verdict: ")


@pytest.mark.parametrize("policy", [None, "williamson2012"])
def test_prompts_groups_and_guesses_fit_as_well(policy):
    prompts = [Prompt("a"), Prompt("b"), Prompt("c")]
    columns = people_and_groups(600, seed=6, prompts=prompts)
    assert len(lines_of(columns, policy=policy, interval="analytic")) <= MOST_LINES


@pytest.mark.parametrize("policy", [None, "williamson2012"])
@pytest.mark.parametrize("name", SETS)
def test_one_system_fits_forty_lines_on_every_awkward_set(name, policy):
    columns, roles = awkward(name)
    roles = {**roles, "systems": roles["systems"][:1]}
    lines = lines_of(columns, **roles, policy=policy, interval="analytic")
    assert len(lines) <= MOST_LINES, "\n".join(lines)
    assert max(map(len, lines)) <= 80
    assert not any(heading.startswith("People") and not below for heading, below in pairwise(lines))


def many_prompts(number, each, seed=7):
    """Prompts, of whom the last few are rated alike throughout, on one scale."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1.2, (number, each))
    columns = {
        name: np.clip(np.rint(truth + rng.normal(0, sd, truth.shape)), 0, 6)
        for name, sd in {"h1": 0.7, "h2": 0.7, "engine": 0.9}.items()
    }
    columns["h1"][-1], columns["h2"][-1] = 6, 6
    flat = {name: column.ravel() for name, column in columns.items()}
    return {**flat, "essay": np.repeat([f"p{i}" for i in range(number)], each)}


@pytest.mark.parametrize(("number", "each"), [(8, 60), (25, 25), (79, 20)])
def test_many_prompts_take_no_more_lines_and_the_worst_come_first(number, each):
    columns = many_prompts(number, each)
    found = tm.evaluate(
        columns, humans=["h1", "h2"], systems=["engine"], prompt="essay", interval="analytic"
    )
    lines = [line.text for line in summary(found, width=80, full=False)]
    assert len(lines) <= MOST_LINES, "\n".join(lines)
    shown = [line.split() for line in lines if re.match(r"p\d+ ", line)]
    assert len(shown) == (10 if number > 20 else number)
    if number > 20:
        values = [float(words[1]) for words in shown]
        assert values == sorted(values)
