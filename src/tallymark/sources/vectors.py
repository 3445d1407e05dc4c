"""Vectors: numbers that stand for texts, made elsewhere; ``read_vectors`` gives one row a response."""

from collections import Counter
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources.files import check_file
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, NOT_A_NUMBER, as_text, elements, size_of
from tallymark.sources.tables import SqlColumn, SqlTable, open_table


def read_vectors(
    source: object, *, rows: int, key: str | None = None, ids: Sequence[str] | None = None
) -> Floats:
    """Read vectors, rows x dimensions, in the order of the rows of a table.

    A ``.npy`` file or an array has one vector for each of the ``rows``, in their order. A Parquet
    file or a frame has a column of the name ``key``, whose values are those of ``ids``, and beside
    it one column of lists or one column for each dimension; vectors of other ids are not used.
    """
    if isinstance(source, str | PathLike):
        path = Path(source)
        check_file(path)
        if path.suffix.lower() == ".npy":
            return _checked(_loaded(path), path.name, rows)
        if path.suffix.lower() not in {".parquet", ".pq"}:
            raise DataError(f"--vectors must name a .npy or .parquet file, got {path.name}")
        return _joined(path, path.name, key, ids)
    if isinstance(source, Sequence | np.ndarray):
        return _checked(np.asarray(source), "the array of vectors", rows)
    return _joined(source, "the frame of vectors", key, ids)


def _loaded(path: Path) -> NDArray[Any]:
    """The array of a file of NumPy; one that holds objects, which could run code, is refused."""
    try:
        return np.asarray(np.load(path, allow_pickle=False))
    except (ValueError, EOFError, OSError):
        raise DataError(
            f"{path.name} is not a readable .npy array of numbers; write it with "
            "numpy.save(file, vectors), where vectors is a plain array of floats"
        ) from None


def _checked(array: NDArray[Any], name: str, rows: int) -> Floats:
    """The array as numbers, with as many rows as the table has."""
    if array.ndim != 2 or array.dtype.kind not in "fiu" or not array.shape[1]:
        raise DataError(
            f"{name} must hold numbers, responses x dimensions; it holds {array.dtype} of the shape "
            f"{' x '.join(map(str, array.shape)) or 'of a single value'}"
        )
    if len(array) != rows:
        raise DataError(
            f"{name} has {len(array):,} rows and the table {rows:,}; one vector for each row is needed, "
            "in the same order. A Parquet file with the ids is joined by --id"
        )
    return _finite(array.astype(np.float64), name, [f"row {i}" for i in range(1, rows + 1)])


def _finite(vectors: Floats, name: str, rows: Sequence[str]) -> Floats:
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if wrong.size:
        raise DataError(
            f"{name} has missing or infinite numbers in {wrong.size:,} of {len(vectors):,} vectors, first "
            f"in {rows[wrong[0]]}; give each response a whole vector"
        )
    return vectors


def _joined(source: object, name: str, key: str | None, ids: Sequence[str] | None) -> Floats:
    """The vectors of a table in the order of ids."""
    if key is None or ids is None:
        raise OptionError(
            f"{name} is joined by id: name the column with --id, or give a .npy file with one row for "
            "each row of the table"
        )
    with open_table(source) as table:
        if key not in table.columns:
            known = [*table.columns]
            raise DataError(
                f"{name} has no column {key!r} (asked for as --id); it has {listed(known)}."
                f"{did_you_mean(key, known)}"
            )
        written = table.rows(f"SELECT trim({as_text(table.columns[key].sql)}) FROM {DATA}")
        here = [text or "" for (text,) in written]
        vectors = _of_table(table, [column for n, column in table.columns.items() if n != key])
    place = _places(here, name, key)
    lacking = [text for text in ids if text not in place]
    if lacking:
        raise DataError(
            f"{name} has no vector for {len(lacking):,} of {len(ids):,} responses, such as "
            f"{lacking[0]!r} in {key!r}; add them"
        )
    order = [place[text] for text in ids]
    return _finite(vectors[order], name, [f"that of {text!r}" for text in ids])


def _places(ids: Sequence[str], name: str, key: str) -> dict[str, int]:
    twice = [text for text, times in Counter(ids).items() if times > 1]
    if twice:
        raise DataError(f"{name} has more than one vector for {twice[0]!r} in {key!r}; keep one")
    return {text: i for i, text in enumerate(ids)}


def _of_table(table: SqlTable, columns: Sequence[SqlColumn]) -> Floats:
    """The numbers beside the id: one column of lists, or a column for each dimension."""
    if len(columns) == 1 and columns[0].lists:
        return _of_lists(table, columns[0])
    other = [column.name for column in columns if not column.numeric]
    if other or not columns:
        raise DataError(
            f"{table.name} should hold an id and one column of lists, or a column of numbers for each "
            f"dimension; it has {listed(other) if other else 'nothing else'}"
        )
    cells = ", ".join(
        f"coalesce(CAST({column.sql} AS DOUBLE), {NOT_A_NUMBER}) AS d{i}"
        for i, column in enumerate(columns)
    )
    arrays = table.arrays(f"SELECT {cells} FROM {DATA}")
    return np.stack([np.asarray(arrays[f"d{i}"], float) for i in range(len(columns))], axis=1)


def _of_lists(table: SqlTable, column: SqlColumn) -> Floats:
    sizes = {size for (size,) in table.rows(f"SELECT DISTINCT {size_of(column.sql)} FROM {DATA}")}
    if len(sizes) != 1 or not next(iter(sizes)):
        raise DataError(
            f"the lists of {column.name!r} in {table.name} must be of one length; there are "
            f"{listed(sorted(str(size or 0) for size in sizes))}"
        )
    query = f"SELECT {elements(column.sql)} AS e FROM {DATA}"
    values = table.arrays(f"SELECT coalesce(e, {NOT_A_NUMBER}) AS e FROM ({query})")["e"]
    return np.asarray(values, np.float64).reshape(-1, int(next(iter(sizes))))
