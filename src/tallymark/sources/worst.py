"""Worst: the responses that a system scores most differently, found again by id or by row."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tallymark.diagnosis.influence_of_one import Pairs, with_all, without_one
from tallymark.sources.cells import Cells
from tallymark.sources.checks import Check, problem
from tallymark.sources.sql import all_of, literal
from tallymark.sources.tables import Table
from tallymark.sources.tallying import RawTally
from tallymark.tally.patterns import group_rows

Floats = NDArray[np.float64]
Whole = NDArray[np.intp]
Worst = Literal["none", "ids", "rows"]
"""Which responses are listed: none, those with an id, or else by their row."""
LISTED = 200
"""At most so many differences are listed per system."""
ALL_SYSTEMS = 2000
"""At most so many differences are listed of all systems together."""
INFLUENTIAL = 30
"""Also listed: a few responses of so many of the most influential pairs of scores."""
EXAMPLES = 3
TOO_MANY = 100_000
"""Among more distinct responses than this a single one moves nothing."""


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
class Listing:
    """A table in which responses can be found again by their scores, ``by`` id or row."""

    table: Table
    cells: Cells
    checks: Sequence[Check]
    by: str

    def find(self, raw: RawTally, which: Whole) -> dict[int, list[str]]:
        """Return the first names of the responses of some patterns as they were read."""
        columns = [
            (f"s{i}", [_number(value) for value in raw.scores[cell.name][which]])
            for i, cell in enumerate(self.cells.scores)
            if _sought(cell.name)
        ]
        for i, key in enumerate(self.cells.keys):
            if key in ("prompt", "trait"):
                texts = [_text(raw.labels[key], code) for code in raw.keys[key][which]]
                columns.append((f"k{i}", texts))
        wanted = zip(map(str, which.tolist()), *(values for _, values in columns), strict=True)
        listed = ", ".join(f"({', '.join(row)})" for row in wanted)
        names = ", ".join(["place", *(f"w{j}" for j in range(len(columns)))])
        same = all_of(f"{name} IS NOT DISTINCT FROM w{j}" for j, (name, _) in enumerate(columns))
        source = self.cells.sql if self.by == "id" else self.cells.numbered
        # materialized: else the checks, which are many, are made of every row before the join
        rows = self.table.rows(
            f"WITH found AS MATERIALIZED (SELECT * FROM ({source}) "
            f"JOIN (VALUES {listed}) wanted({names}) ON {same}) "
            f"SELECT place, min({self.by}, {LISTED}) FROM found "
            f"WHERE {problem(self.checks)} = -1 GROUP BY place"
        )
        return {place: found or [] for place, found in rows}


def list_worst(
    listing: Listing | None,
    raw: RawTally,
    scores: Mapping[str, Floats],
    width: Floats,
) -> dict[str, tuple[ListedResponse, ...]]:
    """List the responses with the greatest differences of each system, and influential ones.

    ``scores`` are those of the usable patterns after resolution and trimming; ``width`` is the
    range of the scale of each.
    """
    systems = [name.partition(":")[2] for name in scores if name.startswith("system:")]
    if listing is None or not systems:
        return {}
    most = min(LISTED, ALL_SYSTEMS // len(systems))
    usable = np.flatnonzero(raw.usable)
    columns = _columns(raw)
    size, chosen = {}, {}
    for system in systems:
        score = scores[f"system:{system}"]
        size[system] = np.abs(score - scores["gold"]) / width
        far = _ahead(size[system], columns, raw.counts[raw.usable], most)
        moves = _moves(scores["gold"], score, raw.counts[raw.usable])
        moving = [_ahead(one, columns, np.ones(one.size), INFLUENTIAL) for one in moves]
        chosen[system] = far, np.setdiff1d(np.concatenate([far[:0], *moving]), far)
    every = np.unique(np.concatenate([np.concatenate(two) for two in chosen.values()]))
    names = listing.find(raw, usable[every]) if every.size else {}

    def listed(system: str, which: Whole, few: int, *, far: bool) -> Iterator[ListedResponse]:
        for at in which:
            place = int(usable[at])
            for name in names.get(place, [])[:few]:
                yield ListedResponse(
                    id=name if listing.by == "id" else None,
                    row=int(name) if listing.by == "row" else None,
                    prompt=_label(raw, "prompt", place),
                    trait=_label(raw, "trait", place),
                    gold=float(scores["gold"][at]),
                    score=float(scores[f"system:{system}"][at]),
                    size=float(size[system][at]),
                    far=far,
                )

    return {
        system: (
            *sorted(listed(system, far, most, far=True), key=_order)[:most],
            *sorted(listed(system, moving, EXAMPLES, far=False), key=_order),
        )
        for system, (far, moving) in chosen.items()
    }


def _order(one: ListedResponse) -> tuple[object, ...]:
    """Greatest difference first; then whatever makes the order the same for any order of rows."""
    return -one.size, one.prompt or "", one.gold, one.score, one.id or "", one.row or 0


def _columns(raw: RawTally) -> list[NDArray[np.generic]]:
    """What tells usable patterns apart when they are looked for again."""
    keys = [raw.keys[key][raw.usable] for key in ("prompt", "trait") if key in raw.keys]
    return [*keys, *(values[raw.usable] for name, values in raw.scores.items() if _sought(name))]


def _sought(name: str) -> bool:
    return name == "gold" or name.startswith(("human:", "system:"))


def _ahead(
    strength: Floats, columns: Sequence[NDArray[np.generic]], counts: NDArray[Any], most: int
) -> Whole:
    """Distinct patterns of the greatest strength above 0, until they hold so many responses.

    Equals stand in the order of their scores, which is the same for any order of rows.
    """
    ahead = np.flatnonzero(strength > 0)
    if ahead.size > most:
        limit = np.partition(strength[ahead], -most)[-most]
        ahead = ahead[strength[ahead] >= limit]
    if not ahead.size:
        return ahead
    order, starts = group_rows([-strength[ahead], *(column[ahead] for column in columns)])
    times = np.add.reduceat(counts[ahead][order], starts)
    before = np.cumsum(times) - times
    return ahead[order[starts]][before < most]


def _moves(gold: Floats, score: Floats, counts: NDArray[np.int64]) -> Iterator[Floats]:
    """How far leaving a response of each pattern out moves QWK, and how far the correlation."""
    both = np.flatnonzero(~np.isnan(gold + score))
    if both.size > TOO_MANY:
        return
    pairs = Pairs(gold[both], score[both], counts[both])
    for without, whole in zip(without_one(pairs), with_all(pairs), strict=True):
        moved = np.zeros(gold.size)
        moved[both] = np.nan_to_num(np.abs(without - whole)).round(12)  # equals stay equal
        yield moved


def _label(raw: RawTally, key: str, place: int) -> str | None:
    code = raw.keys[key][place] if key in raw.keys else -1
    return raw.labels[key][code] if code >= 0 else None


def _number(value: float) -> str:
    """Write a double that SQL reads as one without a cast."""
    if np.isnan(value):
        return "CAST(NULL AS DOUBLE)"
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def _text(labels: Sequence[str], code: int) -> str:
    return literal(labels[code]) if code >= 0 else "CAST(NULL AS VARCHAR)"
