"""Probes, as a section: a sentence on each system and probe, and the numbers of each part."""

from collections.abc import Iterator
from operator import attrgetter

from tallymark.questions.probes.say import MEANING, changes
from tallymark.render.leading import by_part, grid, shown_of
from tallymark.render.model import Block, Rank, Says, Section, Text
from tallymark.render.scope import scope
from tallymark.render.subsets import standing_for_all
from tallymark.results import Evaluation, Kind, Subset

FEW = 2
"""Systems whose probes are said in sentences; more stand in a table."""
NAMES = {"system": attrgetter("system"), "probe": attrgetter("against.name")}


def section(evaluation: Evaluation) -> Section:
    """Show what each system gives probes; nothing where none were scored."""
    subsets = [s for s in evaluation.subsets if s.against.kind is Kind.PROBE]
    return Section(
        id="probes",
        title="Probes",
        question="What do texts get that should not fool a system?",
        blocks=tuple(_blocks(evaluation, subsets)) if subsets else (),
        takes="scores of probes, which tallymark baseline can write; --probe-scores FILE "
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
    shown, rank = shown_of("probes"), Rank.FULL if few else Rank.FIRST
    rows = [((s.system, s.against.name), s.n, evaluation.of(s)) for s in leading]
    yield grid("probes", "Systems and probes", tuple(NAMES), rows, shown, rank=rank)
    yield from by_part(evaluation, subsets, "Probes", shown, NAMES)
