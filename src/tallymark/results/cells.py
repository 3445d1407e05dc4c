"""Text of the user in files: no formula of a spreadsheet, nothing that steers a terminal."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Control characters but tabs and line breaks, separators of lines, and changes of direction."""
_FORMULA = re.compile(r"['\t\r\n\0]|[\s\0]*[=+\-@＝＋－＠]")


def harmless(text: str) -> str:
    r"""Leave out what steers a terminal or turns the direction of what follows.

    >>> harmless("\x1b[31mred\u202e"), harmless("two\nlines")
    ('[31mred', 'two\nlines')
    """
    return _STEERING.sub("", text)


def escaped_json(text: str) -> str:
    r"""Write the same characters of a JSON text as escapes, from which they come back.

    >>> escaped_json('"a\u202eb"')
    '"a\\u202eb"'
    """
    return _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


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
        yield harmless(line.text.removesuffix("\r\n")) + "\n"


def csv_of_columns(columns: Sequence[Sequence[str]], delimiter: str = ",") -> str:
    r"""Write columns of texts as :func:`csv_lines` writes their rows, many rows sooner.

    >>> csv_of_columns([["a", "b\rc"], ["", "5"]])
    'a,\n"b\rc",5\n'
    """
    marks = (delimiter, '"', "\r", "\n")
    quoted = [_as_quoted(cells, marks) for cells in columns]
    if len(quoted) == 1:  # a line without any character would be no row
        quoted = [[cell or '""' for cell in quoted[0]]]
    return harmless("\n".join([*map(delimiter.join, zip(*quoted, strict=True)), ""]))


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
