"""Tables: a file or a frame that answers SQL, whatever it was."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import DataError
from tallymark.sources.files import DELIMITERS, ScoreFile, check_names, explain, inspect_file
from tallymark.sources.sql import DATA, identifier, literal

if TYPE_CHECKING:
    import duckdb

FRAME_NAME = "data frame"
_FRAMES = ("pandas", "polars", "pyarrow")
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)")
_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the user knows it, as SQL knows it, and whether its type is a number."""

    name: str
    sql: str
    numeric: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that SQL finds under the name ``DATA``."""

    name: str
    columns: Mapping[str, Column]
    run: "Callable[[str], duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation]"
    why_unreadable: Callable[[], str]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows."""
        with self._our_words():
            return self.run(query).fetchall()

    def arrays(self, query: str) -> dict[str, NDArray[Any]]:
        """Run a query and return its columns."""
        with self._our_words():
            return self.run(query).fetchnumpy()

    @contextmanager
    def _our_words(self) -> Iterator[None]:
        import duckdb

        try:
            yield
        except (duckdb.InvalidInputException, duckdb.ConversionException, duckdb.IOException):
            raise DataError(self.why_unreadable()) from None
        except duckdb.OutOfMemoryException:
            raise DataError(f"{self.name} needs more memory than there is") from None


@contextmanager
def open_table(source: object) -> Iterator[Table]:
    """Open a file, frame, relation, mapping of columns or list of records for as long as needed."""
    import duckdb

    if isinstance(source, duckdb.DuckDBPyRelation):
        yield _described(FRAME_NAME, partial(_query_relation, source))
        return
    with duckdb.connect(config=_OFFLINE) as connection:
        if isinstance(source, str | PathLike):
            yield _open_file(connection, Path(source))
        else:
            yield _open_frame(connection, source)


def _query_relation(relation: "duckdb.DuckDBPyRelation", query: str) -> "duckdb.DuckDBPyRelation":
    answer = relation.query(DATA, query)
    if answer is None:
        raise DataError("the DuckDB relation gives no rows")
    return answer


def _open_frame(connection: "duckdb.DuckDBPyConnection", source: object) -> Table:
    connection.execute("SET enable_external_access = false")
    kind = type(source)
    if kind.__module__.partition(".")[0] in _FRAMES and hasattr(kind, "columns"):
        frame: object = source
        names = _frame_names(source)
    else:
        frame = _as_arrays(source)
        names = list(frame)
    check_names(FRAME_NAME, names)
    if not names:
        raise DataError(f"the {FRAME_NAME} has no columns")
    # every object column is text, whatever its first values are
    connection.execute("SET pandas_analyze_sample = 0")
    connection.register(DATA, frame)
    return _described(FRAME_NAME, connection.execute, names=names)


def _frame_names(frame: Any) -> list[str]:
    if hasattr(frame, "collect_schema"):  # polars, also a lazy frame
        return list(frame.collect_schema().names())
    names = frame.column_names if hasattr(frame, "column_names") else frame.columns
    return [str(name) for name in names]


def _open_file(connection: "duckdb.DuckDBPyConnection", path: Path) -> Table:
    file = inspect_file(path)
    if file.format == "excel":
        connection.register(DATA, _excel_sheet(file))
        return _described(file.name, connection.execute)
    # a bracket keeps * ? [ in a file name from being read as a pattern
    name = literal(re.sub(r"([*?\[])", r"[\1]", str(path.resolve())))
    connection.execute(f"SET allowed_paths = [{literal(str(path.resolve()))}, {name}]")
    connection.execute("SET enable_external_access = false")

    def unreadable() -> str:
        return explain(file)

    if file.format == "parquet":
        reader = f"read_parquet({name})"
    elif file.format == "jsonl":
        reader = _json_reader(connection, name, unreadable)
    else:
        reader = _text_reader(file, name)
    import duckdb

    try:
        connection.execute(f"CREATE TEMP VIEW {DATA} AS SELECT * FROM {reader}")
    except (duckdb.InvalidInputException, duckdb.IOException):
        raise DataError(unreadable()) from None
    return _described(file.name, connection.execute, names=file.header, unreadable=unreadable)


def _text_reader(file: ScoreFile, name: str) -> str:
    # our own names: DuckDB takes 'a' and 'A' for the same column
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(file.header)))
    return (
        f"read_csv({name}, auto_detect = false, header = true, columns = {{{columns}}}, "
        f"delim = {literal(DELIMITERS[file.format])}, quote = '\"', escape = '\"', "
        "encoding = 'utf-8')"
    )


def _json_reader(
    connection: "duckdb.DuckDBPyConnection", name: str, unreadable: Callable[[], str]
) -> str:
    import duckdb

    options = "format = 'newline_delimited', records = true"
    try:
        described = connection.execute(
            f"DESCRIBE SELECT * FROM read_json({name}, {options}, maximum_depth = 1, "
            "sample_size = -1, map_inference_threshold = -1)"
        ).fetchall()
    except (duckdb.InvalidInputException, duckdb.IOException, duckdb.BinderException):
        raise DataError(unreadable()) from None
    check_names("the JSON file (capitals do not count)", [row[0].casefold() for row in described])
    columns = ", ".join(f"{literal(row[0])}: 'VARCHAR'" for row in described)
    return f"read_json({name}, {options}, columns = {{{columns}}})"


def _excel_sheet(file: ScoreFile) -> object:
    try:
        import fastexcel
    except ImportError:
        raise DataError(
            f'{file.name} is an Excel file; reading it needs: pip install "tallymark[excel]"'
        ) from None
    try:
        return fastexcel.read_excel(str(file.path)).load_sheet(0, dtypes="string")
    except fastexcel.FastExcelError:
        raise DataError(
            f"{file.name} is not an Excel file, or it is damaged; save it again"
        ) from None


def _as_arrays(source: object) -> dict[str, NDArray[Any]]:
    if isinstance(source, Mapping):
        columns = {str(name): list(values) for name, values in source.items()}
    elif isinstance(source, Sequence) and all(isinstance(record, Mapping) for record in source):
        names = dict.fromkeys(str(name) for record in source for name in record)
        columns = {name: [record.get(name) for record in source] for name in names}
    else:
        raise DataError(
            f"cannot read scores from a {type(source).__name__}; give a file name, a data frame "
            "or a mapping of column names to values"
        )
    if len({len(values) for values in columns.values()}) > 1:
        raise DataError("the columns of the mapping differ in length")
    return {name: _as_array(values) for name, values in columns.items()}


def _as_array(values: Sequence[object]) -> NDArray[Any]:
    kinds = {type(value) for value in values}
    if kinds and all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        return np.array(values, dtype=np.int64)
    if all(issubclass(kind, float | np.floating | None.__class__) for kind in kinds):
        return np.array(values, dtype=np.float64)
    # whole numbers beside gaps go as text too: as floats a prompt 7 would be called 7.0
    return np.array([None if value is None else str(value) for value in values], dtype=object)


def _described(
    name: str,
    run: "Callable[[str], duckdb.DuckDBPyConnection | duckdb.DuckDBPyRelation]",
    *,
    names: Sequence[str] = (),
    unreadable: Callable[[], str] | None = None,
) -> Table:
    why = unreadable or (lambda: f"the {name} cannot be read: a column holds mixed values")
    bare = Table(name, {}, run, why)
    described = bare.rows(f"DESCRIBE SELECT * FROM {DATA}")
    shown = names if len(names) == len(described) else [row[0] for row in described]
    columns = {
        known: Column(known, identifier(row[0]), bool(_NUMERIC.fullmatch(row[1])))
        for known, row in zip(shown, described, strict=True)
    }
    return Table(name, columns, run, why)
