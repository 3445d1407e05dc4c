"""Cross-tables: a row for each score of people, a column for each score of the system, counts inside."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tallymark.errors import DataError, OptionError, ScaleError
from tallymark.scale import MOST_POINTS, Scale
from tallymark.sources.roles import Roles, listed
from tallymark.sources.sql import DATA
from tallymark.sources.tables import FRAME_NAME, SqlTable, open_table

COUNT = "n"
PEOPLE = ("rater 1", "rater 2")
_MOST_COUNTED = 2**53


class _Grid(NamedTuple):
    """What stands in a table: the labels of its rows and columns, and its cells."""

    name: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[object]]


class CrossTable(Struct, frozen=True):
    """A cross-table as columns of two scores and how often they occur, with what they mean."""

    name: str
    columns: Mapping[str, Sequence[object]]
    roles: Roles
    scale: Scale

    @contextmanager
    def open(self) -> Iterator[SqlTable]:
        """Open it as a table with one row for each cell that is not 0."""
        with open_table(self.columns) as table:
            yield replace(table, name=self.name)


def cross_table(
    source: object, roles: Roles, scale: Any, sheet: str | None, *, people_only: bool
) -> CrossTable:
    """Read a cross-table of counts from a file, a frame or an array.

    Its labels are the scale, also the points that nobody was given; with a declared ``scale`` points
    without a row or a column have no responses. Rows are the gold or the human whom ``roles`` name,
    columns the system, or the second of two raters where it is about people alone.
    """
    grid = _read(source, scale, sheet)
    points = _scale(grid, scale)
    known, named = {_label(label): label for label in _labels(points)}, _roles(roles, people_only)
    first, second, times = [], [], []
    for row, cells in zip(grid.rows, grid.cells, strict=True):
        for column, cell in zip(grid.columns, cells, strict=True):
            count = _count(grid.name, cell, row, column)
            if count:
                first.append(known[_label(row)])
                second.append(known[_label(column)])
                times.append(count)
    if not times:
        raise DataError(f"{grid.name} counts no responses: every cell is 0")
    if sum(times) > _MOST_COUNTED:
        raise DataError(f"{grid.name} counts {sum(times):,} responses; are these counts?")
    names = (*_names(named, people_only), named.count or COUNT)
    columns: dict[str, Sequence[object]] = {names[0]: first, names[1]: second, names[2]: times}
    if len(columns) < 3:
        raise OptionError(f"two of {listed(names)} have one name; change one")
    return CrossTable(grid.name, columns, named, points)


def _read(source: object, scale: Any, sheet: str | None) -> _Grid:
    """The labels and the cells, wherever they stand."""
    if getattr(source, "ndim", 0) == 2 and not hasattr(source, "columns"):
        return _unlabelled([[*row] for row in source], scale)  # type: ignore[attr-defined]
    if isinstance(source, list) and all(isinstance(row, Sequence) for row in source):
        return _unlabelled(source, scale)
    if hasattr(source, "reset_index") and _labelled(source):
        source = source.reset_index()
    with open_table(source, sheet=sheet) as table:
        name = table.name if table.name != FRAME_NAME else "the cross-table"
        _, *columns = table.columns
        rows = table.rows(f"SELECT * FROM {DATA}")
    blank = [
        place for place, row in enumerate(rows, 2) if row[0] is None or not str(row[0]).strip()
    ]
    if blank:
        raise DataError(f"line {blank[0]} of {name} has no label; its first column names a score")
    return _Grid(name, [str(row[0]).strip() for row in rows], columns, [row[1:] for row in rows])


def _labelled(frame: Any) -> bool:
    """Whether the index of a frame holds the labels of its rows, and not its first column."""
    numbered = getattr(frame.index, "start", None) == 0 and frame.index.name is None
    return not numbered or len(frame) == len(frame.columns)


def _unlabelled(cells: Sequence[Sequence[object]], scale: Any) -> _Grid:
    """An array, whose rows and columns stand in the order of the scale."""
    if scale is None:
        raise OptionError("an array of counts has no labels; name its points with --scale")
    labels = _labels(Scale.of(scale))
    if len(cells) != len(labels) or any(len(row) != len(labels) for row in cells):
        shape = f"{len(cells)} by {len(cells[0]) if cells else 0}"
        raise DataError(f"the cross-table is {shape}; the scale has {len(labels)} points")
    return _Grid("the cross-table", labels, labels, cells)


def _scale(grid: _Grid, declared: Any) -> Scale:
    """The scale, checked against the labels."""
    rows, columns = ([_label(label) for label in side] for side in (grid.rows, grid.columns))
    for side, labels in (("row", rows), ("column", columns)):
        twice = [label for label in labels if labels.count(label) > 1]
        if twice:
            raise DataError(f"{grid.name} has more than one {side} {twice[0]!r}")
    if declared is not None:
        scale = Scale.of(declared)
        known = [_label(label) for label in _labels(scale)]
        off = [label for label in (*rows, *columns) if label not in known]
        if off:
            raise DataError(f"{off[0]!r} of {grid.name} is no point of the scale {scale}")
        return scale
    if len(rows) > MOST_POINTS:
        raise DataError(
            f"{grid.name} has {len(rows)} rows, more than any scale of points; leave out --table for "
            "a file with one row per response"
        )
    _check_square(grid.name, rows, columns)
    try:
        return Scale.of(sorted(map(float, columns)) if all(map(_number, columns)) else columns)
    except ScaleError as problem:
        raise DataError(f"the labels of {grid.name} are no scale: {problem}") from None


def _check_square(name: str, rows: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse a table that lacks a row or a column, or has one that is no score."""
    words = [label for label in dict.fromkeys((*rows, *columns)) if not _number(label)]
    if words and len(words) < len({*rows, *columns}):
        raise DataError(f"{name} has {words[0]!r} among scores that are numbers; leave sums out")
    for side, here, there in (("row", rows, columns), ("column", columns, rows)):
        lacking = [label for label in there if label not in here]
        if lacking:
            raise DataError(
                f"{name} has no {side} {lacking[0]!r}, which is a score on its other side. A "
                "cross-table has a row and a column for each: add it with zeros, or declare --scale"
            )


def _roles(roles: Roles, people_only: bool) -> Roles:
    """The two scores and their count under the names that were given, or ours."""
    if people_only:
        humans = (*roles.humans, *PEOPLE[len(roles.humans) :])
        if len(humans) > 2:
            raise OptionError(f"a cross-table holds two raters, got --human {listed(humans)}")
        return replace(roles, humans=humans, count=roles.count or COUNT)
    if len(roles.humans) + (roles.gold is not None) > 1 or len(roles.systems) > 1:
        raise OptionError("a cross-table holds one human score and one system")
    humans = roles.humans or (() if roles.gold else ("human",))
    systems = roles.systems or ("system",)
    return replace(roles, humans=humans, systems=systems, count=roles.count or COUNT)


def _names(roles: Roles, people_only: bool) -> tuple[str, str]:
    """What rows and columns are called."""
    if people_only:
        return roles.humans[0], roles.humans[1]
    return (roles.gold or roles.humans[0]), roles.systems[0]


def _count(name: str, cell: object, row: str, column: str) -> int:
    """A cell as a whole number."""
    text = "" if cell is None else str(cell).strip()
    try:
        count = float(text)
    except ValueError:
        count = float("nan")
    if not (isfinite(count) and count >= 0 and count == int(count)):
        given = f"is {text!r}" if text else "is blank"
        raise DataError(
            f"the count in row {row!r} and column {column!r} of {name} {given}; counts are whole "
            "numbers, 0 for none"
        )
    return int(count)


def _labels(scale: Scale) -> Sequence[str]:
    """The points as they stand in a table."""
    return scale.labels or tuple(f"{point:.12g}" for point in scale.points)


def _number(label: str) -> bool:
    try:
        return isfinite(float(label))
    except ValueError:
        return False


def _label(label: object) -> str:
    """A label that is the same however a number is written: 1 and 1.0."""
    text = str(label).strip()
    return f"{float(text):.12g}" if _number(text) else text


def only_sheet(sheet: str | None, others: Mapping[str, object]) -> str | None:
    """The sheet of a cross-table, which has no records of JSON and no rows to choose or join."""
    for option, given in others.items():
        if given is not None:
            raise OptionError(f"--table reads counts, not responses: leave out {option}")
    return sheet
