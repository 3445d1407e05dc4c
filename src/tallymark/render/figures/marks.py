"""Labelled lines across a figure: limits, ceilings, what people reach.

A label is a flag on its line. Flags that would cover each other stand on different levels, and
where one reaches over the line of another it stands above that one's flag, so no line crosses
a label.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tallymark.render.figures.records import Mark
from tallymark.render.figures.scales import Scale
from tallymark.render.figures.svg import Canvas
from tallymark.render.figures.text import SMALL, clean, shorten, width

LEVEL = 16.0
_PAD = 4.0
_COLOURS = {"limit": "cl", "ceiling": "c0", "people": "c0", "zero": "cg"}


@dataclass(frozen=True, slots=True)
class Flag:
    """Where a mark's label goes: ``level`` 0 is nearest to the figure, -1 that of no label."""

    mark: Mark
    x: float
    text: str
    left: float
    right: float
    level: int

    @property
    def leftward(self) -> bool:
        """Whether the label is on the left of its line."""
        return self.left < self.x


def flags(marks: Sequence[Mark], scale: Scale, first: float, last: float) -> list[Flag]:
    """Place the labels of the marks that the scale shows, between two ends."""
    shown = sorted((m for m in marks if scale.holds(m.value)), key=lambda m: m.value)
    placed: list[Flag] = []
    for mark in reversed(shown):
        x = scale(mark.value)
        label = clean(mark.label)
        size = width(label, SMALL)
        to_right = x + _PAD + size <= last or last - x >= x - first
        room = (last - x if to_right else x - first) - _PAD
        label = shorten(label, room, SMALL)
        size = width(label, SMALL)
        left, right = (x, x + _PAD + size) if to_right else (x - _PAD - size, x)
        level = _level(placed, left, right) if label else -1
        placed.append(Flag(mark, x, label, left, right, level))
    return placed


def _level(placed: Sequence[Flag], left: float, right: float) -> int:
    """The lowest level on which a label is free and its line crosses no other label."""
    above = [flag.level for flag in placed if left - _PAD < flag.x < right + _PAD]
    level = max(above, default=-1) + 1
    while any(
        flag.level == level and flag.left < right + _PAD and left - _PAD < flag.right
        for flag in placed
    ):
        level += 1
    return level


def height(placed: Sequence[Flag]) -> float:
    """Return the room that the labels take above the figure."""
    return LEVEL * (1 + max((flag.level for flag in placed), default=-1))


def draw(
    canvas: Canvas,
    placed: Sequence[Flag],
    bottom: float,
    pieces: Sequence[tuple[float, float]],
) -> None:
    """Draw the lines over the given pieces of height, and the labels above ``bottom``."""
    for flag in placed:
        kind = flag.mark.kind
        top = bottom - LEVEL * flag.level - LEVEL + 3
        spans = [(top, bottom), *pieces] if flag.text else [*pieces]
        canvas.stroke(kind, *([(flag.x, a), (flag.x, b)] for a, b in spans))
    for flag in placed:
        base = bottom - LEVEL * flag.level - 4
        style = f"k t h {_COLOURS.get(flag.mark.kind, 'cg')}"
        if flag.leftward:
            canvas.text(flag.x - _PAD, base, flag.text, f"{style} e")
        else:
            canvas.text(flag.x + _PAD, base, flag.text, style)
