"""Tables and curves of an evaluation as blocks, as they were found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tallymark.render import figures
from tallymark.render.cells import Number
from tallymark.render.model import Cell, Column, Drawing, Rank, Table, Value
from tallymark.render.numbers import decimals, rounded
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import place, systems_of, whole
from tallymark.results import Curve, Estimate, Evaluation, Key, Subset, split_key
from tallymark.results import ResultTable as Record

MOST_SYSTEMS = 4
"""Of so many systems each has its tables and figures; of more, only the first ones."""


def tables_of(evaluation: Evaluation, name: str) -> list[Record]:
    """Return the tables of a name: of all responses, else of each part; of the first systems."""
    found = [table for table in evaluation.tables if table.name == name]
    found = [table for table in found if _shown(evaluation, table.subset)]
    everything = [t for t in found if t.subset < 0 or whole(evaluation.subsets[t.subset])]
    return everything or found


def curves_of(evaluation: Evaluation, name: str) -> list[list[Curve]]:
    """Return the curves of a statistic, those of one subset together; of the first systems."""
    found: dict[int, list[Curve]] = {}
    for curve in evaluation.curves:
        if split_key(curve.name)[0] == name and _shown(evaluation, curve.subset):
            found.setdefault(curve.subset, []).append(curve)
    return list(found.values())


def _shown(evaluation: Evaluation, subset: int) -> bool:
    subject = evaluation.subsets[subset].subject if subset >= 0 else None
    first = systems_of(evaluation)[:MOST_SYSTEMS]
    return subject is None or not subject.is_system or subject.name in first


def whose(subset: Subset, words: Words) -> Sentence:
    """Say something of a subject, and of which part of the data."""
    part = ", ".join(place(subset).values())
    where = Sentence(", {part}", part=part) if part else ""
    return Sentence("{system}{where}: {words}", system=subset.system, where=where, words=words)


def drawing(evaluation: Evaluation, curves: Sequence[Curve], caption: Words) -> Drawing:
    """Draw the curves of one subset together."""
    labels = [curve.y_title for curve in curves]
    told = whose(evaluation.subsets[curves[0].subset], caption)
    return Drawing(figures.curves, (curves, labels), told, small=True)


def table_block(
    evaluation: Evaluation,
    found: Record,
    *,
    folded: bool = False,
    coefficients: bool = False,
    rank: Rank = Rank.PAGE,
) -> Table:
    """Show a table as it was found; a value and its two ends are one cell.

    Where all fractions are ``coefficients`` they are written as coefficients are elsewhere.
    """
    places = _together(found.columns)
    own = evaluation.subsets[found.subset] if found.subset >= 0 else None
    return Table(
        id=found.name,
        caption=found.title if own is None else whose(own, found.title),
        columns=tuple(
            Column(found.columns[i].replace("_", " "), numeric=_numeric(found, i))
            for i, _ in places
        ),
        rows=tuple(
            tuple(
                _value(row[i], [row[j] for j in ends], coefficients=coefficients)
                for i, ends in places
            )
            for row in found.rows
        ),
        note=_sentence(found.note),
        folded=folded,
        rank=rank,
    )


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?" else f"{text}."


def some_columns(found: Record, kept: Sequence[int]) -> Record:
    """Return a table with some of its columns."""
    return replace(
        found,
        columns=tuple(found.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in found.rows),
    )


def _numeric(found: Record, column: int) -> bool:
    cells = [row[column] for row in found.rows]
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(isinstance(cell, int | float) for cell in known)


def _together(columns: Sequence[str]) -> list[tuple[int, tuple[int, ...]]]:
    """The columns with their low and high ends, which are named after them or stand alone."""
    place_of = {name: i for i, name in enumerate(columns)}
    taken: dict[int, tuple[int, ...]] = {}
    for i, name in enumerate(columns):
        own = [place_of.get(f"{name}{gap}{end}") for gap in " _" for end in ("low", "high")]
        ends = tuple(end for end in own if end is not None)
        if not ends and tuple(columns[i + 1 : i + 3]) == ("low", "high"):
            ends = (i + 1, i + 2)
        if len(ends) == 2:
            taken[i] = ends
    hidden = {end for ends in taken.values() for end in ends}
    return [(i, taken.get(i, ())) for i in range(len(columns)) if i not in hidden]


def _value(value: Any, ends: Sequence[Any], *, coefficients: bool) -> Value:
    if isinstance(value, bool):
        return "yes" if value else "no"
    numbers = [number for number in (value, *ends) if isinstance(number, int | float)]
    if len(numbers) != 3:
        as_it_is: Value = value
        return Number(value, "share") if coefficients and isinstance(value, float) else as_it_is
    if all(isinstance(number, int) for number in numbers):
        middle, low, high = numbers
        return Cell(f"{middle}", f"[{low}, {high}]", raw=middle, low=low, high=high)
    return (_coefficient if coefficients else _plain)(*map(float, numbers))


def _plain(value: float, low: float, high: float) -> Estimate:
    return Estimate(key=Key(""), value=value, low=low, high=high, n=0)


def _coefficient(value: float, low: float, high: float) -> Cell:
    places = decimals(value, low, high, coefficient=True)
    middle, first, last = (
        rounded(number, places, coefficient=True).replace("-", "−") for number in (value, low, high)
    )
    return Cell(middle, f"[{first}, {last}]", raw=value, low=low, high=high)
