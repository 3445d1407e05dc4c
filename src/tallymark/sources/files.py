"""Files: whether there is one, in which format, and whether it is whole."""

import gzip
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import ENAMETOOLONG
from pathlib import Path
from typing import BinaryIO, Literal

from msgspec import Struct

from tallymark.errors import DataError, did_you_mean
from tallymark.sources.folders import is_pattern, parts_of

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
    ".xlsm": "excel",
}
DELIMITERS = {"csv": ",", "tsv": "\t"}
LONGEST_LINE = 2_000_000
LONGEST_OBJECT = 16_000_000
LONGEST_NAME = 300
MOST_COLUMNS = 20_000
_OTHER_SHEETS = (".xls", ".xlsb", ".ods")
_HEAD = 65_536
_CHUNK = 1 << 20
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_TEXTS = "Leave the texts out; scores are enough"
_LINE_END = re.compile(rb"[\r\n]")


class ScoreFile(Struct, frozen=True):
    """A readable, non-empty file of a known format; a text table also knows its header.

    ``newline`` is what ends the header's line, and so every row; ``delimiter`` divides fields.
    """

    path: Path
    format: Format
    header: tuple[str, ...] = ()
    newline: str = "\n"
    delimiter: str = ","

    @property
    def name(self) -> str:
        """The file name without its folder."""
        return self.path.name


@contextmanager
def unchanged(source: object) -> Iterator[None]:
    """Refuse what was read from a file if another one stood there before the end.

    Rows are read more than once: with two versions, no statement would be true of both.
    """
    path = Path(source) if isinstance(source, str | os.PathLike) else None
    before = path and _stamps(path)

    def check() -> None:
        if path and _stamps(path) != before:
            raise DataError(f"{path.name} changed while it was read; run the command again")

    try:
        yield
    except Exception:
        check()
        raise
    check()


def _stamps(path: Path) -> list[tuple[int, ...]]:
    """What tells whether a file, or any file of a folder or pattern, is another."""
    return [_stamp(path), *map(_stamp, parts_of(path))]


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_packed(path: Path) -> bool:
    """Whether the file is compressed by gzip."""
    return path.suffix.lower() == ".gz"


def open_file(path: Path) -> BinaryIO | gzip.GzipFile:
    """Open a file, packed or not, for its bytes."""
    return gzip.open(path) if is_packed(path) else path.open("rb")


def check_names(source: str, names: Sequence[str]) -> None:
    """Refuse two columns of one name, and names and numbers of columns beyond all measure."""
    if len(names) > MOST_COLUMNS:
        raise DataError(
            f"{source} has {len(names):,} columns, and at most {MOST_COLUMNS:,} are read; keep those of "
            "scores and of what tells responses apart"
        )
    for place, name in enumerate(names, 1):
        if len(name) > LONGEST_NAME:
            raise DataError(
                f"the name of column {place} of {source} has {len(name)} characters "
                f"({name[:20]!r} ...); shorten it to {LONGEST_NAME} or fewer"
            )
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise DataError(f"{source} has more than one column {twice[0]!r}; rename all but one")


def check_header(source: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns as the first line gives them; a blank one gets a number."""
    if all(re.fullmatch(r"[-+.\deE]+", name) for name in names):
        raise DataError(
            f"the first line of {source} holds only numbers ({', '.join(names[:4])[:60]}); "
            "it must name the columns"
        )
    named = tuple(name or f"unnamed_{i}" for i, name in enumerate(names, 1))
    check_names(source, named)
    return named


def check_path(path: Path) -> None:
    """Refuse a name that no file can have, or none that a database can open."""
    try:
        str(path.absolute()).encode()
        path.stat()
    except UnicodeEncodeError:
        shown = str(path).encode("utf-8", "backslashreplace").decode()
        raise DataError(f"the name {shown} is not UTF-8; rename the file or its folder") from None
    except ValueError:
        raise DataError(f"there is no file {str(path)!r}; a name has no null character") from None
    except OSError as problem:
        if problem.errno == ENAMETOOLONG:
            raise DataError(
                f"there is no file {str(path)[:60]!r} …: the name is too long"
            ) from None


def check_file(path: Path) -> None:
    """Refuse what is no file, or what no database can open."""
    check_path(path)
    if path.is_dir():
        raise DataError(
            f"{path.name or path} is a folder without Parquet or CSV files; name a file or folder that holds scores"
        )
    if is_pattern(path):
        raise DataError(f"no Parquet or CSV file matches {path}.{_similar_file(path)}")
    if not path.exists():
        raise DataError(f"there is no file {path}.{_similar_file(path)}")
    if not path.is_file():
        raise DataError(
            f"{path.name} is a pipe or a device, which can be read only once; save what it gives "
            "to a file and name that"
        )


def format_of(path: Path) -> Format:
    """Read the format off the name."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    packed = bool(suffixes) and suffixes[-1] == ".gz"
    ending = (["", *suffixes[:-1]] if packed else ["", *suffixes])[-1]
    known_format = ENDINGS.get(ending)
    if known_format is None or (packed and known_format in ("parquet", "excel")):
        known = ".csv, .tsv, .parquet, .jsonl or .xlsx"
        if ending in _OTHER_SHEETS:
            raise DataError(
                f"{path.name} is a spreadsheet of another kind; save it as .xlsx or .csv"
            )
        raise DataError(f"cannot tell the format of {path.name}; its name must end in {known}.")
    return known_format


def _similar_file(path: Path) -> str:
    try:
        return did_you_mean(path.name, (entry.name for entry in path.parent.iterdir()))
    except OSError:
        return f" There is no readable folder {path.parent} either."


@contextmanager
def _our_words(path: Path) -> Iterator[None]:
    try:
        yield
    except PermissionError:
        raise DataError(
            f"{path.name} may not be read: no permission. Change its access rights"
        ) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(
            f"{path.name} cannot be opened: its compression is damaged or cut off. Write it again"
        ) from None
    except OSError as error:
        raise DataError(f"{path.name} cannot be opened: {error.strerror}") from None


def head(path: Path) -> bytes:
    """Return the first bytes."""
    with _our_words(path), open_file(path) as stream:
        return stream.read(_HEAD)


def check_text(name: str, head: bytes) -> None:
    """Refuse what is no text."""
    if head.startswith(_UTF16):
        raise DataError(f"{name} is encoded in UTF-16; save it as UTF-8")
    if b"\0" in head:
        raise DataError(
            f"{name} is not a text file (it holds NUL bytes); if it is Excel or Parquet, give it "
            "the ending .xlsx or .parquet"
        )


def check_start(name: str, head: bytes) -> None:
    """Refuse a byte order mark."""
    if head.startswith(b"\xef\xbb\xbf"):
        raise DataError(
            f"{name} starts with a byte order mark, which JSON lines must not have; save it as "
            "UTF-8 without one"
        )


def check_packed(path: Path, longest: int) -> None:
    """Unpack all of it once: only then is its checksum known, and that no line is endless."""
    lines = length = 0
    with _our_words(path), open_file(path) as stream:
        while chunk := stream.read(_CHUNK):
            first = _LINE_END.search(chunk)
            length += first.start() if first else len(chunk)
            if length > longest:
                raise DataError(
                    f"{path.name} cannot be read: line {lines + 1} is longer than "
                    f"{longest // 1_000_000} MB. {_TEXTS}"
                )
            if first:
                lines += chunk.count(b"\n")
                length = len(chunk) - 1 - max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))


def has_long_end(path: Path, head: bytes) -> bool:
    """Whether the first or last line is over-long: we read the first, the database loses the last."""
    if path.stat().st_size <= LONGEST_LINE:
        return False
    with _our_words(path), path.open("rb") as stream:
        start = head if _LINE_END.search(head) else stream.read(LONGEST_LINE + 1)
        stream.seek(-LONGEST_LINE - 1, os.SEEK_END)
        end = stream.read().rstrip(b"\r\n")
    return not (_LINE_END.search(start) and _LINE_END.search(end))
