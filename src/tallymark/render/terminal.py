"""Sections for a terminal: headings, paragraphs and tables within its width."""

from collections.abc import Iterable, Iterator, Sequence

from tallymark.render.grids import (
    PLAIN,
    cell_text,
    few,
    held_text,
    laid_out,
    legend,
    opened,
    shown,
    signed,
    signs_shown,
    state_of,
)
from tallymark.render.layout import GAP, NARROWER_NAME, Line, paragraph
from tallymark.render.layout import table as aligned
from tallymark.render.literal import literal, width_of
from tallymark.render.model import (
    Block,
    Cell,
    Grid,
    Heading,
    Held,
    Rank,
    Remark,
    Says,
    Section,
    Table,
    Terms,
    Text,
    Value,
)
from tallymark.render.numbers import MOST_ROWS, count
from tallymark.render.sentences import written
from tallymark.results import Estimate

_WEIGHTS = {"lesser": "lesser", "needs": "lesser"}
WITHOUT_INTERVALS = "The {intervals} not fit here: {files} writes them."
ALL, OTHERS = "intervals do", "other intervals do"


def section_lines(
    sections: Iterable[Section], width: int, *, full: bool = False, files: str = "--out"
) -> list[Line]:
    """Return what a terminal shows of the sections: in short, or in full.

    What does not fit is written by the option ``files``.
    """
    at = Rank.FULL if full else Rank.FIRST
    lines: list[Line] = []
    notes: set[str] = set()
    for section in sections:
        heading, blocks = opened(section, at)
        if not blocks:
            continue
        lines += paragraph(written(heading), width, weight="heading")
        notes = set() if full else notes  # a short screen says nothing twice
        for i, block in enumerate(blocks):
            block_lines = [*_lines(block, at, width, notes, files)]
            apart = i and isinstance(block, Table | Grid | Heading)
            lines += [Line(""), *block_lines] if apart and block_lines else block_lines
        lines.append(Line(""))
    return lines


def _lines(block: Block, at: Rank, width: int, notes: set[str], files: str) -> Iterator[Line]:
    match block:
        case Text():
            weight = _WEIGHTS.get(block.tone, "")
            indent = "  " if block.tone == "warning" else ""
            yield from paragraph(written(block.words), width, indent=indent, weight=weight)
        case Says():
            for sentence in block.sentences[:MOST_ROWS]:
                yield from paragraph(written(sentence), width, indent="  ")
            yield from _left_out(block.left + len(block.sentences) - MOST_ROWS, files)
        case Heading():
            yield from paragraph(written(block.words), width, weight="heading")
        case Grid():
            yield from _lines(laid_out(block, at), at, width, notes, files)
        case Table():
            yield from _table(shown(block, at), width, notes, files)
        case Remark():
            yield from _remark(block, at, width)
        case Terms():
            for term, meaning in block.entries:
                yield from paragraph(f"{literal(term)}: {literal(meaning)}", width, indent="  ")


def _remark(remark: Remark, at: Rank, width: int) -> Iterator[Line]:
    """What a finding says; what to do about it where there is room."""
    names = [remark.whose] if remark.loud else [remark.title, remark.whose]
    named = "".join(f"{written(name)}: " for name in names if name)
    mark = "! " if remark.loud else "  "
    yield from paragraph(f"{mark}{named}{written(remark.words)}", width, indent="  ")
    advice = written(remark.advice) if at >= Rank.FULL else ""
    yield from paragraph(f"  {advice}" if advice else "", width, indent="  ", weight="lesser")


def _table(table: Table, width: int, notes: set[str], files: str) -> Iterator[Line]:
    """The table and what it needs to be read; ``notes`` above it are not said again."""
    yield from paragraph(written(table.caption), width)
    table, glossary = _fitted(table, width)
    left_out = ""
    most = table.most or MOST_ROWS
    most += not table.left and len(table.rows) == most + 1  # the line takes what the row does
    cells = table.first(most)
    states = [[*map(state_of, row)] for row in cells]
    if cells:
        headings = ["" if column.gloss else literal(column.title) for column in table.columns]
        rows, left_out = _written(headings, cells, width, table.names)
        right = ["n", "responses", *_plain_numbers(table)]
        yield from aligned(
            headings,
            rows,
            width,
            names=table.names,
            right=right,
            states=states,
            below=table.below,
        )
    yield from _left_out(table.left + len(table.rows) - len(cells), files)
    signs = legend(signs_shown(cells), PLAIN)
    without = WITHOUT_INTERVALS.format(intervals=left_out, files=files) if left_out else ""
    notes_below = [_glossary(glossary), signs, without, written(table.note), few(table)]
    new = [note for note in notes_below if note and note not in notes]
    notes.update(new)
    yield from paragraph(" ".join(new), width, weight="lesser")


def _written(
    headings: list[str], cells: Sequence[Sequence[Value]], width: int, names: int
) -> tuple[list[list[str]], str]:
    """Cells as texts, and which intervals of a matrix are left out for they do not fit.

    Where all of them do not, the first number, such as the mean, keeps its own if that fits.
    """
    every = [[cell_text(cell) for cell in row] for row in cells]
    values = [
        [
            signed(held_text(cell, ends=False), cell.state, PLAIN)
            if isinstance(cell, Held)
            else text
            for cell, text in zip(*row, strict=True)
        ]
        for row in zip(cells, every, strict=True)
    ]
    if values == every or _fits(headings, every, width, names):
        return every, ""
    held = [i for row in cells for i, cell in enumerate(row) if isinstance(cell, Held)]
    first = min(held) + 1
    some = [[*a[:first], *b[first:]] for a, b in zip(every, values, strict=True)]
    return (some, OTHERS) if _fits(headings, some, width, names) else (values, ALL)


def _fits(headings: list[str], rows: Sequence[Sequence[str]], width: int, names: int) -> bool:
    """Whether a table fits side by side, with its names shortened."""
    widths = [max(map(width_of, column)) for column in zip(headings, *rows, strict=True)]
    widths[:names] = [min(each, NARROWER_NAME) for each in widths[:names]]
    return sum(widths) + GAP * (len(widths) - 1) <= width


def _plain_numbers(table: Table) -> Iterator[str]:
    """Titles of columns of numbers without intervals, which are aligned to the right."""
    for i, column in enumerate(table.columns):
        if column.numeric and not any(
            isinstance(row[i], Estimate | Cell | Held) for row in table.rows
        ):
            yield literal(column.title)


def _fitted(table: Table, width: int) -> tuple[Table, list[tuple[str, str]]]:
    """Words on each row stand beside it if there is room; else they go below the table."""
    glosses = [i for i, column in enumerate(table.columns) if column.gloss]
    rows = [[cell_text(cell) for cell in row] for row in table.rows]
    titles = ["" if column.gloss else column.title for column in table.columns]
    widths = [max(map(width_of, column)) for column in zip(titles, *rows, strict=True)]
    if not glosses or sum(widths) + GAP * (len(widths) - 1) <= width:
        return table, table.words
    glossed = [(row[0], row[i]) for row in rows for i in glosses if row[i]]
    return table.only([i for i in range(len(widths)) if i not in glosses]), table.words + glossed


def _glossary(pairs: Iterable[tuple[str, str]]) -> str:
    """Titles and what they say; those that say the same together."""
    titles_of: dict[str, list[str]] = {}
    for title, words in pairs:
        titles_of.setdefault(words, []).append(title)
    said = "; ".join(f"{', '.join(titles)}: {words}" for words, titles in titles_of.items())
    return f"{said}." if said else ""


def _left_out(left: int, files: str) -> list[Line]:
    """Say how many rows were cut, and which option writes them."""
    return [Line(f"... and {count(left)} more (see {files})", "lesser")] if left > 0 else []
