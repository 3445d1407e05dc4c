"""Frames: scores that are in memory already, as columns that SQL can read."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import DataError
from tallymark.tally.arrays import is_missing, unmasked

FRAMES = ("pandas", "polars", "pyarrow", "duckdb", "_duckdb", "tallymark", "numpy")
"""Packages whose tables are taken as they are."""
LARGEST = np.iinfo(np.int64).max


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


def readable(frame: Any, can_read: Callable[[Any], bool]) -> Any:
    """The frame, its columns that the database cannot read written as numbers or texts.

    Whether it ``can_read`` a frame is asked of each column by itself. Python's own booleans in a
    pandas column of objects are written as SQL writes them.
    """
    if hasattr(frame, "iloc"):
        return _readable_pandas(frame, can_read)
    if can_read(frame):
        return frame
    frame = frame.collect() if hasattr(frame, "collect") else frame
    frame = frame.to_table() if hasattr(frame, "get_fragments") else frame
    for place, name in enumerate(frame_names(frame)):
        if can_read(frame.select([name])):
            continue
        if hasattr(frame, "with_columns"):  # polars
            column = frame.get_column(name)
            frame = frame.with_columns(type(column)(name, _listed(column.to_list())))
        else:
            values = sys.modules["pyarrow"].array(_listed(frame.column(place).to_pylist()))
            frame = frame.set_column(place, name, values)
    return frame


def _readable_pandas(frame: Any, can_read: Callable[[Any], bool]) -> Any:
    truths = {bool, np.bool_}
    kinds = enumerate(frame.dtypes)
    objects = [place for place, kind in kinds if kind.name == "object"]
    odd = [place for place in objects if truths & set(map(type, frame.iloc[:, place]))]
    if not can_read(frame):
        odd += [i for i in range(frame.shape[1]) if not can_read(frame.iloc[:, i].to_frame())]
    frame = frame.copy(deep=False) if odd else frame
    for place in odd:
        frame.isetitem(place, as_array(np.asarray(frame.iloc[:, place])))
    return frame


def _listed(values: Sequence[object]) -> list[object]:
    return list(as_array(values).tolist())


def as_arrays(source: object) -> dict[str, NDArray[Any]]:
    """A mapping of columns, or records, as arrays: numbers, or texts."""
    if isinstance(source, Mapping):
        columns = {str(name): _values(str(name), values) for name, values in source.items()}
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
    _check_lengths({name: len(values) for name, values in columns.items()})
    return {name: as_array(values) for name, values in columns.items()}


def _check_lengths(lengths: Mapping[str, int]) -> None:
    """Refuse columns of several lengths; the one that is named differs from most."""
    if len(set(lengths.values())) < 2:
        return
    [(most, _), *_] = Counter(lengths.values()).most_common()
    name = next(name for name, length in lengths.items() if length != most)
    raise DataError(
        f"the columns of the mapping differ in length: {name!r} has {lengths[name]:,} values, others "
        f"have {most:,}; give each column one value a row, and None where it is missing"
    )


def _values(name: str, values: object) -> Sequence[object] | NDArray[Any]:
    """The values of a column; an array stays one."""
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | Mapping):
        kind = "None" if values is None else type(values).__name__
        raise DataError(f"column {name!r} must be a list or array of values, got {kind}")
    if not isinstance(values, np.ndarray):
        return list(values)
    if values.ndim != 1:
        raise DataError(
            f"column {name!r} must have one value a row, got an array of shape {values.shape}; "
            "give each of its columns a name"
        )
    return values


def as_array(values: Sequence[object] | NDArray[Any]) -> NDArray[Any]:
    """The values of a column as numbers or, with None where one is missing, as texts."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        numbers = unmasked(values)
        if numbers.dtype.kind == "f":
            return numbers.astype(np.float64)
        if numbers.dtype.kind == "i" or not numbers.size or numbers.max() <= LARGEST:
            return numbers.astype(np.int64)
    values = values.tolist() if isinstance(values, np.ndarray) else values
    kinds = {type(value) for value in values}
    if kinds == {str}:
        return np.array(values, dtype=object)
    if kinds and all(issubclass(kind, int | np.integer) and kind is not bool for kind in kinds):
        with suppress(OverflowError):
            return np.array(values, dtype=np.int64)
    if all(issubclass(kind, float | np.floating | None.__class__) for kind in kinds):
        return np.array(values, dtype=np.float64)
    # whole numbers beside gaps go as text too: as floats a prompt 7 would be called 7.0
    return np.array([_text(value) for value in values], dtype=object)


def _text(value: object) -> str | None:
    """A value as SQL would write it."""
    if is_missing(value):
        return None
    return str(value).lower() if isinstance(value, bool | np.bool_) else str(value)
