"""Brief: the distinct rows of the columns that may be needed, so that a large file is read once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tallymark.sources.sql import DATA
from tallymark.sources.tables import SqlTable

SAMPLE = 10_000
"""So many first rows tell whether it pays to keep distinct rows; a smaller table is read at once."""
MANY = SAMPLE // 8
"""A column with more values than this among the first rows makes nearly every row a distinct one."""
_MOST_COLUMNS = 200
TIMES = '"tallymark n"'
"""How often a row occurs; a name that no column of the user's has."""


@dataclass(frozen=True, slots=True)
class Brief:
    """The distinct rows of some columns, with the number of each, where SQL finds them."""

    columns: frozenset[str]
    source: str

    def covers(self, names: Iterable[str]) -> bool:
        """Whether all these columns are here."""
        return self.columns.issuperset(names)

    def rows(self, columns: Sequence[str]) -> str:
        """Write the distinct rows of some columns, under their own names, and ``TIMES``."""
        chosen = ", ".join(columns)
        return f"SELECT {chosen}, sum({TIMES}) AS {TIMES} FROM {self.source} GROUP BY {chosen}"


def make_brief(table: SqlTable, names: Sequence[str]) -> Brief | None:
    """Keep the distinct rows of some columns; None where nearly all rows differ."""
    if not 0 < len(names) <= _MOST_COLUMNS:
        return None
    chosen = ", ".join(table.columns[name].sql for name in names)
    first = f"SELECT {chosen} FROM {DATA} LIMIT {SAMPLE}"
    [(different,)] = table.rows(f"SELECT count(*) FROM (SELECT DISTINCT {chosen} FROM ({first}))")
    if 2 * different > SAMPLE:
        return None
    distinct = f"SELECT {chosen}, count(*) AS {TIMES} FROM {DATA} GROUP BY {chosen}"
    return Brief(frozenset(names), table.keep(distinct))
