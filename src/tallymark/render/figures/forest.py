"""Groups against limits: is any group treated differently from the others?"""

from collections.abc import Sequence

from tallymark.render.figures import panels
from tallymark.render.figures.intervals import description, entry
from tallymark.render.figures.panels import Panel
from tallymark.render.figures.records import WIDE, Drawn, Frame, Mark, Whisker
from tallymark.render.figures.scales import drawable
from tallymark.render.figures.text import minus
from tallymark.render.numbers import rounded


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
