"""Columns as they stand in a table, row by row: confidences, class probabilities, ids, times."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.errors import DataError, did_you_mean
from tallymark.sources.conditions import narrowed
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, NOT_A_NUMBER, NUMBERED, ROW, as_text, is_infinite
from tallymark.sources.tables import SqlColumn, SqlTable, check_one_sheet, open_table
from tallymark.sources.values import MissingWords, as_double

Texts = NDArray[np.object_]


def read_columns(
    source: object,
    *,
    numbers: Mapping[str, str],
    texts: Mapping[str, str] | None = None,
    missing: Sequence[str] = (),
    place: Mapping[str, Any] = MappingProxyType({}),
    where: str | None = None,
    points: Mapping[str, Mapping[str, float]] | None = None,
) -> tuple[dict[str, Floats], dict[str, Texts]]:
    """Read columns in the order of their rows: numbers with NaN for gaps, texts with "" for them.

    Both map a column to what it is asked for as, which a message about it names. ``points`` are
    those of the words of a column of scores, ``place`` says where the table is. Rows outside of ``where``
    are not checked, but they are here: row 7 is the seventh.
    """
    words = MissingWords(tuple(str(word).strip() for word in missing))
    with open_table(source, **place) as table:
        check_one_sheet(table)
        asked = {**numbers, **(texts or {})}
        _check_known(table, asked)
        columns = table.columns
        cells = {
            name: _cell(words, columns[name], (points or {}).get(name, {})) for name in numbers
        }
        chosen = [
            f"coalesce({words.number(cell.number)}, {NOT_A_NUMBER}) AS n{i}"
            for i, cell in enumerate(cells.values())
        ]
        chosen += [
            f"coalesce({words.text(columns[name])}, '') AS t{i}"
            for i, name in enumerate(texts or {})
        ]
        arrays = table.arrays(
            f"SELECT 1 AS one{''.join(f', {expression}' for expression in chosen)} FROM {DATA}"
        )
        if not len(arrays["one"]):
            raise DataError(f"{table.name} has a header but no rows; it needs one row per response")
        checked = table if where is None else narrowed(table, where)
        for name, role in numbers.items():
            _check_numbers(checked, cells[name], columns[name], role)
        read = {name: _floats(arrays[f"n{i}"]) for i, name in enumerate(numbers)}
        written = {name: np.asarray(arrays[f"t{i}"], object) for i, name in enumerate(texts or {})}
    return read, written


class _Cell(NamedTuple):
    """A number as SQL reads it, and when a cell holds something else."""

    number: str
    wrong: str
    kind: str = "number"


def _cell(missing: MissingWords, column: SqlColumn, points: Mapping[str, float]) -> _Cell:
    if column.numeric and not points:
        number = f"CAST({column.sql} AS DOUBLE)"
        return _Cell(number, is_infinite(number))
    text = missing.text(column)
    number = as_double(text, points)
    wrong = f"({text} IS NOT NULL AND {number} IS NULL) OR {is_infinite(number)}"
    return _Cell(number, wrong, "word of the scale" if points else "number")


def _floats(values: NDArray[Any]) -> Floats:
    return np.asarray(np.ma.filled(values, np.nan), np.float64)


def _check_known(table: SqlTable, asked: Mapping[str, str]) -> None:
    known = [*table.columns]
    for name, role in asked.items():
        if name not in known:
            raise DataError(
                f"{table.name} has no column {name!r} ({role}); it has {listed(known)}."
                f"{did_you_mean(name, known)}"
            )


def _check_numbers(table: SqlTable, cell: _Cell, column: SqlColumn, role: str) -> None:
    """Refuse words, and numbers without end, where numbers belong."""
    first = table.rows(
        f"SELECT {ROW}, {as_text(column.sql)} FROM {NUMBERED} WHERE {cell.wrong} LIMIT 1"
    )
    if first:
        raise DataError(
            f"column {column.name!r} of {table.name} ({role}) holds {first[0][1]!r} in row "
            f"{first[0][0]}, which is no {cell.kind}; correct it, or name it with --missing"
        )
