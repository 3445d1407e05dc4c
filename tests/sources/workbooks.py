"""Workbooks of Excel, written by hand: whatever a cell, a sheet or a book can be."""

import zipfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
FORMATS = ('0.0 "days"', "yyyy\\-mm\\-dd hh:mm")
"""The formats of cells of style 2, 3 and so on; style 1 is Excel's own format of a date."""


def styles(formats: Sequence[str]) -> str:
    codes = "".join(
        f"<numFmt numFmtId={quoteattr(str(170 + i))} formatCode={quoteattr(code)}/>"
        for i, code in enumerate(formats)
    )
    cells = "".join(
        f'<xf numFmtId="{number}"/>' for number in (0, 14, *range(170, 170 + len(formats)))
    )
    return f'<styleSheet xmlns="{MAIN}"><numFmts>{codes}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>'


def cell(value: object) -> str:
    """A text, a number, nothing, or XML as it stands."""
    if value is None:
        return "<c/>"
    if isinstance(value, str):
        return value if value.startswith("<") else f'<c t="inlineStr"><is><t>{value}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def write_workbook(
    path: Path,
    sheets: Mapping[str, Any],
    hidden: Collection[str] = (),
    *,
    state: str = "hidden",
    formats: Sequence[str] = FORMATS,
    properties: str = "",
) -> Path:
    """Write sheets of rows; ``properties`` is the XML of the properties of the book."""
    files = {
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="a" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/styles.xml": styles(formats),
    }
    listed, related = "", f'<Relationship Id="s" Type="{OFFICE}/styles" Target="styles.xml"/>'
    for i, (name, rows) in enumerate(sheets.items()):
        attribute = f' state="{state}"' if name in hidden else ""
        listed += f'<sheet name="{name}" sheetId="{i + 1}" r:id="r{i}"{attribute}/>'
        related += f'<Relationship Id="r{i}" Type="{OFFICE}/worksheet" Target="/xl/sheet{i}.xml"/>'
        body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        files[f"xl/sheet{i}.xml"] = (
            f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    files["xl/workbook.xml"] = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{properties}<sheets>{listed}</sheets></workbook>'
    )
    files["xl/_rels/workbook.xml.rels"] = (
        f'<Relationships xmlns="{PACKAGE}/relationships">{related}</Relationships>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, f'<?xml version="1.0"?>{content}')
    return path
