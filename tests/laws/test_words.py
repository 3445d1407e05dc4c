"""Words and digits of every screen: no catalogue key where a name belongs, one way to write shares."""

import re
from functools import cache

import pytest

import tallymark as tm
from tallymark.analyses.sections import sections
from tallymark.catalogue import CATALOGUE, called, member
from tallymark.render.model import Drawing, Grid, Heading, Remark, Says, Table, Text
from tallymark.render.sentences import written
from tests.awkward import awkward
from tests.screens import with_more_systems

OF_SYSTEMS = ("systems", "repeats", "confidences", "groups", "statistics", "gold")
NAMES = [row.name for row in CATALOGUE if "_" in row.name]
KEY = re.compile(rf"(?<![\w`/-])({'|'.join(NAMES)})(?!\w)|\b[a-z]\w*\[[\w\[]+\]")
AS_IT_IS = {
    *("gold", "system", "score", "system score", "isotonic", "linear", "at cut", "point", "lambda"),
    *("threshold", "h1", "h2"),
}
"""Columns of scores, and of options, whose numbers are written as they were given."""
SETS = ("two_systems", "broken_rater", "tiny_groups", "weighted", "continuous", "repeated")
COMMANDS = ("evaluate", "compare", "raters", "ceiling")


@cache
def found(command, name):
    columns, roles = awkward(name)
    if command == "compare":
        columns, roles = with_more_systems(name, 2)
    if command in ("raters", "ceiling"):
        roles = {key: value for key, value in roles.items() if key not in OF_SYSTEMS}
    more = {"test": "t"} if command == "compare" else {}
    return getattr(tm, command)(columns, **roles, **more, interval="analytic")


def words_of(block):
    match block:
        case Text() | Heading():
            yield written(block.words)
        case Says():
            yield from map(written, block.sentences)
        case Remark():
            yield from map(written, (block.title, block.words, block.advice))
        case Drawing():
            yield written(block.caption)
        case Grid():
            yield from map(written, (block.caption, block.note))
            yield from (f"{measure.title} {measure.words}" for measure in block.measures)
        case Table():
            yield from map(written, (block.caption, block.note))
            yield from (f"{column.title} {column.words}" for column in block.columns)
            yield from (
                cell
                for row in block.rows
                for column, cell in zip(block.columns, row, strict=True)
                if isinstance(cell, str) and column.title != "name"
            )


def test_no_number_is_called_by_its_key():
    for row in CATALOGUE:
        for inside in ("", *(variant.inside for variant in row.variants)):
            text = f"{row.name}[{inside}]" if inside else row.name
            for name in (called(text), member(text).heading):
                assert not re.search(r"[_\[]", name), (text, name)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_screen_shows_a_key_where_a_name_belongs(command, name):
    for section in sections(found(command, name)):
        for block in section.blocks:
            for words in words_of(block):
                assert not KEY.search(words), (section.id, words)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_fraction_in_a_table_has_a_style(command, name):
    """A bare float would be written 0.81 where all else writes .81."""
    for section in sections(found(command, name)):
        for table in (block for block in section.blocks if isinstance(block, Table)):
            for row in table.rows:
                for column, cell in zip(table.columns, row, strict=True):
                    bare = isinstance(cell, float) and column.title not in AS_IT_IS
                    assert not bare, (section.id, table.id, column.title)
