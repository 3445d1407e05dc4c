"""What screens say and show agrees with itself: laws over the recorded screens of awkward sets."""

import math
import re
from collections import Counter

import pytest

from tallymark.results import Estimate
from tests.screens import cases, recorded

MEANS = ("mean", "Avg.")
BELOW = (*MEANS, "human-human", "ceiling", "limit")
"""Rows that are no part of the data."""
DISAGREES = (
    r"(?<![\d,.] )(?<![\d,.])(?<!below )1 (more )?(?!is |was |has )[a-z]+s (are|have|were|break|do|agree)\b",
    r"\b1 of \d+ [a-z]+s (are|have|were|break|do|agree)\b",
    r"\b[Aa] (?=[aeio])(?!one)\w+",
)
"""Verbs and articles that do not agree with what they belong to."""


def value_of(cell):
    """The number of a cell; None where it holds words."""
    number = getattr(cell, "number", cell)
    return number.value if isinstance(number, Estimate) else None


def is_mean(mean, values):
    """Whether a number is the mean of those shown; undefined where any of them is."""
    if any(map(math.isnan, values)):
        return math.isnan(mean)
    return mean == pytest.approx(sum(values) / len(values), abs=1e-9)


@pytest.mark.parametrize(("command", "name"), cases())
def test_a_mean_over_parts_is_the_mean_of_the_parts_that_are_shown(command, name):
    for table in recorded(command, name).tables:
        if "worst" in str(table.caption):
            continue  # others stand in a table of their own
        parts = [row for row in table.rows if str(row[0]) not in BELOW]
        for row in table.rows:
            if str(row[0]) not in MEANS:
                continue
            for i, cell in enumerate(row):
                values = [value_of(part[i]) for part in parts if value_of(part[i]) is not None]
                if value_of(cell) is not None:
                    assert is_mean(value_of(cell), values), (table.id, table.columns[i].title)
        titles = [column.title for column in table.columns]
        if table.id.startswith("matrix") and titles[1] == "mean":
            for _, mean, *others in table.rows:
                values = [value_of(cell) for cell in others if value_of(cell) is not None]
                if value_of(mean) is not None:
                    assert is_mean(value_of(mean), values), table.id


@pytest.mark.parametrize(("command", "name"), cases())
def test_every_table_has_a_cell_beside_its_names(command, name):
    for table in recorded(command, name).tables:
        cells = [cell for row in table.rows for cell in row[table.names :]]
        assert any(cell not in (None, "") for cell in cells), (table.id, str(table.caption))


@pytest.mark.parametrize(("command", "name"), cases())
def test_no_finding_stands_twice_on_a_page_and_no_text_has_backticks(command, name):
    page = recorded(command, name).page
    twice = [text for text, times in Counter(page.findings).items() if times > 1]
    assert not twice
    assert not [text for text in (*page.paragraphs, *page.cells) if "`" in text]


@pytest.mark.parametrize(("command", "name"), cases())
def test_verbs_and_articles_agree_with_their_nouns(command, name):
    recording = recorded(command, name)
    for text in (*recording.page.paragraphs, *recording.lines):
        for pattern in DISAGREES:
            assert not re.search(pattern, text), text


@pytest.mark.parametrize(("command", "name"), cases("route", "route by prompt"))
def test_what_a_reader_can_move_starts_at_the_certified_share(command, name):
    """A curve over one threshold for all says nothing of thresholds for each prompt."""
    recording = recorded(command, name)
    (routing,) = [table for table in recording.evaluation.tables if table.name == "routing"]
    shares = {float(row[routing.columns.index("coverage")] or 0) for row in routing.rows}
    read = re.findall(r'data-out="coverage">([\d.]+) %', recording.html)
    if len(routing.rows) > 1:
        assert not read
    for start in read:
        assert float(start) == pytest.approx(100 * max(shares), abs=2.5)
