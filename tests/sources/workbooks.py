"""Workbooks of Excel, written by hand: whatever a cell, a sheet or a book can be."""

import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
STYLES = f"""<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="170" formatCode="0.0 &quot;days&quot;"/>
<numFmt numFmtId="171" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/>
<xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>"""


def cell(value: object) -> str:
    """A text, a number, nothing, or XML as it stands."""
    if value is None:
        return "<c/>"
    if isinstance(value, str):
        return value if value.startswith("<") else f'<c t="inlineStr"><is><t>{value}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def write_workbook(path: Path, sheets: Mapping[str, Any], hidden: Collection[str] = ()) -> Path:
    files = {
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="a" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/styles.xml": STYLES,
    }
    listed, related = "", f'<Relationship Id="s" Type="{OFFICE}/styles" Target="styles.xml"/>'
    for i, (name, rows) in enumerate(sheets.items()):
        state = ' state="hidden"' if name in hidden else ""
        listed += f'<sheet name="{name}" sheetId="{i + 1}" r:id="r{i}"{state}/>'
        related += f'<Relationship Id="r{i}" Type="{OFFICE}/worksheet" Target="/xl/sheet{i}.xml"/>'
        body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
        files[f"xl/sheet{i}.xml"] = (
            f'<worksheet xmlns="{MAIN}"><sheetData>{body}</sheetData></worksheet>'
        )
    files["xl/workbook.xml"] = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>'
    )
    files["xl/_rels/workbook.xml.rels"] = (
        f'<Relationships xmlns="{PACKAGE}/relationships">{related}</Relationships>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, f'<?xml version="1.0"?>{content}')
    return path
