"""Systems beside people, in sentences."""

import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.questions.people.view import system_sentences
from tallymark.render.layout import plain_text
from tallymark.render.tables import tables


def text_of(evaluation, width=200):
    return plain_text(summary(evaluation, width=width))


def with_difference(evaluation, value, low, high, why=""):
    """Put another difference in quadratic weighted kappa in the place of the one found."""
    changed = [
        replace(e, value=value, low=low, high=high, why=why)
        if e.text == "degradation[cohen_kappa[quadratic]]"
        else e
        for e in evaluation.estimates
    ]
    return replace(evaluation, estimates=tuple(changed))


@pytest.mark.parametrize(
    ("difference", "told"),
    [
        ((-0.1, -0.15, -0.05), "less than two people agree with each other"),
        ((0.1, 0.05, 0.15), "more than two people agree with each other"),
        ((-0.01, -0.05, 0.03), "These data do not show a difference: -.01 [-.05, .03]"),
        ((0.05, 0.0, 0.1), "These data do not show a difference"),
        (
            (float("nan"), float("nan"), float("nan"), "a reason"),
            "cannot be compared by QWK on 30",
        ),
    ],
)
def test_a_system_is_said_to_agree_more_or_less_only_where_the_interval_excludes_0(
    panel, difference, told
):
    sentence = str(system_sentences(with_difference(panel, *difference))[0])
    assert sentence.startswith(("engine agrees with a person", "engine and people cannot be"))
    assert told in sentence
    assert "on 30 responses rated twice or more" in sentence


def test_that_no_difference_was_shown_is_no_proof_of_none(panel):
    caution = "it does not prove that they are equal"
    assert caution in text_of(with_difference(panel, 0.0, -0.1, 0.1))
    assert caution not in text_of(with_difference(panel, 0.1, 0.05, 0.2))


def test_people_are_told_with_each_other_and_with_each_left_out(panel):
    text = text_of(panel)
    assert "People with each other: alpha" in text
    assert "With the mean of the other raters, each left out in turn (CCC): engine" in text
    assert text.index("engine against the gold") < text.index("People and systems")


def test_without_a_second_rater_nothing_is_said_of_people(undefined):
    assert "People" not in text_of(undefined)


def test_repeated_runs_are_told_in_percent():
    columns = {
        "h1": [1, 2, 3] * 10,
        "bot": [1, 2, 2] * 10,
        "a": [1, 2, 3] * 10,
        "b": [1, 2, 2] * 10,
    }
    found = tm.evaluate(
        columns, humans=["h1"], systems=["bot"], repeats={"bot": ["a", "b"]}, replicates=100
    )
    text = text_of(found)
    assert "Repeated runs\nbot repeated: the same score in 67 %" in text
    assert "33 % [19, 51] of responses change" in text


def test_many_systems_are_compared_with_people_in_a_table():
    columns = {"h1": [1, 2, 3, 4] * 10, "h2": [1, 2, 3, 3] * 10}
    columns |= {f"system_{i}": [1, 2, 2, 4] * 10 for i in range(5)}
    text = text_of(tm.evaluate(columns, scale="1:4", replicates=100))
    assert "with a person  two people  difference" in text
    assert "agrees with a person" not in text


def test_the_comparison_with_people_is_a_table_of_its_own(panel):
    lines = tables(panel)["people.csv"].splitlines()
    assert lines[0].startswith("system,against,prompt,trait,fold,group_column,group,statistic,n,")
    assert sum(line.startswith("engine,people,,,,,,") for line in lines) == 6
    assert sum(line.startswith("engine,the other raters,,,,,,") for line in lines) == 2


def test_a_rater_called_gold_is_not_taken_for_the_gold():
    columns = {"gold": [1, 2, 3] * 10, "h2": [1, 2, 2] * 10, "engine": [1, 3, 3] * 10}
    found = tm.evaluate(columns, humans=["gold", "h2"], systems=["engine"], replicates=100)
    assert "engine against the gold, 95 % intervals: 30 responses" in text_of(found)
