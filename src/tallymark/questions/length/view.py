"""Length, as a section: a sentence on each system, and the numbers of each part."""

from collections.abc import Iterator

from tallymark.questions.length.compute import ONCE
from tallymark.questions.length.say import ASSUMED, MEANING, rewarded
from tallymark.render.grids import SIDE_BY_SIDE
from tallymark.render.leading import by_part, grid, of_systems, shown_of
from tallymark.render.model import Block, Rank, Says, Section, Text
from tallymark.render.scope import scope
from tallymark.render.subsets import standing_for_all
from tallymark.results import LENGTH, Evaluation, Subset

IN_PARTS = ("length_partial", "length_slope")


def section(evaluation: Evaluation) -> Section:
    """Show what each system makes of length; nothing where lengths are not given."""
    subsets = [s for s in evaluation.subsets if s.against == LENGTH]
    return Section(
        id="length",
        title="Length",
        question="Do equally good responses get more for being longer?",
        blocks=tuple(_blocks(evaluation, subsets)) if subsets else (),
        takes="the length or the text of each response: --length COL.",
    )


def _blocks(evaluation: Evaluation, subsets: list[Subset]) -> Iterator[Block]:
    yield Text(MEANING, rank=Rank.PAGE)
    leading = standing_for_all(evaluation, subsets)
    said = tuple(
        sentence
        for subset in leading
        for sentence in rewarded(subset.system, evaluation.of(subset), scope(evaluation, subset))
    )
    few = len(leading) <= SIDE_BY_SIDE
    if said and few:
        yield Says(said, rank=Rank.FIRST)
    if any(e.why == ONCE for subset in leading for e in evaluation.of(subset).values()):
        yield Text(ASSUMED, rank=Rank.FIRST)
    rows, rank = of_systems(evaluation, leading), Rank.FULL if few else Rank.FIRST
    shown = shown_of("length")
    yield grid("length", "Systems and length", ("system",), rows, shown, rank=rank)
    yield from by_part(evaluation, subsets, "Length", [m for m in shown if m.key in IN_PARTS])
