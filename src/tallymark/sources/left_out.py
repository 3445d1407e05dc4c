"""Left out: columns that are named like scores and yet not used, and why."""

import re
import shlex
from collections.abc import Collection

from tallymark.sources import words
from tallymark.sources.profiles import Profiles
from tallymark.sources.roles import Roles, listed


def left_out(
    columns: Profiles, taken: Collection[str], asked: Roles, *, people_only: bool
) -> dict[str, str]:
    """Say why a column named like a score has no role.

    Where the user names the columns of a role, the others were left out on purpose; but who names
    one rater may not know that a second one is needed.
    """
    looked_for = {} if asked.humans else {"human score": words.HUMAN}
    if not people_only and not asked.humans and asked.gold is None:
        looked_for["gold"] = words.GOLD
    if not people_only and not asked.systems:
        looked_for["system score"] = words.SYSTEM
    reasons = _others(columns, taken) if len(asked.humans) == 1 else {}
    for role, pattern in looked_for.items():
        for name in columns.names:
            fits = pattern.fullmatch(words.plain(name)) and not words.names_a_key(name)
            if not fits or name in taken:
                continue
            if pattern is not words.SYSTEM or has_scores(columns, name):
                why = why_not(columns, name)
                reasons.setdefault(name, f"{name} looks like a {role} but is not used: {why}")
    return reasons


def _others(columns: Profiles, taken: Collection[str]) -> dict[str, str]:
    """Name other raters beside the one who was named."""
    free = [name for name in columns.names if name not in taken]
    others = [n for n in free if words.HUMAN.fullmatch(words.plain(n)) and columns[n].numeric]
    if not others:
        return {}
    options = " ".join(f"--human {shlex.quote(name)}" for name in others)
    verb = (
        "looks like a human score but is" if len(others) == 1 else "look like human scores but are"
    )
    return {
        others[0]: f"{listed(others)} {verb} not used; for agreement between people add {options}"
    }


def has_scores(columns: Profiles, name: str) -> bool:
    """Whether a column holds, or is to hold, something like numbers: not the names of systems."""
    column = columns[name]
    if not column.values or column.numbers:
        return True
    return re.match(r"[-+]?[.,]?\d", column.text) is not None


def why_not(columns: Profiles, name: str) -> str:
    """Why a column that is named like a score was not taken."""
    column = columns[name]
    if not column.values:
        return "it is empty"
    if column.truths:
        return "it holds words, and people's scores are numbers of other points"
    if column.numeric:
        return "another column was taken; name the one you mean"
    text = column.text
    if columns.words:
        return f"{column.values - column.numbers} of {column.values} cells are none of the labels, such as {text[:40]!r}"
    return (
        f"{column.values - column.numbers} of {column.values} cells are not numbers, such as "
        f"{text[:40]!r}{comma_hint(text)}"
    )


def comma_hint(text: str) -> str:
    """How to write a number that has a comma in it.

    >>> comma_hint("3,5"), comma_hint("1,000")
    ('. Write decimals with a point, not a comma', '. Write thousands without a comma')
    """
    if re.fullmatch(r"[-+]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?", text):
        return ". Write thousands without a comma"
    if re.fullmatch(r"[-+]?\d*,\d+", text):
        return ". Write decimals with a point, not a comma"
    return ""
