"""Repeating: an id, or a rater of a response, must not occur twice."""

from tallymark.sources.cells import ScoreCells, unit
from tallymark.sources.checks import Check
from tallymark.sources.roles import Roles
from tallymark.sources.sql import as_text, hashed
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
    if not _may_recur(table, roles, missing, rows=rows):
        return []
    several = f"SELECT {unit(cells)} FROM ({cells.sql}) WHERE id IS NOT NULL GROUP BY 1 HAVING count(*) > 1"
    if not table.rows(f"{several} LIMIT 1"):
        return []
    condition = f"{unit(cells)} IN ({several})"
    return [Check("duplicate", "", condition, "id", "duplicate id", by_id=True)]


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
