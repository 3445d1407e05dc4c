"""Inspecting: a file before it is read, and the header of a text table."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from tallymark.errors import DataError
from tallymark.sources.explaining import explain
from tallymark.sources.files import (
    DELIMITERS,
    LONGEST_LINE,
    LONGEST_OBJECT,
    ScoreFile,
    check_file,
    check_header,
    check_packed,
    check_start,
    check_text,
    format_of,
    has_long_end,
    head,
    is_packed,
    open_file,
)


def inspect_file(path: Path) -> ScoreFile:
    """Find the file and its format, and read the header of a text table."""
    name = path.name
    check_file(path)
    format_ = format_of(path)
    file = ScoreFile(path, format_, delimiter=DELIMITERS.get(format_, ","))
    start = head(path)
    if not start.strip(b"\xef\xbb\xbf \t\r\n"):
        raise DataError(f"{name} is empty; it needs a header line and one row per response")
    if file.format in ("parquet", "excel"):
        return file
    check_text(name, start)
    if is_packed(path):
        check_packed(path, LONGEST_OBJECT if file.format == "jsonl" else LONGEST_LINE)
    if file.format == "jsonl":
        check_start(name, start)
        return file
    if not is_packed(path) and has_long_end(path, start):
        raise DataError(explain(file))
    return _with_header(file)


def _with_header(file: ScoreFile) -> ScoreFile:
    """Read the header; a spreadsheet where commas are decimal divides fields by semicolons."""
    lines: list[str] = []

    def kept(stream: io.TextIOWrapper) -> Iterator[str]:
        for line in stream:
            lines.append(line)
            yield line

    try:
        with open_file(file.path) as stream:
            text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
            first = next(csv.reader(kept(text), delimiter=file.delimiter, strict=True), [])
    except (UnicodeDecodeError, csv.Error):
        raise DataError(explain(file)) from None
    names = [name.strip().removeprefix("\ufeff").strip() for name in first]
    if not any(names):
        raise DataError(
            f"{file.name} starts with a blank line; its first line must name the columns"
        )
    if len(names) == 1 and file.delimiter == "," and ";" in names[0]:
        return _with_header(replace(file, delimiter=";"))
    _check_delimiter(file.name, names, file.delimiter)
    end = re.search(r"\r?\n?$", lines[-1])
    newline = (end and end[0]) or "\n"
    return replace(file, header=check_header(file.name, names), newline=newline)


def _check_delimiter(source: str, names: Sequence[str], delimiter: str) -> None:
    if len(names) != 1:
        return
    words = {",": "commas", "\t": "tabs", "|": "bars", ";": "semicolons"}
    for other, word in words.items():
        if other != delimiter and other in names[0]:
            rename = {"\t": " or name it .tsv", ",": " or name it .csv"}.get(other, "")
            raise DataError(
                f"{source} has a single column {names[0][:80]!r}: its fields seem to be separated "
                f"by {word}. Save it with {words[delimiter]}{rename}"
            )
