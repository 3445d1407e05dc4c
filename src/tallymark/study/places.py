"""Where in a file the table is, for every command that reads one."""

from typing import Annotated, TypedDict

from tallymark.study.fields import SCORES, TEXT, Field

_SHEET = "The sheet of an Excel file. The first visible one if left out."
_RECORDS = "The dotted path to the records in a file of JSON, such as results.items; columns are paths in them."


class SheetKeyword(TypedDict, total=False):
    """Where in a file the table is: a sheet of a workbook, records of JSON."""

    sheet: Annotated[str | None, Field(TEXT, "--sheet", "NAME", _SHEET, SCORES, web="form")]
    records: Annotated[str | None, Field(TEXT, "--records", "PATH", _RECORDS, SCORES, web="form")]
