"""Snapshots of the parts of a page: what the templates make of single blocks."""

from textwrap import dedent

import pytest

from tallymark.render.html import environment
from tallymark.render.model import (
    Cell,
    Column,
    Figure,
    Heading,
    Listing,
    Meaning,
    Meanings,
    Remark,
    Says,
    Table,
    Terms,
    Text,
)


@pytest.fixture(scope="module")
def shown():
    """``shown(block)`` is the markup of a block, one line for each."""
    source = '{% import "blocks.html" as part with context %}{{ part.block(one) }}'
    template = environment().from_string(source)

    def show(block):
        text = template.render(one=block, anchors={"cohen_kappa[quadratic]": "d3"})
        return "\n".join(line for line in text.splitlines() if line.strip())

    return show


def test_a_table(shown):
    table = Table(
        id="t",
        caption="Systems <all>",
        columns=(
            Column("system"),
            Column("QWK", "beyond chance", "cohen_kappa[quadratic]", True),
            Column("n", numeric=True),
            Column("price", numeric=True),
        ),
        rows=(
            (
                Cell("a & b"),
                Cell(".79", "[.72, .85]", 4, 0.79123),
                Cell("1,200", raw=1200.0),
                Cell("2.0", "[1.5, 2.5]", raw=2.0, low=1.5, high=2.5),
            ),
            (Cell("c"), Cell("undefined", index=5), Cell("7", raw=7.0), Cell("–")),
        ),
        note="Of 2026.",
        left=3,
    )
    assert (
        shown(table)
        == dedent("""\
        <div class="wide" role="region" aria-labelledby="t-caption" tabindex="0">
        <table id="t">
        <caption><span id="t-caption">Systems &lt;all&gt;</span></caption>
        <thead><tr><th scope="col">system</th><th scope="col"><a href="#d3">QWK</a></th><th scope="col">n</th><th scope="col">price</th></tr></thead>
        <tbody>
        <tr><th scope="row">a &amp; b</th><td data-e="4">.79 <i>[.72, .85]</i></td><td data-v="1200">1,200</td><td data-v="2" data-i="1.5 2.5">2.0 <i>[1.5, 2.5]</i></td></tr><tr><th scope="row">c</th><td data-e="5">undefined</td><td data-v>7</td><td>–</td></tr></tbody>
        </table>
        </div><p class="key"><b>QWK</b> beyond chance. Of 2026. 3 more rows are in the folder of tables.</p>""")
    )


def test_words(shown):
    assert shown(Text("a < b")) == "<p>a &lt; b</p>"
    assert shown(Text("few", "lesser")) == '<p class="lesser">few</p>'
    assert shown(Heading("By <x>")) == "<h3>By &lt;x&gt;</h3>"
    assert shown(Says(("one", "two"), 3)) == (
        '<ul class="says"><li>one</li><li>two</li>'
        '<li class="lesser">… and 3 more systems, in evaluation.json</li></ul>'
    )
    assert shown(Says(())) == ""


def test_a_figure_keeps_its_markup_and_its_caption_is_text(shown):
    figure = Figure(id="f", caption="<b>", svg="<svg></svg>")
    assert shown(figure) == dedent("""\
        <figure id="f-figure">
        <figcaption>&lt;b&gt;</figcaption>
        <svg></svg>
        </figure>""")


def test_a_finding(shown):
    finding = Remark(title="Paradox", whose="a", words="High <and> low.", advice="Look.")
    assert shown(finding) == dedent("""\
        <div class="finding loud">
        <p><b>Paradox: a.</b> High &lt;and&gt; low.</p>
        <p class="advice">Look.</p></div>""")


def test_terms_listings_and_definitions(shown):
    assert shown(Terms((("scale", "1:6"),))) == dedent("""\
        <dl class="terms">
        <div><dt>scale</dt><dd>1:6</dd></div>
        </dl>""")
    assert shown(Listing("c", "Run", "tallymark 'x'")) == dedent("""\
        <div class="listing">
        <p id="c-title">Run</p>
        <pre id="c" tabindex="0" role="region" aria-labelledby="c-title"><code>tallymark &#39;x&#39;</code></pre>
        </div>""")
    meaning = Meaning(
        "d1", "Kappa", ("a", "b", "c", "d"), "Beyond chance.", "1 - x", "Cohen (1960)"
    )
    assert shown(Meanings((meaning,))) == dedent("""\
        <dl class="meanings">
        <div id="d1"><dt><b>Kappa</b> <span class="names"><code>a, b, c</code> and 1 more</span></dt>
        <dd><span>Beyond chance.</span><br><span class="formula">1 - x</span><br><cite>Cohen (1960)</cite></dd></div>
        </dl>""")
