"""Guessing: roles that the user did not name, from column names and, for systems, from values."""

import re
import shlex

from msgspec.structs import replace

from tallymark.errors import DataError
from tallymark.sources import words
from tallymark.sources.guesser import FROM_NAMES, Guesser
from tallymark.sources.guessing_keys import (
    guess_id,
    guess_keys,
    guess_long,
    long_options,
    note_traits,
)
from tallymark.sources.left_out import has_scores, left_out, why_not
from tallymark.sources.profiles import Profiles
from tallymark.sources.roles import Roles, listed

_RATER_SLOT = re.compile(r"(?:rater|annotator|grader|marker|judge)(?:_id)?_?(?:\d+)")
_NUMBERED = re.compile(r"(.*?)_?(\d+)")
_MANY_COLUMNS = 10
"""From this many numeric columns on, more columns than rows look like a table on its side."""


def guess_roles(
    source: str, columns: Profiles, roles: Roles, *, people_only: bool = False
) -> tuple[Roles, tuple[str, ...], tuple[str, ...]]:
    """Complete the roles; also return a sentence for each that was guessed, or left out."""
    guesser = Guesser(
        source, columns, roles, taken={named.column for named in roles.named(columns.names)}
    )
    guess_keys(guesser)
    if not guesser.roles.long and not roles.humans and not roles.systems and roles.gold is None:
        guess_long(guesser)
    if guesser.roles.long:
        note_traits(guesser, str(guesser.roles.response))
        return guesser.roles, tuple(guesser.said), tuple(guesser.notes)
    guess_id(guesser)
    _guess_people(guesser, people_only=people_only)
    if not people_only:
        _guess_confidences(guesser)
        _guess_systems(guesser)
    lost = left_out(columns, guesser.taken, roles, people_only=people_only)
    guesser.notes += lost.values()
    if not people_only:
        alone = not any(map(words.SYSTEM.fullmatch, map(words.plain, lost)))
        _guess_names_of_confidences(guesser, alone=alone)
    return guesser.roles, tuple(guesser.said), tuple(guesser.notes)


def likely_columns(
    columns: Profiles, roles: Roles, *, people_only: bool
) -> tuple[list[str], tuple[str, ...]]:
    """The columns that have a role as far as the first rows tell, and that of the ids."""
    try:
        roles, _, _ = guess_roles("", columns, roles, people_only=people_only)
    except DataError:  # all rows may tell more
        return [*columns.known], ()
    others = [role.column for role in roles.named(columns.names) if role.option != "--id"]
    return others, () if roles.id is None else (roles.id,)


def _guess_people(guesser: Guesser, *, people_only: bool) -> None:
    roles = guesser.roles
    if roles.humans:
        _note_slots(guesser)
        return
    gold: tuple[str, ...] = () if roles.gold is None else (roles.gold,)
    if not gold and not people_only:
        gold = guesser.take("gold", guesser.free(words.GOLD, numeric=True)[:1])
    paired = _pairs(guesser)
    if paired:
        humans = guesser.take("human", paired, "pairs of score and rater columns")
        guesser.taken.update(part for pair in paired for part in pair.split("@"))
    else:
        humans = guesser.take("human", guesser.free(words.HUMAN, numeric=True))
    if not humans and not gold and guesser.free(words.SYSTEM, numeric=True):
        humans = guesser.take("human", guesser.free(words.SCORE, numeric=True)[:1])
    if not humans and not gold:
        humans = guesser.take("human", _worded(guesser, words.HUMAN))
    guesser.roles = replace(roles, humans=humans, gold=next(iter(gold), None))
    if not humans and not gold:
        raise DataError(_no_human(guesser))


def _worded(guesser: Guesser, pattern: re.Pattern[str]) -> list[str]:
    """Columns with such a name that hold words, some of them known or beside no numbers at all.

    Which scale they mean, or which word is not on it, is found out when they are read.
    """
    named = [name for name in guesser.free(pattern) if not words.names_a_key(name)]
    held = [name for name in named if guesser.columns[name].values]
    known = [name for name in held if guesser.columns[name].truths]
    return known or ([] if _left(guesser) else held)


def _no_human(guesser: Guesser) -> str:
    """Say that no human score was found, and what the columns are instead."""
    text = f"no column of {guesser.source} looks like a human score"
    numeric = _left(guesser)
    long = long_options(guesser)
    if long:
        return f"{text}. It looks like one row per rating: add {long}"
    rows = guesser.columns.rows
    has = f"its numeric columns are {listed(numeric)}" if numeric else "it has no numeric column"
    if len(numeric) >= _MANY_COLUMNS and len(numeric) > rows:
        has += f"; with {rows} rows: is it on its side? Each row must be a response"
    return f"{text}; name it with --human COLUMN ({has})"


def _pairs(guesser: Guesser) -> list[str]:
    """Find ``mqm_1`` beside a textual ``rater_1``, for every rater column there is."""
    raters = {}
    for name in guesser.free(_RATER_SLOT):
        column = guesser.columns[name]
        if column.values and not column.numeric:
            raters[_number_of(name)[1]] = name
    if not raters:
        return []
    stems: dict[str, dict[str, str]] = {}
    named = [name for name in guesser.roles.humans if name in guesser.columns.names]
    numbered = [n for n in (*guesser.free(_NUMBERED), *named) if _number_of(n)[1] in raters]
    for name in guesser.numeric(numbered):
        stem, number = _number_of(name)
        stems.setdefault(stem, {})[number] = name
    for numbered_names in stems.values():
        if set(raters) <= set(numbered_names):
            return [f"{numbered_names[number]}@{rater}" for number, rater in raters.items()]
    return []


def _note_slots(guesser: Guesser) -> None:
    """Say who gave scores that were named without the columns of raters beside them."""
    pairs = {pair.partition("@")[0]: pair for pair in _pairs(guesser)}
    named = [shlex.quote(pairs[human]) for human in guesser.roles.humans if human in pairs]
    if named:
        options = " ".join(f"--human {pair}" for pair in named)
        guesser.notes.append(
            f"{listed([human for human in guesser.roles.humans if human in pairs])} are taken for one "
            f"rater each, but another column says who rated: {options} tells raters apart"
        )


def _number_of(name: str) -> tuple[str, str]:
    """Divide the name of a column into its stem and its number."""
    match = _NUMBERED.fullmatch(words.plain(name))
    return (match[1], match[2]) if match else (name, "")


def _guess_confidences(guesser: Guesser) -> None:
    """Keep confidences from being taken for systems; whose they are is settled afterwards."""
    guesser.taken.update(guesser.free(words.CONFIDENCE, numeric=True))


def _guess_systems(guesser: Guesser) -> None:
    if guesser.roles.systems:
        return
    systems = guesser.take("system", guesser.free(words.SYSTEM, numeric=True))
    systems = systems or guesser.take("system", guesser.free(words.SCORE, numeric=True)[:1])
    systems = systems or guesser.take(
        "system", _within_range(guesser), "numbers within the range of the human scores"
    )
    low, high = guesser.range_of_people()
    if not systems and not (low < 0 or high > 1):
        systems = guesser.take("system", _worded(guesser, words.SYSTEM))
    if not systems:
        lost = [name for name in guesser.free(words.SYSTEM) if has_scores(guesser.columns, name)]
        if lost:
            raise DataError(
                f"no column of {guesser.source} can be a system score; {lost[0]!r} looks like one, but "
                f"{why_not(guesser.columns, lost[0])}"
            )
        raise DataError(
            f"no column of {guesser.source} looks like a system score; name it with "
            f"{_candidates(guesser)}. To look at people alone, use `tallymark raters`."
        )
    guesser.roles = replace(guesser.roles, systems=systems)


def _candidates(guesser: Guesser) -> str:
    """The options that would name a system, and the columns that are left for it."""
    people = [*guesser.roles.humans, *filter(None, [guesser.roles.gold])]
    like = _like_a_person(guesser)
    left = [(name, guesser.columns[name]) for name in _left(guesser) if name not in like]
    if like and not left:
        seem = "seems another rater's" if len(like) == 1 else "seem other raters'"
        options = " ".join(f"--human {shlex.quote(name)}" for name in like)
        return f"--system COLUMN ({listed(like)} {seem}: {options})"
    if not left:
        return f"--system COLUMN (no numeric column is left beside {listed(people)})"
    low, high = guesser.range_of_people()
    ranges = listed([f"{name} ({column.low:g} to {column.high:g})" for name, column in left])
    return (
        "--system COLUMN and, as its scores lie outside those of people "
        f"({low:g} to {high:g}), its scale with --system-scale LOW:HIGH. Numeric columns left: "
        f"{ranges}"
    )


def _within_range(guesser: Guesser) -> list[str]:
    """Numbers like those of people; what is called as a person's scores is no system's."""
    like = _like_a_person(guesser)
    low, high = guesser.range_of_people()
    margin = 0.1 * (high - low)
    return [
        name
        for name in _left(guesser)
        if name not in like
        and guesser.columns[name].low >= low - margin
        and guesser.columns[name].high <= high + margin
    ]


def _like_a_person(guesser: Guesser) -> list[str]:
    """Numeric columns that no role has and that are called as a person's scores."""
    return guesser.free(words.HUMAN, numeric=True)


def _left(guesser: Guesser) -> list[str]:
    """Numeric columns that no role has and whose name is not that of an id or a position."""
    others = [
        name
        for name in guesser.columns.names
        if name not in guesser.taken
        and not words.IDENTIFIER.fullmatch(words.plain(name))
        and not words.POSITION.fullmatch(words.plain(name))
    ]
    return guesser.numeric(others)


def _guess_names_of_confidences(guesser: Guesser, *, alone: bool) -> None:
    """Find whose each confidence is; ``alone`` when no column of another system was left out."""
    roles = guesser.roles
    confidences = dict(roles.confidences)
    unclear = []
    for name in guesser.numeric(guesser.named(words.CONFIDENCE)):
        match = words.CONFIDENCE.fullmatch(words.plain(name))
        if not match or name in roles.confidences.values():
            continue
        owner = _owner(match["system"], roles.systems, alone=alone)
        if owner is None:
            unclear.append(name)
        elif owner not in confidences:
            confidences[owner] = name
            guesser.said.append(f"confidence of {owner}: {name} ({FROM_NAMES})")
    if unclear and not roles.confidences:
        guesser.notes.append(
            f"not used, as it is not clear of which system: {listed(unclear)}; name it with "
            "--confidence SYSTEM=COLUMN"
        )
    guesser.roles = replace(roles, confidences=confidences)


def _owner(stem: str, systems: tuple[str, ...], *, alone: bool) -> str | None:
    """The system whose name the confidence column carries; the only one if it carries none."""
    if not stem:
        return systems[0] if len(systems) == 1 and alone else None
    return next((system for system in systems if words.plain(system) == stem), None)
