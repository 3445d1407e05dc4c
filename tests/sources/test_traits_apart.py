"""Traits on scales of their own are recognised, as prompts are."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm


def notes(tops, seed, **asked):
    rng = np.random.default_rng(seed)
    top = np.repeat(tops, 80)
    truth = rng.uniform(0, 1, top.size) * top
    columns = {
        name: np.clip(np.rint(truth + rng.normal(0, 0.5, top.size)), 0, top).tolist()
        for name in ("h1", "h2", "engine")
    }
    columns["aspect"] = np.repeat([f"t{i}" for i in range(len(tops))], 80).tolist()
    asked = {"humans": ["h1", "h2"], "systems": ["engine"], "trait": "aspect", **asked}
    return " ".join(tm.evaluate(columns, statistics=["qwk"], **asked).data.notes)


@pytest.mark.parametrize("seed", range(4))
def test_traits_on_their_own_scales_are_noted_with_what_to_do(seed):
    said = notes((3, 10), seed)
    assert "traits may be on scales of their own: no human score of trait t0 is above 3" in said
    assert "of the other traits are" in said
    assert "traits may" not in notes((3, 10), seed, scale="0:10")
    assert "traits may" not in notes((10, 10), seed)


def of_responses(**asked):
    rng = np.random.default_rng(3)
    columns: dict[str, Any] = {
        name: rng.integers(1, 5, 90).tolist() for name in ("h1", "h2", "engine")
    }
    columns |= {"essay": [f"e{i // 3}" for i in range(90)], "aspect": ["a", "b", "c"] * 30}
    asked = {"humans": ["h1", "h2"], "systems": ["engine"], "trait": "aspect", **asked}
    return " ".join(tm.evaluate(columns, statistics=["qwk"], scale="1:4", **asked).data.notes)


def test_traits_of_one_response_are_noted_where_no_cluster_says_so():
    said = "traits of one response depend on each other: add --cluster essay"
    assert said in of_responses(id="essay")
    assert said in of_responses()  # the id is guessed
    assert "traits of one" not in of_responses(cluster="essay")
    assert "traits of one" not in of_responses(trait=None, prompt="aspect", id=None)


@pytest.mark.parametrize("trait", ["trait", "of what"])
@pytest.mark.parametrize("name", ["id", "resp_no", "Nummer"])
def test_what_the_columns_are_called_changes_no_note_on_traits(name, trait):
    scores: dict[str, Any] = {h: [1, 2, 3, 4, 2] * 24 for h in ("h1", "h2", "engine")}

    def dependent(ids, traits):
        asked: dict[str, Any] = {"humans": ["h1", "h2"], "systems": ["engine"]}
        data = {**scores, name: ids, trait: traits}
        notes = tm.evaluate(data, **asked, id=name, trait=trait, scale="1:4").data.notes
        return f"add --cluster {name}" in " ".join(notes)

    pairs = [f"r{i // 2}" for i in range(120)]
    assert dependent(pairs, ["a", "b"] * 60)
    assert not dependent([f"r{i}" for i in range(120)], ["a", "b"] * 60)


def test_traits_of_a_long_table_are_noted_too():
    rows = [(e, t, r) for e in range(30) for t in "ab" for r in ("r1", "r2", "engine")]
    scores = np.random.default_rng(4).integers(1, 5, len(rows)).tolist()
    essay, trait, rater = (list(column) for column in zip(*rows, strict=True))
    table = {"essay": essay, "trait": trait, "rater": rater, "score": scores}
    named: dict[str, Any] = {
        "response": "essay",
        "rater": "rater",
        "score": "score",
        "trait": "trait",
    }
    found = tm.evaluate(table, systems=["engine"], statistics=["qwk"], scale="1:4", **named)
    assert "add --cluster essay" in " ".join(found.data.notes)
