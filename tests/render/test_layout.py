"""Text of the user, and tables that fit the terminal."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallymark.render.layout import paragraph, table
from tallymark.render.literal import cut, literal, width_of


@given(st.text())
def test_literal_text_is_one_line_without_control_characters(text):
    shown = literal(text)
    assert not any(unicodedata.category(char) in {"Cc", "Cf", "Cs"} for char in shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[red]x[/red]", "[red]x[/red]"),
        ("<script>", "<script>"),
        ("\x1b]0;title\x07name", "]0;titlename"),
        ("a\u202eb", "ab"),
        ("two\nlines", "two lines"),
        ("Größe 日本", "Größe 日本"),
    ],
)
def test_literal_shows_markup_as_it_is_and_drops_what_moves_the_cursor(text, shown):
    assert literal(text) == shown


@given(st.text(), st.integers(4, 30))
def test_a_cut_text_fits(text, width):
    assert width_of(cut(literal(text), width)) <= width


def test_wide_characters_take_two_columns_and_accents_none():
    assert width_of("日本") == 4
    assert width_of("e\u0301") == 1


def test_columns_that_do_not_fit_continue_in_a_further_block_with_the_names():
    lines = [
        line.text for line in table(["", "n", "one", "two"], [["abc", "1", "x" * 9, "y" * 9]], 20)
    ]
    assert lines == ["     n  one", "abc  1  xxxxxxxxx", "", "     two", "abc  yyyyyyyyy"]


def test_columns_are_aligned_by_what_is_seen():
    lines = [line.text for line in table(["name", "x"], [["日本", "1"], ["ab", "2"]], 40)]
    assert [
        width_of(line[: line.index(last)]) for line, last in zip(lines, "x12", strict=True)
    ] == [6] * 3


def test_a_paragraph_wraps_and_indents():
    lines = [line.text for line in paragraph("one two three four", 10, indent="  ")]
    assert lines == ["one two", "  three", "  four"]


@pytest.mark.parametrize("names", [0, 1, 2, 3])
def test_names_of_any_length_in_rows_and_headings_stay_within_the_width(names):
    long = ["a name of a system that goes on and on " * 2, "another that is no shorter " * 3]
    headings = [*["who"] * names, *long]
    rows = [[*[f"{each}{i}" for i in range(names)], ".71 [.65, .78]", "-"] for each in long]
    lines = table(headings, rows, 80, names=names)
    assert all(width_of(line.text) <= 80 for line in lines)
    assert sum("..." in line.text for line in lines) > 0
