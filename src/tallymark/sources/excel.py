"""Excel: the cells of one sheet as text, as a person who opens the file sees them.

A cell in error keeps its name (``#N/A``) and a formula that was never computed its text
(``=B2+1``): neither is a missing value.
"""

import functools
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO
from xml.etree import ElementTree as ET

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.errors import DataError, did_you_mean
from tallymark.sources.files import check_header
from tallymark.sources.judges.archives import check_sizes
from tallymark.sources.roles import listed

Row = dict[int, str]
_DATES = {*range(14, 23), *range(45, 48)}
"""The numbers of the formats of dates and times that every workbook has."""
_ELAPSED = r"\[(?:h+|m+|s+)\]"
_TIME_UNIT = re.compile(rf"{_ELAPSED}|[dmyhs]", re.IGNORECASE)
_NOT_UNITS = re.compile(
    rf'"[^"]*"?|[\\_*].|(?!{_ELAPSED})\[[^\]]*\]|general', re.IGNORECASE | re.DOTALL
)
"""Quoted text, an escaped character, a space as wide as one, one that fills the cell; a colour, locale
or condition in brackets."""


class Sheet(Struct, frozen=True):
    """The columns of a sheet, as text with None for empty cells, and what to say about it."""

    columns: Mapping[str, NDArray[np.object_]]
    note: str


def read_sheet(path: Path, name: str | None = None) -> Sheet:
    """Read a sheet by name, or the first that is not hidden."""
    broken = f"{path.name} is not an Excel file, or it is damaged; save it again"
    try:
        with zipfile.ZipFile(path) as archive:
            check_sizes(path.name, archive.infolist(), "save the sheet as CSV")
            return _read(archive, path.name, name)
    except (zipfile.BadZipFile, ET.ParseError, zlib.error, EOFError):
        raise DataError(broken) from None
    except DataError:
        raise
    except (LookupError, ValueError, NotImplementedError, RuntimeError, OverflowError):
        raise DataError(broken) from None


def _read(archive: zipfile.ZipFile, source: str, asked: str | None) -> Sheet:
    book = _Book.of(archive)
    chosen = book.chosen(source, asked)
    texts = _shared_texts(archive, book.part_of.get("sharedStrings"))
    dates = _date_styles(archive, book.part_of.get("styles"))
    with archive.open(book.sheets[chosen]) as stream:
        rows = [row for row in _rows(stream, texts, dates, book.first_day) if row]
    others = [name for name in book.sheets if name != chosen]
    if not rows:
        more = f"; choose another with --sheet ({listed(others)})" if others else ""
        raise DataError(f"sheet {chosen!r} of {source} is empty{more}")
    note = f"sheet {chosen!r} was read; {source} also has {listed(others)} (--sheet)"
    return Sheet(_columns(source, rows), note if others and asked is None else "")


def _columns(source: str, rows: Sequence[Row]) -> dict[str, NDArray[np.object_]]:
    header, *data = rows
    # a column that no cell is in is none
    used = sorted({place for row in rows for place in row})
    names = check_header(source, [header.get(place, "").strip() for place in used])
    return {
        name: np.array([row.get(place) for row in data], dtype=object)
        for name, place in zip(names, used, strict=True)
    }


class _Book(Struct, frozen=True):
    """Where the parts of a workbook are; ``sheets`` are in their order, ``hidden`` among them."""

    sheets: Mapping[str, str]
    hidden: frozenset[str]
    part_of: Mapping[str, str]
    first_day: datetime

    @classmethod
    def of(cls, archive: zipfile.ZipFile) -> "_Book":
        main = _relations(archive, "").get("officeDocument", ["xl/workbook.xml"])[0]
        root = ET.fromstring(archive.read(main))
        ids = _by_id(archive, main)
        sheets: dict[str, str] = {}
        hidden = set()
        first_day = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet knows no time zone
        for element in root.iter():
            if _tag(element.tag) == "workbookPr" and element.get("date1904") in ("1", "true"):
                first_day = datetime(1904, 1, 1)  # noqa: DTZ001
            if _tag(element.tag) != "sheet":
                continue
            attributes = {_tag(key): value for key, value in element.attrib.items()}
            if attributes.get("id") in ids:
                sheets[attributes["name"]] = ids[attributes["id"]]
                if attributes.get("state", "visible") != "visible":
                    hidden.add(attributes["name"])
        parts = {kind: paths[0] for kind, paths in _relations(archive, main).items()}
        return cls(sheets, frozenset(hidden), parts, first_day)

    def chosen(self, source: str, asked: str | None) -> str:
        if asked is not None:
            if asked not in self.sheets:
                raise DataError(
                    f"{source} has no sheet {asked!r}; it has {listed([*self.sheets])}."
                    f"{did_you_mean(asked, self.sheets)}"
                )
            return asked
        shown = [name for name in self.sheets if name not in self.hidden]
        if not shown:
            raise DataError(
                f"every sheet of {source} is hidden; name one with --sheet ({listed([*self.sheets])})"
            )
        return shown[0]


def _tag(name: str) -> str:
    return name.rpartition("}")[2]


def _related(archive: zipfile.ZipFile, part: str) -> Iterator[tuple[str, str, str]]:
    """Yield id, kind and path of each part that a part refers to."""
    folder, name = posixpath.split(part)
    place = posixpath.join(folder, "_rels", f"{name}.rels")
    if place not in archive.namelist():
        return
    for relation in ET.fromstring(archive.read(place)):
        target = relation.get("Target", "")
        path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        yield relation.get("Id", ""), posixpath.basename(relation.get("Type", "")), path


def _relations(archive: zipfile.ZipFile, part: str) -> dict[str, list[str]]:
    paths: dict[str, list[str]] = {}
    for _, kind, path in _related(archive, part):
        paths.setdefault(kind, []).append(path)
    return paths


def _by_id(archive: zipfile.ZipFile, part: str) -> dict[str, str]:
    return {name: path for name, kind, path in _related(archive, part) if kind == "worksheet"}


def _elements(stream: IO[bytes], wanted: str) -> Iterator[ET.Element]:
    """Yield the elements of one name as they are read, and forget them again."""
    for _, element in ET.iterparse(stream):
        if element.tag.endswith(wanted) and _tag(element.tag) == wanted:
            yield element
            element.clear()


def _text(element: ET.Element) -> str:
    """The text of a cell, in one piece or in many; how it is pronounced is no part of it."""
    if _tag(element.tag) == "rPh":
        return ""
    if _tag(element.tag) == "t":
        return element.text or ""
    return "".join(_text(part) for part in element)


def _shared_texts(archive: zipfile.ZipFile, part: str | None) -> list[str]:
    if part is None or part not in archive.namelist():
        return []
    with archive.open(part) as stream:
        return [_text(element) for element in _elements(stream, "si")]


def _date_styles(archive: zipfile.ZipFile, part: str | None) -> set[int]:
    """Which styles of cells show a number as a date or time."""
    if part is None or part not in archive.namelist():
        return set()
    root = ET.fromstring(archive.read(part))
    dates = set(_DATES)
    for element in root.iter():
        if _tag(element.tag) == "numFmt":
            code = _NOT_UNITS.sub("", element.get("formatCode", ""))
            if _TIME_UNIT.search(code):
                dates.add(int(element.get("numFmtId", "0")))
    styles = next((element for element in root.iter() if _tag(element.tag) == "cellXfs"), ())
    return {i for i, style in enumerate(styles) if int(style.get("numFmtId", "0")) in dates}


def _rows(
    stream: IO[bytes], texts: Sequence[str], dates: set[int], first_day: datetime
) -> Iterator[Row]:
    for row in _elements(stream, "row"):
        space = row.tag.removesuffix("row")
        filled: Row = {}
        place = 0
        for cell in row:
            place = _place(cell.get("r", "")) or place + 1
            value = _value(cell, space, texts)
            if value is not None and cell.get("t", "n") == "n":
                date = dates and int(cell.get("s", "0")) in dates
                value = _number(value, first_day if date else None)
            if value is not None and value.strip():
                filled[place] = value
        yield filled


def _place(reference: str) -> int | None:
    """The number of a column, 1 for A; None where a cell does not say."""
    letters = reference.rstrip("0123456789").upper()
    return _place_of(letters) if letters else None


@functools.cache
def _place_of(letters: str) -> int:
    place = 0
    for letter in letters:
        place = 26 * place + ord(letter) - 64
    return place


def _value(cell: ET.Element, space: str, texts: Sequence[str]) -> str | None:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _text(cell)
    given = cell.findtext(f"{space}v")
    if not given:
        formula = cell.find(f"{space}f")
        if formula is not None and not (kind == "str" and given is not None):  # never computed
            return f"={formula.text or '?'}"
        return None
    if kind == "s":
        return texts[int(given)]
    if kind == "b":
        return "TRUE" if given.strip() == "1" else "FALSE"
    return given


@functools.lru_cache(maxsize=100_000)
def _number(text: str, first_day: datetime | None) -> str:
    """Write a number as it would stand in a CSV file, a date as year, month and day."""
    try:
        value = float(text)
    except ValueError:
        return text
    if first_day is not None and 0 <= value < 2_958_466:
        when = first_day + timedelta(seconds=round(86_400 * value))
        return str(when.date()) if value == int(value) else when.isoformat(" ")
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
