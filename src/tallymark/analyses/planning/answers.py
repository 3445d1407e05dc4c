"""Answers: a plan as an Evaluation, and how a pilot is read."""

from collections.abc import Mapping, Sequence
from typing import Any

from tallymark.evaluation.names import find
from tallymark.evaluation.verdict.statistics import TITLES
from tallymark.results import Data, Evaluation, Table
from tallymark.sources import Roles, Scores, read_scores

_SINGLE = ("gold", "prompt", "cluster", "id")
_ROLES = ("humans", "systems", *_SINGLE)


def read_pilot(pilot: object, reading: Mapping[str, Any]) -> Scores:
    """Read a pilot with the options of ``tm.evaluate``."""
    roles = Roles(
        humans=tuple(reading.get("humans") or ()),
        systems=tuple(reading.get("systems") or ()),
        **{key: reading[key] for key in _SINGLE if reading.get(key)},
    )
    options = {key: value for key, value in reading.items() if key not in _ROLES}
    return read_scores(pilot, roles=roles, **options)


def statistic_name(statistic: str) -> str:
    """The name of a statistic, however it was asked for."""
    formula = find(statistic)
    return formula.key


def spoken(statistic: str) -> str:
    """A statistic in a sentence: its short name where it has one."""
    name = statistic_name(statistic)
    return TITLES.get(name, name)


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
        options={"question": question, "level": 0.95, **options},
        data=Data(read=0, used=0, scale="", notes=tuple(notes)),
        definitions={},
        subsets=(),
        estimates=(),
        tables=(table,),
        findings=tuple(words),
    )
