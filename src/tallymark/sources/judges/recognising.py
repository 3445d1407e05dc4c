"""Recognising: which tool wrote a file, by what it holds and never by its name alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tallymark.errors import DataError
from tallymark.sources.files import DELIMITERS, ENDINGS, check_file, check_text, head
from tallymark.sources.judges import inspect_log, label_studio, langfuse, mlflow, promptfoo
from tallymark.sources.judges.archives import member_names
from tallymark.sources.judges.contents import (
    document,
    ends_as,
    first_object,
    header_of,
    table_rows,
)
from tallymark.sources.judges.describing import what_is_in
from tallymark.sources.judges.ratings import JudgeFile
from tallymark.sources.judges.records import Columns, is_table, records_of
from tallymark.sources.judges.shaping import KnownTable, shaped
from tallymark.sources.roles import listed

_TOOLS: tuple[tuple[Callable[[Any], bool], Callable[[str, Any], JudgeFile]], ...] = (
    (inspect_log.is_log, inspect_log.read_log),
    (promptfoo.is_export, promptfoo.read_export),
    (mlflow.is_traces, mlflow.read_traces),
    (label_studio.is_tasks, label_studio.read_tasks),
    (langfuse.is_scores, langfuse.read_scores),
)
"""For each tool: whether JSON is its file, and how that is read."""
_TABLES = tuple(ending for ending, form in ENDINGS.items() if form in ("parquet", "excel"))
_LINES = tuple(ending for ending, form in ENDINGS.items() if form == "jsonl")
_DELIMITERS = {end: DELIMITERS[form] for end, form in ENDINGS.items() if form in DELIMITERS}
_TEXTS = tuple(_DELIMITERS)


def read_export(path: Path, records: str | None = None) -> KnownTable | Columns | None:
    """Read what a judge's tool wrote, or JSON by a path to its records; None for any other table."""
    check_file(path)
    start = b"" if ends_as(path, *_TABLES) else head(path).lstrip(b"\xef\xbb\xbf \t\r\n")
    json_text = start[:1] in (b"{", b"[") and not ends_as(path, *_TEXTS)
    if json_text or ends_as(path, ".json"):
        check_text(path.name, start)
    if records is not None and not json_text:
        raise DataError(f"--records needs a file of JSON; {path.name} is none")
    if start.startswith(b"PK\x03\x04"):
        return _of_archive(path)
    if ends_as(path, *_TEXTS):
        return _of_table(path)
    if ends_as(path, ".json") and not json_text:
        held = "no object and no list" if start else "nothing"
        raise DataError(f"{path.name} is no JSON of scores: it holds {held}; export it again")
    return _of_json(path, records) if json_text else None


def _of_archive(path: Path) -> KnownTable:
    names = member_names(path)
    if inspect_log.is_archive(names):
        return shaped(inspect_log.read_archive(path))
    if not names:
        raise DataError(f"{path.name} is a ZIP file that is damaged or cut off; write it again")
    raise DataError(
        f"{path.name} is a ZIP file and no Inspect log, which has a header.json; it holds "
        f"{listed([name[:60] for name in names], 3)}. Unpack it, and give the table in it"
    )


def _of_table(path: Path) -> KnownTable | None:
    delimiter = next(mark for end, mark in _DELIMITERS.items() if ends_as(path, end))
    header = header_of(path, delimiter)
    if len(header) == 1:  # as a spreadsheet saves it where commas are decimal
        header = header_of(path, ";")
    promptfoo.check_table(path.name, header)
    if not langfuse.is_header(header):
        return None
    rows = table_rows(path, delimiter)
    return shaped(langfuse.read_scores(path.name, rows)) if langfuse.is_scores(rows) else None


def _of_json(path: Path, records: str | None) -> KnownTable | Columns | None:
    lines = ends_as(path, *_LINES)
    if lines and records is None and _tool([first_object(path)]) is None:
        return None
    content = document(path)
    if records is not None:
        return records_of(path.name, content, records)
    tool = _tool(content)
    if tool is not None:
        return shaped(tool(path.name, content))
    if is_table(content):
        return records_of(path.name, content, ".")
    raise DataError(what_is_in(path.name, content))


def _tool(content: Any) -> Callable[[str, Any], JudgeFile] | None:
    return next((read for recognised, read in _TOOLS if recognised(content)), None)
