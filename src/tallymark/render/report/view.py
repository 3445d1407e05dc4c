"""Cells and columns of the page."""

from collections.abc import Iterable, Sequence

from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.model import Cell, Column
from tallymark.render.rows import FEW_RESPONSES
from tallymark.render.view import MOST_ROWS, View, counted, part_name

__all__ = ["MOST_ROWS", "View", "counted", "few", "headings", "part_name", "words"]


def few(numbers: Iterable[int]) -> str:
    """Explain the star where there is one."""
    starred = any(n < FEW_RESPONSES for n in numbers)
    return f"* fewer than {FEW_RESPONSES} responses." if starred else ""


def words(text: str, *, tone: str = "") -> Cell:
    """A cell of the user's text."""
    return Cell(literal(text), tone=tone)


def headings(shown: Sequence[Shown]) -> list[Column]:
    """Columns of statistics."""
    return [Column(one.heading, one.words, one.text, True) for one in shown]
