"""How often each score is given, by people and by the system."""

from collections.abc import Sequence

from tallymark.render.figures import axes
from tallymark.render.figures.axes import Axis, Plot
from tallymark.render.figures.panels import colour
from tallymark.render.figures.records import WIDE, Drawn, Frame
from tallymark.render.figures.svg import Canvas, Point
from tallymark.render.figures.text import SMALL
from tallymark.render.figures.text import width as text_width
from tallymark.render.numbers import count, rounded
from tallymark.results import Matrix

MOST_GIVERS = 6
MOST_BARS = 13
"""More score points than this are drawn as steps."""
MOST_POINTS = 200


def distribution(
    matrix: Matrix, *, title: str = "", series: int = 1, width: int = WIDE, prefix: str
) -> Drawn:
    """Draw the share of responses at each score, side by side for each who gave scores.

    The first who gave scores has the colour of people, the next that of ``series``.
    """
    title = title or f"Scores given by {', '.join(matrix.columns)}"
    totals = [sum(column) for column in zip(*matrix.values, strict=True)]
    if not any(totals):
        return Drawn("", "no score was given", title)
    if len(totals) > MOST_GIVERS or len(matrix.rows) > MOST_POINTS:
        return Drawn("", "there are too many columns or scores to draw", title)
    shares = [
        [100 * value / total if total else 0.0 for value, total in zip(row, totals, strict=True)]
        for row in matrix.values
    ]
    canvas = Canvas(Frame(title, prefix, width, _description(matrix, totals)))
    steps = len(matrix.rows) > MOST_BARS
    kinds = [colour(series + i - 1 if i else 0) for i in range(len(totals))]
    samples = [(name, kinds[i], _sample(i, steps=steps)) for i, name in enumerate(matrix.columns)]
    top = axes.legend(canvas, samples, 0) + 2
    height = 150.0 if canvas.frame.narrow else 190.0
    highest = max(max(row) for row in shares)
    labels = [(float(i), name) for i, name in enumerate(matrix.rows)]
    plot = axes.plot(
        canvas,
        Axis(title=matrix.row_title, domain=(-0.5, len(matrix.rows) - 0.5), ticks=labels),
        Axis(title="% of responses", domain=(0.0, highest * height / (height - 18))),
        top=top,
        height=height,
        right=2,
    )
    if steps:
        _steps(canvas, plot, shares, kinds)
    else:
        _bars(canvas, plot, matrix, shares, kinds)
    return canvas.figure(plot.below)


def _sample(i: int, *, steps: bool) -> str:
    return f"curve d{i + 1}" if steps and i else "curve" if steps else "bar"


def _bars(
    canvas: Canvas,
    plot: Plot,
    matrix: Matrix,
    shares: Sequence[Sequence[float]],
    kinds: Sequence[str],
) -> None:
    """Bars side by side, with their percentages where these have room."""
    each = (plot.right - plot.left) / len(shares)
    size = min(0.8 * each / len(matrix.columns), 40.0)
    fits = max(text_width(_percent(share), SMALL) for row in shares for share in row) <= size
    for i, row in enumerate(shares):
        start = plot.x(float(i)) - size * len(row) / 2
        for j, share in enumerate(row):
            x, y = start + j * size, plot.y(share)
            tip = f"{matrix.columns[j]}: {count(matrix.values[i][j])} at {matrix.rows[i]}"
            canvas.open(tip)
            canvas.rect(f"bar {kinds[j]}", x + 0.5, y, size - 1, plot.bottom - y)
            if fits and matrix.values[i][j]:
                canvas.text(x + size / 2, y - 3, _percent(share), "k q m h")
            canvas.close()


def _percent(share: float) -> str:
    return rounded(share, 0) if share >= 0.5 else "<1"


def _steps(
    canvas: Canvas, plot: Plot, shares: Sequence[Sequence[float]], kinds: Sequence[str]
) -> None:
    """One outline for each giver."""
    for j in range(len(shares[0])):
        points: list[Point] = [(plot.x(-0.5), plot.bottom)]
        for i, row in enumerate(shares):
            points += [(plot.x(i - 0.5), plot.y(row[j])), (plot.x(i + 0.5), plot.y(row[j]))]
        points.append((plot.x(len(shares) - 0.5), plot.bottom))
        canvas.stroke(f"{_sample(j, steps=True)} {kinds[j]}", points)


def _description(matrix: Matrix, totals: Sequence[int]) -> str:
    """Say which score each gives most often."""
    words = []
    for name, total, column in zip(
        matrix.columns, totals, zip(*matrix.values, strict=True), strict=True
    ):
        top = max(range(len(column)), key=column.__getitem__)
        share = _percent(100 * column[top] / total) if total else "0"
        words.append(f"{name} gives {matrix.rows[top]} most often, to {share} %")
    return f"{'; '.join(words)}."
