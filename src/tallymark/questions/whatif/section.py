"""Tables that could be different, as a section; on the page with a table that the reader can move."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from tallymark.catalogue import Member, members
from tallymark.defaults import MOST_SYSTEMS
from tallymark.diagnosis.binning import coarser
from tallymark.questions.whatif.scenarios import ELSEWHERE
from tallymark.render.model import (
    Bare,
    Bench,
    Block,
    Cell,
    Choice,
    Column,
    Control,
    Number,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.records import curves_of, drawing, tables_of, whose
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import systems_of
from tallymark.results import Estimate, Evaluation, Key, Matrix, ResultTable

USUAL = 0.7
BENCH_NOTE = (
    "Computed on this page from the counts, without intervals; those of single changes are in the table below. "
    "Changes are made in the order in which they stand."
)
CORRESPONDS = "{leading} {limit:goal} corresponds to {others}, if the same errors were made more or less often."
UNREACHED = "However often the same errors were made, the limit is not crossed."
MOST_ERRORS = 3.0
"""Errors can be made so many times as often."""
CAPTIONS = {
    "what_if_errors": "if the same errors were made more or less often",
    "what_if_prevalence": "if the most common gold were more or less common",
}
NEARLY_QWK = "krippendorff_alpha[interval]"
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
        numbers = [record[leading] for record in records if record["change"] in ELSEWHERE]
        elsewhere = [float(number) for number in numbers if number is not None]
        limits = {
            str(name): math.nan if number is None else float(number)
            for name, _, number, _ in by_subset[table.subset].rows
        }
        if records[0][leading] is not None:
            places = float(records[0][leading]), min(elsewhere), max(elsewhere)
            yield _answer(evaluation.subsets[table.subset].system, places, limits)


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    yield Says(tuple(answers(evaluation)), rank=Rank.FIRST)
    left = len(systems_of(evaluation)) - MOST_SYSTEMS
    if left > 0:
        template = (
            "{left} more systems are in evaluation.json; --system shows those that are named."
        )
        yield Text(Sentence(template, left=left), rank=Rank.FIRST)
    yield from islice(benches(evaluation), MOST_SYSTEMS)
    yield from (_scenarios(evaluation, table) for table in tables_of(evaluation, "scenarios"))
    yield from (_limits(evaluation, table) for table in tables_of(evaluation, "limits"))
    for name, caption in CAPTIONS.items():
        yield from (drawing(evaluation, curves, caption) for curves in curves_of(evaluation, name))


def _scenarios(evaluation: Evaluation, table: ResultTable) -> Table:
    """Each scenario in a row; on the page every number has its interval."""
    statistics, records = members("what_if"), table.records()
    ceiling, verdict = (
        any(r[name] is not None for r in records) for name in ("ceiling", "verdict")
    )
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
                    rank=Rank.PAGE if entry.text == NEARLY_QWK else Rank.FIRST,
                )
                for entry in statistics
            ),
            *([Column("ceiling", key="ceiling_theoretical", numeric=True)] if ceiling else []),
            *([Column("verdict")] if verdict else []),
        ),
        rows=tuple(
            tuple(_row(record, statistics, ceiling=ceiling, verdict=verdict)) for record in records
        ),
        note=table.note,
        most=len(table.rows),
        rank=Rank.FIRST,
    )


def _row(
    record: Mapping[str, Any], statistics: tuple[Member, ...], *, ceiling: bool, verdict: bool
) -> Iterator[Value]:
    yield str(record["scenario"])
    for i, entry in enumerate(statistics):
        ends = [record[f"{entry.heading}{end}"] for end in ("", " low", " high")]
        if ends[0] is None:
            yield None
            continue
        value, low, high = (math.nan if end is None else float(end) for end in ends)
        number = Estimate(key=Key(entry.text), value=value, low=low, high=high, n=0)
        yield Bare(number) if i else number
    top, state = record["ceiling"], record["verdict"]
    if ceiling:
        yield None if top is None else Number(float(top), "share")
    if verdict:
        yield None if state is None else Cell(str(state), state=str(state))


def _limits(evaluation: Evaluation, table: ResultTable) -> Table:
    """What each statistic has now, and at the limit of the first."""
    keys = {entry.heading: entry.text for entry in members("what_if")}
    rows: list[tuple[Value, ...]] = []
    for name, *numbers in table.rows:
        cells = [None if n is None else Number(float(n), "share") for n in numbers]
        rows.append((Cell(str(name), key=keys[str(name)]), *cells))
    return Table(
        id="limits",
        caption=whose(evaluation.subsets[table.subset], table.title),
        columns=(Column(""), *(Column(title, numeric=True) for title in table.columns[1:])),
        rows=tuple(rows),
        note=table.note,
        rank=Rank.FIRST,
    )


def _answer(system: str, places: Sequence[float], limits: Mapping[str, float]) -> Sentence:
    """What the system has now and would have elsewhere, and what corresponds to the limit.

    ``places`` are the leading statistic as it is, and its least and most at other scores.
    """
    leading, *others = limits
    now, low, high = places
    elsewhere = (
        Sentence(
            " With the same agreement at other scores it would have {low:share} to {high:share}.",
            low=low,
            high=high,
        )
        if low < high
        else ""
    )
    corresponding = [Sentence("{name} {value:share}", name=n, value=limits[n]) for n in others]
    limit = limits[leading]
    corresponds = Sentence(UNREACHED)
    if not math.isnan(limit):
        corresponds = Sentence(CORRESPONDS, leading=leading, limit=limit, others=corresponding)
    return Sentence(
        "{system} has {leading} {now:share}.{elsewhere} {corresponds}",
        system=system, leading=leading, now=now, elsewhere=elsewhere, corresponds=corresponds,
    )  # fmt: skip


def benches(evaluation: Evaluation) -> Iterator[Bench]:
    """Yield the table of each system; none where responses are weighted, for it holds counts."""
    tables = {
        evaluation.subsets[matrix.subset].subject: matrix
        for matrix in evaluation.matrices
        if matrix.name == "confusion"
    }
    for table in evaluation.tables if evaluation.data.weights is None else ():
        subset = evaluation.subsets[table.subset] if table.subset >= 0 else None
        if table.name == "gold_error" and subset is not None:
            yield _bench(evaluation, tables[subset.subject], table)


def _bench(evaluation: Evaluation, matrix: Matrix, errors: ResultTable) -> Bench:
    statistics = members("what_if")
    limit = float(evaluation.options.get("limit", USUAL))
    return Bench(
        label=Sentence("Move the table of {system}", system=matrix.column_title),
        controls=tuple(_controls(matrix)),
        outputs=(
            *((entry.text, entry.heading) for entry in statistics),
            ("ceiling", "Ceiling"),
            ("limit", f"{statistics[0].heading} and its limit"),
        ),
        corner="gold",
        heads=matrix.columns,
        rows=tuple(zip(matrix.rows, matrix.values, strict=True)),
        data={
            "counts": matrix.values,
            "points": _points(matrix),
            "labels": matrix.rows,
            "errors": {str(int(row[0] or 0)): row[2] for row in errors.rows},
            "leading": statistics[0].text,
            "limit": limit,
        },
        script=script(),
        note=BENCH_NOTE,
    )


def _points(matrix: Matrix) -> list[float]:
    """The score of each point; words are numbered."""
    try:
        return [float(point) for point in matrix.rows]
    except ValueError:
        return [float(i) for i in range(1, len(matrix.rows) + 1)]


def _controls(matrix: Matrix) -> Iterator[Control | Choice]:
    """What can be moved: agreement, prevalence, errors, points."""
    totals = [sum(row) for row in matrix.values]
    agreed = [row[i] for i, row in enumerate(matrix.values)]
    points = tuple((str(i), label) for i, label in enumerate(matrix.rows))
    scored = tuple(choice for choice, total in zip(points, totals, strict=True) if total)
    common, source = totals.index(max(totals)), agreed.index(max(agreed))
    yield Choice("point", "Gold score", scored, str(common))
    yield Control("share", "Share of responses with this gold", 0.01, 0.99, "any", 0.5)
    yield Control("errors", "The same errors, times as often", 0.0, MOST_ERRORS, "0.05", 1.0)
    yield Choice("source", "Agreement from", points, str(source))
    yield Choice("target", "to", points, str(len(points) - 1 if source == 0 else 0))
    yield Control("moved", "Share of that agreement moved", 0.0, 1.0, "0.01", 0.0)
    sizes = (len(points), *reversed(coarser(len(points))))
    yield Choice("points", "Score points", tuple((str(n), str(n)) for n in sizes), str(sizes[0]))


@cache
def script() -> str:
    """The script that moves a table."""
    return Path(__file__).with_name("bench.js").read_text("utf-8")
