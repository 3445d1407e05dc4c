"""Cells of CSV files: text that a spreadsheet would run as a formula, made inert and back again."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_FORMULA = re.compile(r"['\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠]")


class _Line:
    """What a writer of CSV takes for a file: the line it wrote last."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text


def csv_lines(rows: Iterable[Iterable[object]], delimiter: str = ",") -> Iterator[str]:
    r"""Write rows as lines that end with a line feed; a cell with any line break is quoted.

    >>> [*csv_lines([["a", "b\rc"]])]
    ['a,"b\rc"\n']
    """
    line = _Line()
    writer = csv.writer(line, delimiter=delimiter, lineterminator="\r\n")
    for row in rows:
        writer.writerow(row)
        yield line.text.removesuffix("\r\n") + "\n"


def csv_of_columns(columns: Sequence[Sequence[str]], delimiter: str = ",") -> str:
    r"""Write columns of texts as :func:`csv_lines` writes their rows, many rows sooner.

    >>> csv_of_columns([["a", "b\rc"], ["", "5"]])
    'a,\n"b\rc",5\n'
    """
    marks = (delimiter, '"', "\r", "\n")
    quoted = [_as_quoted(cells, marks) for cells in columns]
    if len(quoted) == 1:  # a line without any character would be no row
        quoted = [[cell or '""' for cell in quoted[0]]]
    return "\n".join([*map(delimiter.join, zip(*quoted, strict=True)), ""])


def _as_quoted(cells: Sequence[str], marks: Sequence[str]) -> Sequence[str]:
    """The cells, those with a mark in quotes."""
    together = "".join(cells)
    if not any(mark in together for mark in marks):
        return cells
    return [_quoted(cell, marks) for cell in cells]


def _quoted(cell: str, marks: Sequence[str]) -> str:
    if not any(mark in cell for mark in marks):
        return cell
    doubled = cell.replace('"', '""')
    return f'"{doubled}"'


def inert(value: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would take for a formula.

    A text that starts with an apostrophe gets one more, so that :func:`original` finds every text
    again. Numbers stay numbers.

    >>> inert("=1+1"), inert("-0.5"), inert("plain"), inert("'s")
    ("'=1+1", '-0.5', 'plain', "''s")
    """
    if not isinstance(value, str) or not _FORMULA.match(value) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"


def original(cell: str) -> str:
    """Take the apostrophe away that :func:`inert` put before a text.

    >>> original("'=1+1"), original("-0.5")
    ('=1+1', '-0.5')
    """
    return cell.removeprefix("'")
