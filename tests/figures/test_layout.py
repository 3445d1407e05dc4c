"""No text of a figure is clipped or covered, at both widths, with 1, 2 and 40 groups."""

import ast
import time
from pathlib import Path

import pytest

import tallymark
from tallymark.render.drawing import figure_of
from tallymark.render.figures.records import NARROW, WIDE, Mark, Whisker
from tests.figures.boxes import complaints, parsed
from tests.figures.every import NAMED, figures
from tests.figures.samples import LIMITS, MANY, SAMPLES

SOURCE = Path(tallymark.__file__).parent


@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("groups", [1, 2, 13, 40])
@pytest.mark.parametrize("name", SAMPLES)
def test_texts_stay_inside_and_apart(name, groups, width):
    figure = SAMPLES[name](min(groups, MANY.get(name, groups)), width=width, prefix="f")
    assert figure, figure.why
    assert complaints(figure.svg) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_two_hundred_are_left_to_a_table(name):
    figure = SAMPLES[name](201, width=WIDE, prefix="f")
    assert bool(figure) == (name in {"d_study", "risk_coverage", "calibration"})
    assert figure or figure.why


@pytest.mark.parametrize("name", SAMPLES)
def test_a_figure_says_what_it_shows(name):
    root = parsed(SAMPLES[name](3, width=WIDE, prefix="one").svg)
    title, desc = root[0], root[1]
    assert (root.get("role"), root.get("aria-labelledby")) == ("img", "one-t one-d")
    assert title.text
    assert desc.text
    assert (title.get("id"), desc.get("id")) == ("one-t", "one-d")
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert all(each.startswith("one") for each in ids)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_figure_refers_to_nothing_outside_and_holds_no_script(name):
    svg = SAMPLES[name](3, width=WIDE, prefix="one").svg
    assert "<script" not in svg
    assert "href" not in svg
    assert "url(" not in svg
    assert svg.count("http") == 1  # the namespace


def test_a_page_gets_both_widths_and_shows_one():
    drawn = figures.both(SAMPLES["forest"], 3, prefix="f")
    assert drawn.svg.startswith('<div class="fig"><svg')
    assert 'id="f-n" role="img"' in drawn.svg
    assert 'class="fig-svg fig-narrow"' in drawn.svg
    assert 'class="fig-svg fig-wide"' in drawn.svg
    assert str(drawn.__html__()) == drawn.svg
    assert figures.both(SAMPLES["forest"], 300, prefix="f").why


@pytest.mark.parametrize("width", [180, 280, 500])
@pytest.mark.parametrize("value", [-0.2, 0.0, 0.7, 0.75, 0.99, 40])
def test_a_strip_shows_one_interval_against_its_limits(value, width):
    row = Whisker("QWK", value, value - 0.1, value + 0.1, ".7")
    marks = [*LIMITS, Mark(0.71, "a rather long label of a limit, at least .71")]
    for some in ([], marks[:1], marks[:2], marks):
        figure = figures.strip(row, some, width=width, prefix="f")
        assert complaints(figure.svg) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_a_figure_is_drawn_in_milliseconds(name):
    times = []
    for _ in range(5):
        start = time.process_time()
        SAMPLES[name](6, width=WIDE, prefix="f")
        times.append(time.process_time() - start)
    assert min(times) < 0.006  # 3 ms and as much for a busy machine


HELPERS = {"both", "draw", "strip"}
"""They draw for figures, or beside a number."""


def test_every_figure_has_a_sample_and_every_drawing_names_a_figure():
    assert {*NAMED} - HELPERS <= {*SAMPLES}
    named = {
        ast.literal_eval(node.args[0])
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Drawing"
    }
    assert named
    assert [name for name in named if figure_of(name).__name__ not in NAMED] == []
