"""Contents: JSON in one piece or in lines, read whole and refused in words."""

import csv
import io
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

from tallymark.errors import DataError
from tallymark.sources.explaining import long_fields
from tallymark.sources.files import LONGEST_LINE, LONGEST_OBJECT, is_packed, open_file

MOST_BYTES = 1_000_000_000
"""A larger file of JSON is not read in one piece."""
DEEPEST = 200
"""Objects and lists may lie this deep in each other."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPED = re.compile(
    r"\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|(\\u[dD][89a-fA-F]\w\w)|\\.", re.DOTALL
)
"""An escaped character; the group is half of a surrogate pair without the other."""


def file_text(path: Path) -> str:
    """The text of a file; a byte order mark is no part of it."""
    with open_file(path) as stream:
        content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise DataError(
            f"{path.name} holds more than {MOST_BYTES // 10**9} GB of JSON; divide it, or save the "
            "scores as JSON lines or CSV"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path.name} is not UTF-8 (byte 0x{content[error.start]:02x} at {error.start}); save it "
            "as UTF-8"
        ) from None


def parsed(source: str, text: str, where: str = "") -> Any:
    """The value of a JSON text; half of a surrogate pair, where a text was cut, is a character unknown."""
    if _SURROGATE.search(text):
        text = _ESCAPED.sub(lambda mark: "\\ufffd" if mark[1] else mark[0], text)
    try:
        return json.loads(text, object_pairs_hook=partial(_object, source))
    except DataError:
        raise
    except json.JSONDecodeError as error:
        place = where or f"line {error.lineno}, column {error.colno}"
        raise DataError(
            f"{source} is not whole JSON: {error.msg.lower()} ({place}). Export it again"
        ) from None
    except RecursionError:
        raise DataError(f"{source} is nested too deeply to hold scores") from None
    except ValueError:
        raise DataError(f"{source} holds a number that is too long to be a score") from None


def _object(source: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; nothing says which value counts of a key that it has twice."""
    every = dict(pairs)
    if len(every) < len(pairs):
        twice = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise DataError(f"{source} has {twice[:60]!r} twice in one object; export it again")
    return every


def document(path: Path) -> Any:
    """The content of a file: one JSON value, or a list of those that stand in its lines."""
    text = file_text(path)
    start = text.lstrip()
    try:
        return parsed(path.name, text)
    except DataError:
        first = start.partition("\n")[0].strip()
        if not (first.startswith("{") and first.endswith("}")):
            raise
    lines = [(i, line) for i, line in enumerate(text.split("\n"), 1) if line.strip()]
    return [parsed(path.name, line, f"line {i}") for i, line in lines]


def first_object(path: Path) -> Any:
    """The object in the first line of a file, None where there is none that is whole."""
    with open_file(path) as stream:
        line = stream.readline(LONGEST_OBJECT).removeprefix(b"\xef\xbb\xbf")
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def table_rows(path: Path, delimiter: str) -> list[dict[str, Any]]:
    """The rows of a text table, each by the names of its columns."""
    with long_fields():
        rows = csv.DictReader(io.StringIO(file_text(path), newline=""), delimiter=delimiter)
        try:
            return [{str(key): value for key, value in row.items()} for row in rows]
        except csv.Error:
            raise DataError(
                f"{path.name} cannot be read: a quotation mark is not closed. Export it again"
            ) from None


def header_of(path: Path, delimiter: str) -> list[str]:
    """The first line of a text table; empty where it cannot be read."""
    with open_file(path) as stream:
        line = stream.readline(LONGEST_LINE).decode("utf-8-sig", "replace")
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def ends_as(path: Path, *endings: str) -> bool:
    """Whether a name ends so, packed or not."""
    name = path.name.lower()
    return (name.removesuffix(".gz") if is_packed(path) else name).endswith(endings)
