"""Calibration: what the system gives on average at each gold score."""

import math
from collections.abc import Sequence

from msgspec import Struct

from tallymark.render.figures import axes
from tallymark.render.figures.axes import Axis, Plot
from tallymark.render.figures.panels import colour
from tallymark.render.figures.records import WIDE, Drawn, Frame
from tallymark.render.figures.scales import Tick, drawable, padded
from tallymark.render.figures.svg import Canvas
from tallymark.render.numbers import count, rounded
from tallymark.results import Matrix


class _At(Struct, frozen=True):
    """What the system gave to the responses of one gold score."""

    label: str
    gold: float
    n: int
    mean: float
    sd: float


def calibration(
    matrix: Matrix, *, title: str = "", series: int = 1, width: int = WIDE, prefix: str
) -> Drawn:
    """Draw the mean of the system's scores at each gold score, and how far they spread.

    ``series`` is the colour of the system.
    """
    title = title or f"Mean score of {matrix.column_title} at each {matrix.row_title} score"
    scores, golds = (_numbers(names) for names in (matrix.columns, matrix.rows))
    if scores is None or golds is None:
        return Drawn("", "the scores are no numbers", title)
    points = [
        _at(label, gold, row, scores)
        for label, gold, row in zip(matrix.rows, golds, matrix.values, strict=True)
        if sum(row)
    ]
    if not points:
        return Drawn("", "there is no response", title)
    canvas = Canvas(Frame(title, prefix, width, _description(points, matrix)))
    span = padded(min([*scores, *golds]), max([*scores, *golds]))
    plot = axes.plot(
        canvas,
        Axis(
            title=f"{matrix.row_title} score, and number of responses",
            domain=span,
            ticks=[(point.gold, point.label) for point in points],
            under=[count(point.n) for point in points],
        ),
        Axis(
            title=f"{matrix.column_title}: mean and standard deviation",
            domain=span,
            ticks=_sparse([*zip(scores, matrix.columns, strict=True)]),
        ),
        top=0,
        height=200.0 if canvas.frame.narrow else 250.0,
        right=4,
        inset=16,
    )
    canvas.stroke("ceiling", [(plot.x(end), plot.y(end)) for end in span])
    canvas.text(plot.x(span[1]) - 8, plot.y(span[0]) - 8, "dashed: equal scores", "k q e h")
    for point in points:
        _draw(canvas, plot, point, matrix, colour(series))
    return canvas.figure(plot.below)


def _numbers(names: Sequence[str]) -> list[float] | None:
    """Read the score points; None where they are no numbers."""
    try:
        values = [float(name) for name in names]
    except ValueError:
        return None
    return values if values and all(map(drawable, values)) else None


def _at(label: str, gold: float, row: Sequence[int], scores: Sequence[float]) -> _At:
    n = sum(row)
    mean = sum(k * score for k, score in zip(row, scores, strict=True)) / n
    squares = sum(k * (score - mean) ** 2 for k, score in zip(row, scores, strict=True))
    return _At(label, gold, n, mean, math.sqrt(squares / (n - 1)) if n > 1 else math.nan)


def _sparse(ticks: Sequence[Tick], most: int = 10) -> list[Tick]:
    """Keep this many ticks at most, evenly."""
    every = -(-len(ticks) // most)
    return [*ticks[::every]]


def _draw(canvas: Canvas, plot: Plot, point: _At, matrix: Matrix, kind: str) -> None:
    spread = f", standard deviation {rounded(point.sd, 2)}" if drawable(point.sd) else ""
    who = f"{count(point.n)} responses with {matrix.row_title} {point.label}: "
    canvas.open(f"{who}{matrix.column_title} gives {rounded(point.mean, 2)} on average{spread}")
    x, y = plot.x(point.gold), plot.y(point.mean)
    if drawable(point.sd):
        ends = (point.mean - point.sd, point.mean + point.sd)
        canvas.stroke(f"seg {kind}", [(x, plot.y(end)) for end in ends])
    canvas.dot(f"dot {kind}", x, y, 4.5)
    canvas.close()


def _description(points: Sequence[_At], matrix: Matrix) -> str:
    """Say what the system does at the ends of the scale."""
    words = [
        f"{rounded(point.mean, 2)} where {matrix.row_title} is {point.label}"
        for point in (points[0], points[-1])
    ]
    return f"On average {matrix.column_title} gives {' and '.join(words[: len(points)])}."
