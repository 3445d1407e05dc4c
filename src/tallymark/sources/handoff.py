"""Hand-off: the statement that tallies a table where it lives, and the few rows that it returns."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.results.cells import harmless
from tallymark.sources.conditions import compared, narrowed, only, parsed, written
from tallymark.sources.filters import SUPPRESSED
from tallymark.sources.guessing import guess_roles
from tallymark.sources.profiles import Profiles
from tallymark.sources.roles import Roles, listed, named_roles, written_out
from tallymark.sources.sql import DATA, NUMBERED, ROW, as_number, as_text, identifier, literal
from tallymark.sources.tables import SqlTable, open_table, write_parquet
from tallymark.sources.values import MissingWords, is_count

DIALECTS = ("duckdb", "spark", "postgres", "bigquery", "snowflake")
ENDINGS = (".parquet", ".csv")
_MOSTLY = 0.5
"""From this share of the responses on, cells are hardly fewer."""


class Wanted(Struct, frozen=True):
    """What is tallied: the columns that are kept apart, what counts a row, and the least count.

    ``times`` is the column with the number of responses of a row, None where a row is one;
    ``where`` the condition that rows must meet.
    """

    columns: tuple[str, ...]
    times: str | None = None
    count: str = "n"
    suppress: int = 0
    where: str | None = None


class WrittenTally(NamedTuple):
    """What stands in the file of a tally, and what should be said of it."""

    wanted: Wanted
    cells: int
    responses: int
    suppressed: int
    notes: tuple[str, ...]


def wanted_columns(
    roles: Roles,
    *,
    keep: Sequence[str] = (),
    count: str = "n",
    suppress: int = 0,
    where: str | None = None,
) -> Wanted:
    """The columns that roles name, once each; the id is none of them, for it has no cells."""
    if roles.long:
        raise OptionError(
            "a tally needs one row per response; turn the table of ratings into one column for "
            "each rater first"
        )
    if roles.id is not None:
        raise OptionError("a tally has no --id: each response would be a cell of its own")
    if suppress < 0:
        raise OptionError(f"--suppress must be 0 or more, got {suppress}")
    named = [named.column for named in roles.named(()) if named.option != "--count"]
    columns = tuple(dict.fromkeys([*named, *keep]))
    for name in (count, *([SUPPRESSED] if suppress else [])):
        if name.casefold() in {column.casefold() for column in columns}:
            raise OptionError(f"{name!r} is a column of the table; name another with --as")
    return Wanted(columns, roles.count, count, suppress, where)


def unseen(roles: Roles) -> Roles:
    """The columns that roles name in a table that nobody looked at: no pattern finds any there."""
    roles = written_out(roles, ())
    for named in roles.named(()):
        if "*" in named.column:
            raise OptionError(
                f"{named.option} {named.column!r} is a pattern, and the table is not looked at; name each "
                "column"
            )
    return roles


def statement(wanted: Wanted, source: str, dialect: str) -> str:
    """Write the statement that tallies a table in a warehouse, in its dialect of SQL.

    >>> print(statement(Wanted(("h1", "engine")), "exam.scores", "postgres"))
    SELECT "h1", "engine", COUNT(*) AS "n"
    FROM "exam"."scores"
    GROUP BY "h1", "engine";
    """
    if dialect not in DIALECTS:
        raise OptionError(
            f"--sql takes {listed(DIALECTS)}, got {dialect!r}.{did_you_mean(dialect, DIALECTS)}"
        )
    if not wanted.columns:
        raise OptionError("name the columns to tally: --human, --system, --group and so on")
    quote = _QUOTES.get(dialect, identifier)
    names = {name: quote(name) for name in wanted.columns}
    times = None if wanted.times is None else quote(wanted.times)
    table = _table(source, quote, dialect)
    if wanted.where is not None:
        texts = _in_backslashes if dialect in _BACKSLASHES else literal
        rule = written(
            parsed(wanted.where),
            lambda comparison: compared(comparison, quote(comparison.column), texts),
        )
        table += f"\nWHERE {rule}"
    return _written(wanted, names, times, table, quote) + ";"


def _written(
    wanted: Wanted,
    names: Mapping[str, str],
    times: str | None,
    table: str,
    quote: Callable[[str], str],
) -> str:
    """The statement, of columns and a table as SQL knows them; a small cell loses its scores."""
    count, by = quote(wanted.count), ", ".join(names.values())
    number = "COUNT(*)" if times is None else f"SUM({times})"
    chosen = ", ".join(
        sql if sql == quote(name) else f"{sql} AS {quote(name)}" for name, sql in names.items()
    )
    cells = f"SELECT {chosen}, {number} AS {count}\nFROM {table}\nGROUP BY {by}"
    if not wanted.suppress:
        return cells
    mark, least = quote(SUPPRESSED), wanted.suppress
    every = ", ".join(quote(name) for name in names)
    none = ", ".join(f"NULL AS {quote(name)}" for name in names)
    return (
        f"WITH cells AS (\n{cells}\n)\n"
        f"SELECT {every}, {count}, 0 AS {mark}\nFROM cells\nWHERE {count} >= {least}\n"
        f"UNION ALL\n"
        f"SELECT {none}, SUM({count}) AS {count}, 1 AS {mark}\nFROM cells\nWHERE {count} < {least}\n"
        f"HAVING SUM({count}) > 0"
    )


def _table(source: str, quote: Callable[[str], str], dialect: str) -> str:
    """The name of a table, each part quoted; BigQuery takes the whole in one pair of quotes."""
    parts = source.split(".")
    if not all(part.strip() for part in parts):
        raise OptionError(f"{source!r} is no name of a table; write it as in schema.table")
    return quote(source) if dialect == "bigquery" else ".".join(quote(part) for part in parts)


def _in_spark(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _in_bigquery(name: str) -> str:
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


_BACKSLASHES = ("spark", "bigquery", "snowflake")
"""Dialects in which a backslash in a text is the first of two characters."""


def _in_backslashes(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_QUOTES = {"spark": _in_spark, "bigquery": _in_bigquery}
"""How names are quoted where double quotes mean something else."""


def write_tally(
    source: object,
    to: Path,
    roles: Roles,
    *,
    keep: Sequence[str] = (),
    count: str = "n",
    suppress: int = 0,
    where: str | None = None,
    place: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[WrittenTally, bytes]:
    """Tally a file or frame; return what stands in the tally, and the bytes of its file.

    Columns are guessed only where none is named; neither the id nor a cluster is guessed.
    """
    if to.suffix.lower() not in ENDINGS:
        raise OptionError(f"--out {to.name} must end in {' or '.join(ENDINGS)}")
    with open_table(source, **place) as opened:
        table = opened if where is None else narrowed(opened, where)
        notes = only(table)
        if not roles.named(()) and not keep:
            roles, said = _guessed(table)
            notes += said
        wanted = wanted_columns(named_roles(roles, [*table.columns], table.name), keep=keep, count=count, suppress=suppress)  # fmt: skip
        for name in wanted.columns:
            if name not in table.columns:
                hint = did_you_mean(name, table.columns)
                raise DataError(f"{table.name} has no column {name!r} (asked for as --keep).{hint}")
        columns = {name: table.columns[name].sql for name in wanted.columns}
        times = wanted.times and _counts(table, wanted.times)
        query = _written(wanted, columns, times, DATA, identifier)
        order = ", ".join(map(identifier, (*wanted.columns, wanted.count)))
        arrays = table.arrays(f"SELECT * FROM ({query}) ORDER BY {order}")
    arrays[wanted.count] = arrays[wanted.count].astype("int64")
    return _described(wanted, arrays, notes), _contents(arrays, to.suffix.lower())


def _counts(table: SqlTable, name: str) -> str:
    """The column of counts as whole numbers; a row without one is refused, for it would be lost."""
    text = as_text(table.columns[name].sql)
    rows = f"SELECT {ROW} AS place, {text} AS v, {as_number(text)} AS n FROM {NUMBERED}"
    wrong = f"SELECT place, v FROM ({rows}) WHERE NOT {is_count('n')} ORDER BY place LIMIT 1"
    for place, value in table.rows(wrong):
        shown = "nothing" if value is None else repr(value)
        raise DataError(
            f"column {name!r} of {table.name} has a count that is missing, negative or not whole: {shown} in "
            f"row {place}. Mend it, or leave such rows out with --where"
        )
    return f"CAST({as_number(text)} AS BIGINT)"


def _guessed(table: SqlTable) -> tuple[Roles, tuple[str, ...]]:
    """Roles as ``evaluate`` would guess them, without what would make every response a cell."""
    columns = Profiles(table, MissingWords(), first=False)
    columns.start([])
    roles, guesses, _ = guess_roles(table.name, columns, Roles())
    if roles.long:
        return roles, ()
    said = [said for said in guesses if not said.startswith(("id:", "cluster:", "confidence"))]
    if roles.cluster is not None:
        said.append(
            f"responses seem to be clustered by {roles.cluster}, which is not kept: --cluster {roles.cluster} "
            "keeps it, else intervals take responses as independent"
        )
    kept = replace(roles, id=None, cluster=None, confidences={})
    return kept, tuple(said)


def _described(wanted: Wanted, arrays: Mapping[str, Any], notes: tuple[str, ...]) -> WrittenTally:
    counts = arrays[wanted.count]
    hidden = arrays[SUPPRESSED] == 1 if wanted.suppress else counts < 0
    cells, read = int((~hidden).sum()), int(counts.sum())
    if not read:
        raise DataError("the table has columns but no rows; it needs one row per response")
    values = {name: len(set(arrays[name].tolist())) for name in wanted.columns}
    widest = max(values, key=lambda name: values[name])
    if not wanted.suppress and read >= 100 and cells > _MOSTLY * read:
        notes += (
            f"{widest} has the most values, {values[widest]:,}; without it there are fewer cells",
        )
    return WrittenTally(wanted, cells, read, int(counts[hidden].sum()), notes)


def _contents(arrays: Mapping[str, Any], ending: str) -> bytes:
    if ending == ".csv":
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(arrays)
        writer.writerows(zip(*(column.tolist() for column in arrays.values()), strict=True))
        return harmless(text.getvalue()).encode()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tally.parquet"
        write_parquet(arrays, path)
        return path.read_bytes()
