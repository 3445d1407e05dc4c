"""Sentences are true of the very data they stand beside."""

import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.pages import report
from tallymark.analyses.summary import summary

PEOPLE: dict[str, Any] = {"humans": ["h1", "h2"], "replicates": 100}


def scores(n=200, engine_sd=0.5):
    rng = np.random.default_rng(3)
    truth = rng.normal(1.5, 1, n)
    names = {"h1": 0.4, "h2": 0.5, "engine": engine_sd}
    columns: dict[str, Any] = {
        name: np.clip(np.round(truth + rng.normal(0, sd, n)), 0, 3) for name, sd in names.items()
    }
    return columns | {"essay": np.array(["a", "b"])[np.arange(n) % 2]}


def text_of(found):
    return " ".join(line.text.strip() for line in summary(found, width=100, full=True))


def on_scales_of_their_own():
    columns = scores()
    second = columns["essay"] == "b"
    for name in ("h1", "h2", "engine"):
        columns[name] = np.where(second, 2 * columns[name], columns[name])
    return columns, {"prompt": "essay", "prompts": {"a": {"scale": "0:3"}, "b": {"scale": "0:6"}}}


def test_a_gold_that_is_a_rater_has_one_ceiling():
    text = text_of(tm.evaluate(scores(), gold="h1", systems=["engine"], scale="0:3", **PEOPLE))
    ladder, *_ = re.findall(r"theoretical +(\.\d+) \[", text)
    (trusted,) = re.findall(r"beside its ceiling (\.\d+)", text)
    assert float(trusted) == pytest.approx(float(ladder), abs=0.005)


def test_the_points_that_are_printed_count_errors_of_two_points():
    columns = scores(engine_sd=1.0)
    asked: dict[str, Any] = {"systems": ["engine"], "scale": "0:3", **PEOPLE}
    (typed,) = re.findall(
        r"--critical (\d+) needs 2 points", text_of(tm.evaluate(columns, **asked))
    )
    found = tm.evaluate(columns, critical=float(typed), **asked)
    share = np.mean(np.abs(columns["h1"] - columns["engine"]) >= 2)
    assert 0 < share < 0.5
    own = [
        e.value
        for e in found.estimates
        if e.name == "csrate" and found.subsets[e.subset].id == "engine"
    ]
    assert own == [pytest.approx(share)]


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_no_response_is_beyond_all_measure(wrong):
    columns = scores()
    columns["engine"] = columns["h1"].copy()
    columns["engine"][:wrong] = 3 - columns["engine"][:wrong]
    text = text_of(tm.evaluate(columns, systems=["engine"], scale="0:3", **PEOPLE))
    assert not re.findall(r"\d{5,}", text)


def test_each_prompts_rule_is_told():
    own: dict[str, Any] = {"prompt": "essay", "prompts": {"a": {"resolve": "mean"}}}
    found = tm.evaluate(scores(), systems=["engine"], scale="0:3", **own, **PEOPLE)
    assert "Gold: first rating: h1; prompt a: mean of h1, h2." in text_of(found)


def test_ceilings_of_each_prompt_are_shown_where_they_were_computed():
    found = tm.ceiling(scores(), gold="h1", prompt="essay", scale="0:3", **PEOPLE)
    lines = [line.text for line in summary(found, width=100, full=True)]
    rows = [line.split() for line in lines if re.match(r"[ab] +\.\d", line)]
    assert any(line.endswith("100 responses each") for line in lines)
    assert len(rows) == 2
    assert not any("-" in row for row in rows)


def test_nobody_is_told_that_no_response_was_rated_twice_where_all_were():
    columns, own = on_scales_of_their_own()
    alone = {name: column for name, column in columns.items() if name != "engine"}
    found = [
        tm.evaluate(columns, systems=["engine"], **own, **PEOPLE),
        tm.raters(alone, **own, **PEOPLE),
        tm.ceiling(alone, **own, **PEOPLE),
    ]
    for one in found:
        assert "o response was rated twice" not in text_of(one)
        assert "o response was rated twice" not in report(one)
    assert "0 raters" not in text_of(found[1])
    assert "200 responses of prompt" not in text_of(found[2])
    assert re.search(r": 100 responses each .* a +\.\d.* b +\.\d", text_of(found[2]))
    means = [e.name for e in found[1].estimates if found[1].subsets[e.subset].average]
    assert "dependability" in means
    assert "variance_component" not in means
