"""A plan, as a section: the answer, what it assumes, and the same for other sizes."""

from collections.abc import Iterator

from tallymark.questions.planning.say import FINDINGS, TRUE_RATE, drawn, is_labelled
from tallymark.render.model import Block, Column, Rank, Says, Section, Table, Text, Value
from tallymark.render.sentences import Sentence
from tallymark.results import Evaluation

_TITLES = {
    "width": "Responses for an interval",
    "settle": "Responses that settle a limit",
    "difference": "Responses that tell two systems apart",
    "double-scores": "Responses to be rated twice",
    "raters": "Raters for a reliability",
    "certify": "Labels for a certified threshold",
}


def section(evaluation: Evaluation) -> Section:
    """Show what a question needs."""
    return Section(
        id="plan",
        title=_TITLES[str(evaluation.options["question"])],
        question="How much data does it take?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    for answer in evaluation.notes:
        yield Text(FINDINGS[answer.name](answer, evaluation).words, rank=Rank.FIRST)
    notes = [FINDINGS[note.name](note, evaluation).words for note in evaluation.diagnoses]
    notes += [drawn(answer) for answer in evaluation.notes if is_labelled(answer)]
    yield Says(tuple(Sentence("Note: {note}", note=note) for note in notes), rank=Rank.FIRST)
    for table in evaluation.tables:
        yield Table(
            id="plan",
            caption="",
            columns=tuple(Column(title, numeric=i > 0) for i, title in enumerate(table.columns)),
            rows=tuple(tuple(map(_cell, row, table.columns)) for row in table.rows),
            rank=Rank.FIRST,
        )


def _cell(cell: str | float | None, title: str) -> Value:
    if title == TRUE_RATE and isinstance(cell, float):
        return str(Sentence("{rate:level}", rate=cell))
    return "none" if cell is None else cell
