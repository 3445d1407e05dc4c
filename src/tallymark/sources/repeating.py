"""Repeating: an id, or a rater of a response, must not occur twice."""

from tallymark.sources.cells import ScoreCells, unit
from tallymark.sources.checks import Check
from tallymark.sources.tables import SqlTable

_HASHES = 8_000_000
"""So many hashes of ids are sorted at once."""


def repeat_checks(
    table: SqlTable, cells: ScoreCells, *, unique_ids: bool, rows: int
) -> list[Check]:
    """An id, or a rater of a response, must not occur twice; the table has so many ``rows``."""
    if cells.long:
        return [
            Check("duplicate", "", "repeated", "id", "response scored twice by one rater"),
            Check("differing", "", "differing", "id"),
        ]
    if not unique_ids or not _may_recur(table, cells, rows):
        return []
    several = f"SELECT {unit(cells)} FROM ({cells.sql}) WHERE id IS NOT NULL GROUP BY 1 HAVING count(*) > 1"
    if not table.rows(f"{several} LIMIT 1"):
        return []
    condition = f"{unit(cells)} IN ({several})"
    return [Check("duplicate", "", condition, "id", "duplicate id", by_id=True)]


def _may_recur(table: SqlTable, cells: ScoreCells, rows: int) -> bool:
    """Whether two ids have one hash: to sort hashes takes a third of the memory of a GROUP BY."""
    parts = 1 + rows // _HASHES
    for part in range(parts):
        found = table.arrays(
            f"SELECT h FROM (SELECT hash({unit(cells)}) AS h FROM ({cells.sql}) "
            f"WHERE id IS NOT NULL) WHERE h % {parts} = {part}"
        )["h"]
        found.sort()
        if (found[1:] == found[:-1]).any():
            return True
    return False
