"""Comparison: which system is better, and is that settled?"""

import math
from collections.abc import Iterator

from tallymark.render import figures
from tallymark.render.comparing import heading, p_text
from tallymark.render.model import Block, Column, Section, Table, Text
from tallymark.render.report.blocks import any_table, drawn
from tallymark.render.report.view import MOST_ROWS, View, counted, part_name, words
from tallymark.render.subsets import whole
from tallymark.results import Estimate, Subset

_PAIRED = "paired_difference"


def comparison(view: View) -> Section:
    """Put the section together."""
    several = len(view.systems) > 1
    return Section(
        id="comparison",
        title="Comparison",
        question="Which system is better, and is that settled?",
        blocks=tuple(_blocks(view)),
        needs="a paired test of the systems, by tallymark compare with the same options."
        if several
        else "a second system, and tallymark compare.",
    )


def _blocks(view: View) -> Iterator[Block]:
    for table in view.tables("ranking"):
        caption = "Systems from the best to the worst, with their intervals"
        yield from drawn(view, figures.ranking, table, caption=caption)
        yield any_table(view, table)
    yield from _differences(view)
    for table in view.tables("pairs"):
        yield any_table(view, table, folded=bool(view.tables("ranking")))
    for table in view.tables("confidences"):
        yield any_table(view, table)


def _differences(view: View) -> Iterator[Block]:
    """Paired differences: the first system less the second."""
    found = [
        (subset, own)
        for i, subset in enumerate(view.evaluation.subsets)
        for own in view.numbers[i].values()
        if own.name == _PAIRED
    ]
    if not found:
        return
    yield Text(
        "Differences are paired: both systems scored the same responses. The p value is adjusted for "
        "the number of pairs; below .05 the difference is settled."
    )
    averaged = any(subset.average for subset, _ in found)
    first = [(s, e) for s, e in found if (s.average if averaged else whole(s)) and not s.fisher_z]
    parts = [(s, e) for s, e in found if not whole(s) and not s.average]
    over = f", mean over {first[0][0].average}s" if averaged else ""
    caption = f"The first system less the second, on the same responses{over}"
    yield _table(view, "differences", caption, first, parts=False)
    if parts:
        yield _table(view, "differences by part", "The same in each part", parts, parts=True)


def _table(
    view: View, name: str, caption: str, found: list[tuple[Subset, Estimate]], *, parts: bool
) -> Table:
    tested = any("p_holm" in own.parts or "p" in own.parts for _, own in found)
    rows = [
        (
            words(subset.system),
            words(str(subset.against)),
            *([words(part_name(subset))] if parts else []),
            words(heading(str(next(iter(own.params.values()), own.text)))),
            counted(own.n),
            view.cell(own),
            *([words(_p(own.parts.get("p_holm", own.parts.get("p"))))] if tested else []),
        )
        for subset, own in found[:MOST_ROWS]
    ]
    return Table(
        id=view.free_id(name),
        caption=caption,
        columns=(
            Column("system"),
            Column("less"),
            *([Column("part")] if parts else []),
            Column("statistic"),
            Column("responses", numeric=True),
            Column("difference", numeric=True),
            *([Column("adjusted p")] if tested else []),
        ),
        rows=tuple(rows),
        left=max(len(found) - MOST_ROWS, 0),
    )


def _p(p: float | None) -> str:
    return "–" if p is None or math.isnan(p) else p_text(p)
