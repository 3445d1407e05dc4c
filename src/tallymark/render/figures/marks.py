"""Labelled lines across a figure: limits, ceilings, what people reach.

A label is a flag on its line. Flags that would cover each other stand on different levels, and
where one reaches over the line of another it stands above that one's flag, so no line crosses
a label.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tallymark.render.figures.records import Mark
from tallymark.render.figures.scales import Extent
from tallymark.render.figures.svg import Canvas
from tallymark.render.figures.text import SMALL, clean, shorten, width

LEVEL = 16.0
_PAD = 4.0
_COLOURS = {"limit": "cl", "ceiling": "c0", "people": "c0", "zero": "cg"}


class Flag(Struct, frozen=True):
    """Where a mark's label goes: ``level`` 0 is nearest to the figure, -1 that of no label."""

    mark: Mark
    x: float
    text: str
    left: float
    right: float
    level: int

    def over(self, other: "Flag") -> bool:
        """Whether the label reaches over the line of another."""
        return self.left - _PAD < other.x < self.right + _PAD

    def covers(self, other: "Flag") -> bool:
        """Whether both labels would touch on one level."""
        return self.left < other.right + _PAD and other.left < self.right + _PAD

    @property
    def leftward(self) -> bool:
        """Whether the label is on the left of its line."""
        return self.left < self.x


def flags(marks: Sequence[Mark], scale: Extent, first: float, last: float) -> list[Flag]:
    """Place the labels of the marks that the scale shows, between two ends."""
    shown = sorted((m for m in marks if scale.holds(m.value)), key=lambda m: m.value)
    placed = [_flag(mark, scale(mark.value), first, last) for mark in shown]
    named = [flag for flag in placed if flag.text]
    raised = [replace(flag, level=i) for flag, i in zip(named, _levels(named), strict=True)]
    return [*raised, *(flag for flag in placed if not flag.text)]


def _flag(mark: Mark, x: float, first: float, last: float) -> Flag:
    """On the right of its line where it fits there, else on the side with more room."""
    label = clean(mark.label)
    to_right = x + _PAD + width(label, SMALL) <= last or last - x >= x - first
    label = shorten(label, (last - x if to_right else x - first) - _PAD, SMALL)
    size = _PAD + width(label, SMALL)
    left, right = (x, x + size) if to_right else (x - size, x)
    return Flag(mark, x, label, left, right, -1)


def _levels(flags: Sequence[Flag]) -> list[int]:
    """Stack flags: above those whose line they reach over, on the lowest level that is free."""
    below = {
        i: [j for j, two in enumerate(flags) if i != j and flag.over(two) and not two.over(flag)]
        for i, flag in enumerate(flags)
    }
    levels: dict[int, int] = {}
    while len(levels) < len(flags):
        left = [i for i in below if i not in levels]
        ready = (i for i in left if all(j in levels for j in below[i]))
        i = next(ready, left[0])
        level = max((levels[j] + 1 for j in below[i] if j in levels), default=0)
        while any(levels[j] == level and flags[i].covers(flags[j]) for j in levels):
            level += 1
        levels[i] = level
    return [levels[i] for i in range(len(flags))]


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
