"""Profiles: what a glance at every column tells, for guessing what it means."""

from collections.abc import Iterator
from dataclasses import dataclass

from tallymark.sources.cells import Missing
from tallymark.sources.sql import DATA
from tallymark.sources.tables import Column, Table


@dataclass(frozen=True, slots=True)
class Profile:
    """How many values a column has, how many are numbers, their range, how many differ (about)."""

    name: str
    values: int
    numbers: int
    low: float
    high: float
    distinct: int
    rows: int

    @property
    def numeric(self) -> bool:
        """Mostly numbers: a few ``n/a`` do not turn scores into text."""
        return self.numbers > 0 and 2 * self.numbers >= self.values


def profile(table: Table, missing: Missing) -> dict[str, Profile]:
    """Look at all rows once, so that their order does not matter to what is guessed."""
    wanted = [part for column in table.columns.values() for part in _measures(column, missing)]
    row = table.rows(f"SELECT count(*), {', '.join(wanted)} FROM {DATA}")[0]
    rows, rest = row[0], iter(row[1:])
    return {name: _profile(name, rest, rows) for name in table.columns}


def _measures(column: Column, missing: Missing) -> list[str]:
    text = missing.text(column)
    number = missing.number(
        f"CAST({column.sql} AS DOUBLE)" if column.numeric else f"TRY_CAST({text} AS DOUBLE)"
    )
    # a NaN written as text is a missing number, not a text
    filled = (
        number
        if column.numeric
        else (f"CASE WHEN isnan(TRY_CAST({text} AS DOUBLE)) THEN NULL ELSE {text} END")
    )
    finite = f"CASE WHEN isinf({number}) THEN NULL ELSE {number} END"
    return [
        f"count({filled})",
        f"count({number})",
        f"min({finite})",
        f"max({finite})",
        f"approx_count_distinct({filled})",
    ]


def _profile(name: str, cells: Iterator[float | None], rows: int) -> Profile:
    values, numbers, low, high, distinct = (next(cells) for _ in range(5))
    nan = float("nan")
    return Profile(
        name,
        int(values or 0),
        int(numbers or 0),
        nan if low is None else float(low),
        nan if high is None else float(high),
        int(distinct or 0),
        rows,
    )
