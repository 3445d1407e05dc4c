"""Responses: the tally as it was read, while its table is open to find a response again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tallymark.sources.cells import ScoreCells
from tallymark.sources.checks import Check, problem
from tallymark.sources.sql import all_of, as_text, least, literal, once
from tallymark.sources.tables import SqlTable
from tallymark.sources.tallying import RawTally

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ListedResponse:
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


@dataclass(frozen=True, slots=True)
class ListedResponses:
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

    def find(self, which: NDArray[np.intp], most: int) -> dict[int, list[str]]:
        """Return the first names, ids or rows, of the responses of some patterns."""
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
        same = all_of(f"{name} IS NOT DISTINCT FROM w{j}" for j, (name, _) in enumerate(columns))
        wanted_rows = f"(VALUES {listed}) wanted({names})"
        # materialized: else the checks, which are many, are made of every row before the join
        matching = self.cells.rows(
            lambda rows: (
                f"{once('found', f'SELECT * FROM ({rows}) JOIN {wanted_rows} ON {same}')} "
                f"SELECT * FROM found WHERE {problem(self.checks)} = -1"
            ),
            numbered=self.by == "row",
        )
        rows = self.table.rows(
            f"SELECT place, {least(self.by, most)} FROM ({matching}) GROUP BY place"
        )
        return {place: names or [] for place, names in rows}


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
