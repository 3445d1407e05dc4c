"""Responses: the tally as it was read, while its table is open to find a response again."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import LISTED, Check, ExcludedRow, excluded_row, problem
from tallymark.sources.sql import all_of, as_text, least, literal, once
from tallymark.sources.tables import SqlTable
from tallymark.sources.tallying import RawTally


class ListedResponse(Struct, frozen=True):
    """A response by its id or, in a table without ids, its row; row 1 is the first of the data.

    ``size`` is the difference of the two scores as a share of the range of the scale; ``far`` tells
    that it is among the greatest, else the response is listed for what it moves.
    """

    id: str | None
    row: int | None
    prompt: str | None
    trait: str | None
    gold: float
    score: float
    size: float
    far: bool


class ListedResponses(Struct, frozen=True):
    """The patterns as they were read, and the table in which their responses are found, ``by`` id or row.

    ``scores`` are those of the usable patterns after resolution and trimming; ``width`` is the range
    of the scale of each.
    """

    table: SqlTable
    cells: ScoreCells
    checks: Sequence[Check]
    by: str
    raw: RawTally
    scores: Mapping[str, Floats]
    width: Floats

    def label(self, key: str, place: int) -> str | None:
        """The prompt or trait of a pattern."""
        keys, labels = self.raw.keys, self.raw.labels
        code = keys[key][place] if key in keys else -1
        return labels[key][code] if code >= 0 else None

    def find(self, which: NDArray[np.intp], most: int) -> "FoundResponses":
        """Return the first names, ids or rows, of the responses of some patterns, and those not used."""
        excluded = bool(self.raw.exclusions)
        if not (excluded or which.size):
            return FoundResponses({}, ())
        matching = self.cells.rows(
            self._with_excluded(which) if excluded else self._among(which),
            numbered=excluded or self.by == "row",
        )
        wanted = [least(f"CASE WHEN place IS NOT NULL THEN {self.by} END", most)]
        if excluded:
            listed = f"CASE WHEN place IS NULL THEN {excluded_row(self.checks)} END"
            wanted.append(least(listed, LISTED))
        rows = self.table.rows(
            f"SELECT place, {', '.join(wanted)} FROM ({matching}) GROUP BY place"
        )
        names = {place: several or [] for place, several, *_ in rows if place is not None}
        left = [row for place, *_, several in rows if place is None for row in several]
        return FoundResponses(names, tuple(self._excluded(*row.values()) for row in left))

    def _excluded(self, row: int, name: str | None, which: int, value: str | None) -> ExcludedRow:
        check = self.checks[which]
        return ExcludedRow(row, name, check.words, check.column, value)

    def _among(self, which: NDArray[np.intp]) -> Callable[[str], str]:
        """Write the responses of some patterns."""
        wanted, same = self._wanted(which)
        # materialized: else the checks, which are many, are made of every row before the join
        return lambda rows: (
            f"{once('found', f'SELECT * FROM ({rows}) JOIN {wanted} ON {same}')} "
            f"SELECT * FROM found WHERE {problem(self.checks)} = -1"
        )

    def _with_excluded(self, which: NDArray[np.intp]) -> Callable[[str], str]:
        """Write the same, and the responses that are not used, which have no place."""
        wanted, same = self._wanted(which) if which.size else ("(SELECT NULL AS place)", "FALSE")
        return lambda rows: (
            f"SELECT * FROM (SELECT *, {problem(self.checks)} AS problem FROM ({rows})) "
            f"LEFT JOIN {wanted} ON problem = -1 AND {same} WHERE problem >= 0 OR place IS NOT NULL"
        )

    def _wanted(self, which: NDArray[np.intp]) -> tuple[str, str]:
        """Write the patterns that are sought, and how their responses are matched."""
        raw = self.raw
        columns = [
            (f"s{i}", [_number(value) for value in raw.scores[cell.name][which]])
            for i, cell in enumerate(self.cells.scores)
            if sought(cell.name)
        ]
        for i, key in enumerate(self.cells.keys):
            if key in ("prompt", "trait"):
                texts = [_text(raw.labels[key], code) for code in raw.keys[key][which]]
                columns.append((f"k{i}", texts))
        wanted = zip(map(str, which.tolist()), *(values for _, values in columns), strict=True)
        listed = ", ".join(f"({', '.join(row)})" for row in wanted)
        names = ", ".join(["place", *(f"w{j}" for j in range(len(columns)))])
        grids = {f"s{i}": grid.interval for i, grid in self.cells.grids.items()}
        same = all_of(
            f"{grids.get(name, str)(name)} IS NOT DISTINCT FROM {grids.get(name, str)(f'w{j}')}"
            for j, (name, _) in enumerate(columns)
        )
        return f"(VALUES {listed}) wanted({names})", same


class FoundResponses(NamedTuple):
    """Names of responses by their pattern, and the responses that are not used, by their row."""

    names: Mapping[int, Sequence[str]]
    excluded: tuple[ExcludedRow, ...]


def sought(name: str) -> bool:
    """Whether responses are found again by this score."""
    return name == "gold" or name.startswith(("human:", "system:"))


def _number(value: float) -> str:
    """Write a double that SQL reads as one without a cast."""
    if np.isnan(value):
        return "CAST(NULL AS DOUBLE)"
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def _text(labels: Sequence[str], code: int) -> str:
    return literal(labels[code]) if code >= 0 else as_text("NULL")
