"""Tables: files as RSMTool's reader sees them, and small tables written as csv, tsv or xlsx."""

import io
import json
import math
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError
from tallymark.results.cells import csv_of_columns
from tallymark.sources.sql import DATA
from tallymark.sources.tables import open_table

Columns = dict[str, NDArray[Any]]
NO_VALUE = frozenset(
    {
        "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
        "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
    }
)  # fmt: skip
"""Texts that mean a missing value, as RSMTool's reader takes them."""
_TRUTHS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}


def read_columns(path: Path, texts: Collection[str] = ()) -> Columns:
    """Read a file; columns in ``texts`` stay as they are written."""
    return read_noted(path, texts)[0]


def read_noted(path: Path, texts: Collection[str] = ()) -> tuple[Columns, tuple[str, ...]]:
    """Read a file, and note which of several sheets was read."""
    if path.suffix.lower() == ".sas7bdat":
        raise DataError(
            f"{path.name} is a SAS file, which Tallymark does not read; export it as CSV, in SAS "
            "with PROC EXPORT, and name that file"
        )
    with open_table(path) as table:
        arrays = table.arrays(f"SELECT * FROM {DATA}")
        names = list(table.columns)
        notes = tuple(note.replace(" (--sheet)", "; put yours first") for note in table.notes)
    written = {
        name: _column_texts(column) for name, column in zip(names, arrays.values(), strict=True)
    }
    if path.suffix.lower() in (".jsonlines", ".jsonl", ".ndjson"):
        written = _unnested(written)
    columns = {
        name: _as_objects(values) if name in texts else typed(values)
        for name, values in written.items()
    }
    return columns, notes


def typed(values: Sequence[str]) -> NDArray[Any]:
    """Read a column as whole numbers, else numbers, truth values or text, whichever fits all."""
    distinct = set(values)
    if "_" in "".join(distinct):  # Python takes 1_000 for a number
        return _texts_or_truths(values)
    kinds: tuple[Callable[[str], float], ...] = (int, float, _number_or_none)
    for kind in kinds:
        try:
            if 2 * len(distinct) > len(values):
                return np.array([*map(kind, values)])
            read = {value: kind(value) for value in distinct}
            return np.array([*map(read.__getitem__, values)])
        except (ValueError, OverflowError):
            continue
    return _texts_or_truths(values)


def _number_or_none(value: str) -> float:
    return np.nan if value.strip() in NO_VALUE else float(value)


def numbers(column: NDArray[Any]) -> Floats:
    """Read a column as numbers; whatever is none, or infinite, is NaN."""
    if column.dtype.kind == "O":
        read = np.array([_number(value) for value in column.tolist()], dtype=np.float64)
    else:
        read = column.astype(np.float64)
    return np.where(np.isfinite(read), read, np.nan)


def _number(value: Any) -> float:
    try:
        return np.nan if "_" in str(value) else float(value)
    except ValueError:
        return np.nan


def _column_texts(column: NDArray[Any]) -> list[str]:
    if isinstance(column, np.ma.MaskedArray):
        column = column.filled("")
    return ["" if value is None else str(value) for value in column.tolist()]


def _as_objects(values: Sequence[str]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _texts_or_truths(values: Sequence[str]) -> NDArray[Any]:
    if values and all(value in _TRUTHS for value in values):
        return np.array([_TRUTHS[value] for value in values])
    return _as_objects(["" if value in NO_VALUE else value for value in values])


def _unnested(columns: dict[str, list[str]]) -> dict[str, list[str]]:
    """Replace a column of JSON objects by one column for each of their keys."""
    unnested: dict[str, list[str]] = {}
    for name, values in columns.items():
        filled = [value for value in values if value]
        if not (filled and all(value.startswith("{") for value in filled)):
            unnested[name] = values
            continue
        try:
            objects = [json.loads(value) if value else {} for value in values]
        except RecursionError:
            raise DataError(
                f"column {name} holds objects nested too deeply; write their values as columns"
            ) from None
        except ValueError:  # texts that only begin as objects do
            unnested[name] = values
            continue
        for key in dict.fromkeys(chain.from_iterable(objects)):
            unnested[key] = [_json_text(object_.get(key)) for object_ in objects]
    return unnested


def _json_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


Sheet = Mapping[str, Sequence[Any] | NDArray[Any]]
"""Columns by their heading; the heading of row names is empty."""
_SEPARATORS = {"csv": ",", "tsv": "\t"}
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        "</Types>"
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>"
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>'
        '<sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_LINKS}/worksheet" Target="worksheets/sheet1.xml"/>'
        "</Relationships>"
    ),
}


def file_of(sheet: Sheet, form: str) -> bytes:
    """Write a sheet as a file of the format."""
    if form == "xlsx":
        rows = zip(*(_cells(column) for column in sheet.values()), strict=True)
        return _workbook([list(sheet), *rows])
    columns = [[name, *_cell_texts(column)] for name, column in sheet.items()]
    return csv_of_columns(columns, _SEPARATORS[form]).encode()


def labelled(labels: Iterable[Any], rows: Sequence[Mapping[str, Any]]) -> Sheet:
    """Put rows below each other, each after its name; a value that a row lacks is missing."""
    headings = list(rows[0]) if rows else []
    columns = {name: [row.get(name, np.nan) for row in rows] for name in headings}
    return {"": list(labels), **columns}


def _cells(column: Sequence[Any] | NDArray[Any]) -> list[Any]:
    """Plain Python values; a missing number is an empty cell."""
    values: list[Any] = column.tolist() if isinstance(column, np.ndarray) else list(column)
    if isinstance(column, np.ndarray) and not (column.dtype.kind == "f" and np.isnan(column).any()):
        return values
    return ["" if isinstance(value, float) and math.isnan(value) else value for value in values]


def _cell_texts(column: Sequence[Any] | NDArray[Any]) -> list[str]:
    if isinstance(column, np.ndarray) and column.dtype.kind in "if":
        return _number_texts(column)
    cells = _cells(column)
    return (
        ["" if cell is None else str(cell) for cell in cells]
        if None in cells
        else [*map(str, cells)]
    )


def _number_texts(numbers: NDArray[Any]) -> list[str]:
    """Numbers as Python writes them, a missing one empty; one that recurs is written once."""
    values = numbers.tolist()
    distinct = set(values)
    if 2 * len(distinct) > len(values) or 0.0 in distinct:  # -0.0 is the same, but not written so
        texts = [*map(repr, values)]
    else:
        text_of = {value: repr(value) for value in distinct}
        texts = [*map(text_of.__getitem__, values)]
    if numbers.dtype.kind == "f":
        for place in np.flatnonzero(np.isnan(numbers)).tolist():
            texts[place] = ""
    return texts


def _workbook(rows: Sequence[Sequence[Any]]) -> bytes:
    """An Excel file of one sheet: numbers as numbers, all else as text."""
    lines = "".join(f"<row>{''.join(map(_excel_cell, row))}</row>" for row in rows)
    parts = _PARTS | {
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{lines}</sheetData></worksheet>'
        )
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            # a fixed time, so that the same numbers give the same file
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return packed.getvalue()


def _excel_cell(value: Any) -> str:
    if value == "":
        return "<c/>"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"<c><v>{value!r}</v></c>"
    # characters that XML cannot hold are left out
    text = "".join(char for char in str(value) if char >= " " or char in "\t\n\r")
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text, quote=False)}</t></is></c>'
