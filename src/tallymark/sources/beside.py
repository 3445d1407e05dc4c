"""Beside: further columns brought to some rows of a table, which stays where it is and in its order."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tallymark.sources.sql import DATA, NUMBERED, ROW, as_key, identifier, literal
from tallymark.sources.tables import SqlColumn, SqlTable

_GIVEN, _BESIDE, _BOTH = "tallymark_given", "tallymark_beside", "tallymark_both"
Texts = Sequence[str | None]


def keys_of(table: SqlTable, names: Sequence[str]) -> list[tuple[str | None, ...]]:
    """The keys of all rows, in the order of the rows."""
    columns = [table.columns[name] for name in names]
    chosen = ", ".join(as_key(column.sql, numeric=column.numeric) for column in columns)
    return [tuple(row) for row in table.rows(f"SELECT {chosen} FROM {NUMBERED} ORDER BY {ROW}")]


def bring(
    table: SqlTable, rows: Sequence[int], columns: Mapping[str, Texts], source: str
) -> SqlTable:
    """Add columns of texts of another table: ``rows`` are the numbers of the rows that they belong to."""
    named = {name: identifier(f"tallymark beside {i}") for i, name in enumerate(columns)}
    lists = [f"unnest({_listed(columns[name])}) AS {sql}" for name, sql in named.items()]
    numbers = ", ".join(map(str, rows))
    table.run(
        f"CREATE TEMP TABLE {_GIVEN} AS "
        f"SELECT {', '.join([f'unnest([{numbers}]::BIGINT[]) AS place', *lists])}"
    )
    chosen = ", ".join(named.values())
    table.run(
        f"CREATE TEMP TABLE {_BESIDE} AS SELECT {chosen} FROM (SELECT {ROW} FROM {NUMBERED}) "
        f"LEFT JOIN {_GIVEN} ON {ROW} = place ORDER BY {ROW}"
    )
    table.run(f"CREATE TEMP VIEW {_BOTH} AS SELECT * FROM {DATA} POSITIONAL JOIN {_BESIDE}")
    added = {name: SqlColumn(name, sql, numeric=False, of=source) for name, sql in named.items()}
    return replace(
        table,
        columns={**table.columns, **added},
        run=lambda query: table.run(query.replace(DATA, _BOTH)),
    )


def _listed(texts: Texts) -> str:
    values = ", ".join("NULL" if text is None else literal(text) for text in texts)
    return f"[{values}]::VARCHAR[]"
