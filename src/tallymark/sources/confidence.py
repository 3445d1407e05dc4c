"""Columns as they stand in a table, row by row: confidences, class probabilities, ids, times."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import DataError, did_you_mean
from tallymark.sources.roles import listed
from tallymark.sources.sql import DATA, NOT_A_NUMBER, NUMBERED, ROW, as_number, as_text, is_infinite
from tallymark.sources.tables import SqlColumn, SqlTable, check_one_sheet, open_table
from tallymark.sources.values import MissingWords

Floats = NDArray[np.float64]
Texts = NDArray[np.object_]


def read_columns(
    source: object,
    *,
    numbers: Mapping[str, str],
    texts: Mapping[str, str] | None = None,
    missing: Sequence[str] = (),
    sheet: str | None = None,
    records: str | None = None,
) -> tuple[dict[str, Floats], dict[str, Texts]]:
    """Read columns in the order of their rows: numbers with NaN for gaps, texts with "" for them.

    Both map a column to what it is asked for as, which a message about it names.
    """
    words = MissingWords(tuple(str(word).strip() for word in missing))
    with open_table(source, sheet=sheet, records=records) as table:
        check_one_sheet(table)
        asked = {**numbers, **(texts or {})}
        _check_known(table, asked)
        columns = table.columns
        chosen = [f"{_as_number(words, columns[name])} AS n{i}" for i, name in enumerate(numbers)]
        chosen += [
            f"coalesce({words.text(columns[name])}, '') AS t{i}"
            for i, name in enumerate(texts or {})
        ]
        arrays = table.arrays(
            f"SELECT 1 AS one{''.join(f', {expression}' for expression in chosen)} FROM {DATA}"
        )
        if not len(arrays["one"]):
            raise DataError(f"{table.name} has a header but no rows; it needs one row per response")
        for name, role in numbers.items():
            _check_numbers(table, words, columns[name], role)
        read = {name: _floats(arrays[f"n{i}"]) for i, name in enumerate(numbers)}
        written = {name: np.asarray(arrays[f"t{i}"], object) for i, name in enumerate(texts or {})}
    return read, written


def _as_number(words: MissingWords, column: SqlColumn) -> str:
    if column.numeric:
        return f"coalesce({words.number(f'CAST({column.sql} AS DOUBLE)')}, {NOT_A_NUMBER})"
    number = as_number(words.text(column))
    return f"coalesce({words.number(number)}, {NOT_A_NUMBER})"


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


def _check_numbers(table: SqlTable, words: MissingWords, column: SqlColumn, role: str) -> None:
    """Refuse words, and numbers without end, where numbers belong."""
    if column.numeric:
        wrong = is_infinite(f"CAST({column.sql} AS DOUBLE)")
    else:
        text = words.text(column)
        number = as_number(text)
        wrong = f"({text} IS NOT NULL AND {number} IS NULL) OR {is_infinite(number)}"
    first = table.rows(f"SELECT {ROW}, {as_text(column.sql)} FROM {NUMBERED} WHERE {wrong} LIMIT 1")
    if first:
        raise DataError(
            f"column {column.name!r} of {table.name} ({role}) holds {first[0][1]!r} in row "
            f"{first[0][0]}, which is no number; correct it, or name it with --missing"
        )
