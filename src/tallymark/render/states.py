"""What data say of limits, as a sign beside a number: never by its colour alone."""

import math
from collections.abc import Iterable

from msgspec.structs import replace

from tallymark.render.cells import Cell, Held, Value
from tallymark.render.limits import Beside

SIGNS = {"met": "✓", "not met": "✕", "undecided": "?", "not computable": "–"}
"""On a page and in Markdown."""
PLAIN = {"met": "+", "not met": "x", "undecided": "?", "not computable": "-"}
"""On a terminal, whose letters may be few."""


def held_text(cell: Held, *, ends: bool = True) -> str:
    """Write a number of a matrix, apart from its limit, with or without its interval."""
    number = cell.number if ends else replace(cell.number, low=math.nan, high=math.nan)
    text = Beside(number, cell.ends).written("")
    return text.removesuffix(" (no interval)")


def state_of(cell: Value) -> str:
    """The state that a cell has, if any."""
    return cell.state if isinstance(cell, Cell | Held) else ""


def signs_shown(rows: Iterable[Iterable[Value]]) -> set[str]:
    """The states that stand as signs beside numbers; a cell may say its state in words."""
    return {cell.state for row in rows for cell in row if isinstance(cell, Held)}


def signed(text: str, state: str, signs: dict[str, str]) -> str:
    """Add the sign of a state to a number."""
    return f"{text} {signs[state]}" if state in signs else text


def legend(states: set[str], signs: dict[str, str]) -> str:
    """Explain the signs that are shown."""
    said = ", ".join(f"{sign} {state}" for state, sign in signs.items() if state in states)
    return f"{said}." if said else ""
