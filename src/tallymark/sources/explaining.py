"""Explaining: why a file cannot be read, and in which line to look."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tallymark.sources.files import LONGEST_LINE, LONGEST_OBJECT, ScoreFile, open_file


def explain(file: ScoreFile) -> str:
    """Say in a sentence why the file cannot be read."""
    if file.format == "parquet":
        return f"{file.name} is not a Parquet file, or it is damaged; write it again"
    json_lines = file.format == "jsonl"
    reason = _bad_line(file.path, LONGEST_OBJECT if json_lines else LONGEST_LINE)
    if not reason:
        reason = _bad_json(file.path) if json_lines else _bad_row(file)
    further = "; --records . reads each by itself" if json_lines else ""
    reason = reason or f"its lines do not form a table{further}"
    return f"{file.name} cannot be read: {reason}"


def _bad_line(path: Path, longest: int) -> str:
    with open_file(path) as stream:
        number = 0
        while line := stream.readline(longest + 2):
            number += 1
            if len(line.rstrip(b"\r\n")) > longest:
                size = f"{longest // 1_000_000} MB"
                return (
                    f"line {number} is longer than {size}. Leave the texts out; scores are enough"
                )
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = line[error.start]
                return f"line {number} is not UTF-8 (byte 0x{byte:02x}). Save it as UTF-8"
            if b"\0" in line:
                return f"line {number} holds a NUL byte, which no text has. Write it again"
    return ""


@contextmanager
def long_fields() -> Iterator[None]:
    """Let fields of text tables be as long as their lines may be."""
    before = csv.field_size_limit(LONGEST_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _bad_row(file: ScoreFile) -> str:
    with long_fields(), open_file(file.path) as stream:
        lines = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        reader = csv.reader(lines, delimiter=file.delimiter, strict=True)
        row = -1
        begins, width = 1, 0
        try:
            for fields in reader:
                row += bool(fields)
                width = width or len(fields)
                if fields and len(fields) != width:
                    return (
                        f"row {row} (line {reader.line_num}) has {len(fields)} fields, the header "
                        f"has {width}. Mend that line"
                    )
                if sum(map(len, fields)) > LONGEST_LINE:
                    return f"row {row} (line {begins}) is longer than 2 MB. Leave the texts out"
                begins = reader.line_num + 1
        except csv.Error:
            return _open_quote(begins, reader.line_num)
    return _mixed_endings(file.path)


def _open_quote(begins: int, line: int) -> str:
    if line > begins:
        return (
            f"the row that begins in line {begins} opens a quotation mark that is not closed, or "
            f"closed in the wrong place (line {line}). Mend line {begins}"
        )
    return f"a quotation mark in line {line} is not closed, or followed by text. Mend that line"


def _mixed_endings(path: Path) -> str:
    with open_file(path) as stream:
        windows = [line.endswith(b"\r\n") for line in stream]
    if any(windows) and not all(windows[:-1]):
        line = windows.index(not windows[0]) + 1
        return (
            f"its line endings differ, first in line {line}. Save it with one kind of line ending"
        )
    with open_file(path) as stream:
        for number, text in enumerate(stream, 1):
            if b"\r" in text.rstrip(b"\r\n"):
                return f"line {number} holds a carriage return outside quotation marks. Mend it"
    return ""


def _bad_json(path: Path) -> str:
    with open_file(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                value = json.loads(line, object_pairs_hook=_pairs) if line.strip() else {}
            except (ValueError, RecursionError) as error:
                twice = error.args[0] if isinstance(error, _TwiceError) else ""
                why = twice or "is not JSON. Write one JSON object per line"
                return f"line {number} {why}"
            if not isinstance(value, dict):
                return f"line {number} is not a JSON object. Write one JSON object per line"
    return ""


class _TwiceError(ValueError):
    """A key stands twice in one object."""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    by_key = dict(pairs)
    if len(by_key) < len(pairs):
        keys = [key for key, _ in pairs]
        key = next(key for key in keys if keys.count(key) > 1)
        raise _TwiceError(f"has the key {key!r} more than once. Keep one of them")
    return by_key
