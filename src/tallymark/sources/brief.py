"""Brief: the distinct rows of the columns that are needed, from one scan of a large file."""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from tallymark.sources.sql import DATA, KEPT, identifier
from tallymark.sources.tables import SqlTable

SAMPLE = 10_000
"""So many first rows tell whether it pays to keep distinct rows; a smaller table is read at once."""
MANY = SAMPLE // 8
"""A column with more values than this among the first rows makes nearly every row a distinct one."""
_MOST_COLUMNS = 200
TIMES = '"tallymark n"'
"""How often a row occurs; a name that no column of the user's has."""
_WHOLE = '"tallymark whole"'
"""Marks the row of all rows together, which has the measures."""


class Brief(Struct, frozen=True):
    """The distinct rows of some columns, with the number of each, where SQL finds them."""

    columns: frozenset[str]
    source: str

    def covers(self, names: Iterable[str]) -> bool:
        """Whether all these columns are here."""
        return self.columns.issuperset(names)

    def rows(self, columns: Sequence[str]) -> str:
        """Write the distinct rows of some columns, under their columns names, and ``TIMES``."""
        chosen = ", ".join(columns)
        return f"SELECT {chosen}, sum({TIMES}) AS {TIMES} FROM {self.source} GROUP BY {chosen}"


def differ_mostly(table: SqlTable, names: Sequence[str]) -> bool:
    """Whether nearly all of the first rows of some columns differ, or there are too many columns."""
    if not 0 < len(names) <= _MOST_COLUMNS:
        return True
    chosen = ", ".join(table.columns[name].sql for name in names)
    first = f"SELECT {chosen} FROM {DATA} LIMIT {SAMPLE}"
    [(different,)] = table.rows(f"SELECT count(*) FROM (SELECT DISTINCT {chosen} FROM ({first}))")
    return 2 * int(different) > SAMPLE


def make_brief(
    table: SqlTable, names: Sequence[str], read: str, measures: Sequence[str]
) -> tuple[Brief, tuple[Any, ...]]:
    """Keep the distinct rows of some columns; also return measures of all rows, from the same scan.

    ``read`` are the rows, as SQL, in which the columns are called ``b0 b1 …``.
    """
    columns = [table.columns[name].sql for name in names]
    by = ", ".join(f"b{i}" for i, _ in enumerate(columns))
    chosen = ", ".join(
        [*(f"b{i} AS {column}" for i, column in enumerate(columns)), f"count(*) AS {TIMES}"]
    )
    if not measures:  # a plain grouping is faster
        kept = table.keep(f"SELECT {chosen} FROM ({read}) GROUP BY {by}", KEPT)
        return Brief(frozenset(names), kept), table.rows(f"SELECT sum({TIMES}) FROM {kept}")[0]
    written = [f"{measure} AS {_measure(i)}" for i, measure in enumerate(measures)]
    kept = table.keep(
        f"SELECT {', '.join([chosen, f'grouping(b0) AS {_WHOLE}', *written])} FROM ({read}) "
        f"GROUP BY GROUPING SETS (({by}), ())",
        KEPT,
    )
    every = ", ".join([TIMES, *(_measure(i) for i, _ in enumerate(measures))])
    [measured] = table.rows(f"SELECT {every} FROM {kept} WHERE {_WHOLE} = 1")
    source = f"(SELECT {', '.join([*columns, TIMES])} FROM {kept} WHERE {_WHOLE} = 0)"
    return Brief(frozenset(names), source), measured


def _measure(i: int) -> str:
    return identifier(f"tallymark {i}")
