"""Plain text that fits a terminal: paragraphs and tables of aligned columns."""

import textwrap
from collections.abc import Iterator, Sequence

from msgspec import Struct

from tallymark.render.literal import common_start, cut, width_of

GAP = 2
WIDEST_NAME, NARROWER_NAME = 36, 28
"""Names are cut beyond the first, and beyond the second where that saves a block."""
WIDEST_NUMBER = 20
"""So much is left beside several names."""


class Line(Struct, frozen=True):
    """One line, and whether it is a heading, ordinary, or of lesser weight.

    ``states`` are places in the text, from and to, of numbers that have a state.
    """

    text: str
    weight: str = ""
    states: tuple[tuple[int, int, str], ...] = ()


def plain_text(lines: Sequence[Line]) -> str:
    """Join lines without any styling."""
    return "\n".join(line.text for line in lines)


def paragraph(text: str, width: int, *, indent: str = "", weight: str = "") -> list[Line]:
    """Wrap a text; further lines are indented."""
    lines = textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)
    return [Line(line, weight) for line in lines]


def table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int,
    *,
    names: int = 1,
    right: Sequence[str] = ("n",),
    states: Sequence[Sequence[str]] = (),
    below: int = 0,
) -> list[Line]:
    """Lay out columns; those that do not fit beside the names continue in a further block.

    The first ``names`` columns are names, which are cut when long and repeated in each block; what
    all of them begin with is said once, below. Columns whose heading is in ``right`` are aligned to
    the right; ``states`` are those of cells. Names of the last rows, ``below`` a line, are no names
    of the user.
    """
    headings = _headings(headings, rows, names, wrapped=any(map(any, states)))
    aligned = [title in right for title in headings]
    tries = []
    narrower = min(NARROWER_NAME, (width - WIDEST_NUMBER) // max(names, 1) - GAP)
    for widest, shorter in ((WIDEST_NAME, False), (narrower, False), (narrower, True)):
        columns = [[row[i] for row in rows] for i in range(names)]
        starts = [_left_out(column, below, widest, shorter=shorter) for column in columns]
        called = [_short(*pair, widest) for pair in zip(columns, starts, strict=True)]
        cells = [[*(column[i] for column in called), *row[names:]] for i, row in enumerate(rows)]
        titles = _titles(headings, cells, names) if any(map(any, states)) else [headings]
        widths = [max(map(width_of, column)) for column in zip(*titles, *cells, strict=True)]
        tries.append((titles, cells, widths, starts))
    # names are shortened where that saves a block, or a line that is too wide
    tried = min(tries, key=lambda tried: _unfit(tried[2], names, width))
    titles, cells, widths, starts = tried
    lines: list[Line] = []
    for block in _blocks(widths, names, width):
        lines += [Line("")] if lines else []
        for i, row in enumerate([*titles, *cells], start=1 - len(titles)):
            if not any(row[j] for j in block):  # there is nothing to say over the columns
                continue
            padded = [_padded(row[j], widths[j], right=aligned[j]) for j in block]
            text = (" " * GAP).join(padded).rstrip()
            marked = [states[i - 1][j] for j in block] if i > 0 and states else []
            lines.append(Line(text, "" if i > 0 else "lesser", tuple(_places(padded, marked))))
    for start in filter(None, dict.fromkeys(starts)):
        lines += paragraph(f"... stands for {start}", width, weight="lesser")
    return lines


def _headings(
    headings: Sequence[str], rows: Sequence[Sequence[str]], names: int, *, wrapped: bool
) -> Sequence[str]:
    """Headings that may be names of the user: cut as these are, unless two would be alike."""
    widest = [max((width_of(row[i]) for row in rows), default=0) for i in range(len(headings))]
    most = WIDEST_NAME if wrapped else NARROWER_NAME if names < 2 else WIDEST_NUMBER
    short = [
        title if i < names else cut(title, max(most, widest[i])) for i, title in enumerate(headings)
    ]
    return short if len({*short}) == len({*headings}) else headings


def _titles(
    headings: Sequence[str], cells: Sequence[Sequence[str]], names: int
) -> list[Sequence[str]]:
    """Headings of a matrix on several lines, no wider than their columns have to be."""
    wrapped = []
    for column, heading in enumerate(headings):
        widest = max((width_of(row[column]) for row in cells), default=0)
        longest = max(map(width_of, heading.split()), default=0)
        size = max(1, width_of(heading) if column < names else max(widest, longest))
        wrapped.append(textwrap.wrap(heading, size, break_on_hyphens=False) or [""])
    most = max(map(len, wrapped))
    return [*zip(*([""] * (most - len(lines)) + lines for lines in wrapped), strict=True)]


def _places(cells: Sequence[str], states: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Where the cells that have a state stand in their line."""
    start = 0
    for cell, state in zip(cells, states, strict=False):
        if state:
            yield start, start + len(cell.rstrip()), state
        start += len(cell) + GAP


def _left_out(names: Sequence[str], below: int, widest: int, *, shorter: bool) -> str:
    """What all names begin with, where they are too wide or to be short."""
    wide = shorter or any(width_of(name) > widest for name in names)
    return common_start(names[: len(names) - below]) if wide else ""


def _short(names: Sequence[str], start: str, widest: int) -> list[str]:
    """Names without what all of them begin with, and cut where they are still too wide."""
    return [
        cut(f"...{name[len(start) :]}" if start and name.startswith(start) else name, widest)
        for name in names
    ]


def _padded(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - width_of(text))
    return space + text if right else text + space


def _unfit(widths: Sequence[int], names: int, width: int) -> tuple[bool, int]:
    """Whether some line is wider than the screen, and how many blocks there are."""
    blocks = [*_blocks(widths, names, width)]
    wide = [sum(widths[column] + GAP for column in block) - GAP > width for block in blocks]
    return any(wide), len(blocks)


def _blocks(widths: Sequence[int], names: int, width: int) -> Iterator[list[int]]:
    """Yield the columns of each block: the names, then as many others as fit."""
    start = [*range(names)]
    taken = sum(widths[:names]) + GAP * (names - 1)
    block, used = [*start], taken
    for column in range(names, len(widths)):
        need = GAP + widths[column]
        if used + need > width and len(block) > names:
            yield block
            block, used = [*start], taken
        block.append(column)
        used += need
    yield block
