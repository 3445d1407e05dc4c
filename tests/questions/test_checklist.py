"""The checklist: what an evaluation documents is filled in, what it lacks is marked and can be brought."""

import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import OptionError
from tallymark.questions.checklist import EVIDENCE, items, section
from tallymark.render.model import Table
from tallymark.study.request import fields_of

ADDED: dict[str, dict[str, Any]] = {
    "human": {"humans": ["h1", "h2"]},
    "repeat": {"repeats": {"engine": ["run1", "run2"]}},
    "group": {"groups": ["side"]},
    "policy": {"policy": "wood2021"},
    "confidence": {"confidences": {"engine": "sure"}},
}
"""What each option that the checklist names is, as keywords."""


def table(seed):
    rng = np.random.default_rng(seed)
    true = rng.normal(3, 1.1, 150)

    def score():
        return np.clip(np.rint(true + rng.normal(0, 0.5, 150)), 1, 5).tolist()

    scores = {name: score() for name in ("h1", "h2", "engine", "run1", "run2")}
    return {
        **scores,
        "side": rng.choice(["f", "m"], 150).tolist(),
        "sure": rng.random(150).tolist(),
    }


def evaluated(seed, *options):
    asked: dict[str, Any] = {
        "humans": ["h1"],
        "systems": ["engine"],
        "scale": "1:5",
        "replicates": 100,
    }
    for option in options:
        asked |= ADDED[option]
    columns = table(seed)
    return tm.evaluate(columns, **asked)


def test_every_source_that_was_named_is_there():
    sources = " ".join(item.source for item in items())
    for number in ("2.7", "3.8", "4.19", "4.20", "6.8", "6.9"):
        assert f"standard {number}" in sources
    articles = [f"Article {number}" for number in (13, 14, 15, 26)]
    for article in ("Annex III 3(b)", *articles, "Ofqual"):
        assert article in sources


def test_evidence_is_known_by_its_name_and_all_of_it_is_asked_for():
    asked = {name for item in items() for name in item.evidence}
    assert asked == set(EVIDENCE)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("options", [(), ("human",), ("group", "repeat"), tuple(ADDED)])
def test_evidence_is_filled_in_or_marked_as_missing(options, seed):
    found = evaluated(seed, *options)
    (shown,) = section(found).blocks
    assert isinstance(shown, Table)
    for item, (_, _, here, missing) in zip(items(), shown.rows, strict=True):
        for name in item.evidence:
            told = EVIDENCE[name].tell(found)
            assert (told is not None) == (str(told) in str(here))
            assert (told is None) == (EVIDENCE[name].lacking in str(missing))
        assert not item.yours or item.yours in str(missing)
        assert str(missing).startswith("missing: ") or missing == ""


@pytest.mark.parametrize("name", EVIDENCE)
def test_what_is_missing_names_the_option_that_brings_it(name):
    options = re.findall(r"name (?:\w+ )+with --(\w+)", EVIDENCE[name].lacking)
    flags = {field.flag for field in fields_of("evaluate").values()}
    for option in options:
        assert f"--{option}" in flags
        assert EVIDENCE[name].tell(evaluated(1)) is None
        assert EVIDENCE[name].tell(evaluated(1, option)) is not None


def test_numbers_are_those_of_the_evaluation():
    found = evaluated(3, "human", "repeat")
    qwk = found.numbers[0]["cohen_kappa[quadratic]"]
    assert f"engine {qwk.value:.3f}".replace("0.", ".")[:10] in str(
        EVIDENCE["agreement"].tell(found)
    )
    assert "same score in two runs: engine" in str(EVIDENCE["repeats"].tell(found))


def test_people_alone_have_no_checklist():
    columns = {name: table(1)[name] for name in ("h1", "h2")}
    assert section(tm.raters(columns, scale="1:5", replicates=100)).blocks == ()


def test_what_users_state_stands_there_as_theirs_and_is_no_longer_missing():
    columns, text = table(1), "The board named {both} sexes."
    asked: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "scale": "1:5"}
    found = tm.evaluate(columns, **asked, replicates=100, evidence={"3.8": text})
    (shown,) = section(found).blocks
    assert isinstance(shown, Table)
    for item, (_, _, here, missing) in zip(items(), shown.rows, strict=True):
        assert (f"stated by the authors: {text}" in str(here)) == (item.name == "3.8")
        if item.yours:
            assert (item.yours in str(missing)) == (item.name != "3.8")
    assert EVIDENCE["groups"].lacking in str(shown.rows[1][3])


def test_an_item_that_is_not_there_is_refused_with_the_closest():
    with pytest.raises(OptionError, match=r"no item 'Artikel 13'.*Article 13"):
        tm.evaluate(table(1), evidence={"Artikel 13": "text"})


def test_names_of_items_differ():
    names = [item.name for item in items()]
    assert len(set(names)) == len(names)
    assert {"3.8", "Article 13", "Ofqual"} <= set(names)
