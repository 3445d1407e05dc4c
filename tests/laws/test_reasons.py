"""A reason is true of the very data: it counts the parts without a number, and names no alternative."""

import math
import re
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.results import parts_of
from tests.awkward import SETS
from tests.laws.test_statements import evaluated, screens


def some_parts_undefined(command):
    """Four prompts, in one of which everyone gives one score, and in another the system does."""
    rng = np.random.default_rng(4)
    truth = rng.normal(3, 1.2, 160)
    prompt = np.repeat(list("abcd"), 40)
    columns = {n: np.clip(np.rint(truth + rng.normal(0, 0.7, 160)), 1, 5) for n in ("h1", "h2")}
    columns["engine"] = np.where(prompt == "b", 3, columns["h2"])
    columns = {n: np.where(prompt == "a", 4, scores) for n, scores in columns.items()}
    asked: dict[str, Any] = {
        "humans": ["h1", "h2"],
        "prompt": "essay",
        "scale": "1:5",
        "interval": "analytic",
    }
    asked |= {"systems": ["engine"]} if command == "evaluate" else {}
    return getattr(tm, command)({**columns, "essay": prompt}, **asked)


@pytest.mark.parametrize("command", ["evaluate", "raters", "ceiling"])
def test_the_reason_of_a_mean_counts_the_parts_that_have_no_number(command):
    found, counted = some_parts_undefined(command), set()
    for mean in (s for s in found.subsets if s.average and not s.fisher_z):
        parts = [found.of(part) for part in parts_of(found.subsets, mean)]
        for key, estimate in found.of(mean).items():
            said = re.match(r"undefined in (\d+) of (\d+) prompts: \S", estimate.why)
            lost = sum(math.isnan(numbers[key].value) for numbers in parts if key in numbers)
            if len(parts) == 4 and all(key in numbers for numbers in parts) and lost:
                assert said, (mean.id, key, estimate.why)
                assert (int(said[1]), int(said[2])) == (lost, 4), (mean.id, key, estimate.why)
                counted.add(lost)
    assert 1 in counted
    assert "undefined in at least one" not in " ".join(e.why for e in found.estimates)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("command", ["evaluate", "raters"])
def test_no_reason_names_a_lack_that_these_scores_do_not_have(command, name):
    if (command, name) == ("raters", "rated_once"):
        return
    found = evaluated(command, name)
    whys = {e.why for e in found.estimates}
    two = found.data.view == "binary"
    assert not [why for why in whys if "or the scale does not have" in why]
    assert not two or not [why for why in whys if "does not have two points" in why]
    assert not [why for why in whys if "take another interval" in why]


@pytest.mark.parametrize("n", [1, 2])
def test_of_two_labels_only_what_is_lacking_is_said(n):
    scores = {"h1": [1, 1][:n], "h2": [0, 1][:n], "engine": [0, 1][:n]}
    found = tm.evaluate(scores, humans=["h1", "h2"], systems=["engine"], scale="0:1")
    numbers = found.of(next(s for s in found.subsets if s.system and not s.column))
    assert numbers["specificity"].why == "no gold is negative"
    assert numbers["sensitivity"].why == "" or math.isnan(numbers["sensitivity"].low)


@pytest.mark.parametrize("decimals", [0, 3])
def test_the_smd_before_a_recalibration_is_that_of_the_page_or_said_to_be_of_rounded_scores(
    decimals,
):
    rng = np.random.default_rng(3)
    gold = rng.integers(2, 9, 300).astype(float)
    engine = np.clip(gold - 2 + rng.normal(0, 0.3, 300), 0, 8).round(decimals)
    asked: dict[str, Any] = {"humans": ["h1"], "systems": ["engine"], "scale": "0:8"}
    found = tm.evaluate({"h1": gold, "engine": engine}, interval="analytic", **asked)
    (finding,) = [f for f in found.findings if f.name == "recalibrate"]
    before, shown = finding.numbers["smd_before"], found["smd"].value
    said = "SMD of the rounded scores would move from" in screens(found)["summary.md"]
    assert said or before == pytest.approx(shown)
    assert decimals or before == pytest.approx(shown)
