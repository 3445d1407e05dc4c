"""Readers: how DuckDB reads a file of each format."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tallymark.errors import DataError, OptionError
from tallymark.sources.exports import open_export
from tallymark.sources.files import DELIMITERS, ScoreFile, check_names
from tallymark.sources.folders import check_near, damaged, parts_of
from tallymark.sources.inspecting import inspect_file
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, literal
from tallymark.sources.tables import SqlTable, described, our_words

if TYPE_CHECKING:
    import duckdb


def open_file(
    connection: "duckdb.DuckDBPyConnection",
    path: Path,
    sheet: str | None,
    records: str | None = None,
) -> SqlTable:
    """Open a file under the name ``DATA``; nothing else can be reached from then on."""
    check_near(path)
    parts = parts_of(path)
    if parts:
        return _open_parts(connection, path, parts, sheet)
    export = open_export(connection, path, sheet, records)
    if export is not None:
        return export
    file = inspect_file(path)
    if file.format == "excel":
        return _open_sheet(connection, file, sheet)
    if sheet is not None:
        raise OptionError(f"--sheet needs an Excel file; {file.name} has no sheets")
    # a bracket keeps * ? [ in a file name from being read as a pattern
    name = literal(re.sub(r"([*?\[])", r"[\1]", str(path.resolve())))
    connection.execute(f"SET allowed_paths = [{literal(str(path.resolve()))}, {name}]")
    connection.execute("SET enable_external_access = false")

    def unreadable() -> str:
        from tallymark.sources.explaining import explain

        return explain(file)

    with our_words(file.name, unreadable):
        if file.format == "parquet":
            reader = f"read_parquet({name}, hive_partitioning = false)"
        elif file.format == "jsonl":
            reader = _json_reader(connection, file.name, name)
        else:
            reader = _text_reader(file, name)
        connection.execute(f"CREATE TEMP VIEW {DATA} AS SELECT * FROM {reader}")
    return described(file.name, connection.execute, names=file.header, unreadable=unreadable)


def _open_parts(
    connection: "duckdb.DuckDBPyConnection", path: Path, parts: Sequence[Path], sheet: str | None
) -> SqlTable:
    """Open the files of a folder or a pattern as one table; a folder such as year=2024 is a column."""
    if sheet is not None:
        raise OptionError(f"--sheet needs an Excel file; {path.name} has no sheets")
    names = [str(part.resolve()) for part in parts]
    escaped = [re.sub(r"([*?\[])", r"[\1]", name) for name in names]
    allowed = ", ".join(literal(name) for name in dict.fromkeys([*names, *escaped]))
    connection.execute(f"SET allowed_paths = [{allowed}]")
    connection.execute("SET enable_external_access = false")
    hive = any("=" in part.parent.name for part in parts)

    def unreadable() -> str:
        return damaged(path.name, parts)

    with our_words(path.name, unreadable):
        listed_parts = ", ".join(literal(name) for name in escaped)
        reader = f"read_parquet([{listed_parts}], hive_partitioning = {str(hive).lower()})"
        connection.execute(f"CREATE TEMP VIEW {DATA} AS SELECT * FROM {reader}")
    return described(path.name, connection.execute, unreadable=unreadable)


def _text_reader(file: ScoreFile, name: str) -> str:
    # our own names: DuckDB takes 'a' and 'A' for the same column
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(file.header)))
    newline = {"\n": "\\n", "\r": "\\r", "\r\n": "\\r\\n"}[file.newline]
    return (
        f"read_csv({name}, auto_detect = false, header = true, columns = {{{columns}}}, "
        f"delim = {literal(DELIMITERS[file.format])}, quote = '\"', escape = '\"', "
        f"encoding = 'utf-8', new_line = '{newline}', hive_partitioning = false)"
    )


def _json_reader(connection: "duckdb.DuckDBPyConnection", source: str, name: str) -> str:
    rows = connection.execute(
        f"SELECT DISTINCT json_keys(json) FROM read_ndjson_objects({name}, hive_partitioning = false)"
    ).fetchall()
    several = sorted(keys for (keys,) in rows)
    for keys in several:
        check_names(source, keys)
    names = list(dict.fromkeys(key for keys in sorted(several, key=len)[::-1] for key in keys))
    same = Counter(key.casefold() for key in names)
    alike = [key for key in names if same[key.casefold()] > 1]
    if alike:
        raise DataError(
            f"{source} has keys that differ only in capitals: {listed(alike)}; rename all but one"
        )
    if "" in names:
        raise DataError(f"{source} has a key without a name; give it one")
    if not names:
        raise DataError(f"{source} has no columns; write one JSON object per line")
    columns = ", ".join(f"{literal(key)}: 'VARCHAR'" for key in names)
    return (
        f"read_json({name}, format = 'newline_delimited', records = true, "
        f"columns = {{{columns}}}, hive_partitioning = false)"
    )


def _open_sheet(
    connection: "duckdb.DuckDBPyConnection", file: ScoreFile, name: str | None
) -> SqlTable:
    from tallymark.sources.excel import read_sheet

    connection.execute("SET enable_external_access = false")
    sheet = read_sheet(file.path, name)
    connection.execute("SET pandas_analyze_sample = 0")
    connection.register(DATA, {f"c{i}": cells for i, cells in enumerate(sheet.columns.values())})
    notes = (sheet.note,) if sheet.note else ()
    return described(file.name, connection.execute, names=[*sheet.columns], notes=notes)
