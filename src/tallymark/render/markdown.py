"""Markdown: text that is shown as it is, tables, and blocks, as a code host displays them."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tallymark.render.grids import (
    SIGNS,
    cell_text,
    few,
    held_text,
    laid_out,
    legend,
    opened,
    shown,
    signed,
    signs_shown,
)
from tallymark.render.literal import literal
from tallymark.render.model import (
    Bare,
    Block,
    Cell,
    Grid,
    Heading,
    Held,
    Rank,
    Remark,
    Says,
    Section,
    Settled,
    Table,
    Text,
    Value,
)
from tallymark.render.numbers import MOST_ROWS
from tallymark.render.sentences import written
from tallymark.results import Estimate

_ENTITIES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "://": "&#58;//",
    "www.": "www&#46;",
}
_UNSEEN = "&#8203;"
_REFERENCE = re.compile(r"[@#!](?=\w)|\bGH-(?=\d)", re.IGNORECASE)
"""What a code host turns into a link that notifies someone: @name, #12, owner/repo#3, !7, GH-12.

The host looks at the text after Markdown is done with it, so an entity alone stops nothing; a
space of no width behind the sign does.
"""
_MARKUP = "\\`*_[]|~$"


def escaped(text: str) -> str:
    r"""Return a text that Markdown shows as it is, on one line and without links or mentions.

    >>> escaped("a|b `<script>` *x*")
    'a\\|b \\`&lt;script&gt;\\` \\*x\\*'
    """
    text = _REFERENCE.sub(lambda match: f"{match[0]}\0", literal(text))
    for plain_text, entity in _ENTITIES.items():
        text = text.replace(plain_text, entity)
    text = "".join(f"\\{char}" if char in _MARKUP else char for char in text)
    text = text.replace("\0", _UNSEEN).replace("@", "&#64;")
    if text[:1] in ("#", "+", "-", "="):
        return f"\\{text}"
    number = text[: len(text) - len(text.lstrip("0123456789"))]
    rest = text[len(number) :]
    return f"{number}\\{rest}" if number and rest[:1] in (".", ")") else text


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a table whose cells are escaped already."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(cell or ' ' for cell in line)} |" for line in lines)


def section_blocks(sections: Iterable[Section], at: Rank = Rank.FIRST) -> Iterator[str]:
    """Yield paragraphs and tables of what is shown of each section, at first or in full."""
    for section in sections:
        heading, blocks = opened(section, at)
        if blocks and heading:
            yield f"### {escaped(written(heading))}"
        for block in blocks:
            yield from _block(block, at)


def _block(block: Block, at: Rank) -> Iterator[str]:
    match block:
        case Text():
            yield escaped(written(block.words))
        case Says():
            lines = [f"- {escaped(written(sentence))}" for sentence in block.sentences[:MOST_ROWS]]
            left = block.left + len(block.sentences) - len(lines)
            lines += [f"- ... and {left} more in evaluation.json"] if left else []
            yield from ["\n".join(lines)] if lines else []
        case Heading():
            yield f"#### {escaped(written(block.words))}"
        case Grid():
            yield from _block(laid_out(block, at), at)
        case Table():
            yield from table_blocks(shown(block, at))
        case Remark():
            words = f"{written(block.words)} {written(block.advice)}"
            title = ": ".join(filter(None, (written(block.title), written(block.whose))))
            yield f"- **{escaped(title)}.** {escaped(words.strip())}"


def table_blocks(block: Table) -> Iterator[str]:
    """Yield a table with its caption and what is needed to read it."""
    if block.caption:
        yield escaped(written(block.caption))
    rows = [[_cell(cell) for cell in row] for row in block.first(MOST_ROWS)]
    if rows:
        yield table([escaped(literal(column.title)) for column in block.columns], rows)
    left = block.left + len(block.rows) - len(rows)
    notes = [
        legend(signs_shown(block.rows), SIGNS),
        *(f"{title}: {words}." for title, words in block.words),
        written(block.note),
        few(block),
    ]
    notes += (
        [f"... and {left} more row{'s' if left > 1 else ''} in the folder of tables."]
        if left > 0
        else []
    )
    if any(notes):
        yield escaped(" ".join(filter(None, notes)))


def paper(block: Table) -> str:
    """Write a table as a paper has it, its caption below."""
    block = shown(block, Rank.FULL)
    rows = [[_cell(cell) for cell in row] for row in block.rows]
    headings = [escaped(column.title) for column in block.columns]
    return f"{table(headings, rows)}\n\n{escaped(written(block.caption))}.\n"


def _cell(cell: Value) -> str:
    if isinstance(cell, Held):
        return signed(held_text(cell), cell.state, SIGNS)
    text = cell_text(cell)
    if isinstance(cell, Cell) and cell.tone == "strong":
        return f"**{escaped(text)}**"
    if isinstance(cell, Settled):
        value, space, ends = text.partition(" ")
        return f"**{value}**{space}{ends}"
    number = isinstance(cell, Bare | Estimate) or (isinstance(cell, Cell) and cell.ends)
    return text if number else escaped(text)
