"""Grids become tables: few entries stand beside each other, many below; signs say what data say of limits.

A sign stands beside a number: a state is never told by its colour alone.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import chain

from msgspec.structs import replace

from tallymark.render.limits import Beside
from tallymark.render.literal import literal
from tallymark.render.model import (
    Bare,
    Block,
    Cell,
    Column,
    Entry,
    Grid,
    Held,
    Measure,
    Number,
    Rank,
    Responses,
    Says,
    Section,
    Settled,
    Table,
    Text,
    Value,
)
from tallymark.render.numbers import FEW_RESPONSES, counted, value_text, with_interval
from tallymark.render.sentences import Sentence, Words, number_text, written
from tallymark.results import Estimate

SIGNS = {"met": "✓", "not met": "✕", "undecided": "?", "not computable": "–"}
"""On a page and in Markdown."""
PLAIN = {"met": "+", "not met": "x", "undecided": "?", "not computable": "-"}
"""On a terminal, whose letters may be few."""
NOTHING = "-"
MUCH_ALIKE = 0.9
"""A first screen shows no numbers of responses that are all above this share of the largest."""
SIDE_BY_SIDE = 3
"""So many entries stand beside each other."""


def laid_out(grid: Grid, at: Rank) -> Table | Text:
    """Return the table that a screen of this rank shows, and below it why numbers are missing.

    A measure without a single number has no place in the table, only its reason below; where no
    measure has one there is no table, but a sentence of the reasons.
    """
    places = [i for i, measure in enumerate(grid.measures) if measure.rank <= at]
    known = [i for i in places if any(_defined(entry.numbers[i]) for entry in grid.entries)]
    beside = len(grid.entries) <= SIDE_BY_SIDE
    columns, rows = _beside(grid, known, at) if beside else _below(grid, known, at)
    sizes = {entry.n for entry in grid.entries}
    caption = grid.caption
    if len(sizes) == 1 and (n := sizes.pop()) is not None:
        caption = Sentence("{caption}: {n:responses}", caption=caption, n=n)
    numbers = [[entry.numbers[i] for i in places] for entry in grid.entries]
    missing = reasons([grid.measures[i] for i in places], numbers)
    if not known:
        words = Sentence("{caption}. {missing}", caption=caption, missing=" ".join(missing))
        return Text(words, rank=grid.rank)
    notes = [written(grid.note), *missing]
    return Table(
        id=grid.id,
        caption=caption,
        columns=columns,
        rows=rows,
        note=" ".join(filter(None, notes)),
        rank=grid.rank,
        names=1 if beside else len(grid.names),
    )


def opened(section: Section, at: Rank) -> tuple[Words, list[Block]]:
    """What a screen writes over a section, and the blocks of it that it shows."""
    every = [block for block in section.blocks if block.rank <= at]
    blocks = [block for block in every if not isinstance(block, Says) or block.sentences]
    if section.titled or not blocks:
        return section.title, blocks
    first = laid_out(blocks[0], at) if isinstance(blocks[0], Grid) else blocks[0]
    if not isinstance(first, Table):
        return "", blocks
    return first.caption, [replace(first, caption=""), *blocks[1:]]


def shown(table: Table, at: Rank) -> Table:
    """Return the table without the columns that this screen has no room for.

    Where every row is of as many responses, the caption says how many, in place of a column.
    """
    kept = [i for i, column in enumerate(table.columns) if column.rank <= at]
    for i in kept if len(table.rows) > 1 and table.caption else ():
        counts = {row[i] for row in table.rows if isinstance(row[i], Responses)}
        if len(counts) == 1 and all(isinstance(row[i], Responses) for row in table.rows):
            (each,) = counts
            caption = Sentence(
                "{caption}: {n} responses each", caption=table.caption, n=cell_text(each)
            )
            return replace(table.only([j for j in kept if j != i]), caption=caption)
    return table.only(kept)


def reasons(measures: Sequence[Measure], numbers: Iterable[Sequence[Estimate | None]]) -> list[str]:
    """Say why a number, or its interval, is missing; measures that share a reason together."""
    titles_by_reason: dict[str, list[str]] = {}
    rows = list(numbers)
    known = [any(_defined(row[i]) for row in rows) for i in range(len(measures))]
    for row in rows:
        for measure, number, elsewhere in zip(measures, row, known, strict=True):
            if number is not None and number.why and math.isnan(number.low):
                missing = "no interval, because " if _defined(number) else "undefined, because "
                if not _defined(number) and number.why.startswith("undefined"):
                    missing = ""
                elif elsewhere and not _defined(number):
                    missing = "where undefined, "
                titles = titles_by_reason.setdefault(f"{missing}{literal(number.why)}.", [])
                titles += [measure.title] if measure.title not in titles else []
    return [f"{', '.join(titles)}: {reason}" for reason, titles in titles_by_reason.items()]


def cautions(grid: Grid) -> list[Sentence]:
    """What is to be said of numbers whose interval is whole; measures that share it together."""
    titles_by_why: dict[str, list[Words]] = {}
    for entry in grid.entries:
        for measure, number in zip(grid.measures, entry.numbers, strict=True):
            if number is not None and number.why and not math.isnan(number.low):
                titles = titles_by_why.setdefault(number.why, [])
                titles += [measure.title] if measure.title not in titles else []
    return [
        Sentence("{titles}: {why}.", titles=titles, why=why)
        for why, titles in titles_by_why.items()
    ]


def cell_text(cell: Value) -> str:
    """Write a cell as plain text."""
    if isinstance(cell, Cell):
        return f"{cell.text} {cell.ends}".rstrip()
    if isinstance(cell, Bare):
        return value_text(cell.number)
    if isinstance(cell, Held):
        return signed(held_text(cell), cell.state, PLAIN)
    if isinstance(cell, Number | Responses):
        return _counted(cell)
    if isinstance(cell, Settled):
        cell = cell.number
    if isinstance(cell, Estimate):
        return with_interval(cell).removesuffix(" (no interval)")
    return NOTHING if cell is None else str(Sentence("{cell}", cell=cell))


def _counted(cell: Number | Responses) -> str:
    return counted(cell.n) if isinstance(cell, Responses) else number_text(cell.value, cell.style)


def few(table: Table) -> str:
    """Explain the star where there is one."""
    starred = any(
        isinstance(cell, Responses) and cell.n < FEW_RESPONSES for cell in chain(*table.rows)
    )
    return f"* fewer than {FEW_RESPONSES} responses." if starred else ""


def _beside(
    grid: Grid, known: Sequence[int], at: Rank
) -> tuple[tuple[Column, ...], tuple[tuple[Value, ...], ...]]:
    """One row a measure, with a few words on what it says; without names it has no headings."""
    glossed = any(grid.measures[i].words for i in known)
    page = at is Rank.PAGE  # which sorts and downloads by heading
    unnamed = "value" if page else ""
    columns = [Column("statistic" if page else "")]
    columns += [Column(", ".join(map(written, e.names)) or unnamed) for e in grid.entries]
    rows: list[tuple[Value, ...]] = []
    sizes = {entry.n for entry in grid.entries}
    if len(sizes) > 1:
        cells = (None if entry.n is None else Responses(entry.n) for entry in grid.entries)
        rows.append(("responses", *cells, *([Cell("")] if glossed else [])))
    for i in known:
        measure = grid.measures[i]
        gloss = [Cell(measure.words, tone="gloss")] if glossed else []
        name = Cell(measure.title, key=measure.key)
        rows.append((name, *(entry.numbers[i] for entry in grid.entries), *gloss))
    if glossed:
        columns.append(Column("what it says", gloss=True))
    return tuple(columns), tuple(rows)


def _below(
    grid: Grid, known: Sequence[int], at: Rank
) -> tuple[tuple[Column, ...], tuple[tuple[Value, ...], ...]]:
    """One row an entry; what the measures say stands below the table."""
    sizes = [entry.n or 0 for entry in grid.entries]
    alike = at == Rank.FIRST and min(sizes) >= max(FEW_RESPONSES, MUCH_ALIKE * max(sizes))
    sized = len({*sizes}) > 1 and not alike
    measures = [grid.measures[i] for i in known]
    columns = (
        *map(Column, grid.names),
        *([Column("responses", numeric=True)] if sized else []),
        *(Column(measure.title, measure.words, measure.key, numeric=True) for measure in measures),
    )
    return columns, tuple(_row(entry, known, sized=sized) for entry in grid.entries)


def _row(entry: Entry, known: Sequence[int], *, sized: bool) -> tuple[Value, ...]:
    size = [None if entry.n is None else Responses(entry.n)] if sized else []
    return *map(written, entry.names), *size, *(entry.numbers[i] for i in known)


def _defined(number: Estimate | None) -> bool:
    return number is not None and math.isfinite(number.value)


def held_text(cell: Held, *, ends: bool = True) -> str:
    """Write a number of a matrix, apart from its limit, with or without its interval."""
    number = cell.number if ends else replace(cell.number, low=math.nan, high=math.nan)
    text = Beside(number, cell.ends).written("")
    return text.removesuffix(" (no interval)")


def state_of(cell: Value) -> str:
    """The state that a cell has, if any."""
    return cell.state if isinstance(cell, Cell | Held) else ""


def signs_shown(rows: Iterable[Iterable[Value]]) -> set[str]:
    """The states that stand as signs beside numbers; a cell may say its state in words."""
    return {cell.state for row in rows for cell in row if isinstance(cell, Held)}


def signed(text: str, state: str, signs: dict[str, str]) -> str:
    """Add the sign of a state to a number."""
    return f"{text} {signs[state]}" if state in signs else text


def legend(states: set[str], signs: dict[str, str]) -> str:
    """Explain the signs that are shown."""
    said = ", ".join(f"{sign} {state}" for state, sign in signs.items() if state in states)
    return f"{said}." if said else ""
