"""Counted: a tally written out again, for what needs each response by itself."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources.joining import Columns, columns_of

MOST = 5_000_000
"""More responses than this are not written out; each takes some hundred bytes."""


def written_out(source: object, count: str, place: Mapping[str, Any]) -> Columns:
    """The columns of a tally, each row as often as its count says."""
    name, columns = columns_of(source, place)
    if count not in columns:
        hint = did_you_mean(count, columns)
        raise DataError(f"{name} has no column {count!r} (asked for as --count).{hint}")
    times = [_times(name, count, row, text) for row, text in enumerate(columns.pop(count), 1)]
    total = sum(times)
    if total > MOST:
        raise OptionError(
            f"{name} stands for {total:,} responses, and a certificate looks at each by itself: {MOST:,} "
            "are the most. Draw so many at random"
        )
    places = np.repeat(np.arange(len(times)), times).tolist()
    return {column: [values[i] for i in places] for column, values in columns.items()}


def _times(name: str, count: str, row: int, text: str | None) -> int:
    try:
        number = float(text or "")
    except ValueError:
        number = -1.0
    if number < 0 or not number.is_integer():
        raise DataError(
            f"column {count!r} of {name} (asked for as --count) holds {text!r} in row {row}; a count is "
            "a whole number"
        )
    return int(number)
