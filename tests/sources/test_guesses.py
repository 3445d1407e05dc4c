"""What is guessed, over many tables: responses are no prompts, what recurs is no id, and every offer works."""

import re
import shlex
from typing import Any

import numpy as np
import pytest

from tallymark.errors import DataError, OptionError
from tallymark.sources import Roles, Scores, read_scores

NAMES = ("item", "item_id", "question", "task_no", "topic", "prompt", "Prompt ID", "essay set")
RESPONSES = 60


def long_table(
    response: str, rater: str, score: str, *, seed: int = 0, **more: Any
) -> list[dict[str, Any]]:
    """Three of five raters, one of them a bot, rate each response."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(RESPONSES):
        truth = rng.integers(1, 6)
        for who in [*rng.choice(["ann", "bea", "cy", "dora"], 3, replace=False), "bot"]:
            given = int(np.clip(truth + rng.integers(-1, 2), 1, 5))
            row = {response: f"t{i}", rater: str(who), score: given}
            rows.append({**row, **{name: values[i] for name, values in more.items()}})
    return [rows[i] for i in rng.permutation(len(rows))]


def wide_table(rows: int, **columns: Any) -> dict[str, Any]:
    rng = np.random.default_rng(rows)
    given = rng.integers(1, 7, rows)
    other = np.clip(given + rng.integers(-1, 2, rows), 1, 6)
    return {**columns, "h1": given.tolist(), "engine": other.tolist()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rows", [24, 100, 711])
def test_a_column_that_names_responses_is_never_guessed_as_prompt(name, rows):
    texts = [f"x{i}" for i in range(rows)]
    assert read_scores(wide_table(rows, **{name: texts}), roles=Roles()).roles.prompt is None
    twice = [f"x{i // 2}" for i in range(rows)]
    assert read_scores(wide_table(rows, **{name: twice}), roles=Roles()).roles.prompt is None


@pytest.mark.parametrize(
    "name", ["item", "item_id", "response", "essay_id", "text", "id", "doc_id"]
)
def test_the_response_of_a_long_table_is_no_prompt_too(name):
    scores = read_scores(long_table(name, "rater", "score"), roles=Roles())
    assert (scores.roles.response, scores.roles.prompt) == (name, None)
    assert scores.facts.read == RESPONSES
    assert not any(said.startswith("prompt") for said in scores.facts.guesses)


@pytest.mark.parametrize(("prompts", "guessed"), [(3, True), (10, True), (40, False), (60, False)])
def test_prompts_of_a_long_table_have_several_responses_each(prompts, guessed):
    named = [f"p{i % prompts}" for i in range(RESPONSES)]
    scores = read_scores(long_table("text", "rater", "score", item=named), roles=Roles())
    assert scores.roles.response == "text"
    assert scores.roles.prompt == ("item" if guessed else None)


@pytest.mark.parametrize("prompts", [2, 8, 20])
def test_prompts_are_still_guessed(prompts):
    named = [f"p{i % prompts}" for i in range(200)]
    assert read_scores(wide_table(200, item=named), roles=Roles()).roles.prompt == "item"


def read_again(table: Any, text: str, **roles: Any) -> Scores:
    """Follow what a text offers."""
    options = dict(re.findall(r"--(cluster|response|rater|score|system) (\S+?)[;,.]?(?= |$)", text))
    named: dict[str, Any] = {key: shlex.split(value)[0] for key, value in options.items()}
    return read_scores(table, roles=Roles(**named, **roles))


@pytest.mark.parametrize("each", [2, 16, 64])
@pytest.mark.parametrize("name", ["doc_id", "essay", "text_id", "answer"])
def test_an_id_that_recurs_is_none_and_the_note_offers_what_it_may_be(name, each):
    table = wide_table(640, **{name: [f"d{i // each}" for i in range(640)]})
    scores = read_scores(table, roles=Roles())
    assert scores.roles.id is None
    (note,) = [note for note in scores.facts.notes if note.startswith(f"{name} does not identify")]
    assert f"about {each} rows" in note
    again = read_again(table, note)
    assert again.roles.cluster == name
    assert not any(" does not identify" in note for note in again.facts.notes)


def test_an_id_that_recurs_with_each_trait_is_one():
    named = [f"t{i // 4}" for i in range(400)]
    traits = [f"q{i % 4}" for i in range(400)]
    scores = read_scores(wide_table(400, id=named, trait=traits), roles=Roles())
    assert (scores.roles.id, scores.roles.trait) == ("id", "trait")


def test_summeval_has_no_id_but_clusters(shared):
    path = shared("data", "summeval_experts", "scores.csv")
    scores = read_scores(path, roles=Roles(), people_only=True)
    assert scores.roles.id is None
    (note,) = [note for note in scores.facts.notes if "--cluster doc_id" in note]
    assert "about 64 rows" in note


LONG = [
    ("rid", "rater", "score"),
    ("rid", "annotator_id", "rating"),
    ("sample", "judge", "score"),
    ("text", "who", "given"),
    ("my text", "the rater", "the score"),
    ("utterance", "grader", "mark"),
]


@pytest.mark.parametrize("names", LONG, ids=" ".join)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_long_table_under_any_names_is_offered_with_options_that_read_it(names, seed):
    place: dict[str, Any] = {"colour": [("red", "blue")[i % 2] for i in range(RESPONSES)]}
    table = long_table(*names, seed=seed, **place)
    for people_only in (True, False):
        with pytest.raises(DataError) as caught:
            read_scores(table, roles=Roles(), people_only=people_only)
        text = str(caught.value)
        assert "one row per rating" in text
        given = re.findall(r"--(response|rater|score) ('[^']+'|\S+)", text)
        named: dict[str, Any] = {key: shlex.split(value)[0] for key, value in given}
        assert tuple(named.values()) == names
        scores = read_scores(table, roles=Roles(**named), people_only=people_only)
        assert scores.facts.read == scores.facts.used == RESPONSES
        assert scores.roles.systems == (() if people_only else ("bot",))


def test_a_wide_table_without_people_is_not_taken_for_a_long_one():
    rng = np.random.default_rng(1)
    table = {"name": [f"n{i}" for i in range(50)], "given": rng.integers(1, 6, 50).tolist()}
    with pytest.raises(DataError, match="name it with --human"):
        read_scores(table, roles=Roles())


@pytest.mark.parametrize("asked", [{"trait": "text"}, {"groups": ("text",)}])
def test_traits_and_groups_of_one_response_each_are_refused(asked):
    texts = [f"x{i}" for i in range(80)]
    with pytest.raises(OptionError, match=r"80 values for 80 responses: it names responses, not"):
        read_scores(wide_table(80, text=texts), roles=Roles(**asked))


def test_a_trait_of_one_response_each_is_named_and_not_the_prompt_beside_it():
    texts, prompts = [f"x{i}" for i in range(80)], ["a", "b"] * 40
    with pytest.raises(OptionError, match="--trait 'text' has 80 values"):
        read_scores(wide_table(80, text=texts, prompt=prompts), roles=Roles(trait="text"))


@pytest.mark.parametrize("name", ["item", "anything"])
def test_a_prompt_column_with_a_value_for_every_response_is_refused(name):
    texts = [f"x{i}" for i in range(80)]
    with pytest.raises(OptionError, match=r"80 values for 80 responses.*Leave it out"):
        read_scores(wide_table(80, **{name: texts}), roles=Roles(prompt=name))
    asked = Roles(response=name, rater="rater", score="score", prompt=name)
    with pytest.raises(OptionError, match=r"60 values for 60 responses"):
        read_scores(long_table(name, "rater", "score"), roles=asked)
    traits = [f"q{i % 4}" for i in range(400)]
    four = wide_table(400, **{name: [f"t{i // 4}" for i in range(400)]}, trait=traits)
    with pytest.raises(OptionError, match="names responses, not prompts"):
        read_scores(four, roles=Roles(prompt=name))
