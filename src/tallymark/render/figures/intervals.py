"""Intervals against limits and ceilings: many on one axis, or one alone."""

import math
from collections.abc import Sequence

from msgspec.structs import replace

from tallymark.render.figures import marks as flagged
from tallymark.render.figures import panels
from tallymark.render.figures.panels import Panel, PanelCell, PanelEntry
from tallymark.render.figures.records import WIDE, Drawn, Frame, Mark, Whisker
from tallymark.render.figures.scales import Extent, drawable, extent
from tallymark.render.figures.svg import Canvas
from tallymark.render.figures.text import minus
from tallymark.render.numbers import UNDEFINED, count, rounded

_ATTAINABLE, _REACHED = "attainable", "reached"


def intervals(
    rows: Sequence[Whisker],
    marks: Sequence[Mark] = (),
    *,
    title: str,
    x_title: str = "",
    domain: tuple[float, float] | None = None,
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw rows of intervals on one axis, against labelled lines."""
    panel = Panel(title=x_title, marks=marks, domain=domain, coefficient=_coefficients(rows))
    frame = Frame(title, prefix, width, desc=description(rows, marks))
    return panels.draw([entry(row) for row in rows], [panel], frame)


def entry(row: Whisker) -> PanelEntry:
    """Make a row of a figure with one panel."""
    detail = row.detail or (f"{row.text}{f', n = {count(row.n)}' if row.n is not None else ''}")
    tip = f"{row.label}: {detail}" if detail else row.label
    return PanelEntry(label=row.label, cells=[cell(row)], tip=tip, n=row.n, section=row.section)


def cell(row: Whisker) -> PanelCell:
    """Take over what is drawn of a row."""
    text = row.text or (UNDEFINED if math.isnan(row.value) else "")
    return PanelCell(
        value=row.value,
        low=row.low,
        high=row.high,
        text=text,
        state=row.state,
        series=row.series,
    )


def description(rows: Sequence[Whisker], marks: Sequence[Mark] = (), most: int = 12) -> str:
    """Say the numbers of a figure in words, the first of many."""
    words = [f"{row.label} {row.text or UNDEFINED}" for row in rows[:most]]
    more = [f"and {count(len(rows) - most)} more"] if len(rows) > most else []
    lines = f" Lines: {', '.join(mark.label for mark in marks)}." if marks else ""
    return f"{'; '.join([*words, *more])}.{lines}"


def _coefficients(rows: Sequence[Whisker]) -> bool:
    return bool(rows) and all(row.coefficient for row in rows)


def strip(
    row: Whisker,
    marks: Sequence[Mark] = (),
    *,
    domain: tuple[float, float] | None = None,
    width: int = 280,
    prefix: str,
) -> Drawn:
    """Draw one interval against its limits, for a line of a table or a first screen."""
    if not drawable(row.value):
        return Drawn("", "the value is undefined", row.label)
    ends = [(row.low, row.high)]
    keep = [mark.value for mark in marks]
    low, high = domain or extent([row.value], ends, keep=keep, coefficient=row.coefficient)
    scale = Extent(low, high, 8, width - 8)
    frame = Frame(f"{row.label} {row.text}", prefix, width, desc=description([], marks)[2:])
    canvas = Canvas(frame)
    placed = flagged.flags(marks, scale, 0, width)
    top = flagged.height(placed)
    canvas.stroke("axis", [(2, top + 11), (width - 2, top + 11)])
    flagged.draw(canvas, placed, top, [(top, top + 22)])
    panels.draw_cell(canvas, cell(row), scale, top + 11)
    return canvas.figure(top + 23)


def forest(
    rows: Sequence[Whisker],
    *,
    title: str = "",
    x_title: str = "",
    limits: tuple[float, float] | None = (-0.10, 0.10),
    domain: tuple[float, float] | None = None,
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw each group's interval around zero, with the limits that a difference should keep.

    The usual limits of a standardized difference are -.10 and .10.
    Reference: Williamson, Xi & Breyer (2012), doi:10.1111/j.1745-3992.2011.00223.x.
    """
    outside = [row for row in rows if limits and _beyond(row, limits)]
    zero = [Mark(0.0, "", "zero")]
    if limits:
        zero += [Mark(end, minus(rounded(end, 2)), "limit") for end in limits]
    words = description(rows)
    if limits:
        names = ", ".join(row.label for row in outside) or "none"
        words = f"Surely outside the limits: {names}. {words}"
    panel = Panel(title=x_title, marks=zero, band=limits, domain=domain, keep=_around(limits))
    frame = Frame(title or "Groups beside each other", prefix, width, desc=words)
    return panels.draw([entry(row) for row in rows], [panel], frame)


def _around(limits: tuple[float, float] | None) -> tuple[float, ...]:
    """Always show some room outside the limits, so that forests look alike beside each other."""
    return tuple(2.5 * end for end in limits) if limits else (0.0,)


def _beyond(row: Whisker, limits: tuple[float, float]) -> bool:
    """Whether the whole interval lies outside the limits."""
    low, high = limits
    return drawable(row.low) and drawable(row.high) and (row.low > high or row.high < low)


def ladder(
    rungs: Sequence[Whisker],
    systems: Sequence[Whisker],
    *,
    statistic: str = "QWK",
    title: str = "",
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw ceilings from the top down and below them the systems, on one axis."""
    both = [replace(row, section=_ATTAINABLE, series=0) for row in rungs]
    both += [replace(row, section=_REACHED) for row in systems]
    marks = [Mark(row.value, "", "ceiling") for row in rungs if drawable(row.value)]
    title = title or f"{statistic} that is attainable, and {statistic} reached"
    panel = Panel(title=statistic, marks=marks, coefficient=all(row.coefficient for row in both))
    return panels.draw(
        [entry(row) for row in both], [panel], Frame(title, prefix, width, description(both))
    )
