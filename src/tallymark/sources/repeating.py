"""Repeating: an id, or a rater of a response, must not occur twice."""

from tallymark.errors import DataError
from tallymark.sources.cells import ScoreCells, unit
from tallymark.sources.checks import Check
from tallymark.sources.roles import Roles
from tallymark.sources.sql import DATA, as_text, hashed
from tallymark.sources.tables import SqlColumn, SqlTable
from tallymark.sources.values import MissingWords

_HASHES = 12_000_000
"""So many hashes of ids are sorted at once."""


def repeat_checks(
    table: SqlTable, cells: ScoreCells, roles: Roles, missing: MissingWords, *, rows: int
) -> list[Check]:
    """An id, or a rater of a response, must not occur twice."""
    if cells.long:
        return [
            Check("duplicate", "", "repeated", "id", "response scored twice by one rater"),
            Check("differing", "", "differing", "id"),
        ]
    if table.elsewhere:
        _check_there(table, roles, missing)
        return []
    if not _may_recur(table, roles, missing, rows=rows):
        return []
    several = f"SELECT {unit(cells)} FROM ({cells.sql}) WHERE id IS NOT NULL GROUP BY 1 HAVING count(*) > 1"
    if not table.rows(f"{several} LIMIT 1"):
        return []
    condition = f"{unit(cells)} IN ({several})"
    return [Check("duplicate", "", condition, "id", "duplicate id", by_id=True)]


def _check_there(table: SqlTable, roles: Roles, missing: MissingWords) -> None:
    """Refuse ids that repeat in a table whose rows stay elsewhere: nothing can be left out of it here."""
    columns = [c for c in (roles.id, roles.prompt, roles.trait) if c is not None]
    texts = [f"{missing.text(table.columns[c])} AS i{k}" for k, c in enumerate(columns)]
    by = ", ".join(f"i{k}" for k, _ in enumerate(columns))
    several = (
        f"SELECT i0 FROM (SELECT {', '.join(texts)} FROM {DATA}) WHERE i0 IS NOT NULL "
        f"GROUP BY {by} HAVING count(*) > 1"
    )
    [(name, times)] = table.rows(f"SELECT min(i0), count(*) FROM ({several})")
    if times:
        raise DataError(
            f"{table.name} has the id {name!r} more than once (ids that repeat: {times:,}); each response "
            "needs its own. Remove them where the table lives"
        )


def _may_recur(table: SqlTable, roles: Roles, missing: MissingWords, *, rows: int) -> bool:
    """Whether two ids have one hash: to sort hashes takes a third of the memory of a GROUP BY."""
    name, *others = (
        table.columns[column]
        for column in (roles.id, roles.prompt, roles.trait)
        if column is not None
    )
    within = [f"coalesce({_distinct(column, missing)}, '')" for column in others]
    key = hashed([_distinct(name, missing), *within])
    parts = 1 + rows // _HASHES
    data = table.data([name.name, *(column.name for column in others)])
    for part in range(parts):
        hashes = table.arrays(
            f"SELECT h FROM (SELECT {key} AS h FROM {data} WHERE {name.sql} IS NOT NULL) "
            f"WHERE h % {parts} = {part}"
        )["h"]
        hashes.sort()
        if (hashes[1:] == hashes[:-1]).any():
            return True
    return False


def _distinct(column: SqlColumn, missing: MissingWords) -> str:
    """Write what differs where the text of a cell does, with few calls: each row pays for them."""
    if missing.words:
        return missing.text(column)
    text = as_text(column.sql)
    if column.numeric:
        return text
    return f"CASE WHEN {text} LIKE ' %' OR {text} LIKE '% ' THEN trim({text}) ELSE {text} END"
