"""Tables and grids: the blocks that hold numbers in rows and columns."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tallymark.render.cells import Cell, Column, Measure, Rank, Value
from tallymark.render.sentences import Words
from tallymark.results import Estimate

Item = TypeVar("Item")
MOST_BESIDE = 4
"""So many numbers have room beside each other with their intervals."""


class Table(Struct, frozen=True, kw_only=True):
    """A table with a caption; ``note`` stands below, ``left`` is how many rows are not shown.

    A table whose numbers are ``Held`` is a matrix: each with the sign of its state, and on the page
    with its colour, the interval below the value.

    The first ``names`` columns say what a row is about; screens cut the rows to what they hold, a
    terminal to ``most`` where that is less. The last ``below`` rows stand below a line where a
    screen draws one.
    """

    kind: ClassVar[str] = "table"
    id: str
    caption: Words
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: Words = ""
    left: int = 0
    folded: bool = False
    names: int = 1
    below: int = 0
    most: int | None = None
    rank: Rank = Rank.FULL

    @property
    def stacked(self) -> bool:
        """Whether intervals stand below their values, since there are many beside each other."""
        return max(map(_with_ends, self.rows), default=0) > MOST_BESIDE

    @property
    def words(self) -> list[tuple[str, str]]:
        """What the columns say, for the line below the table."""
        return [(column.title, column.words) for column in self.columns if column.words]

    def first(self, most: int) -> tuple[tuple[Value, ...], ...]:
        """The first rows, and those below the line, which are never cut."""
        split = len(self.rows) - self.below
        return self.rows[: min(split, max(most - self.below, 1))] + self.rows[split:]

    def only(self, kept: Sequence[int]) -> "Table":
        """The table with some of its columns."""
        rows = tuple(tuple(row[i] for i in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in kept), rows=rows)


class Entry(Struct, frozen=True):
    """What is measured: its names, a number for each measure, and of how many responses."""

    names: tuple[Words, ...]
    numbers: tuple[Estimate | None, ...]
    n: int | None = None


class Grid(Struct, frozen=True, kw_only=True):
    """Measures of entries, whose ``names`` have titles; each screen chooses which are its rows."""

    kind: ClassVar[str] = "grid"
    id: str
    caption: Words
    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    entries: tuple[Entry, ...]
    note: Words = ""
    rank: Rank = Rank.FULL


def table_by(
    id: str,  # noqa: A002 - as the block calls it
    caption: Words,
    items: Iterable[Item],
    *columns: tuple[Column, Callable[[Item], Value]],
    **more: Any,
) -> Table:
    """A table with a row for each item: every column stands beside what it holds of an item."""
    rows = tuple(tuple(cell(item) for _, cell in columns) for item in items)
    return Table(id=id, caption=caption, columns=tuple(c for c, _ in columns), rows=rows, **more)


def _with_ends(row: tuple[Value, ...]) -> int:
    return sum(isinstance(cell, Cell) and bool(cell.ends) for cell in row)
