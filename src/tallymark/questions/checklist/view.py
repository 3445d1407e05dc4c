"""The checklist as a section of the page."""

from tallymark.questions.checklist import say
from tallymark.questions.checklist.items import items
from tallymark.render.model import Column, Rank, Section, Table
from tallymark.render.sentences import written
from tallymark.render.subsets import systems_of
from tallymark.results import Evaluation


def section(evaluation: Evaluation) -> Section:
    """Show each item with what documents it here and what is missing; nothing without a system."""
    stated = evaluation.options.get("evidence", {})
    rows = tuple(
        (
            item.source,
            item.asks,
            written(say.documented(evaluation, item.evidence, stated.get(item.name, ""))),
            say.missing(evaluation, item.evidence, "" if item.name in stated else item.yours),
        )
        for item in (items() if systems_of(evaluation) else ())
    )
    table = Table(
        id="checklist",
        caption=say.CAPTION,
        columns=tuple(map(Column, ("source", "asks", "this report", "missing"))),
        rows=rows,
        note=say.NOTE,
        folded=True,
        rank=Rank.PAGE,
    )
    return Section(
        id="checklist",
        title=say.TITLE,
        question=say.QUESTION,
        blocks=(table,) if rows else (),
    )
