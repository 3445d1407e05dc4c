"""Exports: files that we read ourselves, opened as tables that answer SQL: of judges' tools, and JSON."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from tallymark.errors import OptionError
from tallymark.sources.files import check_names
from tallymark.sources.judges.recognising import read_export
from tallymark.sources.judges.shaping import KnownTable
from tallymark.sources.sql import DATA
from tallymark.sources.tables import SqlTable, described

if TYPE_CHECKING:
    import duckdb


def open_export(
    connection: "duckdb.DuckDBPyConnection", path: Path, sheet: str | None, records: str | None
) -> SqlTable | None:
    """Open a file of a judge's tool, or of JSON; None for any other table."""
    export = read_export(path, records)
    if export is None:
        return None
    if sheet is not None:
        raise OptionError(f"--sheet needs an Excel file; {path.name} has no sheets")
    connection.execute("SET enable_external_access = false")
    known = export if isinstance(export, KnownTable) else None
    columns = export.columns if isinstance(export, KnownTable) else export
    check_names(path.name, [*columns])
    connection.execute("SET pandas_analyze_sample = 0")
    cells = {f"c{i}": np.array(cells, dtype=object) for i, cells in enumerate(columns.values())}
    connection.register(DATA, cells)
    return replace(described(path.name, connection.execute, names=[*columns]), known=known)
