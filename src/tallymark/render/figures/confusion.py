"""The confusion matrix with its margins: rows are gold, columns the system."""

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from tallymark.render.figures.records import WIDE, Drawn, Frame
from tallymark.render.figures.style import DARK_CELL, HEAT
from tallymark.render.figures.svg import Canvas, number
from tallymark.render.figures.text import SMALL, clean
from tallymark.render.figures.text import width as text_width
from tallymark.render.numbers import count, in_percent
from tallymark.results import Matrix

MOST_WRITTEN = 13
"""Matrices of more score points are drawn without counts in the cells."""
MOST_POINTS = 60
_LARGEST, _LEAST, _TITLE = 46.0, 220.0, 20.0


class _Grid(Struct, frozen=True):
    """Where the cells are."""

    left: float
    top: float
    across: float
    down: float
    margin: float
    write: Callable[[int], str] | None

    def x(self, column: float) -> float:
        return self.left + column * self.across

    def y(self, row: float) -> float:
        return self.top + row * self.down


def confusion(matrix: Matrix, *, title: str = "", width: int = WIDE, prefix: str) -> Drawn:
    """Draw how often each pair of scores occurs; a cell is as dark as its share of its row."""
    title = title or f"{matrix.row_title} by {matrix.column_title}"
    rows = [sum(row) for row in matrix.values]
    if not sum(rows):
        return Drawn("", "there is no response", title)
    if max(len(matrix.rows), len(matrix.columns)) > MOST_POINTS:
        return Drawn("", f"{len(matrix.rows)} score points are too many to draw", title)
    canvas = Canvas(Frame(title, prefix, width, _description(matrix)))
    grid = _grid(matrix, rows, width)
    used = max(grid.x(len(matrix.columns)) + grid.margin, _LEAST)
    _titles(canvas, matrix, grid, used)
    _labels(canvas, matrix, grid)
    if grid.write:
        for i, row in enumerate(matrix.values):
            for j, value in enumerate(row):
                _cell(canvas, matrix, grid, i, j, value / rows[i] if rows[i] else 0.0)
        _margins(canvas, matrix, rows, grid, grid.write)
    else:
        _shades(canvas, matrix, rows, grid)
    note = "shade: share of the row"
    bottom = grid.y(len(rows) + bool(grid.write))
    canvas.text(used, bottom + 16, note, "k q e", room=used)
    return canvas.figure(bottom + 22, width=used)


def _grid(matrix: Matrix, rows: Sequence[int], width: int) -> _Grid:
    """As large as fits; written where the largest count fits into a cell."""
    names = max(text_width(clean(name), SMALL) for name in ("all", *matrix.rows))
    left = _TITLE + min(names, 0.2 * width) + 8
    columns = len(matrix.columns)
    totals = [sum(column) for column in zip(*matrix.values, strict=True)]
    inner = [*totals, *(value for row in matrix.values for value in row)]
    for write in (count, _short):
        margin = max(_size(write(total)) for total in (*rows, sum(rows))) + 8
        across = min((width - left - margin) / columns, _LARGEST)
        if columns <= MOST_WRITTEN and max(_size(write(value)) for value in inner) <= across - 2:
            down = min(across, max(28.0, 0.72 * across))
            return _Grid(left, 2 * _TITLE, across, down, margin, write)
    across = min((width - left - 2) / columns, _LARGEST)
    return _Grid(left, 2 * _TITLE, across, across, 2.0, None)


def _size(text: str) -> float:
    return text_width(text, SMALL)


def _titles(canvas: Canvas, matrix: Matrix, grid: _Grid, width: float) -> None:
    """Name the columns above them and the rows, upright, at their left."""
    columns = len(matrix.columns) * grid.across
    name = clean(f"{matrix.column_title} (columns)")
    half = min(text_width(name), width) / 2
    middle = min(max(grid.left + columns / 2, half), width - half)
    canvas.text(middle, 13, name, "m", room=width)
    rows = len(matrix.rows) * grid.down
    name = clean(f"{matrix.row_title} (rows)")
    first, last = grid.top - _TITLE, grid.y(len(matrix.rows) + bool(grid.write)) + 20
    half = min(text_width(name), last - first) / 2
    middle = min(max(grid.top + rows / 2, first + half), last - half)
    canvas.text(13, middle, name, "m", room=last - first, turn=True)


def _labels(canvas: Canvas, matrix: Matrix, grid: _Grid) -> None:
    """The score points; of many only those that have room."""
    widest = max(_size(clean(name)) for name in matrix.columns)
    every = math.ceil((widest + 4) / grid.across)
    end = grid.x(len(matrix.columns)) + 2
    for j, name in enumerate(matrix.columns):
        x = grid.x(j + 0.5)
        if j % every == 0 and grid.left - 4 <= x - widest / 2 and x + widest / 2 <= end:
            canvas.text(x, grid.top - 6, name, "k q m")
    every = math.ceil(15 / grid.down)
    for i, name in enumerate(matrix.rows):
        if i % every == 0:
            room = grid.left - _TITLE - 6
            canvas.text(grid.left - 6, grid.y(i + 0.5) + 4, name, "k q e", room=room)


def _cell(canvas: Canvas, matrix: Matrix, grid: _Grid, i: int, j: int, share: float) -> None:
    value = matrix.values[i][j]
    diagonal = matrix.rows[i] == matrix.columns[j]
    if not value and not diagonal:
        return
    x, y = grid.x(j), grid.y(i)
    opacity = heat(share)
    where = f"{matrix.row_title} {matrix.rows[i]}, {matrix.column_title} {matrix.columns[j]}: "
    canvas.open(f"{where}{count(value)}, {in_percent(share)} % of the row")
    inner = grid.across - 1, grid.down - 1
    shade = f' fill-opacity="{opacity:g}"' if value else ' fill-opacity="0"'
    canvas.rect("heat own" if diagonal else "heat", x + 0.5, y + 0.5, *inner, shade)
    if grid.write and value:
        style = "k m hk" if opacity > DARK_CELL else "k m"
        canvas.text(x + grid.across / 2, y + grid.down / 2 + 4, grid.write(value), style)
    canvas.close()


def _shades(canvas: Canvas, matrix: Matrix, rows: Sequence[int], grid: _Grid) -> None:
    """Cells without counts: one path for each shade."""
    shades: dict[float, list[str]] = {}
    size = number(grid.across)
    diagonal = []
    for i, row in enumerate(matrix.values):
        for j, value in enumerate(row):
            square = f"M{number(grid.x(j))} {number(grid.y(i))}h{size}v{size}h-{size}z"
            if value:
                shades.setdefault(heat(value / rows[i]), []).append(square)
            if matrix.rows[i] == matrix.columns[j]:
                diagonal.append(square)
    for opacity, squares in sorted(shades.items()):
        canvas.raw(f'<path class="heat" fill-opacity="{opacity:g}" d="{"".join(squares)}"/>')
    canvas.raw(f'<path class="own" fill="none" d="{"".join(diagonal)}"/>' if diagonal else "")


def heat(share: float) -> float:
    """Return the opacity of a cell, one of a few steps on which text is readable.

    >>> heat(0), heat(0.5), heat(1)
    (0.05, 0.4, 1.0)
    """
    return HEAT[min(int(share * len(HEAT)), len(HEAT) - 1)]


def _margins(
    canvas: Canvas,
    matrix: Matrix,
    rows: Sequence[int],
    grid: _Grid,
    write: Callable[[int], str],
) -> None:
    """How often each score occurs, at the right and below."""
    last, below = len(matrix.columns), len(rows)
    right = grid.x(last) + grid.margin
    canvas.text(right, grid.top - 6, "all", "k q e")
    for i, total in enumerate((*rows, sum(rows))):
        canvas.text(right, grid.y(i + 0.5) + 4, write(total), "k q e")
    for j, column in enumerate(zip(*matrix.values, strict=True)):
        canvas.text(grid.x(j + 0.5), grid.y(below + 0.5) + 4, write(sum(column)), "k q m")
    canvas.text(grid.left - 6, grid.y(below + 0.5) + 4, "all", "k q e")


def _short(value: int) -> str:
    """Write a count in thousands, millions or billions.

    >>> _short(940), _short(1234), _short(56_789), _short(1_200_000)
    ('940', '1.2k', '57k', '1.2M')
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 0.9995 * size:
            return f"{value / size:.{0 if value >= 9.95 * size else 1}f}{letter}"
    return str(value)


def _description(matrix: Matrix) -> str:
    total = sum(map(sum, matrix.values))
    same = sum(
        value
        for name, row in zip(matrix.rows, matrix.values, strict=True)
        for other, value in zip(matrix.columns, row, strict=True)
        if name == other
    )
    share = in_percent(same / total)
    return (
        f"Rows: {matrix.row_title}; columns: {matrix.column_title}. "
        f"{count(same)} of {count(total)} responses ({share} %) got the same score."
    )
