"""Labelled: people's scores in a table of their own, brought beside those of systems by id."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.sources import words
from tallymark.sources.beside import bring, keys_of
from tallymark.sources.drawn import (
    STRATUM_DRAWN,
    WEIGHT_DRAWN,
    DrawnDesign,
    design_of,
    label_columns,
)
from tallymark.sources.facts import DataFacts
from tallymark.sources.filters import LABELLED
from tallymark.sources.joining import Columns, columns_in
from tallymark.sources.labellers import humans_of
from tallymark.sources.roles import Roles, expand, listed, natural
from tallymark.sources.tables import SqlTable, check_one_sheet, open_table
from tallymark.sources.values import MissingWords

Key = tuple[str | None, ...]


class WithLabels(NamedTuple):
    """A table with the people's scores of another, why some lack one, and what to say of the two."""

    table: SqlTable
    roles: Roles
    lacking: str = ""
    guesses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def said_in(self, facts: DataFacts) -> DataFacts:
        """What was read, with what is to be said of the joining."""
        guesses, notes = (*self.guesses, *facts.guesses), (*facts.notes, *self.notes)
        return replace(facts, guesses=guesses, notes=notes)


class _Labels(Struct, frozen=True):
    """Rows of people's scores: their keys, all other columns, and who of them are people.

    A drawn sheet has a ``design``.
    """

    name: str
    keys: Sequence[Key]
    columns: Columns
    humans: tuple[str, ...]
    said: tuple[str, ...] = ()
    design: DrawnDesign | None = None

    def only(self, asked: Sequence[str]) -> "_Labels":
        """Those of the people who were asked for, if any were."""
        humans = tuple(name for name in expand(asked, self.humans) if name in self.humans)
        return replace(self, humans=humans, said=()) if humans else self


def join_labels(
    table: SqlTable,
    human_file: object,
    asked: Roles,
    missing: MissingWords,
    points: Mapping[str, float],
) -> WithLabels:
    """Bring people's scores beside a table, by the id of the response.

    A response without a row among them is one without a human score; rows without a response are
    counted. Where prompt or trait stand in both tables, they are part of the id.
    """
    _check_table(table, asked)
    with open_table(human_file, drawn=True) as people:
        check_one_sheet(people)
        here, there = _ids(table, people, asked)
        asked = _as_there(asked, people.name)
        more = [c for c in _parts(table, asked) if c in table.columns and c in people.columns]
        given = _read(people, [there, *more], asked, missing, points)
    rows = _rows(table, [here, *more], given)
    labelled = range(len(given.keys)) if given.design is None else given.design.kept
    kept = [i for i in labelled if given.keys[i] in rows]
    names = {name: _free(name, given.name, table) for name in given.columns}
    letters = {} if table.known is None else table.known.letters
    columns = {
        names[name]: _in_numbers([values[i] for i in kept], letters)
        for name, values in given.columns.items()
    }
    marked: Mapping[str, Sequence[str | None]] = {LABELLED: [given.name] * len(kept), **columns}
    joined = bring(table, [rows[given.keys[i]] for i in kept], marked, given.name)
    humans = tuple(names.get(name, name) for name in given.humans)
    gold = None if asked.gold is None else names.get(asked.gold, asked.gold)
    roles = replace(asked, humans=humans, gold=gold, id=here)
    guesses = (f"joined to {given.name} by {_shown(here, there, more)}", *given.said)
    notes, lacking = tuple(_unmatched(given, rows)), f"not in {given.name}"
    if given.design is not None:
        roles = replace(roles, weight=names[WEIGHT_DRAWN], stratum=names[STRATUM_DRAWN])
        notes, lacking = (*given.design.notes, *notes), f"no label in {given.name}"
    return WithLabels(joined, roles, lacking, guesses, notes)


def _in_numbers(values: Sequence[str | None], letters: Mapping[str, str]) -> Sequence[str | None]:
    """Labels as the numbers that the judge's tool has for them, where all are letters of it."""
    plain = [(value or "").strip().upper() for value in values]
    if not {*plain} - {""} <= letters.keys():
        return values
    return [letters.get(value) for value in plain]


def _as_there(asked: Roles, source: str) -> Roles:
    """People under the names that they have in their own table, without what tells them from others."""
    end = f" ({source})"
    gold = None if asked.gold is None else asked.gold.removesuffix(end)
    return replace(asked, humans=tuple(n.removesuffix(end) for n in asked.humans), gold=gold)


def _check_table(table: SqlTable, asked: Roles) -> None:
    if asked.long:
        raise OptionError(
            "--human-file joins one row per response; in a long table add people's scores as rows"
        )
    if table.elsewhere or not table.ours:
        raise OptionError(
            "--human-file needs a file or a frame that is read here; join the two tables where they are"
        )


def _ids(table: SqlTable, people: SqlTable, asked: Roles) -> tuple[str, str]:
    """The column of the id in either table."""
    known = None if table.known is None else table.known.roles.id
    if asked.id is None and known is None:
        both = [n for n in table.columns if n in people.columns and words.only_names_an_id(n)]
        both = [n for n in both if words.plain(n) == "id"] or both
        if len(both) != 1:
            shared = [name for name in table.columns if name in people.columns]
            which = listed(both or shared)
            raise OptionError(
                "--human-file is joined by id: name the column with --id"
                + (f" (in both tables: {which})" if which else "")
            )
        return both[0], both[0]
    here = asked.id if asked.id is not None and asked.id in table.columns else known
    there = asked.id if asked.id is not None and asked.id in people.columns else known
    for side, name in ((table, here), (people, there)):
        if name is None or name not in side.columns:
            columns, wanted = [*side.columns], asked.id or name or ""
            raise DataError(
                f"{side.name} has no column {wanted!r} (asked for as --id); it has "
                f"{listed(columns)}.{did_you_mean(wanted, columns)}"
            )
    return str(here), str(there)


def _parts(table: SqlTable, asked: Roles) -> list[str]:
    """The columns of prompt and trait, which tell responses of one id apart."""
    known = Roles() if table.known is None else table.known.roles
    named = asked.prompt or known.prompt, asked.trait or known.trait
    return [name for name in named if name is not None]


def _read(
    people: SqlTable,
    by: Sequence[str],
    asked: Roles,
    missing: MissingWords,
    points: Mapping[str, float],
) -> _Labels:
    """The rows of people's scores, one for each response."""
    others = [name for name in people.columns if name not in by]
    if not others:
        raise DataError(
            f"{people.name} has no column beside {listed(by)}; it needs people's scores"
        )
    keys = keys_of(people, by)
    if not keys:
        raise DataError(f"{people.name} has columns but no rows; it needs one row per response")
    lacking = [i for i, key in enumerate(keys, 1) if None in key]
    if lacking:
        rows = "1 row" if len(lacking) == 1 else f"{len(lacking):,} rows"
        raise DataError(
            f"{people.name} lacks {listed(by)} in {rows}, first in row {lacking[0]}; fill it in or "
            "leave the rows out"
        )
    labels = label_columns(others)
    given = columns_in(people, others)
    columns: Columns = {labels.get(name, name): values for name, values in given.items()}
    twice = _repeated(keys)
    if twice:
        rater, score = _long(others, asked)
        if not (rater and score):
            raise DataError(_once(people.name, by, twice, "people's scores"))
        return _pivoted(people.name, keys, columns, rater, score).only(asked.humans)
    design = design_of(people.name, keys, columns, [*labels.values()], asked, missing)
    if design is not None:
        columns = {**columns, **design.columns}
        asked = replace(asked, humans=asked.humans or tuple(labels.values()))
    humans, said = humans_of(people, by, [*columns], asked, missing, points)
    return _Labels(people.name, keys, columns, humans, said, design)


def _repeated(keys: Sequence[Key]) -> list[str]:
    return [str(key[0]) for key, times in Counter(keys).items() if times > 1]


def _once(name: str, by: Sequence[str], twice: Sequence[str], what: str) -> str:
    times = "1 id repeats" if len(twice) == 1 else f"{len(twice):,} ids repeat"
    return (
        f"{name}: {times} ({listed(twice[:3])}{', …' if len(twice) > 3 else ''}); {what} are joined "
        f"row by row, so each response needs its own {listed(by)}"
    )


def _long(others: Sequence[str], asked: Roles) -> tuple[str, str]:
    """The columns of rater and score where there is one row for each rating."""
    raters = [name for name in others if words.RATER.fullmatch(words.plain(name))]
    rest = [name for name in others if name not in raters]
    scores = [name for name in asked.humans if name in rest]
    scores = scores or [name for name in rest if words.LABEL.fullmatch(words.plain(name))]
    scores = scores or rest
    return (raters[0], scores[0]) if len(raters) == 1 and len(scores) == 1 else ("", "")


def _pivoted(name: str, keys: Sequence[Key], columns: Columns, rater: str, score: str) -> _Labels:
    """One row for each response, one column for each rater."""
    rows: dict[Key, dict[str, str | None]] = {}
    for key, who, value in zip(keys, columns[rater], columns[score], strict=True):
        given, person = rows.setdefault(key, {}), (who or "").strip()
        if not person or person in given:
            raise DataError(
                f"{name}: the response {key[0]!r} has two rows of the rater {person!r}; a rater scores "
                "a response once"
                if person
                else f"{name} lacks {rater!r} for the response {key[0]!r}; fill it in"
            )
        given[person] = value
    raters = sorted({person for given in rows.values() for person in given}, key=natural)
    each = {person: [given.get(person) for given in rows.values()] for person in raters}
    said = (f"human: {listed(raters)} (from {rater} of {name}, one row for each rating)",)
    return _Labels(name, [*rows], each, tuple(raters), said)


def _rows(table: SqlTable, by: Sequence[str], given: _Labels) -> dict[Key, int]:
    """The row of each response that people scored; refuse where nothing matches, or twice."""
    wanted, keys = set(given.keys), keys_of(table, by)
    twice = _repeated([key for key in keys if key in wanted])
    if twice:
        raise DataError(_once(table.name, by, twice, f"scores of {given.name}"))
    rows = {key: i for i, key in enumerate(keys, 1) if key in wanted}
    if not rows:
        other = next((str(key[0]) for key in keys if key[0]), "none")
        raise DataError(
            f"no id of {given.name} is in {table.name}, such as {given.keys[0][0]!r} against {other!r}; "
            "check --id"
        )
    return rows


def _free(name: str, source: str, table: SqlTable) -> str:
    """A name that no column of the table has."""
    while name in table.columns:
        name = f"{name} ({source})"
    return name


def _shown(here: str, there: str, more: Sequence[str]) -> str:
    return listed([here if here == there else f"{here} = {there}", *more])


def _unmatched(given: _Labels, rows: Mapping[Key, int]) -> list[str]:
    alone = [str(key[0]) for key in given.keys if key not in rows]
    if not alone:
        return []
    shown = f"{listed(alone[:3])}{', …' if len(alone) > 3 else ''}"
    left = f"{len(alone):,} of {len(given.keys):,} rows left out"
    whose = "its id" if len(alone) == 1 else "their ids"
    return [f"{given.name}: {left}, as no response has {whose} ({shown})"]
