"""Lines over a number: how a coefficient moves with the scale, a sweep, any curve."""

from collections.abc import Sequence

from msgspec.structs import replace

from tallymark.render.figures import axes
from tallymark.render.figures.axes import Axis, Plot
from tallymark.render.figures.panels import colour
from tallymark.render.figures.records import WIDE, Drawn, Frame, Mark, Series
from tallymark.render.figures.scales import drawable, extent, flat
from tallymark.render.figures.svg import Canvas, Point
from tallymark.render.figures.text import clean
from tallymark.render.figures.text import width as text_width
from tallymark.render.numbers import decimals, rounded
from tallymark.results import Curve

MOST_LINES = 8
MOST_AREAS = 3
"""With more lines, intervals would overlap and are not drawn."""
MOST_DOTS = 12
"""A line through more points than this is drawn without dots."""
MOST_RATERS = 10
"""Beyond this many raters a response the curve is flat and nobody pays for them."""
_NAMES = {"generalizability": "G, for ranking", "dependability": "Phi, as it stands"}


def lines(
    lines: Sequence[Series],
    *,
    title: str,
    x_title: str,
    y_title: str,
    marks: Sequence[Mark] = (),
    y_domain: tuple[float, float] | None = None,
    coefficient: bool = False,
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw lines with their names; a lower axis of whole numbers gets whole ticks."""
    drawn = [line for line in lines if any(pieces(line))]
    if not drawn:
        return Drawn("", "no line has a defined point", title)
    if len(drawn) > MOST_LINES:
        return Drawn("", f"{len(drawn)} lines are too many to tell apart", title)
    canvas = Canvas(Frame(title, prefix, width, _description(drawn, coefficient=coefficient)))
    top, right = room_for_names(canvas, drawn)
    xs = [x for line in drawn for run in pieces(line) for x, _ in run]
    whole = all(float(x).is_integer() for x in xs)
    span = extent(
        [value for line in drawn for value in line.y],
        [end for line in drawn for end in zip(line.low, line.high, strict=True)],
        keep=[mark.value for mark in marks],
        coefficient=coefficient,
    )
    plot = axes.plot(
        canvas,
        Axis(title=x_title, domain=_tight(xs), whole=whole),
        Axis(title=y_title, domain=y_domain or span, coefficient=coefficient, marks=marks),
        top=top,
        height=190.0 if canvas.frame.narrow else 250.0,
        right=right,
        inset=6,
    )
    bare = len(drawn) > MOST_AREAS
    for line in drawn:
        draw_line(canvas, plot, replace(line, low=(), high=()) if bare else line)
    axes.level_labels(canvas, plot, marks, [p for line in drawn for p in placed(plot, line)])
    names(canvas, plot, drawn)
    return canvas.figure(plot.below)


def curves(
    curves: Sequence[Curve],
    labels: Sequence[str] = (),
    *,
    title: str = "",
    y_domain: tuple[float, float] | None = None,
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw any curves with one kind of lower axis; figures beside each other may share the other."""
    if not curves:
        return Drawn("", "there is no curve", title)
    names = [*labels, *(curve.y_title for curve in curves[len(labels) :])]
    series = [
        Series.of(curve, name, i + 1)
        for i, (curve, name) in enumerate(zip(curves, names, strict=False))
    ]
    titles = {curve.y_title for curve in curves}
    values = [y for line in series for y in line.y if drawable(y)]
    return lines(
        [replace(line, label="") for line in series] if len(series) == 1 else series,
        title=title or curves[0].y_title,
        x_title=curves[0].x_title,
        y_title=curves[0].y_title if len(titles) == 1 else "",
        coefficient=all(-1 <= value <= 1 for value in values),
        y_domain=y_domain,
        width=width,
        prefix=prefix,
    )


def pieces(line: Series) -> list[list[Point]]:
    """Return the runs of points that can be drawn; an undefined point parts them."""
    runs: list[list[Point]] = [[]]
    for x, y in zip(line.x, line.y, strict=True):
        if drawable(x) and drawable(y):
            runs[-1].append((x, y))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def draw_line(canvas: Canvas, plot: Plot, line: Series) -> None:
    """Draw the intervals as an area, the line, and its points where they are few."""
    tip = clean(line.label)
    canvas.open(tip)
    kind = colour(line.series)
    for area in _areas(line):
        upper = [(plot.x(x), plot.y(high)) for x, _, high in area]
        lower = [(plot.x(x), plot.y(low)) for x, low, _ in reversed(area)]
        canvas.shape(f"area {kind}", [*upper, *lower])
    runs = [[(plot.x(x), plot.y(y)) for x, y in run] for run in pieces(line)]
    canvas.stroke(f"curve {kind} {dash(line)}".rstrip(), *runs)
    few = sum(map(len, runs)) <= MOST_DOTS
    for run in runs:
        for x, y in run if few or len(run) == 1 else []:
            canvas.dot(f"dot {kind}", x, y, 3.5)
    canvas.close()


def placed(plot: Plot, line: Series) -> list[Point]:
    """Return where the points of a line are."""
    return [(plot.x(x), plot.y(y)) for run in pieces(line) for x, y in run]


def dash(line: Series) -> str:
    """Return the class of a line's dashes: colour never tells lines apart alone."""
    return f"d{(line.series - 1) % 6 + 1}" if line.series > 1 else ""


def _areas(line: Series) -> list[list[tuple[float, float, float]]]:
    runs: list[list[tuple[float, float, float]]] = [[]]
    for x, low, high in zip(line.x, line.low, line.high, strict=False):
        if drawable(x) and drawable(low) and drawable(high):
            runs[-1].append((x, low, high))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def _tight(xs: Sequence[float]) -> tuple[float, float]:
    """The lower axis begins and ends with the points, if they differ."""
    ends = min(xs), max(xs)
    return extent(xs) if flat(*ends) else ends


def room_for_names(canvas: Canvas, drawn: Sequence[Series]) -> tuple[float, float]:
    """Keep room at the right for the names or, when narrow, write them above."""
    named = [line for line in drawn if clean(line.label)]
    if not named:
        return 0.0, 14.0
    if not canvas.frame.narrow:
        widest = max(text_width(clean(line.label)) for line in named)
        return 0.0, min(widest, 0.3 * canvas.frame.width) + 22
    samples = [(line.label, colour(line.series), f"curve {dash(line)}") for line in named]
    return axes.legend(canvas, samples, 0) + 4, 14.0


def names(canvas: Canvas, plot: Plot, drawn: Sequence[Series]) -> None:
    """Write each name at the end of its line, moved apart, with a thread where it moved far."""
    named = [line for line in drawn if clean(line.label)]
    if canvas.frame.narrow or not named:
        return
    lasts = [pieces(line)[-1][-1] for line in named]
    wanted = [plot.y(y) for _, y in lasts]
    places = axes.spread(wanted, 16, plot.top + 9, plot.bottom - 4)
    for line, (x, _), y, place in zip(named, lasts, wanted, places, strict=True):
        kind = colour(line.series)
        start = plot.right + 16
        canvas.stroke(f"thin {kind}", [(plot.x(x) + 4, y), (start - 8, place), (start - 3, place)])
        room = canvas.frame.width - start
        canvas.text(start, place + 4.5, line.label, f"t {kind}", room=room)


def _description(drawn: Sequence[Series], *, coefficient: bool) -> str:
    """Say where each line begins and ends."""
    words = []
    for line in drawn:
        points = [point for run in pieces(line) for point in run]
        (x0, y0), (x1, y1) = points[0], points[-1]
        a, b = (_written(y, coefficient=coefficient) for y in (y0, y1))
        name = f"{line.label}: " if line.label else ""
        words.append(f"{name}{a} at {x0:.4g}, {b} at {x1:.4g}")
    return f"{'; '.join(words)}."


def _written(value: float, *, coefficient: bool) -> str:
    places = decimals(value, value, value, coefficient=coefficient)
    return rounded(value, places, coefficient=coefficient)


def d_study(
    curves: Sequence[Curve],
    *,
    targets: Sequence[float] = (0.8, 0.9),
    title: str = "",
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw reliability by number of raters, with the levels that are usually asked for."""
    shown = []
    for i, curve in enumerate(curves):
        label = _NAMES.get(curve.name, curve.y_title) if len(curves) > 1 else ""
        shown.append(_first(curve, label, i + 1))
    lowest = [v for line in shown for v in (*line.y, *line.low) if drawable(v)]
    bottom = min([0.5, *lowest])
    return lines(
        shown,
        title=title or "Reliability by number of raters",
        x_title=curves[0].x_title if curves else "raters",
        y_title="reliability" if len(curves) != 1 else curves[0].y_title,
        marks=[Mark(t, rounded(t, 2, coefficient=True), "ceiling") for t in targets],
        y_domain=(max(bottom, 0.0), 1.0),
        coefficient=True,
        width=width,
        prefix=prefix,
    )


def _first(curve: Curve, label: str, series: int) -> Series:
    """Keep the part with few raters."""
    kept = [i for i, x in enumerate(curve.x) if not x > MOST_RATERS]
    x, y, low, high = (
        [column[i] for i in kept] if column else []
        for column in (curve.x, curve.y, curve.low, curve.high)
    )
    return Series(label, x, y, low, high, series)
