"""Profiles: what a glance at every column tells, for guessing what it means."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tallymark.sources.cells import Missing, as_double
from tallymark.sources.sql import DATA
from tallymark.sources.tables import Column, Table
from tallymark.sources.words import names_a_key


@dataclass(frozen=True, slots=True)
class Profile:
    """How many values a column has, how many are numbers, their range, how many differ (about).

    A column named like a key is only counted; any other is only looked at as numbers.
    """

    values: int
    rows: int
    distinct: int = 0
    numbers: int = 0
    low: float = float("nan")
    high: float = float("nan")

    @property
    def numeric(self) -> bool:
        """Mostly numbers: a few ``n/a`` do not turn scores into text."""
        return self.numbers > 0 and 2 * self.numbers >= self.values


def profile(table: Table, missing: Missing, labels: Sequence[str] = ()) -> dict[str, Profile]:
    """Look at all rows once, so that their order does not matter to what is guessed.

    Where the scale has words, these are the numbers to look for.
    """
    columns = list(table.columns.values())
    read = [f"{_cell(column, missing)} AS v{i}" for i, column in enumerate(columns)]
    # apart from the cells, because a column of the user may be called v0
    doubles = [f"{as_double(f'v{i}', labels)} AS d{i}" for i in range(len(columns))]
    wanted = [part for i, column in enumerate(columns) for part in _measures(i, column)]
    query = (
        f"SELECT count(*), {', '.join(wanted)} FROM (SELECT *, {', '.join(doubles)} "
        f"FROM (SELECT {', '.join(read)} FROM {DATA}))"
    )
    rows, *measured = table.rows(query)[0]
    rest = iter(measured)
    return {column.name: _profile(column, rest, rows) for column in columns}


def _cell(column: Column, missing: Missing) -> str:
    number = column.numeric and not names_a_key(column.name)
    return missing.cell(column, "number" if number else "text")


def _measures(i: int, column: Column) -> list[str]:
    if names_a_key(column.name):
        return [f"count(v{i})", f"approx_count_distinct(v{i})"]
    # a NaN written as text is a missing number, not a text; NaN is above all other numbers
    finite = f"FILTER (WHERE isfinite(d{i}))"
    return [
        f"count(v{i}) - count(*) FILTER (WHERE isnan(d{i}))",
        f"count(*) FILTER (WHERE NOT isnan(d{i}))",
        f"min(d{i}) {finite}",
        f"max(d{i}) {finite}",
    ]


def _profile(column: Column, measured: Iterator[float | None], rows: int) -> Profile:
    if names_a_key(column.name):
        values, distinct = (int(next(measured) or 0) for _ in range(2))
        return Profile(values, rows, distinct)
    values, numbers = (int(next(measured) or 0) for _ in range(2))
    low, high = (next(measured) for _ in range(2))
    if low is None or high is None:
        return Profile(values, rows, numbers=numbers)
    return Profile(values, rows, numbers=numbers, low=low, high=high)
