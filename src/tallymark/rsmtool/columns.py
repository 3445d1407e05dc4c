"""Columns: a file as RSMTool's reader sees it, each column of whole numbers, numbers or text."""

import json
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import DataError
from tallymark.sources.sql import DATA
from tallymark.sources.tables import open_table

Columns = dict[str, NDArray[Any]]
Floats = NDArray[np.float64]
NO_VALUE = frozenset(
    {
        "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
        "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
    }
)  # fmt: skip
"""Texts that mean a missing value, as RSMTool's reader takes them."""
_TRUTHS = {"True": True, "TRUE": True, "true": True, "False": False, "FALSE": False, "false": False}


def read_columns(path: Path, texts: Collection[str] = ()) -> Columns:
    """Read a file; columns in ``texts`` stay as they are written."""
    return read_noted(path, texts)[0]


def read_noted(path: Path, texts: Collection[str] = ()) -> tuple[Columns, tuple[str, ...]]:
    """Read a file, and note which of several sheets was read."""
    if path.suffix.lower() == ".sas7bdat":
        raise DataError(
            f"{path.name} is a SAS file, which Tallymark does not read; export it as CSV, in SAS "
            "with PROC EXPORT, and name that file"
        )
    with open_table(path) as table:
        arrays = table.arrays(f"SELECT * FROM {DATA}")
        names = list(table.columns)
        notes = tuple(note.replace(" (--sheet)", "; put yours first") for note in table.notes)
    written = {name: _texts(column) for name, column in zip(names, arrays.values(), strict=True)}
    if path.suffix.lower() in (".jsonlines", ".jsonl", ".ndjson"):
        written = _unnested(written)
    columns = {
        name: _as_objects(values) if name in texts else typed(values)
        for name, values in written.items()
    }
    return columns, notes


def typed(values: Sequence[str]) -> NDArray[Any]:
    """Read a column as whole numbers, else numbers, truth values or text, whichever fits all."""
    distinct = set(values)
    if "_" in "".join(distinct):  # Python takes 1_000 for a number
        return _texts_or_truths(values)
    kinds: tuple[Callable[[str], float], ...] = (int, float, _number_or_none)
    for kind in kinds:
        try:
            if 2 * len(distinct) > len(values):
                return np.array([*map(kind, values)])
            read = {value: kind(value) for value in distinct}
            return np.array([*map(read.__getitem__, values)])
        except (ValueError, OverflowError):
            continue
    return _texts_or_truths(values)


def _number_or_none(value: str) -> float:
    return np.nan if value.strip() in NO_VALUE else float(value)


def numbers(column: NDArray[Any]) -> Floats:
    """Read a column as numbers; whatever is none, or infinite, is NaN."""
    if column.dtype.kind == "O":
        read = np.array([_number(value) for value in column.tolist()], dtype=np.float64)
    else:
        read = column.astype(np.float64)
    return np.where(np.isfinite(read), read, np.nan)


def _number(value: Any) -> float:
    try:
        return np.nan if "_" in str(value) else float(value)
    except ValueError:
        return np.nan


def _texts(column: NDArray[Any]) -> list[str]:
    if isinstance(column, np.ma.MaskedArray):
        column = column.filled("")
    return ["" if value is None else str(value) for value in column.tolist()]


def _as_objects(values: Sequence[str]) -> NDArray[Any]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _texts_or_truths(values: Sequence[str]) -> NDArray[Any]:
    if values and all(value in _TRUTHS for value in values):
        return np.array([_TRUTHS[value] for value in values])
    return _as_objects(["" if value in NO_VALUE else value for value in values])


def _unnested(columns: dict[str, list[str]]) -> dict[str, list[str]]:
    """Replace a column of JSON objects by one column for each of their keys."""
    unnested: dict[str, list[str]] = {}
    for name, values in columns.items():
        given = [value for value in values if value]
        if not (given and all(value.startswith("{") for value in given)):
            unnested[name] = values
            continue
        try:
            objects = [json.loads(value) if value else {} for value in values]
        except RecursionError:
            raise DataError(
                f"column {name} holds objects nested too deeply; write their values as columns"
            ) from None
        except ValueError:  # texts that only begin as objects do
            unnested[name] = values
            continue
        for key in dict.fromkeys(chain.from_iterable(objects)):
            unnested[key] = [_written(object_.get(key)) for object_ in objects]
    return unnested


def _written(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)
