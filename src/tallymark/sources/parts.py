"""Parts: the files of a folder or a pattern, read as one table."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tallymark.errors import DataError
from tallymark.sources.explaining import explain
from tallymark.sources.files import ScoreFile
from tallymark.sources.folders import (
    check_alike,
    check_columns,
    check_own,
    damaged,
    is_partitioned,
    kind_of,
    named_parts,
)
from tallymark.sources.inspecting import inspect_file
from tallymark.sources.sql import DATA, literal
from tallymark.sources.tables import SqlTable, described, our_words

if TYPE_CHECKING:
    import duckdb


COMMA = r"^(\s*-?\d+),(\d+\s*)$"
"""A number with a decimal comma, as spreadsheets write it between semicolons."""


def open_parts(
    connection: "duckdb.DuckDBPyConnection", path: Path, parts: Sequence[Path]
) -> SqlTable:
    """Open the files of a folder or a pattern as one table; a folder such as year=2024 is a column."""
    name, called = path.name, named_parts(parts)
    check_alike(name, parts)
    texts = kind_of(parts[0]) != "parquet"
    files = [_inspected(part, f"{called[part]} of {name}") for part in parts] if texts else []
    if files:
        check_columns(name, {called[file.path]: file.header for file in files})
        _check_endings(name, files)
    places = only_these(connection, parts)
    partitioned = is_partitioned(name, called)
    hive = f"hive_partitioning = {str(partitioned).lower()}"

    def reader(chosen: Sequence[str], options: str = hive) -> str:
        listed = f"[{', '.join(chosen)}]"
        if files:
            return text_reader(files[0], listed, options)
        return f"read_parquet({listed}, {options})"

    def unreadable() -> str:
        return _why(
            connection, name, called, dict(zip(parts, map(reader, zip(places)), strict=True))
        )

    with our_words(name, unreadable):
        connection.execute(f"CREATE TEMP VIEW {DATA} AS SELECT * FROM {reader(places)}")
        alone = reader(places[:1], "hive_partitioning = false")
        columns = [
            row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {alone}").fetchall()
        ]
    if partitioned:
        check_own(name, parts[0], files[0].header if files else columns)
    header: tuple[str, ...] = ()
    if files:
        known = connection.execute(f"DESCRIBE {DATA}").fetchall()
        header = (*files[0].header, *(row[0] for row in known[len(files[0].header) :]))
    return described(
        name, connection.execute, names=header, unreadable=unreadable, columnar=not texts
    )


def _inspected(part: Path, called: str) -> ScoreFile:
    """A part of text before it is read; what is wrong with it is said of the table, too."""
    try:
        return inspect_file(part)
    except DataError as error:
        raise DataError(f"{error} ({called})") from None


def only_these(connection: "duckdb.DuckDBPyConnection", paths: Sequence[Path]) -> list[str]:
    """Let the database reach these files alone; how it names them."""
    names = [str(path.resolve()) for path in paths]
    # a bracket keeps * ? [ in a file name from being read as a pattern
    escaped = [re.sub(r"([*?\[])", r"[\1]", name) for name in names]
    allowed = ", ".join(literal(name) for name in dict.fromkeys([*names, *escaped]))
    connection.execute(f"SET allowed_paths = [{allowed}]")
    connection.execute("SET enable_external_access = false")
    return [literal(name) for name in escaped]


def text_reader(file: ScoreFile, name: str, options: str = "hive_partitioning = false") -> str:
    """Write how a text table is read, or several with the header of the first."""
    # our own names: DuckDB takes 'a' and 'A' for the same column
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(file.header)))
    newline = {"\n": "\\n", "\r": "\\r", "\r\n": "\\r\\n"}[file.newline]
    reader = (
        f"read_csv({name}, auto_detect = false, header = true, columns = {{{columns}}}, "
        f"delim = {literal(file.delimiter)}, quote = '\"', escape = '\"', "
        f"encoding = 'utf-8', new_line = '{newline}', {options})"
    )
    if file.delimiter != ";":
        return reader
    points = (
        f"regexp_replace(c{i}, '{COMMA}', '\\1.\\2') AS c{i}" for i in range(len(file.header))
    )
    return f"(SELECT * REPLACE ({', '.join(points)}) FROM {reader})"


def _check_endings(name: str, files: Sequence[ScoreFile]) -> None:
    for file in files[1:]:
        if (file.newline, file.delimiter) != (files[0].newline, files[0].delimiter):
            raise DataError(
                f"the lines of {file.name} of {name} end, or are divided, otherwise than those of {files[0].name}; save "
                "all in one way"
            )


def _why(
    connection: "duckdb.DuckDBPyConnection",
    name: str,
    called: Mapping[Path, str],
    readers: Mapping[Path, str],
) -> str:
    """Say which part cannot be read, after trying each by itself; else which has other columns."""
    import _duckdb as duckdb

    kinds: dict[str, dict[str, str]] = {}

    def whole(part: Path) -> bool:
        try:
            columns = connection.execute(f"DESCRIBE SELECT * FROM {readers[part]}").fetchall()
            kinds[called[part]] = {row[0]: row[1] for row in columns}
            connection.execute(f"SELECT count(hash(t)) FROM {readers[part]} t").fetchall()
        except duckdb.Error:
            return False
        return True

    def why(part: Path) -> str:
        if kind_of(part) == "parquet":
            return f"{called[part]} of {name} is not a Parquet file, or it is damaged or cut off; write it again"
        return f"{explain(inspect_file(part))} ({called[part]} of {name})"

    reason = damaged(name, called, whole, why)
    if len(kinds) == len(readers):
        check_columns(name, {part: [*columns] for part, columns in kinds.items()})
        _check_kinds(name, kinds)
    return reason


def _check_kinds(name: str, kinds: Mapping[str, Mapping[str, str]]) -> None:
    """Refuse a part with texts in a column where the first has numbers, or the other way round."""
    (first, expected), *others = kinds.items()
    for part, here in others:
        for column, kind in here.items():
            before = expected.get(column, kind)
            if kind != before and "VARCHAR" in (kind, before):
                raise DataError(
                    f"{part} of {name} has {column!r} as {kind}, unlike {first}, which has {before}; write it "
                    "as one type in all parts"
                )
