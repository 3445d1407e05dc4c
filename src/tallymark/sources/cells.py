"""Cells: the SQL that makes one row per response out of a wide, slot or long table.

Every query below yields the columns ``id``, ``k0 k1 …`` (keys, as text), ``v0 v1 …`` (scores as
found), ``s0 s1 …`` (scores as numbers; where zeros are left out, ``z0 z1 …`` still have them) and
``n``, the number of rows; ``row`` is added where the answer names rows, and for
long tables ``r0 r1 …``, the row of each score. Row 1 is the first row of data: neither the header
nor blank lines count.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct, field

from tallymark.sources.brief import TIMES, Brief
from tallymark.sources.grids import Spacing
from tallymark.sources.roles import COUNT, LENGTH, SCORED, Roles, slots
from tallymark.sources.sql import DATA, RESPONSES, ROW, all_of, any_of, literal, numbered, once
from tallymark.sources.tables import SqlColumn, SqlTable
from tallymark.sources.values import Kind, MissingWords, as_double, is_count

_SEPARATOR = "chr(31)"


class ScoreCell(Struct, frozen=True):
    """One score of a response: its name in the tally, its column in messages, how it is read."""

    name: str
    column: str
    kind: Kind


class ScoreCells(Struct, frozen=True):
    """One row per response, as SQL; ``numbered`` also has the row, which costs a little more.

    Where the distinct rows were kept, ``brief`` has them, without the id. Scores with ``grids``
    are so many that those of an interval stand together.
    """

    scores: tuple[ScoreCell, ...]
    keys: tuple[str, ...]
    sql: str
    numbered: str
    long: bool
    brief: "BriefCells | None" = None
    grids: Mapping[int, Spacing] = field(default_factory=dict)

    @property
    def near(self) -> str:
        """How near to each other scores lie that stand together; nothing where none do."""
        if not self.grids:
            return ""
        parts = 1 << next(iter(self.grids.values())).level
        by_range = all(grid.least for grid in self.grids.values())
        return f"1/{8 * parts} of their range" if by_range else f"1/{parts} of a step of the scale"

    @property
    def tallied(self) -> str:
        """The rows to tally, as SQL: the distinct ones where they were kept."""
        return self.brief.sql if self.brief else self.sql

    def rows(self, chosen: Callable[[str], str], *, numbered: bool = True) -> str:
        """The responses of which ``chosen`` holds, a query of rows without their ids and numbers."""
        if self.brief is None:
            return chosen(self.numbered if numbered else self.sql)
        rows = self.brief.numbered if numbered else self.brief.rows
        sought = once("p", chosen(self.brief.sql))
        return f"{sought} SELECT * FROM p JOIN ({rows}) ON {self.brief.same}"

    def at(self, prefix: str) -> list[int]:
        """Return the positions of the scores whose name in the tally starts so."""
        return [i for i, cell in enumerate(self.scores) if cell.name.startswith(prefix)]

    def row(self, i: int) -> str:
        """Return the SQL name of the row in which a score stands, for ``numbered``."""
        return f"r{i}" if self.long else "row"

    @property
    def times(self) -> str:
        """Return the SQL that counts responses: rows, or the numbers that rows stand for."""
        places = self.at(COUNT)
        if not places:
            return "CAST(sum(n) AS BIGINT)"
        number = f"s{places[0]}"  # a row whose number cannot be read is one that is left out
        return f"CAST(sum(n * CASE WHEN {is_count(number)} THEN {number} ELSE 1 END) AS BIGINT)"

    def key(self, name: str) -> str | None:
        """Return the SQL name of a key, None when the table lacks it."""
        return f"k{self.keys.index(name)}" if name in self.keys else None


class BriefCells(Struct, frozen=True):
    """Distinct rows, the rows of the table to look them up in, and how the two are matched."""

    sql: str
    rows: str
    numbered: str
    same: str


def score_columns(roles: Roles, table: SqlTable) -> dict[str, str]:
    """Name every score of the tally and the column it comes from."""
    return {named.score: named.column for named in roles.named(table.columns) if named.score}


def wide_cells(
    table: SqlTable,
    roles: Roles,
    missing: MissingWords,
    words: Mapping[str, float],
    *,
    extra: Mapping[str, str] | None = None,
    no_zero: bool = False,
    brief: Brief | None = None,
    truths: Callable[[str], bool] = lambda _: False,
    worded: Callable[[str], bool] = lambda _: False,
) -> ScoreCells:
    """One row of the table is one response; ``extra`` columns are read as text, by SQL name."""
    columns = table.columns
    scores = tuple(
        ScoreCell(name, column, _kind(name, columns[column], words, truths, worded))
        for name, column in score_columns(roles, table).items()
    )
    raters = {
        f"rater:{slot.score}": slot.rater
        for slot in slots(roles.humans, [*columns])
        if slot.rater is not None
    }
    keys = roles.keys | raters
    texts = {f"k{i}": column for i, column in enumerate(keys.values())} | dict(extra or {})
    chosen = [f"{missing.text(columns[name])} AS {sql}" for sql, name in texts.items()]
    chosen += [
        f"{missing.cell(columns[cell.column], cell.kind)} AS v{i}" for i, cell in enumerate(scores)
    ]
    read = ", ".join(chosen)
    name = missing.text(columns[roles.id]) if roles.id else "NULL"
    made = _numbers(scores, missing, words, no_zero=no_zero)
    needed = dict.fromkeys([*texts.values(), *(cell.column for cell in scores)])
    every = [*needed, *([roles.id] if roles.id else [])]
    kept = None
    if brief is not None and brief.covers(needed):
        named = [columns[column].sql for column in needed]
        # of rows that stay elsewhere the distinct ones are all there is: they have no ids
        rows = f"({brief.rows(named)})" if table.elsewhere else DATA
        name = "NULL" if table.elsewhere else name
        kept = _brief_cells(brief, named, name, read, made, rows)
    return ScoreCells(
        scores,
        tuple(keys),
        f"SELECT *, {made} FROM (SELECT {name} AS id, {read}, 1 AS n FROM {table.data(every)})",
        f"SELECT *, {made} FROM (SELECT {ROW} AS row, {name} AS id, {read}, 1 AS n "
        f"FROM {table.numbered(every)})",
        long=False,
        brief=kept,
    )


def _brief_cells(
    brief: Brief, needed: Sequence[str], name: str, read: str, made: str, rows: str
) -> BriefCells:
    kept = ", ".join(f"{column} AS b{i}" for i, column in enumerate(needed))
    given = ", ".join(f"{column} AS a{i}" for i, column in enumerate(needed))
    return BriefCells(
        f"SELECT *, {made} FROM (SELECT {kept}, {read}, {TIMES} AS n FROM ({brief.rows(needed)}))",
        f"SELECT {name} AS id, {given} FROM {rows}",
        f"SELECT {ROW} AS row, {name} AS id, {given} FROM {numbered(rows)}",
        all_of(f"a{i} IS NOT DISTINCT FROM b{i}" for i, _ in enumerate(needed)),
    )


def long_cells(
    table: SqlTable,
    roles: Roles,
    missing: MissingWords,
    words: Mapping[str, float],
    *,
    no_zero: bool = False,
    truths: Callable[[str], bool] = lambda _: False,
    worded: Callable[[str], bool] = lambda _: False,
) -> ScoreCells:
    """Rows of one response, prompt and trait come together; every rater becomes a score.

    Two more columns say whether a rater scored the response twice (``repeated``) and whether a key
    such as the group differs between its rows (``differing``).
    """
    columns = table.columns
    score, rater, response = (
        columns[str(name)] for name in (roles.score, roles.rater, roles.response)
    )
    raters = {f"human:{name}": name for name in roles.humans}
    raters |= {f"system:{name}": name for name in roles.systems}
    kind_of = partial(_kind, words=words, truths=truths, worded=worded)
    kind, per_row = kind_of("human:", score), score_columns(roles, table)
    scores = tuple(ScoreCell(name, who, kind) for name, who in raters.items())
    scores += tuple(ScoreCell(n, c, kind_of(n, columns[c])) for n, c in per_row.items())
    keys = roles.keys
    selected = [f"{missing.text(response)} AS id", f"{missing.text(rater)} AS rater"]
    selected += [
        f"{missing.text(columns[column])} AS k{i}" for i, column in enumerate(keys.values())
    ]
    selected.append(f"{missing.cell(score, kind)} AS v")
    selected += [
        f"{missing.cell(columns[cell.column], cell.kind)} AS {cell.name}_of_row"
        for cell in scores[len(raters) :]
    ]
    every = [score.name, rater.name, response.name, *keys.values(), *per_row.values()]
    pivoted = _pivot([*keys], [*raters.values()], [f"{name}_of_row" for name in per_row])
    read = ", ".join(selected)
    base = (
        f"SELECT {pivoted.chosen} FROM (SELECT {read} FROM {table.data(every)}) {pivoted.grouped}"
    )
    numbered = (
        f"SELECT min(row) AS row, {pivoted.rows}, {pivoted.chosen} "
        f"FROM (SELECT {ROW} AS row, {read} FROM {table.numbered(every)}) {pivoted.grouped}"
    )
    made = _numbers(scores, missing, words, no_zero=no_zero)
    return ScoreCells(
        scores,
        tuple(keys),
        f"SELECT *, {made} FROM {table.keep(base, RESPONSES)}",
        f"SELECT *, {made} FROM ({numbered})",
        long=True,
    )


def is_score(name: str) -> bool:
    """Whether a score of the tally is one on the scale: of people, systems or their runs."""
    return name == "gold" or name.startswith(("human:", *SCORED))


def unit(cells: ScoreCells) -> str:
    """Write what an id must identify: the response within its prompt and trait."""
    parts = [key for key in (cells.key("prompt"), cells.key("trait")) if key is not None]
    return f" || {_SEPARATOR} || ".join(["id", *(f"coalesce({part}, '')" for part in parts)])


class _Pivot(Struct, frozen=True):
    chosen: str
    rows: str
    grouped: str


def _pivot(keys: Sequence[str], raters: Sequence[str], per_row: Sequence[str]) -> _Pivot:
    same = [f"k{i}" for i, key in enumerate(keys) if key in ("prompt", "trait")]
    varying = [f"k{i}" for i, key in enumerate(keys) if f"k{i}" not in same]
    # no aggregate with FILTER: their memory grows with the square of their number
    by = [f"CASE WHEN rater = {literal(name)} THEN" for name in raters]
    times = ", ".join(f"count({when} v END)" for when in by)
    chosen = ["1 AS n", "id", *same, *(f"min({key}) AS {key}" for key in varying)]
    chosen += [f"min({when} v END) AS v{i}" for i, when in enumerate(by)]
    chosen.append(f"greatest({times}, 0) > 1 AS repeated")
    chosen += [f"min({name}) AS v{i}" for i, name in enumerate(per_row, start=len(by))]
    apart = [f"min({key}) <> max({key})" for key in (*varying, *per_row)]
    chosen.append(f"{any_of(apart)} AS differing")
    rows = [f"min({when} row END) AS r{i}" for i, when in enumerate(by)]
    rows += [f"min(row) AS r{i}" for i, _ in enumerate(per_row, start=len(by))]
    return _Pivot(", ".join(chosen), ", ".join(rows), f"GROUP BY {', '.join(['id', *same])}")


def _kind(
    name: str,
    column: SqlColumn,
    words: Mapping[str, float],
    truths: Callable[[str], bool],
    worded: Callable[[str], bool],
) -> Kind:
    score = is_score(name)
    if words and score:
        return "label"
    if column.numeric:
        return "number"
    if name == LENGTH and worded(column.name):
        return "size"
    return "truth" if score and truths(column.name) else "text"


def _numbers(
    scores: Sequence[ScoreCell], missing: MissingWords, words: Mapping[str, float], *, no_zero: bool
) -> str:
    def read(i: int, kind: Kind) -> str:
        if kind in ("number", "size"):
            return f"v{i}"
        if kind != "label":
            return missing.number(as_double(f"v{i}", {}, truths=kind == "truth"))
        return missing.number(as_double(f"v{i}", words))

    made = []
    for i, cell in enumerate(scores):
        number = read(i, cell.kind)
        if no_zero and (cell.name == "gold" or cell.name.startswith("human:")):
            made.append(f"{number} AS z{i}")
            number = f"nullif({number}, 0)"
        made.append(f"{number} AS s{i}")
    return ", ".join(made)
