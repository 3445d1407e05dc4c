"""Rows of named intervals in one or two panels: the frame of most figures.

Wide: names on the left, then each panel with its numbers in a column at its right. Narrow: the
name and the first number stand above the plot, so that both have room at 280 units.
"""

from collections.abc import Sequence

from msgspec import Struct, field

from tallymark.render.figures import marks as flagged
from tallymark.render.figures.records import NAN, Drawn, Frame, Mark
from tallymark.render.figures.scales import GAP, Extent, Tick, drawable, extent, ticks
from tallymark.render.figures.svg import Canvas
from tallymark.render.figures.text import SMALL, width, wrapped
from tallymark.render.numbers import count

MOST = 60
"""More rows than this are easier to find in a table."""
_INSET = 9.0
_BETWEEN = 14.0
_AXIS = 20.0
_LINE = 15.0
_STATES = {"met": "cm", "not met": "cn", "undecided": "cu"}


class PanelCell(Struct, frozen=True, kw_only=True):
    """A number with its interval and what is printed beside it; ``other`` is a second number."""

    value: float
    low: float = NAN
    high: float = NAN
    other: float = NAN
    text: str = ""
    state: str = ""
    series: int = 0

    @property
    def colour(self) -> str:
        """The class of its colour."""
        return _STATES.get(self.state) or colour(self.series)


class PanelEntry(Struct, frozen=True, kw_only=True):
    """One row: a name, what it says when pointed at, and a cell for each panel."""

    label: str
    cells: Sequence[PanelCell]
    tip: str = ""
    n: int | None = None
    section: str = ""


class Panel(Struct, frozen=True, kw_only=True):
    """One axis: its title, lines across, and the part of the number line that is shown.

    Intervals that are ``capped`` show beside a dot that is wider than they are.
    """

    title: str = ""
    marks: Sequence[Mark] = ()
    band: tuple[float, float] | None = None
    domain: tuple[float, float] | None = None
    keep: Sequence[float] = ()
    coefficient: bool = False
    share: float = 1.0
    ticks: Sequence[Tick] | None = None
    capped: bool = False


class _Layout(Struct, eq=False):
    """Where everything goes."""

    scales: list[Extent] = field(default_factory=list)
    texts: list[float] = field(default_factory=list)
    names: float = 0.0
    counts: float = 0.0
    tops: list[float] = field(default_factory=list)
    bottom: float = 0.0
    line: float = 0.0
    row: float = 0.0


def colour(series: int) -> str:
    """Return the class of a series: 0 people, then six colours in turn."""
    return f"c{0 if series <= 0 else (series - 1) % 6 + 1}"


def draw(entries: Sequence[PanelEntry], panels: Sequence[Panel], frame: Frame) -> Drawn:
    """Draw the rows, or say why not."""
    if not entries:
        return Drawn("", "there is nothing to draw", frame.title)
    if len(entries) > MOST:
        return Drawn("", f"{count(len(entries))} rows are too many to draw", frame.title)
    if not any(drawable(cell.value) for entry in entries for cell in entry.cells):
        return Drawn("", "every value is undefined", frame.title)
    canvas = Canvas(frame)
    layout = _columns(entries, panels, frame)
    placed = [
        flagged.flags(panel.marks, scale, *_room(layout, i, frame))
        for i, (panel, scale) in enumerate(zip(panels, layout.scales, strict=True))
    ]
    top = max(flagged.height(flags) for flags in placed)
    _stack(layout, entries, frame, top)
    _behind(canvas, entries, panels, layout)
    for flags in placed:
        flagged.draw(canvas, flags, top, _pieces(layout, frame))
    _rows(canvas, entries, panels, layout)
    height = max(_axis(canvas, panel, layout, i, frame) for i, panel in enumerate(panels))
    for i, scale in enumerate(layout.scales):
        _breaks(canvas, [entry.cells[i].value for entry in entries], scale, layout.bottom)
    return canvas.figure(height)


def _columns(entries: Sequence[PanelEntry], panels: Sequence[Panel], frame: Frame) -> _Layout:
    """Share the width among names, numbers and panels."""
    layout = _Layout()
    layout.texts = [
        max(width(entry.cells[i].text, SMALL) for entry in entries) for i in range(len(panels))
    ]
    left = 0.0
    numbers = [size + GAP if size else 0.0 for size in layout.texts]
    if not frame.narrow:
        longest = max(width(entry.label) for entry in entries)
        layout.names = min(longest, 0.3 * frame.width)
        counts = [width(count(e.n), SMALL) for e in entries if e.n is not None]
        layout.counts = max(counts) + GAP if counts else 0.0
        left = layout.names + layout.counts + GAP
    else:
        numbers = [0.0] * len(panels)
    free = frame.width - left - sum(numbers) - 2 * _INSET * len(panels)
    free -= _BETWEEN * (len(panels) - 1)
    whole = sum(panel.share for panel in panels)
    for i, panel in enumerate(panels):
        start = left + _INSET
        end = start + free * panel.share / whole
        layout.scales.append(Extent(*_domain(entries, panel, i), start, end))
        left = end + _INSET + numbers[i] + _BETWEEN
    return layout


def _domain(entries: Sequence[PanelEntry], panel: Panel, i: int) -> tuple[float, float]:
    if panel.domain is not None:
        return panel.domain
    cells = [entry.cells[i] for entry in entries]
    values = [value for cell in cells for value in (cell.value, cell.other)]
    spans = [(cell.low, cell.high) for cell in cells]
    keep = [*panel.keep, *(panel.band or ()), *(mark.value for mark in panel.marks)]
    return extent(values, spans, keep=keep, coefficient=panel.coefficient)


def _room(layout: _Layout, i: int, frame: Frame) -> tuple[float, float]:
    """Between which places the labels of a panel may stand."""
    scale = layout.scales[i]
    last = i == len(layout.scales) - 1
    end = frame.width if last else layout.scales[i + 1].start - 2 * _INSET
    first = 0.0 if i == 0 else scale.start - _INSET
    return first, end


def _stack(layout: _Layout, entries: Sequence[PanelEntry], frame: Frame, top: float) -> None:
    """Give each row its height; a new section begins with a heading."""
    layout.line = 20.0 if frame.narrow else 0.0
    layout.row = layout.line + (18.0 if frame.narrow else 22.0)
    y = top + 2
    section = ""
    for entry in entries:
        if entry.section and entry.section != section:
            y += 20.0 if not layout.tops else 28.0
            section = entry.section
        layout.tops.append(y)
        y += layout.row
    layout.bottom = y


def _pieces(layout: _Layout, frame: Frame) -> list[tuple[float, float]]:
    """The parts of the height in which lines may run without crossing a name."""
    ends = [top + layout.row for top in layout.tops]
    if frame.narrow:
        starts = [top + layout.line for top in layout.tops]
        return list(zip(starts, ends, strict=True))
    merged: list[tuple[float, float]] = []
    for top, end in zip(layout.tops, ends, strict=True):
        if merged and merged[-1][1] == top:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((top, end))
    return merged


def _behind(
    canvas: Canvas, entries: Sequence[PanelEntry], panels: Sequence[Panel], layout: _Layout
) -> None:
    """Bands and grid lines, and the headings of sections."""
    pieces = _pieces(layout, canvas.frame)
    for panel, scale in zip(panels, layout.scales, strict=True):
        if panel.band is not None:
            left, right = (scale(end) for end in panel.band)
            for top, bottom in pieces:
                canvas.rect("band", left, top, right - left, bottom - top)
        lines = [scale(value) for value, _ in _ticks(panel, scale)]
        canvas.stroke("grid", *([(x, a), (x, b)] for x in lines for a, b in pieces))
    section = ""
    for entry, top in zip(entries, layout.tops, strict=True):
        if entry.section and entry.section != section:
            canvas.text(0, top - 5, entry.section, "q", room=canvas.frame.width)
            section = entry.section


def _ticks(panel: Panel, scale: Extent) -> Sequence[Tick]:
    if panel.ticks is not None:
        return panel.ticks
    return ticks(scale, coefficient=panel.coefficient)


def _breaks(canvas: Canvas, values: Sequence[float], scale: Extent, y: float) -> None:
    """Two strokes through the axis on a side where some value lies beyond its end."""
    known = [value for value in values if drawable(value) and not scale.holds(value)]
    sides = {scale.start - _INSET + 2 for value in known if value < scale.low}
    sides |= {scale.end + _INSET - 6 for value in known if value > scale.high}
    for x in sides:
        canvas.stroke("axis", *([(x + i, y + 4), (x + i + 3, y - 4)] for i in (0, 3)))


def _rows(
    canvas: Canvas, entries: Sequence[PanelEntry], panels: Sequence[Panel], layout: _Layout
) -> None:
    narrow = canvas.frame.narrow
    for entry, top in zip(entries, layout.tops, strict=True):
        middle = top + layout.line + (layout.row - layout.line) / 2
        base = top + 16 if narrow else middle + 4.5
        canvas.open(entry.tip)
        canvas.rect("hit", 0, top, canvas.frame.width, layout.row)
        if narrow:
            text = entry.cells[0].text
            free = canvas.frame.width - width(text, SMALL) - (GAP if text else 0)
            canvas.text(0, base, entry.label, room=free)
            canvas.text(canvas.frame.width, base, text, "k e")
        else:
            canvas.text(0, base, entry.label, room=layout.names)
            if entry.n is not None:
                canvas.text(layout.names + layout.counts, base, count(entry.n), "k q e")
        for i, cell in enumerate(entry.cells):
            draw_cell(canvas, cell, layout.scales[i], middle, capped=panels[i].capped)
            if not narrow and cell.text:
                right = layout.scales[i].end + _INSET + GAP + layout.texts[i]
                canvas.text(right, base, cell.text, "k e")
        canvas.close()


def draw_cell(
    canvas: Canvas, cell: PanelCell, scale: Extent, y: float, *, capped: bool = False
) -> None:
    """A dot with its interval; an arrow where either goes on beyond the plot."""
    kind = cell.colour
    if drawable(cell.value) and not scale.holds(cell.value):
        x, way = scale(cell.value), 1 if cell.value > scale.high else -1
        canvas.stroke(f"seg {kind}", [(x - 12 * way, y), (x, y)])
        canvas.stroke(f"seg {kind}", [(x - 5 * way, y - 4), (x, y), (x - 5 * way, y + 4)])
        return
    if drawable(cell.low) and drawable(cell.high):
        canvas.stroke(f"seg {kind}", [(scale(cell.low), y), (scale(cell.high), y)])
        for end, way in ((cell.low, -1), (cell.high, 1)):
            if not scale.holds(end):
                x = scale(end)
                canvas.stroke(f"seg {kind}", [(x, y - 4), (x + 5 * way, y), (x, y + 4)])
        ends = [scale(end) for end in (cell.low, cell.high) if capped and scale.holds(end)]
        canvas.stroke(f"seg {kind}", *([(x, y - 6), (x, y + 6)] for x in ends))
    if drawable(cell.other):
        canvas.dot(f"ring {kind}", scale(cell.other), y, 6)
    if drawable(cell.value):
        style = "ring" if cell.state == "undecided" else "dot"
        canvas.dot(f"{style} {kind}", scale(cell.value), y, 3.5 if drawable(cell.other) else 4.5)


def _axis(canvas: Canvas, panel: Panel, layout: _Layout, i: int, frame: Frame) -> float:
    """The axis of a panel; returns where it ends."""
    scale, y = layout.scales[i], layout.bottom
    first, last = _room(layout, i, frame)
    ticks = _ticks(panel, scale)
    marks = ([(scale(value), y), (scale(value), y + 4)] for value, _ in ticks)
    canvas.stroke("axis", [(scale.start - _INSET, y), (scale.end + _INSET, y)], *marks)
    free = first
    for value, label in ticks:
        half = width(label, SMALL) / 2
        x = min(max(scale(value), first + half), last - half)
        if x - half >= free:
            canvas.text(x, y + 16, label, "k q m")
            free = x + half + 3
    lines = wrapped(panel.title, last - first, SMALL) if panel.title else []
    middle = (scale.start + scale.end) / 2
    for j, line in enumerate(lines):
        half = width(line, SMALL) / 2
        x = min(max(middle, first + half), last - half)
        canvas.text(x, y + _AXIS + 12 + j * _LINE, line, "k m")
    return y + _AXIS + _LINE * len(lines) + 2
