"""Answers: a plan as an Evaluation."""

from collections.abc import Mapping, Sequence
from typing import Any

from tallymark.catalogue import called, find
from tallymark.defaults import LEVEL
from tallymark.results import Data, Evaluation, Table, worded


def statistic_name(statistic: str) -> str:
    """The name of a statistic, however it was asked for."""
    formula = find(statistic)
    return formula.key


def spoken(statistic: str) -> str:
    """A statistic in a sentence: its short name where it has one."""
    name = statistic_name(statistic)
    return called(name)


def table_of(columns: tuple[str, ...], rows: Sequence[Sequence[Any]]) -> Table:
    """The same answer for other sizes."""
    return Table(
        name="plan", title="The same for others", columns=columns, rows=tuple(map(tuple, rows))
    )


def _unsaid(value: object) -> bool:
    return value is None or (isinstance(value, Sequence) and not value)


def answered(
    question: str,
    asked: Mapping[str, Any],
    words: Sequence[str],
    notes: Sequence[str],
    table: Table,
) -> Evaluation:
    """Put an answer in words, what was assumed and the table into one record."""
    options = {key: value for key, value in asked.items() if not _unsaid(value)}
    return Evaluation(
        kind="plan",
        options={"question": question, "level": LEVEL, **options},
        data=Data(read=0, used=0, scale="", notes=tuple(notes)),
        definitions={},
        subsets=(),
        estimates=(),
        tables=(table,),
        findings=tuple(worded(words=text) for text in words),
    )
