"""Pairs of systems as tables: those that are listed, every p-value, and what differs by part."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallymark.questions.comparison.pairs import (
    DIFFERENCE,
    FEW_PAIRS,
    SystemPair,
    between_systems,
    heading,
    ranked_by,
    records,
    whole_or_mean,
)
from tallymark.questions.comparison.say import against_each, every_p, pairs_caption
from tallymark.render.model import Column, Number, Rank, Responses, Table, Value
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import place
from tallymark.render.tabular import table_by
from tallymark.results import Estimate, Evaluation, Subset

MOST_SYSTEMS = 60
"""The p-values of the pairs of more systems than this are in the files only."""


def pairs_table(pairs: Sequence[SystemPair], systems: int) -> Table:
    """The pairs in the statistic of the ranking; a terminal has sentences for a few."""
    on_new = any(pair.on_new for pair in pairs)
    new = [Column("on new prompts", "taking these as a sample", rank=Rank.PAGE)]
    new += [Column("p there", rank=Rank.PAGE)]
    rows: list[tuple[Value, ...]] = [
        (
            pair.first,
            pair.second,
            pair.difference,
            Number(pair.p_adjusted, "p"),
            pair.better,
            Responses(pair.difference.n),
            None if pair.needed is None else Number(pair.needed, "roughly"),
            *((pair.on_new, Number(pair.p_on_new, "p")) if on_new else ()),
        )
        for pair in pairs
    ]
    return Table(
        id="pairs",
        caption=pairs_caption(pairs, systems),
        columns=(
            Column("first"),
            Column("second"),
            Column("difference", key=pairs[0].difference.text, numeric=True),
            Column("adj. p"),
            Column("better", "the one that the adjusted test tells apart", rank=Rank.PAGE),
            Column("n", numeric=True, rank=Rank.PAGE),
            Column(
                "responses needed",
                "would settle a true difference of this size 4 times of 5",
                rank=Rank.PAGE,
            ),
            *(new if on_new else ()),
        ),
        rows=tuple(rows),
        names=2,
        rank=Rank.FIRST if len(pairs) > FEW_PAIRS else Rank.PAGE,
    )


def every_p_table(evaluation: Evaluation, listed: int) -> Iterator[Table]:
    """Adjusted p of each pair, where not all are listed: a row for each system, in order of rank."""
    by, order = ranked_by(evaluation), [str(r["system"]) for r in records(evaluation, "ranking")]
    p_of = {
        frozenset((str(row["system"]), str(row["against"]))): row["p_holm"]
        for row in records(evaluation, "pairs")
        if row["statistic"] == by
    }
    if len(p_of) <= listed or len(order) > MOST_SYSTEMS:
        return
    yield Table(
        id="p",
        caption=every_p(by, len(p_of)),
        columns=(Column("system"), Column("adjusted p against each that ranks below it")),
        rows=tuple(
            (system, str(against_each([(o, p_of[frozenset((system, o))]) for o in order[i + 1 :]])))
            for i, system in enumerate(order[:-1])
        ),
        folded=True,
        rank=Rank.PAGE,
    )


def difference_tables(evaluation: Evaluation, leading: Sequence[SystemPair]) -> Iterator[Table]:
    """Differences in every other statistic, and that of the ranking in each part of the data."""
    shown = {id(pair.difference) for pair in leading}
    differences = [
        (subset, difference)
        for subset in between_systems(evaluation)
        for difference in evaluation.of(subset).values()
        if difference.name == DIFFERENCE and id(difference) not in shown
    ]
    others = [
        (subset, difference)
        for subset, difference in differences
        if whole_or_mean(evaluation, subset)
    ]
    parts = [(subset, difference) for subset, difference in differences if place(subset)]
    if parts:
        caption: Words = Sentence(
            "{by} on each part of the data (no tests: these intervals are not adjusted)",
            by=heading(ranked_by(evaluation)),
        )
        few = len(evaluation.options["systems"]) <= FEW_PAIRS
        yield _difference_table("parts", caption, parts, Rank.FIRST if few else Rank.PAGE)
    if others:
        caption = "The first system less the second, on the same responses"
        yield _difference_table("others", caption, others, Rank.PAGE)


def _difference_table(
    name: str, caption: Words, differences: Sequence[tuple[Subset, Estimate]], rank: Rank
) -> Table:
    """The first system less the second: in some parts, or in some statistics."""
    tested = any("p_holm" in difference.parts for _, difference in differences)
    key = differences[0][1].text
    part_or_statistic = Column("part" if name == "parts" else "statistic")
    return table_by(
        name,
        caption,
        [DifferenceOfPair(subset, difference) for subset, difference in differences],
        (part_or_statistic, lambda row: row.part or heading(str(row.difference.params["of"]))),
        (Column("first"), lambda row: row.subset.system),
        (Column("second"), lambda row: str(row.subset.against)),
        (Column("n", numeric=True), lambda row: Responses(row.difference.n)),
        (Column("difference", key=key, numeric=True), lambda row: row.difference),
        *([(Column("adj. p"), lambda row: row.adjusted_p)] if tested else []),
        names=3,
        folded=rank is Rank.PAGE,
        rank=rank,
    )


class DifferenceOfPair(NamedTuple):
    """Two systems, the first as the subject, and their difference in one statistic."""

    subset: Subset
    difference: Estimate

    @property
    def part(self) -> str:
        """Which part of the data it is of; empty for all of them."""
        return ", ".join(place(self.subset).values())

    @property
    def adjusted_p(self) -> Number | None:
        """The p-value adjusted for all pairs, where it was tested."""
        p = self.difference.parts.get("p_holm")
        return None if p is None else Number(p, "p")
