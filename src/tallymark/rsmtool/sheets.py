"""Sheets: small tables, and files of many rows, written as csv, tsv or xlsx."""

import io
import math
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.results.cells import csv_of_columns

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
    columns = [[name, *_texts(column)] for name, column in sheet.items()]
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


def _texts(column: Sequence[Any] | NDArray[Any]) -> list[str]:
    if isinstance(column, np.ndarray) and column.dtype.kind in "if":
        return _written(column)
    cells = _cells(column)
    return (
        ["" if cell is None else str(cell) for cell in cells]
        if None in cells
        else [*map(str, cells)]
    )


def _written(numbers: NDArray[Any]) -> list[str]:
    """Numbers as Python writes them, a missing one empty; one that recurs is written once."""
    values = numbers.tolist()
    distinct = set(values)
    if 2 * len(distinct) > len(values) or 0.0 in distinct:  # -0.0 is the same, but not written so
        texts = [*map(repr, values)]
    else:
        known = {value: repr(value) for value in distinct}
        texts = [*map(known.__getitem__, values)]
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
