"""Tables as an analysis gave them, as blocks: a value and its two ends become one number."""

from collections.abc import Mapping, Sequence

from tallymark.render.model import Column, Rank, Table, Value
from tallymark.render.sentences import Words
from tallymark.results import Estimate, Key
from tallymark.results import ResultTable as Given

MOST_COLUMNS = 24
Plain = str | int | float | None


def given_table(
    given: Given,
    caption: Words,
    *,
    rank: Rank = Rank.FULL,
    names: int = 1,
    keys: Mapping[str, str] | None = None,
) -> Table:
    """Show a table of text and numbers as it was given; ``keys`` are the statistics of columns."""
    known = keys or {}
    every = together(given.columns)
    places = every[:MOST_COLUMNS]
    further = len(every) - len(places)
    more = f" {further} more columns are in evaluation.json." if further else ""
    return Table(
        id=given.name,
        caption=caption,
        columns=tuple(
            Column(
                given.columns[i].replace("_", " "), numeric=_numeric([row[i] for row in given.rows])
            )
            for i, _ in places
        ),
        rows=tuple(
            tuple(
                _value(row[i], [row[end] for end in ends], known.get(given.columns[i], ""))
                for i, ends in places
            )
            for row in given.rows
        ),
        note=f"{given.note}{more}",
        names=names,
        rank=rank,
    )


def together(columns: Sequence[str]) -> list[tuple[int, tuple[int, ...]]]:
    """The columns with their low and high ends, which are named after them or stand alone."""
    place = {name: i for i, name in enumerate(columns)}
    taken: dict[int, tuple[int, ...]] = {}
    for i, name in enumerate(columns):
        own = [place.get(f"{name}{gap}{end}") for gap in " _" for end in ("low", "high")]
        ends = tuple(end for end in own if end is not None)
        if not ends and tuple(columns[i + 1 : i + 3]) == ("low", "high"):
            ends = (i + 1, i + 2)
        if len(ends) == 2:
            taken[i] = ends
    hidden = {end for ends in taken.values() for end in ends}
    return [(i, taken.get(i, ())) for i in range(len(columns)) if i not in hidden]


def _numeric(cells: Sequence[Plain]) -> bool:
    found = [cell for cell in cells if cell is not None]
    return bool(found) and all(isinstance(cell, int | float) for cell in found)


def _value(value: Plain, ends: Sequence[Plain], key: str) -> Value:
    if isinstance(value, bool):
        return "yes" if value else "no"
    low, high = ends or (None, None)
    if value is None or isinstance(value, str) or low is None or high is None:
        return value
    return Estimate(key=Key(key), value=float(value), low=float(low), high=float(high), n=0)
