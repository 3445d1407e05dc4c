"""Frames: scores that are in memory already, as columns that SQL can read."""

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import DataError

FRAMES = ("pandas", "polars", "pyarrow", "duckdb", "_duckdb", "tallymark", "numpy")
"""Packages whose tables are taken as they are."""


class NamedColumns(dict[str, Any]):
    """Columns of a table that was read already, and what messages call it."""

    def __init__(self, name: str, columns: Mapping[str, Any]) -> None:
        super().__init__(columns)
        self.name = name


def is_spark(source: object) -> bool:
    """Whether the source is a frame of Spark, classic or by Spark Connect."""
    kind = type(source)
    return kind.__module__.startswith("pyspark.sql") and hasattr(kind, "createOrReplaceTempView")


def native(source: Any) -> Any:
    """The frame that DuckDB can read behind one that it cannot: of narwhals, ibis, Dask and others.

    Known by what they can do, so that none of them has to be installed.
    """
    kind = type(source)
    if isinstance(source, Mapping | Sequence | PathLike) or is_spark(source):
        return source
    if kind.__module__.partition(".")[0] in FRAMES:
        return source
    if hasattr(kind, "to_native"):
        return native(source.to_native())
    if hasattr(kind, "__arrow_c_stream__"):
        return source
    for way in ("compute", "to_pyarrow", "to_arrow", "to_pandas"):
        if hasattr(kind, way):
            return native(getattr(source, way)())
    return source


def frame_names(frame: Any) -> list[str]:
    """The names of a frame's columns."""
    if hasattr(frame, "collect_schema"):  # polars, also a lazy frame
        return list(frame.collect_schema().names())
    if not hasattr(frame, "columns"):  # a dataset of pyarrow, which is read in pieces
        return list(frame.schema.names)
    names = frame.column_names if hasattr(frame, "column_names") else frame.columns
    return [str(name) for name in names]


def as_arrays(source: object) -> dict[str, NDArray[Any]]:
    """A mapping of columns, or records, as arrays: numbers, or texts."""
    if isinstance(source, Mapping):
        columns = {str(name): _values(values) for name, values in source.items()}
    elif isinstance(source, Sequence) and all(isinstance(record, Mapping) for record in source):
        names = dict.fromkeys(str(name) for record in source for name in record)
        columns = {name: [record.get(name) for record in source] for name in names}
    else:
        kind = type(source).__name__
        what = "None" if source is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        raise DataError(
            f"cannot read scores from {what}; give a file name, a data frame "
            "or a mapping of column names to values"
        )
    if len({len(values) for values in columns.values()}) > 1:
        raise DataError("the columns of the mapping differ in length")
    return {name: _as_array(values) for name, values in columns.items()}


def _values(values: Iterable[object]) -> Sequence[object] | NDArray[Any]:
    """The values of a column; an array of numbers stays one."""
    plain = isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "if"
    return values if isinstance(values, np.ndarray) and plain else list(values)


def _as_array(values: Sequence[object] | NDArray[Any]) -> NDArray[Any]:
    if isinstance(values, np.ndarray):
        return values.astype(np.int64 if values.dtype.kind == "i" else np.float64)
    kinds = {type(value) for value in values}
    if kinds and all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        return np.array(values, dtype=np.int64)
    if all(issubclass(kind, float | np.floating | None.__class__) for kind in kinds):
        return np.array(values, dtype=np.float64)
    if kinds == {str}:
        return np.array(values, dtype=object)
    # whole numbers beside gaps go as text too: as floats a prompt 7 would be called 7.0
    return np.array([None if value is None else str(value) for value in values], dtype=object)
