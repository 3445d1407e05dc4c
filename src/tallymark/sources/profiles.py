"""Profiles: what a glance at a column tells, for guessing what it means."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from tallymark.sources.cells import MissingWords, as_double
from tallymark.sources.sql import DATA
from tallymark.sources.tables import SqlColumn, SqlTable
from tallymark.sources.words import names_a_key

_AT_ONCE = 200
"""So many columns are looked at in one query; a query grows faster than its columns."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How many values a column has, how many are numbers, their range, how many differ (about).

    A column named like a key is only counted; any other is only looked at as numbers.
    """

    values: int
    distinct: int = 0
    numbers: int = 0
    low: float = float("nan")
    high: float = float("nan")

    @property
    def numeric(self) -> bool:
        """Mostly numbers: a few ``n/a`` do not turn scores into text."""
        return self.numbers > 0 and 2 * self.numbers >= self.values


@dataclass(slots=True)
class Profiles:
    """The columns of a table, each looked at when it is first asked for.

    All rows are looked at, so that their order does not matter to what is guessed. Where the scale
    has words, these are the numbers to look for.
    """

    table: SqlTable
    missing: MissingWords
    labels: Sequence[str] = ()
    rows: int = 0
    known: dict[str, Profile] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """All columns, looked at or not."""
        return [*self.table.columns]

    def __getitem__(self, name: str) -> Profile:
        self.look([name])
        return self.known[name]

    def look(self, names: Iterable[str]) -> None:
        """Look at columns that are not known yet, at many with few queries."""
        new = [self.table.columns[name] for name in names if name not in self.known]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            self.rows, *measured = self.table.rows(self._query(some))[0]
            rest = iter(measured)
            self.known |= {column.name: _profile(column, rest) for column in some}

    def text_in(self, name: str) -> str:
        """One of the texts that stand where numbers belong."""
        cell = self.missing.text(self.table.columns[name])
        number = as_double("v", self.labels)
        found = self.table.rows(
            f"SELECT min(v) FROM (SELECT {cell} AS v FROM {DATA}) WHERE ({number}) IS NULL"
        )
        return str(found[0][0])

    def _query(self, columns: Sequence[SqlColumn]) -> str:
        read, doubles, wanted = [], [], []
        for i, column in enumerate(columns):
            number = column.numeric and not names_a_key(column.name)
            read.append(f"{self.missing.cell(column, 'number' if number else 'text')} AS v{i}")
            # apart from the cells, because a column of the user may be called v0
            double = f"v{i}" if number and not self.labels else as_double(f"v{i}", self.labels)
            doubles.append(f"{double} AS d{i}")
            wanted += _measures(i, column)
        # no aggregate with FILTER: their memory grows with the square of their number
        return (
            f"SELECT count(*), {', '.join(wanted)} FROM (SELECT *, {', '.join(doubles)} "
            f"FROM (SELECT {', '.join(read)} FROM {DATA}))"
        )


def _measures(i: int, column: SqlColumn) -> list[str]:
    if names_a_key(column.name):
        return [f"count(v{i})", f"approx_count_distinct(v{i})"]
    # a NaN written as text is a missing number, not a text; NaN is above all other numbers
    finite = f"CASE WHEN isfinite(d{i}) THEN d{i} END"
    return [
        f"count(CASE WHEN d{i} IS NULL OR NOT isnan(d{i}) THEN v{i} END)",
        f"count(CASE WHEN NOT isnan(d{i}) THEN d{i} END)",
        f"min({finite})",
        f"max({finite})",
    ]


def _profile(column: SqlColumn, measured: Iterator[float | None]) -> Profile:
    if names_a_key(column.name):
        values, distinct = (int(next(measured) or 0) for _ in range(2))
        return Profile(values, distinct)
    values, numbers = (int(next(measured) or 0) for _ in range(2))
    low, high = (next(measured) for _ in range(2))
    if low is None or high is None:
        return Profile(values, numbers=numbers)
    return Profile(values, numbers=numbers, low=low, high=high)
