"""Tables that could be different, as a section; on the page with a table that the reader can move."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tallymark.catalogue import Member, members
from tallymark.questions.whatif import say
from tallymark.questions.whatif.bench import benches
from tallymark.questions.whatif.scenarios import ELSEWHERE
from tallymark.render.drawing import MOST_FIGURES
from tallymark.render.model import (
    Bare,
    Block,
    Cell,
    Column,
    Number,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.records import MOST_SYSTEMS, curves_of, drawing, tables_of, whose
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import systems_of
from tallymark.results import Estimate, Evaluation, Key, ResultTable

_CAPTIONS = {
    "what_if_errors": "if the same errors were made more or less often",
    "what_if_prevalence": "if the most common gold were more or less common",
}

_NEAR = "krippendorff_alpha[interval]"
"""Of two scores it hardly differs from QWK: a terminal leaves it out."""


def section(evaluation: Evaluation) -> Section:
    """Show what would be different if one thing about the table were."""
    return Section(
        id="whatif",
        title="What if",
        question="What would the same system get if one thing about the table were different?",
        blocks=tuple(_blocks(evaluation)),
    )


def answers(evaluation: Evaluation) -> Iterator[Sentence]:
    """Say of each system what other scores and other errors would make of its leading number."""
    leading = members("what_if")[0].heading
    by_subset = {table.subset: table for table in tables_of(evaluation, "limits")}
    for table in tables_of(evaluation, "scenarios"):
        records = table.records()
        same = [record[leading] for record in records if record["change"] in ELSEWHERE]
        elsewhere = [float(number) for number in same if number is not None]
        limits = {
            str(name): float("nan") if at is None else float(at)
            for name, _, at, _ in by_subset[table.subset].rows
        }
        if records[0][leading] is not None:
            places = float(records[0][leading]), min(elsewhere), max(elsewhere)
            yield say.answer(evaluation.subsets[table.subset].system, places, limits)


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    yield Says(tuple(answers(evaluation)), rank=Rank.FIRST)
    left = len(systems_of(evaluation)) - MOST_SYSTEMS
    if left > 0:
        yield Text(Sentence(say.LEFT, left=left), rank=Rank.FIRST)
    yield from islice(benches(evaluation), MOST_FIGURES)
    yield from (_scenarios(evaluation, table) for table in tables_of(evaluation, "scenarios"))
    yield from (_limits(evaluation, table) for table in tables_of(evaluation, "limits"))
    for name, caption in _CAPTIONS.items():
        yield from (drawing(evaluation, curves, caption) for curves in curves_of(evaluation, name))


def _scenarios(evaluation: Evaluation, table: ResultTable) -> Table:
    """Each scenario in a row; on the page every number has its interval."""
    shown, records = members("what_if"), table.records()
    known, judged = (any(r[name] is not None for r in records) for name in ("ceiling", "verdict"))
    return Table(
        id="scenarios",
        caption=whose(evaluation.subsets[table.subset], table.title),
        columns=(
            Column(""),
            *(
                Column(
                    entry.heading,
                    key=entry.text,
                    numeric=True,
                    rank=Rank.PAGE if entry.text == _NEAR else Rank.FIRST,
                )
                for entry in shown
            ),
            *([Column("ceiling", key="ceiling_theoretical", numeric=True)] if known else []),
            *([Column("verdict")] if judged else []),
        ),
        rows=tuple(tuple(_row(record, shown, ceiling=known, verdict=judged)) for record in records),
        note=table.note,
        most=len(table.rows),
        rank=Rank.FIRST,
    )


def _row(
    record: Mapping[str, Any], shown: tuple[Member, ...], *, ceiling: bool, verdict: bool
) -> Iterator[Value]:
    yield str(record["scenario"])
    for i, entry in enumerate(shown):
        ends = [record[f"{entry.heading}{end}"] for end in ("", " low", " high")]
        if ends[0] is None:
            yield None
            continue
        value, low, high = (float("nan") if end is None else float(end) for end in ends)
        number = Estimate(key=Key(entry.text), value=value, low=low, high=high, n=0)
        yield Bare(number) if i else number
    top, state = record["ceiling"], record["verdict"]
    if ceiling:
        yield None if top is None else Number(float(top), "share")
    if verdict:
        yield None if state is None else Cell(str(state), state=str(state))


def _limits(evaluation: Evaluation, table: ResultTable) -> Table:
    """What each statistic has now, and at the limit of the first."""
    shown = {entry.heading: entry.text for entry in members("what_if")}
    rows: list[tuple[Value, ...]] = []
    for name, *numbers in table.rows:
        cells = [None if n is None else Number(float(n), "share") for n in numbers]
        rows.append((Cell(str(name), key=shown[str(name)]), *cells))
    return Table(
        id="limits",
        caption=whose(evaluation.subsets[table.subset], table.title),
        columns=(Column(""), *(Column(title, numeric=True) for title in table.columns[1:])),
        rows=tuple(rows),
        note=table.note,
        rank=Rank.FIRST,
    )
