"""What a comparison says holds for the numbers beside it: laws over awkward data sets."""

import math
import re

import pytest

from tallymark.analyses.summary import summary
from tallymark.catalogue import BY_NAME
from tallymark.questions.comparison.pairs import answers
from tallymark.render.layout import plain_text
from tests.screens import cases, recorded

CASES = cases("compare of 2", "compare of 4")


def compared(command, name):
    return recorded(command, name).evaluation


def pairs(found):
    by = found.options["by"]
    rows = [
        dict(zip(t.columns, r, strict=True))
        for t in found.tables
        for r in t.rows
        if t.name == "pairs"
    ]
    return [row for row in rows if row["statistic"] == by]


@pytest.mark.parametrize(("command", "name"), CASES)
def test_what_is_called_better_or_told_apart_is_so_by_its_adjusted_test(command, name):
    found = compared(command, name)
    said = [" ".join(str(answer).split()) for answer in answers(found)]
    settled = {frozenset((r["system"], r["against"])): r["better"] for r in pairs(found)}
    for text in said:
        if better := re.match(r"(\S+) is better than (\S+)", text):
            first, second = (name.rstrip(":") for name in better.groups())
            assert settled[frozenset((first, second))] == first
        if unsettled := re.match(r"These data do not tell (\S+) and (\S+) apart", text):
            assert not settled[frozenset(name.rstrip(":") for name in unsettled.groups())]
        if "its lead over any other is not settled" in text:
            best = text.split()[0]
            assert not any(better for pair, better in settled.items() if best in pair)
    assert len(said) == 1  # one pair, or the best of many


@pytest.mark.parametrize(("command", "name"), CASES)
def test_systems_without_a_number_have_no_rank_and_no_test(command, name):
    found = compared(command, name)
    text = plain_text(summary(found, full=False))
    defined = [row for row in pairs(found) if row["difference"] is not None]
    if not defined:
        assert "cannot be compared" in text
        assert "Ranking" not in text
        assert "permutation" not in text
    table = text.partition("Against the gold")[2].partition(" read, ")[0]
    for titles in re.findall(
        r"(?m)(?:^|\. )([^.:\[\]]+): (?:undefined|no interval), because", table
    ):
        for title in titles.split(", "):
            assert table.count(title.strip()) > 1, title  # a column has it, and its reason


@pytest.mark.parametrize(("command", "name"), CASES)
def test_what_is_said_of_new_prompts_is_possible_and_no_surer_than_of_these(command, name):
    found = compared(command, name)
    for e in found.estimates:
        if e.name not in ("new_prompt", "between_prompt_sd") or math.isnan(e.value):
            continue
        low, high = BY_NAME[str(e.params["of"]).partition("[")[0]].range
        if e.name == "new_prompt":
            assert math.isnan(e.low) or low <= e.low <= e.value <= e.high <= high
            mean = found.numbers[e.subset][e.params["of"]]
            assert e.low <= mean.low + 1e-9 or e.low == low
            assert e.high >= mean.high - 1e-9 or e.high == high
        else:
            assert math.isnan(e.low) or 0 <= e.low <= e.high <= (high - low) / 2
            assert math.isnan(e.low) or e.high > 0
    of_these = {
        (found.subsets[e.subset].system, str(found.subsets[e.subset].against)): e
        for e in found.estimates
        if e.name == "paired_difference"
        and e.params["of"] == found.options["by"]
        and not found.subsets[e.subset].column
    }
    for row in pairs(found):
        if row["new_low"] is not None:
            difference = of_these[row["system"], row["against"]]
            assert row["new_high"] - row["new_low"] >= 2 * 1.96 * difference.se_analytic - 1e-9
