"""Guessing: roles that the user did not name, from column names and, for systems, from values."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tallymark.errors import DataError
from tallymark.sources import words
from tallymark.sources.profiles import Profile
from tallymark.sources.roles import Roles, listed, slots

_FROM_NAMES = "from the column names"
_MOST_GROUPS = 50
_MOST_PROMPTS = 1_000
_MANY_COLUMNS = 10
"""From so many numeric columns on, more columns than rows look like a table on its side."""


@dataclass(slots=True)
class _Guesser:
    """The columns not yet spoken for, and what was guessed so far."""

    source: str
    columns: Mapping[str, Profile]
    roles: Roles
    taken: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)

    def free(self, pattern: re.Pattern[str], *, numeric: bool = False) -> list[str]:
        """Columns that no role has yet and whose name fits."""
        return [
            name
            for name, column in self.columns.items()
            if name not in self.taken
            and pattern.fullmatch(words.plain(name))
            and (column.numeric or not numeric)
        ]

    def take(self, role: str, names: Iterable[str], why: str = _FROM_NAMES) -> tuple[str, ...]:
        """Note that the columns have this role."""
        found = tuple(names)
        if found:
            self.taken.update(found)
            self.said.append(f"{role}: {listed(found)} ({why})")
        return found


def guess_roles(
    source: str, columns: Mapping[str, Profile], roles: Roles, *, people_only: bool = False
) -> tuple[Roles, tuple[str, ...]]:
    """Complete the roles; also return one sentence for each that was guessed."""
    guesser = _Guesser(source, columns, roles, taken=_named(roles, columns))
    _guess_keys(guesser)
    if not guesser.roles.long and not roles.humans and not roles.systems and roles.gold is None:
        _guess_long(guesser)
    if not guesser.roles.long:
        _guess_people(guesser, people_only=people_only)
    if not guesser.roles.long and not people_only:
        _guess_confidences(guesser)
        _guess_systems(guesser)
        _guess_names_of_confidences(guesser)
    return guesser.roles, tuple(guesser.said)


def _named(roles: Roles, columns: Mapping[str, Profile]) -> set[str]:
    pairs = slots(roles.humans, columns)
    single = [roles.gold, roles.id, roles.response, roles.rater, roles.score]
    named: list[str | None] = [*single, *roles.keys.values(), *roles.confidences.values()]
    if not roles.long:
        named += [*roles.systems, *(slot.score for slot in pairs), *(slot.rater for slot in pairs)]
    named += [run for runs in roles.repeats.values() for run in runs]
    return {name for name in named if name is not None}


def _guess_keys(guesser: _Guesser) -> None:
    roles = guesser.roles

    def first(role: str, pattern: re.Pattern[str], most: float = float("inf")) -> str | None:
        fitting = [
            name for name in guesser.free(pattern) if 0 < guesser.columns[name].distinct <= most
        ]
        return next(iter(guesser.take(role, fitting[:1])), None)

    rows = max((column.rows for column in guesser.columns.values()), default=0)
    few = min(_MOST_PROMPTS, max(1, rows // 2))
    prompt = roles.prompt or first("prompt", words.PROMPT, few)
    trait = roles.trait or first("trait", words.TRAIT, few)
    groups = roles.groups or guesser.take(
        "group",
        (n for n in guesser.free(words.GROUP) if 0 < guesser.columns[n].distinct <= _MOST_GROUPS),
    )
    # where every candidate has one response, clusters are responses
    cluster = roles.cluster or first("cluster", words.CLUSTER, 0.9 * rows)
    fold = roles.fold or first("fold", words.FOLD, few)
    name = roles.id or (None if roles.long else first("id", words.IDENTIFIER))
    guesser.roles = replace(
        roles, prompt=prompt, trait=trait, groups=groups, cluster=cluster, fold=fold, id=name
    )


def _guess_long(guesser: _Guesser) -> None:
    rater = [name for name in guesser.columns if words.RATER.fullmatch(words.plain(name))]
    score = [
        n
        for n, column in guesser.columns.items()
        if words.SCORE.fullmatch(words.plain(n)) and column.numeric
    ]
    response = [name for name in guesser.columns if words.RESPONSE.fullmatch(words.plain(name))]
    if not (len(rater) == len(score) == 1 and response and guesser.columns[response[0]].distinct):
        return
    if guesser.columns[response[0]].distinct > 0.9 * guesser.columns[response[0]].rows:
        return  # every response once: a wide table
    guesser.roles = replace(
        guesser.roles, id=None, response=response[0], rater=rater[0], score=score[0]
    )
    guesser.said = [said for said in guesser.said if not said.startswith("id:")]
    guesser.take("response, rater, score", (response[0], rater[0], score[0]))


def _guess_people(guesser: _Guesser, *, people_only: bool) -> None:
    roles = guesser.roles
    if roles.humans:
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
    guesser.roles = replace(roles, humans=humans, gold=next(iter(gold), None))
    if not humans and not gold:
        raise DataError(_no_human(guesser))


def _no_human(guesser: _Guesser) -> str:
    """Say that no human score was found, and what the columns are instead."""
    text = f"no column of {guesser.source} looks like a human score"
    numeric = _left(guesser)
    worded = [name for name in guesser.free(words.HUMAN) if guesser.columns[name].values]
    if worded and not numeric:
        return (
            f"{text}: {listed(worded)} {'hold' if len(worded) > 1 else 'holds'} text. List the "
            "words in their order with --scale, such as --scale poor,fair,good"
        )
    rows = max(column.rows for column in guesser.columns.values())
    has = f"its numeric columns are {listed(numeric)}" if numeric else "it has no numeric column"
    if len(numeric) >= _MANY_COLUMNS and len(numeric) > rows:
        has += f"; with {rows} rows: is it on its side? Each row must be a response"
    return f"{text}; name it with --human COLUMN ({has})"


def _pairs(guesser: _Guesser) -> list[str]:
    """Find ``mqm_1`` beside a textual ``rater_1``, for every rater column there is."""
    raters = {}
    for name, column in guesser.columns.items():
        match = re.fullmatch(
            r"(?:rater|annotator|grader|marker|judge)(?:_id)?_?(\d+)", words.plain(name)
        )
        if match and not column.numeric and column.values and name not in guesser.taken:
            raters[match[1]] = name
    stems: dict[str, dict[str, str]] = {}
    for name, column in guesser.columns.items():
        match = re.fullmatch(r"(.*?)_?(\d+)", words.plain(name))
        if match and column.numeric and name not in guesser.taken:
            stems.setdefault(match[1], {})[match[2]] = name
    for found in stems.values():
        if raters and set(raters) <= set(found):
            return [f"{found[number]}@{rater}" for number, rater in raters.items()]
    return []


def _guess_confidences(guesser: _Guesser) -> None:
    """Keep confidences from being taken for systems; whose they are is settled afterwards."""
    guesser.taken.update(guesser.free(words.CONFIDENCE, numeric=True))


def _guess_systems(guesser: _Guesser) -> None:
    if guesser.roles.systems:
        return
    systems = guesser.take("system", guesser.free(words.SYSTEM, numeric=True))
    systems = systems or guesser.take("system", guesser.free(words.SCORE, numeric=True)[:1])
    systems = systems or guesser.take(
        "system", _within_range(guesser), "numbers within the range of the human scores"
    )
    if not systems:
        raise DataError(
            f"no column of {guesser.source} looks like a system score; name it with "
            f"{_candidates(guesser)}. To look at people alone, use `tallymark raters`."
        )
    guesser.roles = replace(guesser.roles, systems=systems)


def _candidates(guesser: _Guesser) -> str:
    """The options that would name a system, and the columns that are left for it."""
    left = [(name, guesser.columns[name]) for name in _left(guesser)]
    if not left:
        return "--system COLUMN (no numeric column is left)"
    low, high = _range_of_people(guesser)
    ranges = listed([f"{name} ({column.low:g} to {column.high:g})" for name, column in left])
    return (
        "--system COLUMN and, as its scores lie outside those of people "
        f"({low:g} to {high:g}), its scale with --system-scale LOW:HIGH. Numeric columns left: "
        f"{ranges}"
    )


def _range_of_people(guesser: _Guesser) -> tuple[float, float]:
    people = [slot.score for slot in slots(guesser.roles.humans, guesser.columns)]
    people += [guesser.roles.gold] if guesser.roles.gold else []
    columns = [guesser.columns[name] for name in people]
    return min(column.low for column in columns), max(column.high for column in columns)


def _within_range(guesser: _Guesser) -> list[str]:
    low, high = _range_of_people(guesser)
    margin = 0.1 * (high - low)
    return [
        name
        for name in _left(guesser)
        if guesser.columns[name].low >= low - margin and guesser.columns[name].high <= high + margin
    ]


def _left(guesser: _Guesser) -> list[str]:
    """Numeric columns that no role has and whose name is not that of an id or a position."""
    return [
        name
        for name, column in guesser.columns.items()
        if column.numeric
        and name not in guesser.taken
        and not words.IDENTIFIER.fullmatch(words.plain(name))
        and not words.POSITION.fullmatch(words.plain(name))
    ]


def _guess_names_of_confidences(guesser: _Guesser) -> None:
    roles = guesser.roles
    found = dict(roles.confidences)
    for name, column in guesser.columns.items():
        match = words.CONFIDENCE.fullmatch(words.plain(name))
        if not match or not column.numeric or name in roles.confidences.values():
            continue
        owner = _owner(match["system"], roles.systems)
        if owner is not None and owner not in found:
            found[owner] = name
            guesser.said.append(f"confidence of {owner}: {name} ({_FROM_NAMES})")
    guesser.roles = replace(roles, confidences=found)


def _owner(stem: str, systems: tuple[str, ...]) -> str | None:
    """The system whose name the confidence column carries; the only one if it carries none."""
    if not stem:
        return systems[0] if len(systems) == 1 else None
    return next((system for system in systems if words.plain(system) == stem), None)
