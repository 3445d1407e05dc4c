"""A table that was not moved gives the observed numbers; moved ones keep what they say they keep."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tallymark as tm
from tallymark.demo import SCORES
from tallymark.errors import DataError, OptionError
from tallymark.questions.whatif.section import section
from tallymark.render.layout import plain_text
from tallymark.render.terminal import section_lines

DOEWES = np.array([[151, 51, 5, 0], [166, 900, 92, 0], [14, 98, 82, 102], [0, 4, 70, 35]])
"""Rebuilt from printed figures of Doewes, Kurdhi & Saxena (2023); golden do.fig35.table6."""
TABLES = arrays(np.int64, (3, 3), elements=st.integers(1, 30))
QWK = "cohen_kappa[quadratic]"
SHOWN = ("QWK", "LWK", "AC2", "alpha", "exact")
NAMES = ("qwk", "cohen_kappa[linear]", "gwet_ac[quadratic]", "krippendorff_alpha", "exact")


def scenarios(evaluation):
    return {row["scenario"]: row for row in evaluation.table("scenarios").records()}


def limits(evaluation):
    return {row["statistic"]: row for row in evaluation.table("limits").records()}


@settings(max_examples=15)
@given(TABLES)
def test_the_table_as_it_is_has_the_numbers_of_evaluate(table):
    what = scenarios(tm.whatif(table, table=True, scale="0:2"))["as it is"]
    observed = tm.evaluate(table, table=True, scale="0:2", statistics=NAMES)
    for heading, name in zip(SHOWN, NAMES, strict=True):
        assert what[heading] == pytest.approx(observed[name].value, abs=1e-12)


@settings(max_examples=10)
@given(TABLES)
def test_moves_that_change_nothing_give_the_same_row(table):
    share = float(table[1].sum() / table.sum())
    what = scenarios(
        tm.whatif(table, table=True, scale="0:2", errors=[1.0], prevalence={"1": share})
    )
    first, *same = [
        [row[name] for name in SHOWN]
        for name, row in what.items()
        if name in ("as it is", "errors 1 times") or row["change"] == "prevalence"
    ][:3]
    assert all(row == pytest.approx(first, abs=1e-9) for row in same)


def test_the_printed_diagonal_swap_comes_out():
    what = scenarios(tm.whatif(DOEWES, table=True, scale="0:3", exchange=["1:3"]))
    assert what["as it is"]["QWK"] == pytest.approx(
        0.6645665181650422, abs=1e-12
    )  # do.fig35.table6
    swapped = what["1 and 3 exchanged"]
    assert swapped["QWK"] == pytest.approx(0.8530, abs=6e-5)  # printed, Figure 3
    assert swapped["exact"] == pytest.approx(what["as it is"]["exact"])
    assert (what["as it is"]["verdict"], swapped["verdict"]) == ("not met", "met")


def test_intervals_are_those_of_evaluate():
    what = scenarios(tm.whatif(SCORES, systems=["engine"], humans=["h1"], cluster="candidate"))
    number = tm.evaluate(
        SCORES, systems=["engine"], humans=["h1"], cluster="candidate", statistics=["qwk"]
    ).estimates[0]
    row = what["as it is"]
    assert [row["QWK low"], row["QWK high"]] == pytest.approx([number.low, number.high], abs=2e-3)


def test_at_the_limit_the_leading_statistic_has_it():
    made = limits(tm.whatif(DOEWES, table=True, scale="0:3", limit=0.6))
    assert made["QWK"]["same errors"] == pytest.approx(0.6, abs=1e-9)
    assert made["QWK"]["by chance"] == pytest.approx(0.6, abs=1e-9)
    # mixing with chance multiplies every kappa by the same number
    ratio = 0.6 / made["QWK"]["as it is"]
    assert made["LWK"]["by chance"] == pytest.approx(ratio * made["LWK"]["as it is"], abs=1e-9)


def test_above_the_observed_value_only_fewer_errors_lead_to_the_limit():
    made = limits(tm.whatif(DOEWES, table=True, scale="0:3", limit=0.9))
    assert made["QWK"]["same errors"] == pytest.approx(0.9, abs=1e-9)
    assert made["QWK"]["by chance"] is None


def test_perfect_agreement_has_no_errors_to_scale():
    made = tm.whatif(np.diag([4, 5, 6]), table=True, scale="0:2")
    assert limits(made)["LWK"]["same errors"] is None
    assert limits(made)["LWK"]["by chance"] == pytest.approx(0.7)
    assert not any(row["change"] == "errors" for row in scenarios(made).values())


def test_the_ceiling_follows_the_spread_of_the_gold():
    evaluation = tm.whatif(SCORES, systems=["engine"])
    what, observed = scenarios(evaluation), tm.evaluate(SCORES, systems=["engine"])
    known = next(e for e in observed.estimates if e.text == "ceiling_theoretical[first]")
    assert what["as it is"]["ceiling"] == pytest.approx(known.value, abs=1e-9)
    assert what["errors 2 times"]["ceiling"] == pytest.approx(known.value, abs=1e-9)
    assert what["gold 4 at 70 %"]["ceiling"] < known.value < what["spread evenly"]["ceiling"]


def test_other_rules_are_those_of_the_scale_effect():
    asked: dict[str, Any] = {"systems": ["engine"], "flags": {"prompt": ["travel"]}}
    what = scenarios(tm.whatif(SCORES, **asked))
    resolved = [e for e in tm.evaluate(SCORES, **asked).estimates if e.name == "resolved"]
    known = {e.params["rule"]: e.value for e in resolved if e.params["of"] == QWK}
    assert {*known} == {"first", "higher", "lower", "rounded mean", "sum"}
    for rule, value in known.items():
        assert what[f"gold: {rule}"]["QWK"] == pytest.approx(value, abs=1e-12)


def test_other_rules_have_a_verdict_as_the_same_gold_has_in_evaluate():
    twice = {"first": [1, 2, 3, 4, 2, 3] * 20, "second": [1, 3, 3, 4, 1, 3] * 20}
    columns = {**twice, "engine": [1, 2, 3, 3, 2, 4] * 20}
    asked: dict[str, Any] = {"humans": [*twice], "systems": ["engine"], "scale": "1:4"}
    what = scenarios(tm.whatif(columns, **asked))
    for rule in ("first", "higher", "lower"):
        gold = tm.evaluate(columns, **asked, resolve=rule)
        scenario = "as it is" if rule == "first" else f"gold: {rule}"
        row = what[scenario]
        ends = (row["QWK"], row["QWK low"], row["QWK high"])
        number = gold["qwk"]
        assert ends == pytest.approx((number.value, number.low, number.high), abs=1e-9)
        assert row["exact"] == pytest.approx(gold["exact"].value, abs=1e-12)
        assert row["verdict"] in ("met", "not met", "undecided")


def test_one_way_is_merged_as_evaluate_merges_it():
    table = np.array([[9, 2, 1, 0], [3, 8, 2, 1], [0, 4, 7, 2], [1, 0, 2, 6]])
    what = scenarios(tm.whatif(table, table=True, scale="0:3"))
    binned = tm.evaluate(table, table=True, scale="0:3")
    by_points = {int(e.params["points"]): e.value for e in binned.estimates if e.name == "binned"}
    assert by_points
    for points, value in by_points.items():
        assert what[f"{points} score points"]["QWK"] == pytest.approx(value, abs=1e-9)


WRONG = {
    "no such point": ({"exchange": ["1:9"]}, "'9' is no point of the scale"),
    "one point": ({"exchange": ["1"]}, "takes two score points such as 1:3"),
    "the same point": ({"exchange": ["1:1"]}, "two different score points"),
    "a share of 1": ({"prevalence": {"1": 1.0}}, "must lie between 0 and 1"),
    "a share below 0": ({"move": {"1:2": -0.1}}, "must lie between 0 and 1"),
    "negative errors": ({"errors": [-1.0]}, "must be 0 or more"),
    "a limit of 1": ({"limit": 1.0}, "limit must lie between 0 and 1"),
    "an unknown policy": ({"policy": "nobody"}, "unknown policy 'nobody'"),
}


@pytest.mark.parametrize(("asked", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_moved_is_refused(asked, said):
    with pytest.raises(OptionError, match=said):
        tm.whatif(DOEWES, table=True, scale="0:3", **asked)


def test_a_gold_that_no_response_has_cannot_be_raised():
    table = np.array([[3, 1, 0], [0, 0, 0], [1, 0, 5]])
    with pytest.raises(OptionError, match="no response has this gold"):
        tm.whatif(table, table=True, scale="0:2", prevalence={"1": 0.5})


def test_one_point_and_continuous_scores_have_no_table(tmp_path):
    with pytest.raises(DataError, match="score points"):
        tm.whatif({"h1": [1, 1], "engine": [1, 1]})
    fine = {"h1": np.linspace(0, 1, 300) ** 2, "engine": np.linspace(0, 1, 300)}
    with pytest.raises(DataError, match="continuous"):
        tm.whatif(fine)


def test_prompts_on_other_scales_have_no_one_table():
    columns = {"h1": [1, 2, 3, 5] * 6, "engine": [1, 2, 3, 4] * 6, "prompt": ["a", "b"] * 12}
    with pytest.raises(DataError, match="different scales"):
        tm.whatif(columns, prompt="prompt", scale="1:5", prompts={"a": {"scale": "1:3"}})


def test_a_system_that_always_gives_one_score_has_undefined_numbers_and_a_page(tmp_path):
    table = np.array([[4, 0, 0], [6, 0, 0], [3, 0, 0]])
    evaluation = tm.whatif(table, table=True, scale="0:2")
    assert scenarios(evaluation)["as it is"]["QWK"] == pytest.approx(0.0)
    text = evaluation.to_html(tmp_path / "page.html")
    assert 'class="bench' in text
    assert not any(math.isinf(y) for curve in evaluation.curves for y in curve.y)


def test_the_evaluation_survives_its_json():
    evaluation = tm.whatif(DOEWES, table=True, scale="0:3")
    again = tm.Evaluation.from_json(evaluation.to_json())
    assert again.table("scenarios").rows == evaluation.table("scenarios").rows
    assert again.to_html() == evaluation.to_html()


def moved_on(points):
    """Two hundred responses on so many points, three in four of them agreed on."""
    gold = np.arange(200) % points
    system = np.clip(gold + np.resize([0, 0, 0, 1], 200), 0, points - 1)
    columns = {"human": gold.tolist(), "engine": system.tolist()}
    return tm.whatif(columns, humans="human", systems="engine", scale=f"0:{points - 1}")


def test_a_table_of_twenty_points_has_intervals_and_verdicts():
    rows = scenarios(moved_on(20))
    assert rows["as it is"]["QWK low"] < rows["as it is"]["QWK"] < rows["as it is"]["QWK high"]
    assert {row["verdict"] for row in rows.values()} <= {"met", "not met", "undecided"}


def test_a_table_of_too_many_points_for_intervals_has_no_verdict_and_says_so():
    found = moved_on(40)
    rows = scenarios(found)
    assert {row["QWK low"] for row in rows.values()} == {None}
    assert {row["verdict"] for row in rows.values()} == {None}
    shown = " ".join(plain_text(section_lines([section(found)], 80)).split())
    assert "Tables of more than 31 points have no intervals, and so no verdicts." in shown
    assert "undecided" not in shown
