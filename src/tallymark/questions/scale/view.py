"""Other scales, other rules and every pass mark, as a section."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from tallymark.questions.scale.say import CCC, QWK, line
from tallymark.render.model import Block, Heading, Rank, Section, Table, Text
from tallymark.render.records import curves_of, drawing, table_block, tables_of
from tallymark.render.sentences import Sentence
from tallymark.results import Evaluation, Key
from tallymark.results import ResultTable as Record

_IN_TABLE = (Key("pass_fail", of="prevalence"), Key("pass_fail", of="sim_pass"))
"""Curves of which the table tells what matters."""


class _Topic(NamedTuple):
    """What tables and curves of one name show."""

    name: str
    title: str
    words: str
    caption: str


_TOPICS = (
    _Topic(
        name="scale_effect",
        title="The same scores on other scales",
        words="Coefficients change when scores are put into fewer points, or when another rule "
        "makes the gold of the ratings. The people and the system are the same each time.",
        caption="coefficients on fewer score points",
    ),
    _Topic(
        name="pass_fail",
        title="Pass and fail",
        words="Each score point is taken as a pass mark. A scorer without skill, who decides as "
        "most of the gold does, should get nothing.",
        caption="agreement on pass and fail by pass mark",
    ),
)


def section(evaluation: Evaluation) -> Section:
    """Show what other scales, rules and pass marks would say, and what recalibration would do."""
    return Section(
        id="scale",
        title="Other scales",
        question="Would another scale, rule or pass mark decide otherwise?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    for name, title, words, caption in _TOPICS:
        tables = tables_of(evaluation, name)
        if not tables:
            continue
        yield Heading(title, rank=Rank.PAGE, folded=True)
        yield Text(words, rank=Rank.PAGE)
        for curves in curves_of(evaluation, name):
            kept = [curve for curve in curves if curve.name not in _IN_TABLE]
            yield drawing(evaluation, kept, caption)
        alike = name == "scale_effect"  # a table of cuts also holds scores
        styles = dict.fromkeys(("largest distance", "most that no skill gets"), "share")
        for table in tables:
            yield table_block(
                evaluation, table, coefficients=alike, styles=None if alike else styles
            )
    tables = tables_of(evaluation, "recalibration")
    if tables:
        yield Heading("Recalibration", rank=Rank.PAGE, folded=True)
    yield from (_recalibrated(evaluation, table) for table in tables)


def _recalibrated(evaluation: Evaluation, table: Record) -> Table:
    """What each score would become, with the straight line it lies on."""
    block, numbers = table_block(evaluation, table), evaluation.numbers[table.subset]
    keys = [Key("recalibrated", of=name, by="linear") for name in (QWK, CCC)]
    linear = next(numbers[key] for key in keys if key in numbers)
    note = Sentence("{line}. {note}", line=line(linear), note=block.note)
    return replace(block, note=note)
