"""The table of a system on the page, which the reader can move; its script computes the rest."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tallymark.catalogue import members
from tallymark.diagnosis.binning import coarser
from tallymark.questions.whatif import say
from tallymark.render.model import Bench, Choice, Control
from tallymark.render.sentences import Sentence
from tallymark.results import Evaluation, Matrix, ResultTable

MOST_ERRORS = 3.0
"""Errors can be made so many times as often."""


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
    shown = members("what_if")
    limit = float(evaluation.options.get("limit", say.USUAL))
    return Bench(
        label=Sentence(say.BENCH, system=matrix.column_title),
        controls=tuple(_controls(matrix)),
        outputs=(
            *((entry.text, entry.heading) for entry in shown),
            ("ceiling", "Ceiling"),
            ("limit", f"{shown[0].heading} and its limit"),
        ),
        corner=say.CORNER,
        heads=matrix.columns,
        rows=tuple(zip(matrix.rows, matrix.values, strict=True)),
        data={
            "counts": matrix.values,
            "points": _points(matrix),
            "labels": matrix.rows,
            "errors": {str(int(row[0] or 0)): row[2] for row in errors.rows},
            "leading": shown[0].text,
            "limit": limit,
        },
        script=script(),
        note=say.BENCH_NOTE,
    )


def _points(matrix: Matrix) -> list[float]:
    """The score of each point; words are numbered."""
    try:
        return [float(point) for point in matrix.rows]
    except ValueError:
        return [float(i) for i in range(1, len(matrix.rows) + 1)]


def _controls(matrix: Matrix) -> Iterator[Control | Choice]:
    """What can be moved: agreement, prevalence, errors, points."""
    totals, agreed = [sum(row) for row in matrix.values], [*_diagonal(matrix)]
    every = tuple((str(i), label) for i, label in enumerate(matrix.rows))
    given = tuple(choice for choice, total in zip(every, totals, strict=True) if total)
    common, most = totals.index(max(totals)), agreed.index(max(agreed))
    yield Choice("point", "Gold score", given, str(common))
    yield Control("share", "Share of responses with this gold", 0.01, 0.99, "any", 0.5)
    yield Control("errors", "The same errors, times as often", 0.0, MOST_ERRORS, "0.05", 1.0)
    yield Choice("source", "Agreement from", every, str(most))
    yield Choice("target", "to", every, str(len(every) - 1 if most == 0 else 0))
    yield Control("moved", "Share of that agreement moved", 0.0, 1.0, "0.01", 0.0)
    sizes = (len(every), *reversed(coarser(len(every))))
    yield Choice("points", "Score points", tuple((str(n), str(n)) for n in sizes), str(sizes[0]))


def _diagonal(matrix: Matrix) -> Iterator[int]:
    for i, row in enumerate(matrix.values):
        yield row[i]


@cache
def script() -> str:
    """The script that moves a table."""
    return Path(__file__).with_name("bench.js").read_text("utf-8")
