"""The frame of figures with two axes: a plot area, ticks, titles, lines across and a legend."""

import math
from collections.abc import Sequence

from msgspec import Struct

from tallymark.render.figures import marks as flagged
from tallymark.render.figures.records import Mark
from tallymark.render.figures.scales import Extent, Tick, ticks
from tallymark.render.figures.svg import Canvas
from tallymark.render.figures.text import SMALL, clean, shorten, width, wrapped

LINE = 15.0


class Axis(Struct, frozen=True, kw_only=True):
    """What is measured, the part that is shown, its ticks where they are given, lines across.

    ``under`` is a second line of labels below the ticks.
    """

    title: str
    domain: tuple[float, float]
    coefficient: bool = False
    whole: bool = False
    ticks: Sequence[Tick] | None = None
    under: Sequence[str] = ()
    marks: Sequence[Mark] = ()


class Plot(Struct, frozen=True, kw_only=True):
    """The plot area and the maps from numbers to places in it."""

    x: Extent
    y: Extent
    left: float
    right: float
    top: float
    bottom: float
    below: float


def plot(
    canvas: Canvas, x: Axis, y: Axis, *, top: float, height: float, right: float, inset: float = 0.0
) -> Plot:
    """Lay out and draw two axes; the title of the upright one stands above it.

    ``right`` is the room kept free at the right, ``inset`` that within the plot at both sides.
    """
    end = canvas.frame.width - right
    y_ticks = _ticks(Extent(*y.domain, height, 0), y, upright=True)
    left = max((width(label, SMALL) for _, label in y_ticks), default=0.0) + 7
    across = Extent(*x.domain, left + inset, end - inset)
    flags = flagged.flags(x.marks, across, 0, canvas.frame.width)
    lines = wrapped(y.title, canvas.frame.width, SMALL)
    start = top + LINE * len(lines) + flagged.height(flags) + (6 if lines else 8)
    down = Extent(*y.domain, start + height, start)
    for i, line in enumerate(lines):
        canvas.text(0, top + 11 + i * LINE, line, "k")
    canvas.stroke("grid", *([(left, down(value)), (end, down(value))] for value, _ in y_ticks))
    for value, label in y_ticks:
        canvas.text(left - 6, down(value) + 4, label, "k q e")
    flagged.draw(canvas, flags, start, [(start, down.start)])
    for mark in y.marks:
        if down.holds(mark.value):
            canvas.stroke(mark.kind, [(left, down(mark.value)), (end, down(mark.value))])
    below = _foot(canvas, x, across, left, end, down.start)
    return Plot(x=across, y=down, left=left, right=end, top=start, bottom=down.start, below=below)


def _ticks(scale: Extent, axis: Axis, *, upright: bool = False) -> Sequence[Tick]:
    if axis.ticks is not None:
        return axis.ticks
    return ticks(scale, coefficient=axis.coefficient, whole=axis.whole, upright=upright)


def _foot(canvas: Canvas, axis: Axis, scale: Extent, left: float, right: float, y: float) -> float:
    """The lower axis with its title; returns where it ends."""
    last = canvas.frame.width
    unders = [*axis.under, *[""] * len(_ticks(scale, axis))]
    labelled = [
        (v, label, under) for (v, label), under in zip(_ticks(scale, axis), unders, strict=False)
    ]
    shown = _thinned(scale, labelled, last)
    marks = ([(scale(value), y), (scale(value), y + 4)] for value, _, _ in shown)
    canvas.stroke("axis", [(left, y), (right, y)], *marks)
    for value, label, under in shown:
        half = _half(label, under)
        x = min(max(scale(value), half), last - half)
        canvas.text(x, y + 18, label, "k q m", room=last)
        canvas.text(x, y + 18 + LINE, under, "k q m", room=last)
    y += LINE * bool(axis.under)
    lines = wrapped(axis.title, last, SMALL)
    for i, line in enumerate(lines):
        half = width(line, SMALL) / 2
        x = min(max((left + right) / 2, half), last - half)
        canvas.text(x, y + 34 + i * LINE, line, "k m")
    return y + 24 + LINE * len(lines)


def _half(*texts: str) -> float:
    return max(width(clean(text), SMALL) for text in texts) / 2


def _thinned(
    scale: Extent, labelled: Sequence[tuple[float, str, str]], last: float
) -> Sequence[tuple[float, str, str]]:
    """Every tick, or every second, third, ... so that no label touches the next."""
    for every in range(1, len(labelled) + 1):
        kept, free = labelled[::every], 0.0
        for value, *texts in kept:
            half = _half(*texts)
            x = min(max(scale(value), half), last - half)
            if x - half < free:
                break
            free = x + half + 4
        else:
            return kept
    return []


def level_labels(
    canvas: Canvas, drawn: Plot, marks: Sequence[Mark], points: Sequence[tuple[float, float]] = ()
) -> None:
    """Write the labels of the lines across, at the end where the points leave more room."""
    shown = [mark for mark in marks if drawn.y.holds(mark.value)]
    places = [drawn.y(mark.value) for mark in shown]
    wanted = [y - 4 if y - LINE > drawn.top else y + LINE - 2 for y in places]
    bases = spread(wanted, LINE, drawn.top + 12, drawn.bottom - 4)
    room = drawn.right - drawn.left - 8
    for mark, base in zip(shown, bases, strict=True):
        size = width(clean(mark.label), SMALL)
        off = [(x, abs(y - base + 4)) for x, y in points]
        left = min((d for x, d in off if x < drawn.left + 8 + size), default=math.inf)
        right = min((d for x, d in off if x > drawn.right - 8 - size), default=math.inf)
        if right > left:
            canvas.text(drawn.right - 4, base, mark.label, "k h e", room=room)
        else:
            canvas.text(drawn.left + 4, base, mark.label, "k h", room=room)


def spread(wanted: Sequence[float], least: float, first: float, last: float) -> list[float]:
    """Move places apart until neighbours keep their distance, each as little as can be.

    >>> spread([10, 11, 40], 10, 0, 100)
    [5.5, 15.5, 40.0]
    """
    within = [min(max(place, first), last) for place in wanted]
    blocks: list[tuple[float, list[int]]] = []
    for i in sorted(range(len(within)), key=within.__getitem__):
        blocks.append((within[i], [i]))
        while len(blocks) > 1 and _gap(blocks[-2], blocks[-1], least) < 0:
            ids = [*blocks[-2][1], *blocks[-1][1]]
            half = least * (len(ids) - 1) / 2
            centre = sum(within[j] for j in ids) / len(ids)
            blocks[-2:] = [(max(min(centre, last - half), first + half), ids)]
    placed = dict[int, float]()
    for centre, ids in blocks:
        placed |= {i: centre + least * (k - (len(ids) - 1) / 2) for k, i in enumerate(ids)}
    return [placed[i] for i in range(len(wanted))]


def _gap(left: tuple[float, list[int]], two: tuple[float, list[int]], least: float) -> float:
    return two[0] - left[0] - least * (len(left[1]) + len(two[1])) / 2


def legend(canvas: Canvas, named: Sequence[tuple[str, str, str]], top: float) -> float:
    """Write names with a sample of their line or bar, in rows; returns where they end.

    Each is a label, the class of its colour, and the class of its sample.
    """
    x, y, sample = 0.0, top, 18.0
    for label, colour, kind in named:
        room = canvas.frame.width - sample - 6
        size = sample + 6 + width(shorten(clean(label), room))
        if x and x + size > canvas.frame.width:
            x, y = 0.0, y + 18
        if kind == "bar":
            canvas.rect(f"bar {colour}", x + 3, y + 3, 12, 11)
        else:
            canvas.stroke(f"{kind} {colour}", [(x, y + 8), (x + sample, y + 8)])
        canvas.text(x + sample + 6, y + 13, label, f"t {colour}", room=room)
        x += size + 12
    return y + 20 if named else top
