"""Sections on every screen: what shows where, how numbers are written, and what users' text does."""

import math
from typing import Any

import pytest

from tallymark.render.grids import laid_out
from tallymark.render.latex import section_tables
from tallymark.render.layout import plain_text
from tallymark.render.markdown import section_blocks
from tallymark.render.model import (
    Column,
    Drawing,
    Entry,
    Figure,
    Grid,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
)
from tallymark.render.placed import placed
from tallymark.render.sentences import Sentence
from tallymark.render.terminal import section_lines
from tallymark.render.view import View
from tallymark.results import Curve, Estimate, Key

HOSTILE = "\x1b[31m<b>*a*|{n}$\n%"
KNOWN = Estimate(key=Key("cohen_kappa"), value=0.79, low=0.724, high=0.85, n=200)
NONE = Estimate(key=Key("cohen_kappa"), value=math.nan, n=200, why="nobody was rated twice")
NO_ENDS = Estimate(key=Key("cohen_kappa"), value=1.0, n=3, why="scores do not vary")


def told(*blocks, width=80, full=False):
    section = Section(id="s", title="Section", question="", blocks=blocks)
    return plain_text(section_lines([section], width, full=full))


def grid(entries, *measures, **options):
    asked = {"id": "g", "caption": "Grid", "names": ("system",), "rank": Rank.FIRST, **options}
    return Grid(measures=measures or (Measure("kappa", "beyond chance"),), entries=entries, **asked)


@pytest.mark.parametrize(
    ("template", "value", "expected"),
    [
        ("{it}", KNOWN, ".79 [.72, .85]"),
        ("{it:value}", KNOWN, ".79"),
        ("{it:percent}", KNOWN, "79 % [72, 85]"),
        ("{it}", NONE, "undefined"),
        ("{it}", 1200, "1,200"),
        ("{it:responses}", 1, "1 response"),
        ("{it:percent}", 0.5, "50 %"),
        ("{it:g}", 4.0, "4"),
        ("{it}", [Sentence("{n} a", n=1), "b"], "1 a, b"),
        ("{it}", HOSTILE, "[31m<b>*a*|{n}$ %"),
    ],
)
def test_a_sentence_writes_its_values_by_what_they_are(template, value, expected):
    assert str(Sentence(f"so: {template}.", it=value)) == f"so: {expected}."


def test_a_block_shows_from_its_rank_on():
    blocks = [Text(rank.name, rank=rank) for rank in Rank]
    figure = Figure(id="f", caption="drawn", svg="<svg>")
    assert told(*blocks, figure).split() == ["Section", "FIRST"]
    assert told(*blocks, figure, full=True).split() == ["Section", "FIRST", "FULL"]
    assert told(Text("x", rank=Rank.PAGE)) == ""
    section = Section(id="s", title="Section", question="", blocks=(*blocks, figure))
    assert list(section_blocks([section])) == ["### Section", "FIRST"]


def test_columns_and_measures_have_ranks_too():
    columns = (Column("name"), Column("more", rank=Rank.FULL))
    table = Table(id="t", caption="", columns=columns, rows=(("a", 1.5),), rank=Rank.FIRST)
    assert "1.5" not in told(table)
    assert "1.5" in told(table, full=True)
    measures = (Measure("kappa"), Measure("other", rank=Rank.PAGE))
    both = grid((Entry(("a",), (KNOWN, KNOWN)),), *measures)
    full, page = (laid_out(both, at) for at in (Rank.FULL, Rank.PAGE))
    assert isinstance(full, Table)
    assert isinstance(page, Table)
    assert (len(full.rows), len(page.rows)) == (1, 2)


def test_few_entries_stand_beside_each_other_and_many_below():
    few = grid(tuple(Entry((name,), (KNOWN,), 200) for name in "ab"))
    assert told(few).splitlines()[1:] == [
        "Grid: 200 responses",
        "       a               b",
        "kappa  .79 [.72, .85]  .79 [.72, .85]  beyond chance",
    ]
    many = grid(tuple(Entry((name,), (KNOWN,), 20 + i) for i, name in enumerate("abcd")))
    text = told(many)
    assert "a             20*  .79 [.72, .85]" in text
    assert "kappa: beyond chance. * fewer than 30 responses." in text


def test_words_on_rows_go_below_where_the_screen_is_narrow():
    text = told(grid((Entry(("a",), (KNOWN,)),)), width=30)
    assert text.splitlines()[-1] == "kappa: beyond chance."


def test_what_is_missing_says_why_and_takes_no_room():
    measures = (Measure("kappa"), Measure("alpha"), Measure("one"))
    text = told(grid((Entry(("a",), (KNOWN, NONE, NO_ENDS)),), *measures), width=100)
    assert "alpha: undefined, because nobody was rated twice." in text
    assert "one: no interval, because scores do not vary." in text
    assert "\nalpha  " not in text


def test_the_same_note_is_said_once_in_a_section():
    one = grid((Entry(("a",), (KNOWN,)),), note="Read me.")
    assert told(one, one).count("Read me.") == 1


def test_rows_beyond_those_of_a_terminal_are_counted():
    rows = tuple((f"r{i}", Responses(40)) for i in range(50))
    table = Table(
        id="t", caption="Rows", columns=(Column("row"), Column("n")), rows=rows, left=5,
        rank=Rank.FIRST,
    )  # fmt: skip
    assert "... and 35 more (see --out)" in told(table)
    said = Says(tuple(f"Sentence {i}." for i in range(25)), rank=Rank.FIRST)
    assert "... and 5 more (see --out)" in told(said)


def test_names_of_users_do_nothing_on_any_screen():
    blocks = (
        Heading(HOSTILE, rank=Rank.FIRST),
        Says((Sentence("{name} here", name=HOSTILE),), rank=Rank.FIRST),
        grid((Entry((HOSTILE,), (KNOWN,)),), caption=Sentence("Of {name}", name=HOSTILE)),
    )
    assert "\x1b" not in told(*blocks)
    section = Section(id="s", title="Section", question="", blocks=blocks)
    text = "\n".join(section_blocks([section]))
    assert "<b>" not in text
    assert r"\*a\*\|" in text
    tex = section_tables(section)
    assert r"\textless{}b\textgreater{}{*}a{*}\textbar{}\{n\}\$ \%" in tex
    assert r".79 {\footnotesize [.72, .85]}" in tex
    assert tex.count(r"\toprule") == 1


def test_the_page_draws_figures_and_holds_text_and_cells_only(evaluation):
    curve = Curve(subset=0, name="c", x_title="x", y_title="y", x=(0.0, 1.0), y=(0.0, 1.0))
    caption = Sentence("Of {name}", name=HOSTILE)
    small = Drawing("lines.curves", ([curve],), caption, small=True)
    number = evaluation.estimates[0]
    blocks = (
        small, small, Drawing("lines.curves", ([curve],), caption),
        grid((Entry(("a",), (number,)),)), Says((caption,)), Text(caption), Heading(caption),
    )  # fmt: skip
    view = View.of(evaluation)
    found: Any = placed(view, Section(id="g", title="Section", question="", blocks=blocks)).blocks
    assert [block.kind for block in found] == ["pair", "figure", "table", "says", "text", "heading"]
    assert [figure.caption for figure in found[0].figures] == [str(caption)] * 2
    assert found[1].caption == found[3].sentences[0] == found[4].words == str(caption)
    assert found[2].id != "g"  # the id of the section
    assert found[2].rows[0][1].index == 0
    assert view.shown == {0: 0}
