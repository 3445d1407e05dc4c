"""The summary for a terminal."""

import re

import pytest
from msgspec.structs import replace

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.questions.verdict.by_part import WORST
from tallymark.render.layout import plain_text
from tallymark.render.literal import width_of
from tallymark.render.numbers import MOST_ROWS
from tallymark.results import Data


def text_of(evaluation, width=80):
    return plain_text(summary(evaluation, width=width))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_line_fits_the_width(evaluation, hostile, undefined, width):
    for found in (evaluation, hostile, undefined):
        assert max(map(width_of, text_of(found, width).splitlines())) <= width


def test_the_summary_says_what_was_read_excluded_and_guessed(evaluation):
    data = Data(
        read=1200,
        used=1187,
        exclusions=(("no system score", 8), ("off the scale", 5)),
        scale="1:6",
        scale_inferred=True,
        gold="sum of h1, h2",
        gold_scale="2:12",
        guesses=("human: h1, h2 (from the column names)",),
        notes=("a note",),
    )
    text = text_of(replace(evaluation, data=data), 200)
    assert (
        "1,200 responses read, 1,187 used; 13 excluded: no system score (8); off the scale (5)."
        in text
    )
    assert "Scale: 1:6 (inferred). Gold: sum of h1, h2, scale 2:12." in text
    assert "Guessed: human: h1, h2." in text
    assert "Note: a note." in text


def test_the_headline_is_the_mean_over_prompts_and_the_pooled_value_comes_second(evaluation):
    text = text_of(evaluation)
    mean = text.index("2 systems against the gold, mean of 3 prompts, 95 % intervals")
    assert mean < text.index("Pooled over prompts, so that differences between prompts count too")


def test_few_systems_stand_side_by_side(evaluation):
    lines = [" ".join(line.split()) for line in text_of(evaluation).splitlines()]
    assert "engine chatbot" in lines
    assert "2 systems against the gold, mean of 3 prompts, 95 % intervals: 48 responses" in lines


def test_a_single_system_has_words_beside_each_number(hostile):
    assert "agreement beyond chance" in text_of(hostile)


def test_small_groups_are_marked(evaluation):
    text = text_of(evaluation)
    assert " 8*" in text
    assert "* fewer than 30 responses" in text


def test_undefined_values_are_followed_by_their_reason(undefined):
    text = text_of(undefined)
    text = " ".join(text.split())
    assert "Pearson r, tau-b: undefined, because a score does not vary" in text
    assert "QWK: no interval, because" in text


def test_names_of_the_user_are_shown_literally(hostile):
    text = text_of(hostile)
    assert "<script>alert(1)</script> against the gold" in text
    assert "By [red]group[/red]" in text
    assert "[31mred " in text
    assert "d e " in text
    assert "\x1b" not in text
    assert "\x07" not in text


def test_long_tables_are_cut_and_say_so():
    prompts = [f"p{i % 30}" for i in range(90)]
    found = tm.evaluate(
        {"h1": [1, 2, 3] * 30, "engine": [1, 2, 2] * 30, "prompt": prompts},
        scale="1:3",
        prompt="prompt",
        statistics=["exact"],
        replicates=100,
    )
    text = text_of(found)
    assert f"... and {30 - MOST_ROWS} more (see --out)" in text
    by_prompt, parts = text.partition("By prompt")[::2]
    assert len(re.findall(r"\np\d", parts)) == MOST_ROWS
    assert len(re.findall(r"\np\d", by_prompt)) == WORST
    assert by_prompt.startswith("engine agrees with the gold at exact .667 ")


def test_many_systems_stand_below_each_other():
    columns = {"h1": [1, 2, 3] * 10} | {f"system_{i}": [1, 2, 2] * 10 for i in range(5)}
    found = tm.evaluate(columns, scale="1:3", statistics=["qwk"], replicates=100)
    lines = text_of(found).splitlines()
    assert sum(line.startswith("system_") for line in lines) == 5


def test_statistics_that_were_asked_for_are_the_ones_shown():
    found = tm.evaluate(
        {"h1": [1, 2, 3] * 10, "engine": [1, 2, 2] * 10},
        scale="1:3",
        statistics=["qwk", "scott_pi[linear]"],
        replicates=100,
    )
    text = text_of(found)
    assert "QWK" in text
    assert "Scott's pi, linear" in text
    assert "MAE" not in text


def test_continuous_scores_show_concordance_in_the_place_of_kappa():
    scores = [0.013 * i * (i % 7) for i in range(150)]
    found = tm.evaluate({"h1": scores, "engine": [score * 0.9 for score in scores]}, replicates=100)
    text = text_of(found)
    assert "CCC" in text
    assert "QWK" not in text
