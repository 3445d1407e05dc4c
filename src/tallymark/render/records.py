"""Tables and curves of an evaluation as blocks."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from tallymark.defaults import MOST_SYSTEMS
from tallymark.render.model import Cell, Column, Drawing, Number, Rank, Table, Value
from tallymark.render.numbers import decimals, rounded
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import place, systems_of, whole
from tallymark.results import Curve, Estimate, Evaluation, Key, Subset, split_key
from tallymark.results import ResultTable as Record

MOST_COLUMNS = 24


def tables_of(evaluation: Evaluation, name: str) -> list[Record]:
    """Return the tables of a name: of all responses, else of each part; of the first systems."""
    named = [table for table in evaluation.tables if table.name == name]
    named = [table for table in named if _shown(evaluation, table.subset)]
    everything = [t for t in named if t.subset < 0 or whole(evaluation.subsets[t.subset])]
    return everything or named


def curves_of(evaluation: Evaluation, name: str) -> list[list[Curve]]:
    """Return the curves of a statistic, those of one subset together; of the first systems."""
    by_subset: dict[int, list[Curve]] = {}
    for curve in evaluation.curves:
        if split_key(curve.name)[0] == name and _shown(evaluation, curve.subset):
            by_subset.setdefault(curve.subset, []).append(curve)
    return list(by_subset.values())


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
    caption = whose(evaluation.subsets[curves[0].subset], caption)
    return Drawing("lines.curves", (curves, labels), caption, small=True)


def table_block(
    evaluation: Evaluation,
    table: Record,
    *,
    coefficients: bool = False,
    styles: Mapping[str, str] | None = None,
) -> Table:
    """Show a table as it is; a value and its two ends are one cell.

    Where all fractions are ``coefficients`` they are written as coefficients are elsewhere; else
    ``styles`` says how the numbers of a column are written.
    """
    subset = evaluation.subsets[table.subset] if table.subset >= 0 else None
    return Table(
        id=table.name,
        caption=table.title if subset is None else whose(subset, table.title),
        columns=_columns(table),
        rows=_rows(table, coefficients=coefficients, styles=styles),
        note=_sentence(table.note),
        rank=Rank.PAGE,
    )


def given_table(
    table: Record,
    caption: Words,
    *,
    rank: Rank = Rank.FULL,
    names: int = 1,
    keys: Mapping[str, str] | None = None,
    styles: Mapping[str, str] | None = None,
) -> Table:
    """Show a table with a caption of its own; ``keys`` are the statistics of columns."""
    columns, rows = _columns(table), _rows(table, keys=keys, styles=styles)
    further = len(columns) - MOST_COLUMNS
    more = f" {further} more columns are in evaluation.json." if further > 0 else ""
    return Table(
        id=table.name,
        caption=caption,
        columns=columns[:MOST_COLUMNS],
        rows=tuple(row[:MOST_COLUMNS] for row in rows),
        note=f"{table.note}{more}",
        names=names,
        rank=rank,
    )


def _columns(table: Record) -> tuple[Column, ...]:
    return tuple(
        Column(table.columns[i].replace("_", " "), numeric=_numeric(table, i))
        for i, _ in _together(table.columns)
    )


def _rows(
    table: Record,
    *,
    coefficients: bool = False,
    keys: Mapping[str, str] | None = None,
    styles: Mapping[str, str] | None = None,
) -> tuple[tuple[Value, ...], ...]:
    usual = "share" if coefficients else ""
    places = [
        (i, ends, (keys or {}).get(name, ""), (styles or {}).get(name, usual))
        for i, ends in _together(table.columns)
        for name in [table.columns[i]]
    ]
    return tuple(
        tuple(
            _value(row[i], [row[j] for j in ends], key, style, coefficients=coefficients)
            for i, ends, key, style in places
        )
        for row in table.rows
    )


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?" else f"{text}."


def some_columns(table: Record, kept: Sequence[int]) -> Record:
    """Return a table with some of its columns."""
    return replace(
        table,
        columns=tuple(table.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in table.rows),
    )


def _numeric(table: Record, column: int) -> bool:
    cells = [row[column] for row in table.rows]
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(isinstance(cell, int | float) for cell in known)


def _together(columns: Sequence[str]) -> list[tuple[int, tuple[int, ...]]]:
    """The columns with their low and high ends, which are named after them or stand alone."""
    place_of = {name: i for i, name in enumerate(columns)}
    taken: dict[int, tuple[int, ...]] = {}
    for i, name in enumerate(columns):
        places = [place_of.get(f"{name}{gap}{end}") for gap in " _" for end in ("low", "high")]
        ends = tuple(end for end in places if end is not None)
        if not ends and tuple(columns[i + 1 : i + 3]) == ("low", "high"):
            ends = (i + 1, i + 2)
        if len(ends) == 2:
            taken[i] = ends
    hidden = {end for ends in taken.values() for end in ends}
    return [(i, taken.get(i, ())) for i in range(len(columns)) if i not in hidden]


def _value(value: Any, ends: Sequence[Any], key: str, style: str, *, coefficients: bool) -> Value:
    if isinstance(value, bool):
        return "yes" if value else "no"
    numbers = [number for number in (value, *ends) if isinstance(number, int | float)]
    if len(numbers) != 3:
        as_it_is: Value = value
        return Number(value, style) if style and isinstance(value, float) else as_it_is
    if all(isinstance(number, int) for number in numbers):
        middle, low, high = numbers
        return Cell(f"{middle}", f"[{low}, {high}]", raw=middle, low=low, high=high)
    value, low, high = map(float, numbers)
    if coefficients:
        return _coefficient(value, low, high)
    return Estimate(key=Key(key), value=value, low=low, high=high, n=0)


def _coefficient(value: float, low: float, high: float) -> Cell:
    places = decimals(value, low, high, coefficient=True)
    middle, first, last = (
        rounded(number, places, coefficient=True).replace("-", "−") for number in (value, low, high)
    )
    return Cell(middle, f"[{first}, {last}]", raw=value, low=low, high=high)
