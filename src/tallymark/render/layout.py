"""Plain text that fits a terminal: paragraphs and tables of aligned columns."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallymark.render.literal import cut, width_of

GAP = 2
WIDEST_NAME = 24


@dataclass(frozen=True, slots=True)
class Line:
    """One line, and whether it is a heading, ordinary, or of lesser weight."""

    text: str
    weight: str = ""


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
) -> list[Line]:
    """Lay out columns; those that do not fit beside the names continue in a further block.

    The first ``names`` columns are names, which are cut when long and repeated in each block;
    columns whose heading is in ``right`` are aligned to the right.
    """
    cells = [[*map(_short, row[:names]), *row[names:]] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(headings, *cells, strict=True)]
    lines: list[Line] = []
    for block in _blocks(widths, names, width):
        lines += [Line("")] if lines else []
        for i, row in enumerate([headings, *cells]):
            if not any(row):  # there is nothing to say over the columns
                continue
            text = (" " * GAP).join(
                _padded(row[j], widths[j], right=headings[j] in right) for j in block
            )
            lines.append(Line(text.rstrip(), "" if i else "lesser"))
    return lines


def _short(name: str) -> str:
    return cut(name, WIDEST_NAME)


def _padded(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - width_of(text))
    return space + text if right else text + space


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
