"""Raters on their own, on the screen."""

import random

import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tallymark.render.literal import width_of
from tallymark.render.numbers import MOST_ROWS


def text_of(evaluation, width=80):
    return plain_text(summary(evaluation, width=width))


def raters_of(number, responses, severity=0.0, continuous=False, **columns):
    """Raters who score the same responses, the first of them severe."""
    random.seed(number)
    scores: dict[str, list[float]] = {f"rater_{i}": [] for i in range(number)}
    for _ in range(responses):
        truth = random.gauss(4, 1.2)
        for i, given in enumerate(scores.values()):
            score = truth + random.gauss(0, 0.5) - severity * (i == 0)
            given.append(round(score, 3) if continuous else round(min(max(score, 1), 7)))
    scale = None if continuous else "1:7"
    return tm.raters({**scores, **columns}, scale=scale, replicates=100)


@pytest.fixture(scope="module")
def severe():
    """Four raters, the first of whom is severe, and two prompts."""
    return raters_of(4, 60, severity=1.0, prompt=["a", "b"] * 30)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_line_fits_the_width(severe, width):
    assert max(map(width_of, text_of(severe, width).splitlines())) <= width


def test_a_severe_rater_comes_first_and_is_called_severe(severe):
    lines = text_of(severe).splitlines()
    (title,) = [i for i, line in enumerate(lines) if line.startswith("Raters, the most severe")]
    head = next(i for i in range(title, len(lines)) if lines[i].startswith("rater "))
    table = lines[head + 1 :]
    assert table[0].startswith("rater_0")
    assert table[0].endswith("severe")


def test_the_pooled_panel_comes_before_that_of_each_prompt(severe):
    text = " ".join(text_of(severe).split())
    pooled = text.index("All responses together also reflect differences between prompts")
    assert text.index("4 raters as a panel") < pooled < text.index("People by prompt")
    assert text.index("mean over prompts") < text.index("all responses") < pooled


def test_pairs_who_agree_least_come_first(severe):
    lines = text_of(severe).splitlines()
    title = "Every two raters, mean over prompts, those who agree least first: 60 responses"
    start = lines.index(title) + 2
    values = [float(line.split()[2]) for line in lines[start : start + 6]]
    assert values == sorted(values)


def test_many_pairs_are_cut_and_say_so():
    text = text_of(raters_of(9, 40))
    assert f"... and {36 - MOST_ROWS} more (see --out)" in text


def test_continuous_scores_show_concordance_in_the_place_of_kappa():
    text = text_of(raters_of(3, 150, continuous=True))
    assert "CCC" in text
    assert "QWK" not in text
    assert "most used" not in text
    assert "Note: the scores are continuous" in text


def test_a_difference_whose_interval_has_no_width_is_not_called_severe():
    found = tm.raters({"h1": [2, 3, 4] * 5, "h2": [1, 2, 3] * 5}, scale="1:4", replicates=100)
    assert "severe\n" not in text_of(found)


def test_names_of_raters_are_shown_literally():
    columns = {"[red]a": [1, 2, 3] * 10, "<script>": [1, 2, 2] * 10, "\x1b[31mb": [1, 3, 3] * 10}
    text = text_of(tm.raters(columns, humans=list(columns), scale="1:3", replicates=100))
    assert "[red]a" in text
    assert "<script>" in text
    assert "\x1b" not in text
