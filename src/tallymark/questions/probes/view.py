"""Probes, as a section: a sentence on each system and probe, and the numbers of each part."""

from collections.abc import Iterator

from tallymark.catalogue import members
from tallymark.questions.probes.say import MEANING, changes
from tallymark.render.model import (
    Block,
    Column,
    Entry,
    Grid,
    Heading,
    Measure,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.scope import scope
from tallymark.render.subsets import by_kind_of_part, place, standing_for_all
from tallymark.results import Evaluation, Kind, Subset

FEW = 2
"""Systems whose probes are said in sentences; more stand in a table."""


def section(evaluation: Evaluation) -> Section:
    """Show what each system gives probes; nothing where none were scored."""
    subsets = [s for s in evaluation.subsets if s.against.kind is Kind.PROBE]
    return Section(
        id="probes",
        title="Probes",
        question="What do texts get that should not fool a system?",
        blocks=tuple(_blocks(evaluation, subsets)) if subsets else (),
        takes="scores of probes: `tallymark baseline --probe-out` writes them, --probe-scores FILE "
        "reads what your system gave them.",
    )


def _blocks(evaluation: Evaluation, subsets: list[Subset]) -> Iterator[Block]:
    yield Text(MEANING, rank=Rank.PAGE)
    probes = list(dict.fromkeys(s.against for s in subsets))
    leading = [
        subset
        for probe in probes
        for subset in standing_for_all(evaluation, [s for s in subsets if s.against == probe])
    ]
    leading.sort(key=lambda s: [*dict.fromkeys(x.system for x in subsets)].index(s.system))
    said = tuple(
        sentence
        for subset in leading
        for sentence in changes(
            subset.system, subset.against.name, evaluation.of(subset), scope(evaluation, subset)
        )
    )
    few = len({subset.system for subset in leading}) <= FEW
    if few:
        yield Says(said, rank=Rank.FIRST)
    shown = members("probes")
    yield Grid(
        id="probes",
        caption="Systems and probes",
        names=("system", "probe"),
        measures=tuple(Measure(m.heading, m.gloss, m.text) for m in shown),
        entries=tuple(
            Entry(
                (subset.system, subset.against.name),
                tuple(evaluation.of(subset).get(m.text) for m in shown),
                subset.n,
            )
            for subset in leading
        ),
        rank=Rank.FULL if few else Rank.FIRST,
    )
    if any(True for _ in by_kind_of_part(subsets)):
        yield Heading("In each part of the data", rank=Rank.PAGE, folded=True)
    for kind, parts in by_kind_of_part(subsets):
        yield _parts(evaluation, kind, parts)


def _parts(evaluation: Evaluation, kind: str, parts: list[Subset]) -> Table:
    shown = members("probes")
    rows: list[tuple[Value, ...]] = [
        (
            ", ".join(place(part).values()),
            part.system,
            part.against.name,
            Responses(part.n),
            *(evaluation.of(part).get(m.text) for m in shown),
        )
        for part in parts
    ]
    return Table(
        id="probes by part",
        caption=f"Probes {kind[0].lower()}{kind[1:]}",
        columns=(
            *(Column(name) for name in ("part", "system", "probe")),
            Column("n", numeric=True),
            *(Column(m.heading, m.gloss, m.text, numeric=True) for m in shown),
        ),
        rows=tuple(rows),
        names=3,
        rank=Rank.PAGE,
    )
