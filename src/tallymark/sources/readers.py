"""Readers: how DuckDB reads a file of each format."""

from collections import Counter
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from tallymark.errors import DataError, OptionError
from tallymark.sources.exports import open_export
from tallymark.sources.files import ScoreFile, check_names
from tallymark.sources.folders import parts_of
from tallymark.sources.inspecting import inspect_file
from tallymark.sources.network import address_of, open_address
from tallymark.sources.parts import only_these, open_parts, text_reader
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, literal
from tallymark.sources.tables import SqlTable, described, our_words

if TYPE_CHECKING:
    import duckdb


def open_file(
    connection: "duckdb.DuckDBPyConnection",
    source: str | PathLike[str],
    sheet: str | None,
    records: str | None = None,
    *,
    allow_network: bool = False,
) -> SqlTable:
    """Open a file under the name ``DATA``; nothing else can be reached from then on."""
    path, address = Path(source), address_of(str(source))
    if address is not None and not path.exists():
        return _open_address(connection, address, allowed=allow_network)
    parts = parts_of(path)
    if parts:
        if sheet is not None:
            raise OptionError(f"--sheet needs an Excel file; {path.name} has no sheets")
        return open_parts(connection, path, parts)
    export = open_export(connection, path, sheet, records)
    if export is not None:
        return export
    file = inspect_file(path)
    if file.format == "excel":
        return _open_sheet(connection, file, sheet)
    if sheet is not None:
        raise OptionError(f"--sheet needs an Excel file; {file.name} has no sheets")
    [name] = only_these(connection, [path])

    def unreadable() -> str:
        from tallymark.sources.explaining import explain

        return explain(file)

    with our_words(file.name, unreadable):
        if file.format == "parquet":
            reader = f"read_parquet({name}, hive_partitioning = false)"
        elif file.format == "jsonl":
            reader = _json_reader(connection, file.name, name)
        else:
            reader = text_reader(file, name)
        connection.execute(f"CREATE TEMP VIEW {DATA} AS SELECT * FROM {reader}")
    return described(
        file.name,
        connection.execute,
        names=file.header,
        unreadable=unreadable,
        columnar=file.format == "parquet",
    )


def _open_address(
    connection: "duckdb.DuckDBPyConnection", address: str, *, allowed: bool
) -> SqlTable:
    def unreadable() -> str:
        return f"{address} cannot be read; see whether it exists, and whether you may read it"

    with our_words(address, unreadable):
        open_address(connection, address, allowed=allowed)
    name = address.rpartition("/")[2]
    return described(name, connection.execute, unreadable=unreadable)


def _json_reader(connection: "duckdb.DuckDBPyConnection", source: str, name: str) -> str:
    rows = connection.execute(
        f"SELECT DISTINCT json_keys(json) FROM read_ndjson_objects({name}, hive_partitioning = false)"
    ).fetchall()
    several = sorted(keys for (keys,) in rows)
    for keys in several:
        check_names(source, keys)
    names = list(dict.fromkeys(key for keys in sorted(several, key=len)[::-1] for key in keys))
    check_names(source, names)
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
