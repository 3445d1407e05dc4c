"""Tables: a file or a frame that answers SQL, whatever it was."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.errors import DataError, OptionError
from tallymark.sources.connecting import connected, lack_of_room
from tallymark.sources.draw_codes import check_not_drawn
from tallymark.sources.files import check_names, check_path, unchanged
from tallymark.sources.frames import (
    NamedColumns,
    as_arrays,
    frame_names,
    is_spark,
    native,
    readable,
)
from tallymark.sources.judges.shaping import KnownTable
from tallymark.sources.sql import DATA, NUMBERED, ROW, ROWS, identifier, literal

if TYPE_CHECKING:
    import duckdb

FRAME_NAME = "data frame"
_FRAMES = ("pandas", "polars", "pyarrow")
_MOST_KEPT = 4_000_000
"""More rows of a columnar file are read again, which takes no memory, where they would be kept."""
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")
_LIST = re.compile(r"\[\d*\]$")


class SqlColumn(Struct, frozen=True):
    """A column as the user knows it and as SQL does; whether it holds numbers, or lists of them.

    One that was joined to the table comes ``of`` another.
    """

    name: str
    sql: str
    numeric: bool
    lists: bool = False
    of: str = ""


class SqlTable(Struct, frozen=True):
    """Rows that SQL finds under the name ``DATA``; in a connection of ours, tables may be made.

    Where the rows of some columns were ``kept``, these are not read again. Rows that live
    ``elsewhere`` stay there: only distinct ones with their counts come here. A ``columnar`` file is
    read again at little cost. Of a file that says
    itself who scored what, the roles are ``known``. ``where`` is the condition that its rows meet.
    """

    name: str
    columns: Mapping[str, SqlColumn]
    run: "Callable[[str], duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation]"
    why_unreadable: Callable[[], str]
    notes: tuple[str, ...] = ()
    ours: bool = True
    kept: frozenset[str] = frozenset()
    elsewhere: bool = False
    columnar: bool = False
    known: KnownTable | None = None
    where: str = ""

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        with our_words(self.name, self.why_unreadable):
            return self.run(query).fetchall()

    def keep(self, query: str, name: str) -> str:
        """Keep the answer of a query under a name; return what SQL finds it by."""
        if not self.ours:
            return f"({query})"
        with our_words(self.name, self.why_unreadable):
            self.run(f"CREATE TEMP TABLE {name} AS {query}")
        return name

    def with_rows(self, names: Iterable[str]) -> "SqlTable":
        """Keep every row of some columns, with its number; a table that is not ours is read again."""
        if not self.ours or (self.columnar and self._size() > _MOST_KEPT):
            return self
        chosen = {name: self.columns[name].sql for name in names}
        self.keep(f"SELECT {', '.join([ROW, *chosen.values()])} FROM {NUMBERED}", ROWS)
        return replace(self, kept=frozenset(chosen))

    def _size(self) -> int:
        [(size,)] = self.rows(f"SELECT count(*) FROM {DATA}")
        return int(size)

    def data(self, names: Iterable[str]) -> str:
        """What SQL finds the rows of some columns by."""
        return ROWS if self.kept.issuperset(names) else DATA

    def numbered(self, names: Iterable[str]) -> str:
        """The same, each row with its number."""
        return ROWS if self.kept.issuperset(names) else NUMBERED

    def arrays(self, query: str) -> dict[str, NDArray[Any]]:
        """Run a query and return its columns."""
        with our_words(self.name, self.why_unreadable):
            return self.run(query).fetchnumpy()


@contextmanager
def our_words(name: str, why_unreadable: Callable[[], str]) -> Iterator[None]:
    """Say in our words what the database says about the data; what it says about SQL is our bug."""
    import _duckdb as duckdb

    try:
        yield
    except (
        duckdb.InterruptException,
        duckdb.BinderException,
        duckdb.CatalogException,
        duckdb.ParserException,
        duckdb.SyntaxException,
    ):
        raise
    except duckdb.Error as problem:
        raise DataError(lack_of_room(name, str(problem)) or why_unreadable()) from None


@contextmanager
def open_table(
    source: object,
    *,
    sheet: str | None = None,
    records: str | None = None,
    memory_limit: str | None = None,
    allow_network: bool = False,
    engine: str = "duckdb",
    master: str | None = None,
    drawn: bool = False,
) -> Iterator[SqlTable]:
    """Open a file, frame, relation, mapping of columns or list of records for as long as needed.

    A table that answers SQL is taken as it is: that is what another engine makes. ``sheet`` names one of an Excel file; without it the first that is not hidden is read.
    ``records`` is the path to the records in a file of JSON. The database takes at most the
    ``memory_limit``, and reads an address only if it is ``allow_network``. Only who reads their
    weights takes sheets that were ``drawn``.
    """
    import _duckdb as duckdb

    if isinstance(source, str | PathLike):
        check_path(Path(source))
    elif sheet is not None or records is not None:
        file = "--records needs a file of JSON" if sheet is None else "--sheet needs an Excel file"
        raise OptionError(file)
    source = native(source)
    if isinstance(source, SqlTable):
        yield source
        return
    if engine == "spark" or is_spark(source):
        from tallymark.sources.spark import open_spark

        with open_spark(source, master, memory_limit) as table:
            yield table
        return
    if master is not None:
        raise OptionError("--master needs --engine spark")
    if is_relation(source):
        try:
            table = described(FRAME_NAME, partial(_query_relation, source))
            yield replace(table, ours=False)
        finally:
            with suppress(duckdb.Error):  # before DuckDB 2 the name stays in the user's connection
                source.query(DATA, f"DROP VIEW IF EXISTS {DATA}")
        return
    with unchanged(source), connected(memory_limit) as connection:
        table = _opened(connection, source, sheet, records, allow_network=allow_network)
        if not drawn:
            check_not_drawn(table.columns, table.name)
        yield table


def _opened(
    connection: "duckdb.DuckDBPyConnection",
    source: object,
    sheet: str | None,
    records: str | None,
    *,
    allow_network: bool,
) -> SqlTable:
    if not isinstance(source, str | PathLike):
        return _open_frame(connection, source)
    from tallymark.sources.readers import open_file

    return open_file(connection, source, sheet, records, allow_network=allow_network)


def is_relation(source: object) -> "TypeGuard[duckdb.DuckDBPyRelation]":
    """Whether the source is a relation of DuckDB; who has one has imported the package."""
    package = sys.modules.get("duckdb")
    return package is not None and isinstance(source, package.DuckDBPyRelation)


def check_one_sheet(table: SqlTable) -> None:
    """Refuse a file of several sheets where nothing could say which one was read."""
    if table.notes:
        raise DataError(
            f"{table.name} has more than one sheet; name one with --sheet, or save it as a file of "
            "its own"
        )


def write_parquet(columns: Mapping[str, NDArray[Any]], path: Path) -> None:
    """Write columns as a Parquet file."""
    with connected() as connection:
        connection.register(DATA, {name: _unmasked(column) for name, column in columns.items()})
        connection.execute(f"COPY {DATA} TO {literal(str(path))} (FORMAT parquet)")


def _unmasked(column: NDArray[Any]) -> NDArray[Any]:
    """Texts with None where they are missing: an older DuckDB writes a masked one as a word."""
    masked = isinstance(column, np.ma.MaskedArray) and column.dtype == object
    return np.array(column.tolist(), dtype=object) if masked else column


def _query_relation(relation: "duckdb.DuckDBPyRelation", query: str) -> "duckdb.DuckDBPyRelation":
    answer = relation.query(DATA, query)
    if answer is None:
        raise DataError("the DuckDB relation gives no rows")
    return answer


def _open_frame(connection: "duckdb.DuckDBPyConnection", source: object) -> SqlTable:
    connection.execute("SET enable_external_access = false")
    kind = type(source)
    known = kind.__module__.partition(".")[0] in _FRAMES
    frame = known and (hasattr(kind, "columns") or hasattr(kind, "get_fragments"))
    flows = hasattr(kind, "__arrow_c_stream__") and (not known or hasattr(kind, "read_next_batch"))
    if flows and not frame:
        return _open_stream(connection, source)
    called = source.name if isinstance(source, NamedColumns) else FRAME_NAME
    columns: Any = source if frame else as_arrays(source)
    names = frame_names(source) if frame else list(columns)
    check_names(called, names)
    if not names:
        raise DataError(f"the {called} has no columns")
    # every object column is text, whatever its first values are
    connection.execute("SET pandas_analyze_sample = 0")
    if frame:
        import duckdb as _  # noqa: F401  # frames are scanned by the package around the core

        columns = readable(columns, partial(_can_read, connection))
    connection.register(DATA, columns)
    return described(called, connection.execute, names=names)


def _can_read(connection: "duckdb.DuckDBPyConnection", frame: object) -> bool:
    import _duckdb as duckdb

    try:
        connection.register(DATA, frame)
    except (duckdb.Error, ValueError):  # which of them depends on its version
        return False
    return True


def _open_stream(connection: "duckdb.DuckDBPyConnection", source: object) -> SqlTable:
    """Keep what flows; a stream may flow only once."""
    import duckdb as _  # noqa: F401

    spent = (
        f"the {type(source).__name__} gives no rows. It can be read only once: read it into a table, "
        "and give that"
    )
    with our_words(FRAME_NAME, lambda: spent):
        connection.register("tallymark_stream", source)
        connection.execute(f"CREATE TEMP TABLE {DATA} AS SELECT * FROM tallymark_stream")
    [(rows,)] = connection.execute(f"SELECT count(*) FROM {DATA}").fetchall()
    if not rows:
        raise DataError(spent)
    return described(FRAME_NAME, connection.execute)


def described(
    name: str,
    run: "Callable[[str], duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation]",
    *,
    names: Sequence[str] = (),
    unreadable: Callable[[], str] | None = None,
    notes: tuple[str, ...] = (),
    columnar: bool = False,
) -> SqlTable:
    """A table whose columns the engine names: ``run`` answers queries on :data:`DATA`."""
    columns: dict[str, SqlColumn] = {}
    why = unreadable or (lambda: _mixed(name, columns, run))
    bare = SqlTable(name, {}, run, why)
    described = bare.rows(f"DESCRIBE SELECT * FROM {DATA}")
    shown = names if len(names) == len(described) else [row[0] for row in described]
    for known, row in zip(shown, described, strict=True):
        columns[known] = SqlColumn(
            known,
            identifier(row[0]),
            bool(_NUMERIC.fullmatch(row[1])),
            bool(_NUMERIC.fullmatch(_LIST.sub("", row[1], 1)) and _LIST.search(row[1])),
        )
    return SqlTable(name, columns, run, why, notes, columnar=columnar)


def _mixed(name: str, columns: Mapping[str, SqlColumn], run: Callable[[str], Any]) -> str:
    """Name the column that cannot be read."""
    import _duckdb as duckdb

    for column in columns.values():
        try:
            run(f"SELECT max(CAST({column.sql} AS VARCHAR)) FROM {DATA}").fetchall()
        except (duckdb.Error, UnicodeError):
            return (
                f"column {column.name!r} of {name} cannot be read: it holds values of several kinds, or text "
                "that is not Unicode. Mend it, or leave the column out"
            )
    return f"the {name} cannot be read: a column holds mixed values"
