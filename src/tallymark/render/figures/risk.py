"""Risk by coverage: how many critical errors remain if only confident scores stand alone."""

from statistics import median

from tallymark.render.figures import axes
from tallymark.render.figures.axes import Axis, Plot
from tallymark.render.figures.lines import draw_line, names, pieces, placed, room_for_names
from tallymark.render.figures.records import NAN, WIDE, Drawn, Frame, Mark, Series
from tallymark.render.figures.scales import drawable
from tallymark.render.figures.svg import Canvas, number
from tallymark.render.numbers import in_percent, rounded
from tallymark.results import Curve

_SETTLED = 0.05
"""Below this coverage so few responses are accepted that the rate jumps about."""
_NO_RATE = 1e-9


def risk_coverage(
    risk: Curve,
    upper: Curve | None = None,
    threshold: Curve | None = None,
    *,
    limit: float | None = None,
    at: int | None = None,
    marked: bool = True,
    title: str = "",
    width: int = WIDE,
    prefix: str,
) -> Drawn:
    """Draw the rate of critical errors by coverage, with a marker that a page can move.

    The three curves share their x; ``limit`` is the rate that is accepted, ``at`` the point that
    is marked at first: by default the largest coverage whose upper bound keeps the limit. Without
    ``marked`` no point is, as where prompts have thresholds of their own.
    """
    title = title or "Critical errors by coverage"
    top = _highest(risk, upper, limit)
    shown = [_within(Series.of(risk, "critical errors"), top)]
    if upper is not None:
        shown.append(_within(Series("upper bound", upper.x, upper.y, series=2), top))
    shown = [line for line in shown if pieces(line)]
    if not shown or shown[0].series != 1:
        return Drawn("", "no point of the curve is defined", title)
    index = _start(risk, upper, limit) if at is None else min(max(at, 0), len(risk.x) - 1)
    marks = [_limit(limit)] if limit is not None and drawable(limit) else []
    canvas = Canvas(Frame(title, prefix, width, _description(risk, threshold, index)))
    above, right = room_for_names(canvas, shown)
    plot = axes.plot(
        canvas,
        Axis(title=risk.x_title, domain=(0.0, 1.0)),
        Axis(title=risk.y_title, domain=(0.0, top), coefficient=True, marks=marks),
        top=above,
        height=190.0 if canvas.frame.narrow else 250.0,
        right=right,
    )
    if marked:
        _accepted(canvas, plot, risk.x[index])
    for line in shown:
        draw_line(canvas, plot, line)
    axes.level_labels(canvas, plot, marks, [p for line in shown for p in placed(plot, line)])
    names(canvas, plot, shown)
    if marked:
        _marker(canvas, plot, risk, upper, index)
    return canvas.figure(plot.below, style="fig-risk", data=_mapping(plot, top))


def _limit(limit: float) -> Mark:
    written = rounded(limit, 4, coefficient=True).rstrip("0").rstrip(".") or "0"
    return Mark(limit, f"limit {written}")


def _highest(risk: Curve, upper: Curve | None, limit: float | None) -> float:
    """The top of the plot: all rates that are settled, and the bounds of most."""
    drawn = [(x, y) for x, y in zip(risk.x, risk.y, strict=True) if drawable(y)]
    rates = [y for x, y in drawn if x >= _SETTLED] or [y for _, y in drawn]
    bounds = [y for y in (upper.y if upper else ()) if drawable(y)]
    wanted = [*rates, 1.5 * limit if limit is not None and drawable(limit) else 0.0]
    wanted += [1.3 * median(bounds)] if bounds else []
    top = 1.08 * max(wanted)
    return min(top, 1.0) if top > _NO_RATE else 0.1


def _within(line: Series, top: float) -> Series:
    """Leave out what lies above the plot."""
    kept = [y if drawable(y) and y <= top else NAN for y in line.y]
    return Series(line.label, line.x, kept, line.low, line.high, line.series)


def _start(risk: Curve, upper: Curve | None, limit: float | None) -> int:
    judged = upper or risk
    if limit is None:
        return len(risk.x) - 1
    kept = [i for i, y in enumerate(judged.y) if y <= limit]
    return max(kept, key=lambda i: risk.x[i], default=0)


def _accepted(canvas: Canvas, plot: Plot, coverage: float) -> None:
    """Shade the responses whose score stands alone."""
    right = plot.x(coverage) if drawable(coverage) else plot.left
    height = plot.bottom - plot.top
    canvas.rect("fig-accepted", plot.left, plot.top, right - plot.left, height)


def _marker(canvas: Canvas, plot: Plot, risk: Curve, upper: Curve | None, index: int) -> None:
    x = plot.x(risk.x[index]) if drawable(risk.x[index]) else plot.left
    place = f'data-index="{index}" transform="translate({number(x)},0)"'
    canvas.raw(f'<g class="fig-marker" {place}>')
    canvas.raw(
        f'<line class="fig-marker-line" x1="0" x2="0" y1="{number(plot.top)}" '
        f'y2="{number(plot.bottom)}"/>'
    )
    for kind, curve in (("upper", upper), ("risk", risk)):
        if curve is not None:
            y = plot.y(curve.y[index]) if drawable(curve.y[index]) else plot.bottom
            canvas.dot(f"fig-marker-{kind}", 0, y, 5)
    canvas.raw("</g>")
    size = (plot.right - plot.left, plot.bottom - plot.top)
    canvas.rect("fig-hit", plot.left, plot.top, *size)


def _mapping(plot: Plot, top: float) -> str:
    """What a page needs to find the place of a point."""
    attributes = {
        "left": plot.left,
        "right": plot.right,
        "top": plot.top,
        "bottom": plot.bottom,
        "xmin": 0.0,
        "xmax": 1.0,
        "ymin": 0.0,
        "ymax": top,
    }
    return "".join(f' data-{name}="{value:.6g}"' for name, value in attributes.items())


def _description(risk: Curve, threshold: Curve | None, index: int) -> str:
    rate, coverage = risk.y[index], risk.x[index]
    if not (drawable(rate) and drawable(coverage)):
        return "The marked point is undefined."
    words = f"At {in_percent(coverage)} % coverage {in_percent(rate, 1)} % of the "
    words += "accepted scores are critical errors"
    if threshold is not None and drawable(threshold.y[index]):
        words += f", with confidence of at least {threshold.y[index]:.3g}"
    return f"{words}."
