"""Which coefficient to trust, where the agreement sits, and single responses, as a section."""

from collections.abc import Iterator

from msgspec.structs import replace

from tallymark.questions.diagnosis.say import QWK, at_points
from tallymark.render.model import Block, Heading, Rank, Section, Table
from tallymark.render.records import some_columns, table_block, tables_of
from tallymark.results import GOLD, Evaluation
from tallymark.results import ResultTable as Record

MOST_LISTED = 10
_PROPERTIES = ("robust", "penalises", "detects", "corrects", "needs")
_TITLES = {
    "metrics_here": "Which coefficient to trust here",
    "agreement_by_point": "Where the agreement sits",
    "largest_disagreements": "Largest disagreements",
    "influential": "Influence of single responses",
}


_STYLES = dict.fromkeys(
    ("qwk_without", "qwk_change", "r_without", "r_change", "share_of_gold"), "share"
)
"""How numbers of the listed tables are written; others are scores and counts."""


def section(evaluation: Evaluation) -> Section:
    """Show the tables that findings rest on; all of them stand on the page alone."""
    return Section(
        id="diagnosis",
        title="What these numbers hide",
        question="What do the coefficients hide?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    for name, title in _TITLES.items():
        tables = [table for table in tables_of(evaluation, name) if table.rows]
        if tables:
            yield Heading(title, rank=Rank.PAGE, folded=True)
        if name == "metrics_here":
            yield from _metrics(evaluation, tables)
        else:
            yield from (_listed(evaluation, table) for table in tables)


def _metrics(evaluation: Evaluation, tables: list[Record]) -> Iterator[Table]:
    """The numbers of each system, and once what coefficients can see in general."""
    for table in tables:
        here = [i for i, name in enumerate(table.columns) if not _general(name)]
        numbers = some_columns(table, [i for i in here if table.columns[i] != "statistic"])
        yield table_block(
            evaluation,
            replace(numbers, title=f"{table.title}: what each says on these data"),
            coefficients=True,
        )
    for table in tables[:1]:
        kept = [i for i, name in enumerate(table.columns) if _general(name) or name == "title"]
        general = replace(some_columns(table, kept), subset=-1, note="")
        yield table_block(evaluation, replace(general, title=f"{table.title}: what each can see"))


def _general(column: str) -> bool:
    return column.startswith(_PROPERTIES)


def _listed(evaluation: Evaluation, table: Record) -> Table:
    """The first rows of a table."""
    block = table_block(evaluation, table, styles=_STYLES)
    titled = tuple(replace(c, title=c.title.replace("qwk", "QWK")) for c in block.columns)
    block = replace(block, columns=titled)
    qwk = evaluation.beside(table.subset, GOLD).get(QWK)
    note = at_points(qwk) if table.name == "agreement_by_point" and qwk else block.note
    left = max(len(block.rows) - MOST_LISTED, 0)
    return replace(block, rows=block.rows[:MOST_LISTED], left=left, note=note)
