"""Blocks that several sections use: tables of statistics, any table, any curve, figures."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from tallymark.render import figures
from tallymark.render.drawing import MOST_FIGURES, drawn, paired
from tallymark.render.facts import responses
from tallymark.render.given import MOST_COLUMNS, together
from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.model import Block, Cell, Column, Says, Table
from tallymark.render.numbers import plain_number, with_interval
from tallymark.render.placed import MOST_SAID
from tallymark.render.report.view import MOST_ROWS, View, counted, few, headings, part_name, words
from tallymark.results import PEOPLE, Curve, Estimate, Key, Numbers, Subset, split_key
from tallymark.results import Table as Found

__all__ = [
    "MOST_FIGURES", "MOST_SAID", "any_curves", "any_table", "by_part", "drawn", "few_systems", "paired",
    "said", "same_axes", "statistics_table",
]  # fmt: skip

SIDE_BY_SIDE = 3
"""So many systems stand beside each other in a table."""
Part = tuple[int, Subset]
T = TypeVar("T")


def statistics_table(
    view: View,
    name: str,
    caption: str,
    rows: Sequence[tuple[Cell, int, Numbers]],
    shown: Sequence[Shown],
    *,
    first: str = "system",
) -> Table:
    """Some statistics of some subsets: few stand beside each other, many below each other."""
    if len(rows) <= SIDE_BY_SIDE:
        return _beside(view, name, caption, rows, shown)
    cells = [
        (label, counted(n), *(view.cell(one.of(own)) for one in shown))
        for label, n, own in rows[:MOST_ROWS]
    ]
    return Table(
        id=view.free_id(name),
        caption=caption,
        columns=(
            Column(first),
            Column("responses", numeric=True),
            *headings(shown),
        ),
        rows=tuple(cells),
        note=few(n for _, n, _ in rows),
        left=max(len(rows) - MOST_ROWS, 0),
    )


def _beside(
    view: View,
    name: str,
    caption: str,
    rows: Sequence[tuple[Cell, int, Numbers]],
    shown: Sequence[Shown],
) -> Table:
    """One row per statistic, with a few words on what it says."""
    sizes = {n for _, n, _ in rows}
    first = (
        ()
        if len(sizes) == 1
        else ((Cell("responses"), *(counted(n) for _, n, _ in rows), Cell("")),)
    )
    cells = [
        (
            Cell(one.heading, key=one.text),
            *(view.cell(one.of(own)) for _, _, own in rows),
            Cell(one.words, tone="gloss"),
        )
        for one in shown
    ]
    return Table(
        id=view.free_id(name),
        caption=caption if first else f"{caption}: {responses(rows[0][1])}",
        columns=(
            Column("statistic"),
            *(Column(label.text, numeric=True) for label, _, _ in rows),
            Column("what it says"),
        ),
        rows=(*first, *cells),
        note=few(n for _, n, _ in rows)
        if first
        else few([rows[0][1]]).removeprefix("* ").capitalize(),
    )


def by_part(
    view: View, name: str, caption: str, parts: Sequence[Part], shown: Sequence[Shown]
) -> Table:
    """Some statistics of each system in each part of the data."""
    several = len({subset.system for _, subset in parts}) > 1
    rows = []
    for i, subset in parts[:MOST_ROWS]:
        numbers = [view.cell(one.of(view.numbers[i])) for one in shown]
        label = [words(subset.system)] if several else []
        rows.append((words(part_name(subset)), *label, counted(subset.n), *numbers))
    return Table(
        id=view.free_id(name),
        caption=caption,
        columns=(
            Column("part"),
            *([Column("system")] if several else []),
            Column("responses", numeric=True),
            *headings(shown),
        ),
        rows=tuple(rows),
        note=few(subset.n for _, subset in parts),
        left=max(len(parts) - MOST_ROWS, 0),
    )


def any_table(view: View, found: Found, *, folded: bool = False, left: int = 0) -> Table:
    """A table of text and numbers as it was found; a value and its two ends are one cell."""
    every = together(found.columns)
    places = every[:MOST_COLUMNS]
    numeric = [
        all(isinstance(row[i], int | float | None) for row in found.rows)
        and any(row[i] is not None for row in found.rows)
        for i, _ in places
    ]
    return Table(
        id=view.free_id(f"table {found.name}"),
        caption=f"{_whose(view, found.subset, found.title)}{literal(found.title).rstrip('.')}",
        columns=tuple(
            Column(literal(found.columns[i].replace("_", " ")), numeric=number)
            for (i, _), number in zip(places, numeric, strict=True)
        ),
        rows=tuple(
            tuple(_any_cell(row[i], [row[j] for j in ends]) for i, ends in places)
            for row in found.rows[:MOST_ROWS]
        ),
        note=_sentence(literal(found.note)) + _further(len(every) - len(places)),
        left=left + max(len(found.rows) - MOST_ROWS, 0),
        folded=folded,
    )


def _further(columns: int) -> str:
    return f" {columns} more columns are in evaluation.json." if columns else ""


def any_curves(
    view: View, curves: Sequence[Curve], caption: str, *, small: bool = False
) -> list[Block]:
    """Curves that share their axes, as one figure."""
    labels = [_label(view, curve, curves) for curve in curves]
    return drawn(view, figures.curves, curves, labels, caption=caption, small=small)


def same_axes(curves: Iterable[Curve]) -> list[list[Curve]]:
    """Curves by what they can be drawn together with: one kind of x and of name."""
    found: dict[tuple[str, str, int], list[Curve]] = {}
    for curve in curves:
        key = (split_key(curve.name)[0], curve.x_title, curve.subset)
        found.setdefault(key, []).append(curve)
    return list(found.values())


def said(things: Sequence[T], say: Callable[[T], str]) -> Says:
    """A sentence on each thing, of many only on the first."""
    sentences = tuple(filter(None, map(say, things[:MOST_SAID])))
    return Says(sentences, max(len(things) - MOST_SAID, 0))


def few_systems(view: View, subset: int) -> bool:
    """Whether it is of no system, or of one of the first, which alone have figures and tables."""
    subject = view.evaluation.subsets[subset].subject if subset >= 0 else PEOPLE
    return not subject.is_system or view.series(subject.name) <= MOST_FIGURES


def _label(view: View, curve: Curve, beside: Sequence[Curve]) -> str:
    subset = view.evaluation.subsets[curve.subset] if curve.subset >= 0 else None
    several = len({other.subset for other in beside}) > 1
    if several and subset is not None:
        return literal(subset.system)
    return literal(curve.y_title)


def _whose(view: View, subset: int, title: str) -> str:
    if subset < 0:
        return ""
    own = view.evaluation.subsets[subset]
    named = literal(own.system)
    part = part_name(own)
    where = f", {part}" if part != "all responses" else ""
    return "" if named in title and not where else f"{named}{where}: "


def _sentence(text: str) -> str:
    return text if not text or text[-1] in ".!?" else f"{text}."


def _any_cell(value: str | float | None, ends: Sequence[str | float | None] = ()) -> Cell:
    if value is None:
        return Cell("–")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, str):
        return words(value)
    if len(ends) == 2 and all(isinstance(end, int | float) for end in ends):
        low, high = map(float, ends)  # type: ignore[arg-type]
        if all(isinstance(end, int) for end in (value, *ends)):
            between = f"[{ends[0]}, {ends[1]}]"
            return Cell(str(value), between, raw=float(value), low=low, high=high)
        text = with_interval(Estimate(key=Key(""), value=float(value), low=low, high=high, n=0))
        number, _, rest = text.replace("-", "−").partition(" [")
        return Cell(number, f"[{rest}" if rest else "", raw=float(value), low=low, high=high)
    return Cell(plain_number(float(value)).replace("-", "−"), raw=float(value))
