"""Comparison: which system is better, and is that settled?"""

from collections.abc import Iterator

from tallymark.render import figures
from tallymark.render.literal import literal
from tallymark.render.report.blocks import any_table, drawn
from tallymark.render.report.model import Block, Column, Section, Table, Text
from tallymark.render.report.view import MOST_ROWS, View, counted, words

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


def _differences(view: View) -> Iterator[Block]:
    """Paired differences: the first system less the second."""
    rows = []
    for i, subset in enumerate(view.evaluation.subsets):
        for found in view.numbers[i].values():
            if found.name != _PAIRED:
                continue
            of = str(next(iter(found.params.values()), found.text))
            rows.append(
                (
                    words(subset.system),
                    words(subset.against),
                    words(of),
                    counted(subset.n),
                    view.cell(found),
                    words(_p(found.parts.get("p_holm", found.parts.get("p")))),
                )
            )
    if rows:
        yield Text(
            "Differences are paired: both systems scored the same responses. The p value is "
            "adjusted for the number of pairs; below .05 the difference is settled."
        )
        yield Table(
            id=view.free_id("paired"),
            caption="The first system less the second, on the same responses",
            columns=(
                Column("system"),
                Column("less"),
                Column("statistic"),
                Column("responses", numeric=True),
                Column("difference", numeric=True),
                Column("adjusted p"),
            ),
            rows=tuple(rows[:MOST_ROWS]),
            left=max(len(rows) - MOST_ROWS, 0),
        )


def _p(p: float | None) -> str:
    if p is None or p != p:  # noqa: PLR0124 - NaN
        return "–"
    return "< .001" if p < 0.001 else literal(f"{p:.3f}".removeprefix("0"))
