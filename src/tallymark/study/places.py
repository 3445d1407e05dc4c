"""Where in a file the table is, for every command that reads one."""

from typing import Annotated, TypedDict

from tallymark.study.fields import SCORES, SWITCH, TABLE, TEXT, Field

_SHEET = "The sheet of an Excel file. The first visible one if left out."
_RECORDS = "The dotted path to the records in a file of JSON, such as results.items; columns are paths in them."
_WHERE = (
    "Read only rows that meet this: year >= 2024 and status = 'final'; also in (A, B), is null, or."
)
_MEMORY = "The most memory for reading, such as 500MB; what is above it goes to the disk meanwhile."
_NETWORK = "Let FILE be an address: https, s3, gs, az or hf. Needs DuckDB's extension, which is not fetched."
_HUMAN_FILE = (
    "A table of people's scores, joined by --id; responses that it lacks are left out and counted."
)


class SheetKeyword(TypedDict, total=False):
    """Where in a file the table is: a sheet of a workbook, records of JSON."""

    sheet: Annotated[str | None, Field(TEXT, "--sheet", "NAME", _SHEET, SCORES, web="form")]
    records: Annotated[str | None, Field(TEXT, "--records", "PATH", _RECORDS, SCORES, web="form")]
    memory_limit: Annotated[str | None, Field(TEXT, "--memory-limit", "SIZE", _MEMORY, SCORES)]
    allow_network: Annotated[bool, Field(SWITCH, "--allow-network", None, _NETWORK, SCORES)]


class WhereKeyword(TypedDict, total=False):
    """Which rows are read."""

    where: Annotated[str | None, Field(TEXT, "--where", "CONDITION", _WHERE, SCORES, web="form")]


class RowKeywords(SheetKeyword, WhereKeyword, total=False):
    """Where the table is, and which of its rows are read."""


class FileKeywords(RowKeywords, total=False):
    """Where the table is, and people's scores where these are in one of their own."""

    human_file: Annotated[
        object, Field(TABLE, "--human-file", "FILE", _HUMAN_FILE, SCORES, web="upload")
    ]
