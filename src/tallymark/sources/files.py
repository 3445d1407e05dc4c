"""Files: is there one, of which format, and what is wrong with it when it cannot be read?"""

import csv
import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from tallymark.errors import DataError, did_you_mean

Format = Literal["csv", "tsv", "parquet", "jsonl", "excel"]
ENDINGS: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".jsonlines": "jsonl",
    ".xlsx": "excel",
    ".xls": "excel",
    ".xlsb": "excel",
    ".ods": "excel",
}
DELIMITERS = {"csv": ",", "tsv": "\t"}
_HEAD = 65_536
_LONGEST_LINE = 2_000_000
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """A readable, non-empty file of a known format; a text table also knows its header."""

    path: Path
    format: Format
    header: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The file name without its folder."""
        return self.path.name


def inspect_file(path: Path) -> ScoreFile:
    """Find the file and its format, and read the header of a text table."""
    name = path.name
    if path.is_dir():
        raise DataError(f"{name or path} is a folder; name one file of scores in it")
    if not path.exists():
        raise DataError(f"there is no file {path}.{_similar_file(path)}")
    file = ScoreFile(path, _format(path))
    head = _head(path)
    if not head.strip(b"\xef\xbb\xbf \t\r\n"):
        raise DataError(f"{name} is empty; it needs a header line and one row per response")
    if file.format in ("parquet", "excel"):
        return file
    _check_text(name, head)
    if file.format == "jsonl":
        return file
    return ScoreFile(path, file.format, _header(file))


def explain(file: ScoreFile) -> str:
    """Say in a sentence why the file cannot be read."""
    if file.format == "parquet":
        return f"{file.name} is not a Parquet file, or it is damaged; write it again"
    found = _bad_line(file.path)
    if not found:
        found = _bad_json(file.path) if file.format == "jsonl" else _bad_row(file)
    found = found or "its lines do not form a table"
    return f"{file.name} cannot be read: {found}"


def _format(path: Path) -> Format:
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = bool(suffixes) and suffixes[-1] == ".gz"
    ending = (["", *suffixes[:-1]] if packed else ["", *suffixes])[-1]
    found = ENDINGS.get(ending)
    if found is None or (packed and found in ("parquet", "excel")):
        known = ".csv, .tsv, .parquet, .jsonl or .xlsx"
        hint = " Write one JSON object per line and name it .jsonl." if ending == ".json" else ""
        raise DataError(
            f"cannot tell the format of {path.name}; its name must end in {known}.{hint}"
        )
    return found


def _similar_file(path: Path) -> str:
    try:
        return did_you_mean(path.name, (entry.name for entry in path.parent.iterdir()))
    except OSError:
        return f" There is no readable folder {path.parent} either."


def _open(path: Path) -> BinaryIO | gzip.GzipFile:
    if path.suffix.lower() == ".gz":
        return gzip.open(path)
    return path.open("rb")


def _head(path: Path) -> bytes:
    try:
        with _open(path) as stream:
            return stream.read(_HEAD)
    except PermissionError:
        raise DataError(
            f"{path.name} may not be read: no permission. Change its access rights"
        ) from None
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged"
        raise DataError(f"{path.name} cannot be opened: {reason}") from None


def _check_text(name: str, head: bytes) -> None:
    if head.startswith(_UTF16):
        raise DataError(f"{name} is encoded in UTF-16; save it as UTF-8")
    if b"\0" in head:
        raise DataError(
            f"{name} is not a text file (it holds NUL bytes); if it is Excel or Parquet, give it "
            "the ending .xlsx or .parquet"
        )


def _header(file: ScoreFile) -> tuple[str, ...]:
    delimiter = DELIMITERS[file.format]
    try:
        with _open(file.path) as stream:
            lines = io.TextIOWrapper(stream, "utf-8", newline="")
            first = next(csv.reader(lines, delimiter=delimiter, strict=True), [])
    except (UnicodeDecodeError, csv.Error):
        raise DataError(explain(file)) from None
    names = [name.strip().removeprefix("\ufeff").strip() for name in first]
    if not any(names):
        raise DataError(
            f"{file.name} starts with a blank line; its first line must name the columns"
        )
    _check_delimiter(file.name, names, delimiter)
    if all(re.fullmatch(r"[-+.\deE]+", name) for name in names):
        raise DataError(
            f"the first line of {file.name} holds only numbers ({', '.join(names[:4])}); "
            "it must name the columns"
        )
    named = tuple(name or f"unnamed_{i}" for i, name in enumerate(names, 1))
    check_names(file.name, named)
    return named


def check_names(source: str, names: Sequence[str]) -> None:
    """Refuse two columns of one name."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"{source} has more than one column {twice[0]!r}; rename all but one")


def _check_delimiter(source: str, names: Sequence[str], delimiter: str) -> None:
    if len(names) != 1:
        return
    words = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
    for other, word in words.items():
        if other != delimiter and other in names[0]:
            rename = {"\t": " or name it .tsv", ",": " or name it .csv"}.get(other, "")
            raise DataError(
                f"{source} has a single column {names[0]!r}: its fields seem to be separated by {word}. "
                f"Save it with {words[delimiter]}{rename}"
            )


def _bad_line(path: Path) -> str:
    with _open(path) as stream:
        for number, line in enumerate(stream, 1):
            if len(line) > _LONGEST_LINE:
                return f"line {number} is longer than 2 MB. Leave the texts out; scores are enough"
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = line[error.start]
                return f"line {number} is not UTF-8 (byte 0x{byte:02x}). Save it as UTF-8"
    return ""


def _bad_row(file: ScoreFile) -> str:
    with _open(file.path) as stream:
        lines = io.TextIOWrapper(stream, "utf-8", newline="")
        reader = csv.reader(lines, delimiter=DELIMITERS[file.format], strict=True)
        row = 0
        try:
            width = len(next(reader))
            for fields in reader:
                row += bool(fields)
                if fields and len(fields) != width:
                    return (
                        f"row {row} (line {reader.line_num}) has {len(fields)} fields, the header "
                        f"has {width}. Mend that line"
                    )
        except csv.Error:
            return (
                f"a quotation mark is not closed near line {reader.line_num}, or a field there is "
                "longer than 130 kB. Mend that line"
            )
    return _mixed_endings(file.path)


def _mixed_endings(path: Path) -> str:
    with _open(path) as stream:
        windows = [line.endswith(b"\r\n") for line in stream]
    if any(windows) and not all(windows[:-1]):
        line = windows.index(not windows[0]) + 1
        return (
            f"its line endings differ, first in line {line}. Save it with one kind of line ending"
        )
    return ""


def _bad_json(path: Path) -> str:
    with _open(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                value = json.loads(line) if line.strip() else {}
            except ValueError:
                return f"line {number} is not JSON. Write one JSON object per line"
            if not isinstance(value, dict):
                return f"line {number} is not a JSON object. Write one JSON object per line"
    return ""
