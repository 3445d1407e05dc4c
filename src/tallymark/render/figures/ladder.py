"""The ceilings as rungs, and where each system stands among them."""

from collections.abc import Sequence
from dataclasses import replace

from tallymark.render.figures import panels
from tallymark.render.figures.intervals import description, entry
from tallymark.render.figures.panels import Panel
from tallymark.render.figures.records import WIDE, Drawn, Frame, Mark, Whisker
from tallymark.render.figures.scales import drawable

_ATTAINABLE, _REACHED = "attainable", "reached"


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
