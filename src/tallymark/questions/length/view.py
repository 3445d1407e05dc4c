"""Length, as a section: a sentence on each system, and the numbers of each part."""

from collections.abc import Iterator

from tallymark.catalogue import members
from tallymark.questions.length.compute import ONCE
from tallymark.questions.length.say import ASSUMED, MEANING, rewarded
from tallymark.render.grids import SIDE_BY_SIDE
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
from tallymark.results import LENGTH, Evaluation, Subset


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
    shown = members("length")
    yield Grid(
        id="length",
        caption="Systems and length",
        names=("system",),
        measures=tuple(Measure(m.heading, m.gloss, m.text) for m in shown),
        entries=tuple(
            Entry(
                (subset.system,), tuple(evaluation.of(subset).get(m.text) for m in shown), subset.n
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
    several = len({part.system for part in parts}) > 1
    shown = [m for m in members("length") if m.row.name in ("length_partial", "length_slope")]
    rows: list[tuple[Value, ...]] = [
        (
            ", ".join(place(part).values()),
            *([part.system] if several else []),
            Responses(part.n),
            *(evaluation.of(part).get(m.text) for m in shown),
        )
        for part in parts
    ]
    return Table(
        id="length by part",
        caption=f"Length {kind[0].lower()}{kind[1:]}",
        columns=(
            Column("part"),
            *([Column("system")] if several else []),
            Column("n", numeric=True),
            *(Column(m.heading, m.gloss, m.text, numeric=True) for m in shown),
        ),
        rows=tuple(rows),
        names=1 + several,
        rank=Rank.PAGE,
    )
