"""Long tables: one row per rating; people and systems are raters."""

from msgspec.structs import replace

from tallymark.errors import DataError, did_you_mean
from tallymark.sources import words
from tallymark.sources.roles import Roles, expand, listed, natural
from tallymark.sources.sql import ROW
from tallymark.sources.tables import SqlTable
from tallymark.sources.values import MissingWords


def long_roles(
    table: SqlTable, roles: Roles, missing: MissingWords, *, people_only: bool = False
) -> tuple[Roles, tuple[str, ...], tuple[str, ...]]:
    """Name the raters who are people and those who are systems; also guesses and notes."""
    raters = _raters(table, roles, missing)
    systems, guesses = expand(roles.systems, raters), []
    if not systems and not people_only:
        systems = tuple(name for name in raters if words.SYSTEM.fullmatch(words.plain(name)))
        guesses.append(f"system: {', '.join(systems)} (from the names of the raters)")
    if not systems and not people_only:
        raise DataError(
            f"no rater of {table.name} looks like a system; name it with --system RATER (raters: "
            f"{listed(raters)}). To look at people alone, use `tallymark raters`."
        )
    humans = expand(roles.humans, raters)
    if not humans:
        humans = tuple(name for name in raters if name not in systems)
        guesses.append(f"human: {listed(humans)} (all other raters)")
    for name in (*systems, *humans):
        if name not in raters:
            raise DataError(
                f"{table.name} has no rater {name!r}; its raters are {listed(raters)}."
                f"{did_you_mean(name, raters)}"
            )
    if not humans:
        raise DataError(
            f"every rater of {table.name} is a system ({listed(raters)}); people are needed too"
        )
    both = [name for name in humans if name in systems]
    if both:
        raise DataError(f"rater {both[0]!r} is named both as a human and as a system")
    unused = [name for name in raters if name not in (*systems, *humans)]
    notes = (f"raters left out: {listed(unused)}",) if unused else ()
    return replace(roles, humans=humans, systems=systems), tuple(guesses), notes


def _raters(table: SqlTable, roles: Roles, missing: MissingWords) -> list[str]:
    rater, response = (table.columns[str(name)] for name in (roles.rater, roles.response))
    both = [rater.name, response.name]
    who, what = missing.text(rater), missing.text(response)
    first = table.rows(
        f"SELECT row, count(*) OVER () FROM (SELECT {ROW} AS row, {who} AS who, "
        f"{what} AS what FROM {table.numbered(both)}) WHERE who IS NULL OR what IS NULL ORDER BY row LIMIT 1"
    )
    if first:
        row, count = first[0]
        raise DataError(
            f"{table.name} lacks the response or the rater in row {row} (rows concerned: {count}). "
            "Every rating of a long table needs both: mend or remove these rows."
        )
    data = table.data([rater.name])
    names = [row[0] for row in table.rows(f"SELECT DISTINCT {who} AS who FROM {data}")]
    return sorted(names, key=natural)
