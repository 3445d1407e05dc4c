"""Labellers: which columns of a table of their own hold people's scores."""

from collections.abc import Mapping, Sequence

from tallymark.errors import DataError
from tallymark.sources import words
from tallymark.sources.guessing import guess_roles
from tallymark.sources.profiles import Profiles
from tallymark.sources.roles import Roles, expand, listed, slots
from tallymark.sources.tables import SqlTable
from tallymark.sources.values import MissingWords


def humans_of(
    people: SqlTable,
    by: Sequence[str],
    others: Sequence[str],
    asked: Roles,
    missing: MissingWords,
    points: Mapping[str, float],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of people's scores: as named, as the file says, or guessed."""
    if asked.humans or asked.gold is not None:
        humans = expand(asked.humans, [*others])
        named = [slot.score for slot in slots(humans, others)] + [asked.gold]
        if not any(name in others for name in named):
            raise DataError(
                f"{people.name} has none of the columns {listed([str(n) for n in named if n])}; it has "
                f"{listed(others)}"
            )
        return humans, ()
    if people.known is not None and people.known.roles.humans:
        humans = people.known.roles.humans
        return humans, (*people.known.guesses[:1], f"human: {listed(humans)} (from {people.name})")
    humans = tuple(others) if len(others) == 1 else _guessed(people, by, missing, points)
    if not humans:
        humans = tuple(n for n in others if words.LABEL.fullmatch(words.plain(n)))
    if not humans:
        raise DataError(
            f"no column of {people.name} looks like a human score; name it with --human COLUMN "
            f"({listed(others)})"
        )
    return humans, (f"human: {listed(humans)} (from {people.name})",)


def _guessed(
    people: SqlTable, by: Sequence[str], missing: MissingWords, points: Mapping[str, float]
) -> tuple[str, ...]:
    """The columns that are named like people's scores; none where none is."""
    columns = Profiles(people, missing, points)
    columns.start(())
    keys = Roles(id=by[0], prompt=next(iter(by[1:]), None), trait=next(iter(by[2:]), None))
    try:
        roles, _, _ = guess_roles(people.name, columns, keys, people_only=True)
    except DataError:
        return ()
    return () if roles.long else roles.humans
