"""Roles: which column means what, as the user names it or as it was guessed."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.errors import DataError, OptionError, did_you_mean
from tallymark.scale import Scale
from tallymark.tally.patterns import STRATUM, WEIGHT

LENGTH = "length"
"""The score that is the length of a response."""
SCORED = ("system:", "repeat:", "probe-scores:")
"""How scores by systems are called in the tally: given, given again, and given to probes."""
NO_WEIGHT = "--stratum goes with --weight: 1 / the chance of a response of its stratum to be drawn"
COUNT = "count"
"""The score that says for how many responses a row stands; the tally adds it up."""


class Roles(Struct, frozen=True, kw_only=True):
    """Which column means what; everything left empty is guessed from the column names.

    ``humans`` are columns, or slots ``score@rater`` where a second column names the rater. In a
    long table (``response``, ``rater``, ``score``) humans and systems are raters, not columns.
    """

    humans: tuple[str, ...] = ()
    gold: str | None = None
    systems: tuple[str, ...] = ()
    confidences: Mapping[str, str] = field(default_factory=dict)
    probabilities: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    repeats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    probed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prompt: str | None = None
    trait: str | None = None
    groups: tuple[str, ...] = ()
    cluster: str | None = None
    fold: str | None = None
    batch: str | None = None
    weight: str | None = None
    stratum: str | None = None
    count: str | None = None
    length: str | None = None
    id: str | None = None
    response: str | None = None
    rater: str | None = None
    score: str | None = None

    @property
    def long(self) -> bool:
        """Whether the table has one row per rating."""
        return self.score is not None

    @property
    def keys(self) -> dict[str, str]:
        """The key columns by the name they carry in the tally."""
        single = {
            "prompt": self.prompt,
            "trait": self.trait,
            "cluster": self.cluster,
            STRATUM: self.stratum,
            "fold": self.fold,
            "batch": self.batch,
        }
        named = {key: column for key, column in single.items() if column is not None}
        return named | {f"group:{column}": column for column in self.groups}

    @property
    def by_system(self) -> dict[str, Mapping[str, Sequence[str]]]:
        """The columns of single systems beside their scores, by option and system."""
        sure = {system: (column,) for system, column in self.confidences.items()}
        several = {"--probabilities": self.probabilities, "--repeat": self.repeats}
        return {"--confidence": sure, **several, "--probe-scores": self.probed}

    def scores_of(self, option: str, system: str) -> list[str]:
        """What the columns of a system that an option names are called in the tally."""
        mark = option.removeprefix("--")
        columns = self.by_system[option].get(system, ())
        if option == "--confidence":
            return [f"{mark}:{system}" for _ in columns]
        return [f"{mark}:{system}:{column}" for column in columns]

    def named(self, columns: Iterable[str]) -> list["NamedColumn"]:
        """Every column that has a role, with the option that names it and its score in the tally."""
        listed: list[tuple[str, str | None, str]] = []
        if not self.long:
            for slot in slots(self.humans, columns):
                listed.append(("--human", slot.score, f"human:{slot.score}"))
                listed.append(("--human", slot.rater, ""))
        listed.append(("--gold", self.gold, "gold"))
        listed += [("--system", name, f"system:{name}") for name in self.systems if not self.long]
        listed += [
            (option, column, score)
            for option, named in self.by_system.items()
            for system, columns_of_system in named.items()
            for column, score in zip(columns_of_system, self.scores_of(option, system), strict=True)
        ]
        listed += [("--weight", self.weight, WEIGHT), ("--count", self.count, COUNT)]
        listed.append(("--length", self.length, LENGTH))
        listed += [(f"--{key.partition(':')[0]}", column, "") for key, column in self.keys.items()]
        others = (("--id", self.id), ("--response", self.response), ("--rater", self.rater))
        listed += [(option, column, "") for option, column in (*others, ("--score", self.score))]
        return [
            NamedColumn(option, name, score) for option, name, score in listed if name is not None
        ]


class NamedColumn(NamedTuple):
    """A column, the option that names it, and its score in the tally: "" where it holds none."""

    option: str
    column: str
    score: str


class PromptOptions(Struct, frozen=True, kw_only=True):
    """What differs for one prompt; None means as for all others."""

    scale: Scale | str | Sequence[object] | None = None
    system_scale: Scale | str | Sequence[object] | None = None
    resolve: str | None = None
    trim: str | float | None = None
    lambda_: float | None = None


class Slot(Struct, frozen=True):
    """One human column and, in a pool of raters, the column that says who gave the score."""

    score: str
    rater: str | None = None


def slots(humans: Iterable[str], columns: Iterable[str]) -> tuple[Slot, ...]:
    """Split ``score@rater``; a column that really has such a name is left whole."""
    known = set(columns)
    pairs = []
    for human in humans:
        score, at, rater = human.rpartition("@")
        pairs.append(Slot(score, rater) if at and human not in known else Slot(human))
    return tuple(pairs)


def expand(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Write out comma lists and patterns such as ``*_shot``, unless a column has that name."""
    expanded: list[str] = []
    for name in names:
        if name in known:
            expanded.append(name)
            continue
        for part in (part.strip() for part in name.split(",")):
            matching = [column for column in known if fnmatchcase(column, part)]
            expanded.extend(matching if part not in known and matching else [part])
    return tuple(expanded)


def natural(name: str) -> tuple[tuple[object, ...], str]:
    """A key that sorts names as people count: r2 before r10.

    >>> sorted(["r10", "r2", "ann"], key=natural)
    ['ann', 'r2', 'r10']
    >>> sorted(["r2", "r"], key=natural)
    ['r', 'r2']
    """
    parts = re.split(r"([0-9]+)", name)
    digits = [part.lstrip("0") for part in parts[1::2]]
    numbers = iter((len(digit), digit) for digit in digits)
    return tuple(next(numbers) if i % 2 else part for i, part in enumerate(parts)), name


def named_roles(roles: Roles, columns: Sequence[str], source: str) -> Roles:
    """Expand the names and refuse those that the table lacks."""
    asked_long = {"response": roles.response, "rater": roles.rater, "score": roles.score}
    lacking = [f"--{role}" for role, column in asked_long.items() if column is None]
    if lacking and len(lacking) < len(asked_long):
        raise OptionError(
            f"a long table needs --response, --rater and --score; {' and '.join(lacking)} not given"
        )
    roles = written_out(roles, columns)
    for asked in roles.named(columns):
        if asked.column not in columns:
            raise DataError(
                f"{source} has no column {asked.column!r} (asked for as {asked.option}); it has "
                f"{listed(columns)}.{did_you_mean(asked.column, columns)}"
            )
    _check_distinct(roles, columns)
    return roles


def written_out(roles: Roles, columns: Sequence[str]) -> Roles:
    """Write out comma lists and patterns in the names; without columns, lists alone."""
    roles = replace(
        roles,
        groups=expand(roles.groups, columns),
        confidences=_divided(roles.confidences, columns),
        probabilities=_expanded(roles.probabilities, columns),
        repeats=_expanded(roles.repeats, columns),
    )
    if roles.long:
        return roles
    return replace(
        roles, humans=expand(roles.humans, columns), systems=expand(roles.systems, columns)
    )


def _expanded(
    named: Mapping[str, Sequence[str]], columns: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Write out the columns of each system; one text may hold them all."""
    single = {name: given[0] for name, given in named.items() if len(given) == 1}
    several = {name: given for name, given in named.items() if name not in single}
    whole = {name: (text,) for name, text in _divided(single, columns).items()} | several
    return {name: expand(given, columns) for name, given in whole.items()}


def _divided(pairs: Mapping[str, str], columns: Sequence[str]) -> dict[str, str]:
    """Divide NAME=COLUMN elsewhere where there is no such column: both may hold the sign."""
    divided = {}
    for name, column in pairs.items():
        text = f"{name}={column}"
        places = [i for i, sign in enumerate(text) if sign == "="]
        others = [(text[:i], text[i + 1 :]) for i in places]
        fitting = [pair for pair in others if pair[1].partition(",")[0] in columns]
        left, right = (name, column) if column in columns or not fitting else fitting[-1]
        divided[left] = right
    return divided


def listed(names: Sequence[str], most: int = 12) -> str:
    """List names for a message, leaving out those beyond the first dozen."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _check_distinct(roles: Roles, columns: Sequence[str]) -> None:
    humans = (
        [slot.score for slot in slots(roles.humans, columns)] if not roles.long else [*roles.humans]
    )
    people = {*humans, *([roles.gold] if roles.gold else [])}
    both = sorted(people & {*roles.systems})
    if both:
        raise OptionError(
            f"{both[0]!r} is named both as a human and as a system score; name two columns"
        )
    if roles.stratum is not None and roles.weight is None:
        raise OptionError(NO_WEIGHT)
    numbers = ("--weight", roles.weight), ("--count", roles.count), ("--length", roles.length)
    for role, number in numbers:
        if number is not None and (number in people or number in roles.systems):
            raise OptionError(f"{role} names {number!r}, which is a score; name another column")
    for role, names in (
        ("--human", humans),
        ("--system", roles.systems),
        ("--group", roles.groups),
    ):
        twice = [name for name, times in Counter(names).items() if times > 1]
        if twice:
            raise OptionError(f"{role} names {twice[0]!r} more than once")


def check_systems(roles: Roles) -> None:
    """Refuse confidences and repeats of a system that is not among the systems."""
    by_system = roles.by_system
    if roles.long and (any(by_system.values()) or roles.gold or roles.id):
        wide = ", ".join(["--gold", *by_system])
        raise OptionError(f"{wide} and --id need a wide table, one row per response")
    for system, runs in roles.repeats.items():
        if len(runs) < 2:
            raise OptionError(
                f"--repeat of {system} names one run, {listed(runs)}; consistency needs two or more: "
                f"--repeat {system}=RUN1,RUN2"
            )
    for role, named in by_system.items():
        for system in named:
            if system not in roles.systems:
                raise OptionError(
                    f"{role} names the system {system!r}; the systems are {listed(roles.systems)}."
                    f"{did_you_mean(system, roles.systems)}"
                )
