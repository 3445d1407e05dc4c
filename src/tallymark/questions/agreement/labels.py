"""Labels, as tables: how well each is found, and which are taken for which."""

from collections.abc import Iterator, Sequence

from tallymark.catalogue import member, texts
from tallymark.render.model import Block, Column, Rank, Responses, Table, Value
from tallymark.render.sentences import Sentence
from tallymark.results import Evaluation, Key, Matrix, Subset

_OF_LABEL = texts("each_label")
MICRO = (
    "Each response has one label, so that micro precision, recall and F1 all equal exact agreement."
)


def each_label(evaluation: Evaluation, subsets: Sequence[Subset], rank: Rank) -> Iterator[Block]:
    """Recall, precision and F1 of every label, with how many responses people gave it."""
    several, rows = len(subsets) > 1, list[tuple[Value, ...]]()
    for subset in subsets if evaluation.data.view == "nominal" else ():
        numbers = evaluation.of(subset)
        recalls = [e for e in numbers.values() if e.name == _OF_LABEL[0]]
        for recall in recalls:
            label = str(recall.params["label"])
            given: tuple[Value, ...] = (label, *([subset.system] if several else []))
            support = _support(evaluation, subset, label)
            rows.append(
                (*given, support, *(numbers.get(Key(name, label=label)) for name in _OF_LABEL))
            )
    if rows:
        yield Table(
            id="labels",
            caption="Each label",
            columns=(
                Column("label"),
                *([Column("system")] if several else []),
                Column("n", "responses with this label by people", numeric=True),
                *(Column(member(name).heading, key=name, numeric=True) for name in _OF_LABEL),
            ),
            rows=tuple(rows),
            names=2 if several else 1,
            note=MICRO,
            rank=rank,
        )


def _support(evaluation: Evaluation, subset: Subset, label: str) -> Value:
    """How many golds have the label, over all responses."""
    for matrix in evaluation.matrices:
        of = evaluation.subsets[matrix.subset]
        if matrix.name == "confusion" and of.whole and of.system == subset.system:
            return Responses(sum(matrix.values[matrix.rows.index(label)]))
    return None


def confused(matrix: Matrix, system: str) -> Table:
    """How often the system gives each label at each label by people."""
    return Table(
        id="confusion",
        caption=Sentence("Responses by gold (rows) and {system} (columns)", system=system),
        columns=(Column("gold"), *(Column(name, numeric=True) for name in matrix.columns)),
        rows=tuple(
            (name, *counts) for name, counts in zip(matrix.rows, matrix.values, strict=True)
        ),
        rank=Rank.FULL,
    )
