"""Experiments side by side: their statistics, then the differences from the first."""

from collections.abc import Iterator, Mapping

from tallymark.catalogue import member, texts
from tallymark.questions.comparison.pairs import DIFFERENCE
from tallymark.render.model import Block, Column, Entry, Grid, Measure, Rank, Section, Table
from tallymark.render.sentences import Sentence, Words
from tallymark.results import GOLD, TRUE_SCORES, Estimate, Evaluation, Matrix, split_key

_SHOWN = {entry.text: entry.heading for entry in map(member, (*texts("rsm_compared"), "prmse"))} | {
    "lin_ccc": "QWK, unrounded"
}
"""What is shown, under which heading."""


def section(evaluation: Evaluation) -> Section:
    """Show experiments beside each other, and the confusion of each."""
    return Section(
        id="comparison",
        title="Experiments side by side",
        question="Does the later experiment score better?",
        blocks=tuple(_blocks(evaluation)),
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    entries = tuple(_entries(evaluation))
    caption = "Each experiment against the human scores"
    if evaluation.kind == "rsmcompare":
        caption += ", then each less the first"
    yield Grid(
        id="experiments",
        caption=caption,
        names=("experiment",),
        measures=tuple(Measure(title, key=text) for text, title in _SHOWN.items()),
        entries=entries,
        rank=Rank.FIRST,
    )
    for matrix in evaluation.matrices:
        yield _confusion(matrix)


def _entries(evaluation: Evaluation) -> Iterator[Entry]:
    """Yield every experiment, then every difference."""
    true = {e.subset.system: e.numbers for e in evaluation.where(against=TRUE_SCORES)}
    for subset, numbers in evaluation.where(against=GOLD):
        yield _entry(subset.system, {**numbers, **true.get(subset.system, {})})
    for subset in evaluation.subsets:
        if subset.against not in (GOLD, TRUE_SCORES):
            first = str(subset.against)
            name = Sentence("{system} less {first}", system=subset.system, first=first)
            differences = evaluation.of(subset).values()
            yield _entry(name, {str(e.params["of"]): e for e in differences})


def _entry(name: Words, numbers: Mapping[str, Estimate]) -> Entry:
    return Entry((name,), tuple(_estimate(numbers, text) for text in _SHOWN))


def _estimate(numbers: Mapping[str, Estimate], text: str) -> Estimate | None:
    """The estimate of a statistic; a parameter that was left open may be any."""
    if text in numbers:
        return numbers[text]
    return next((estimate for estimate in numbers.values() if _name(estimate) == text), None)


def _name(estimate: Estimate) -> str:
    """The name of a statistic, or of that whose difference it is."""
    return (
        split_key(str(estimate.params["of"]))[0] if estimate.name == DIFFERENCE else estimate.name
    )


def _confusion(matrix: Matrix) -> Table:
    """Rows are human scores."""
    rows = zip(matrix.rows, matrix.values, strict=True)
    return Table(
        id="confusion",
        caption=Sentence(
            "Responses by human score (rows) and score of {system} (columns)",
            system=matrix.column_title,
        ),
        columns=(Column("human"), *(Column(point, numeric=True) for point in matrix.columns)),
        rows=tuple((point, *counts) for point, counts in rows),
        folded=True,
        rank=Rank.FIRST,
    )
