"""Fairness, as a section: a sentence on each column of groups, and the groups beside each other."""

from collections.abc import Iterator, Sequence
from itertools import chain

from tallymark.catalogue import members
from tallymark.questions.fairness.labels import of_labels
from tallymark.questions.fairness.say import (
    DSM,
    SIGN,
    GroupColumn,
    GroupNumbers,
    errors_by_group,
    errors_of_many,
    groups_beside_others,
)
from tallymark.render.asking import asked_by
from tallymark.render.drawing import MOST_FIGURES
from tallymark.render.figures.records import Mark, Whisker, common_domain
from tallymark.render.literal import literal
from tallymark.render.model import (
    Block,
    Cell,
    Column,
    Drawing,
    Heading,
    Rank,
    Responses,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import asked_alone, systems_of
from tallymark.results import OTHER_GROUPS, Evaluation

FEW_SYSTEMS = 2
"""Of more systems, those whose errors differ are named for each column."""
FEW_GROUPS = 12
"""Forests of this many groups stand beside each other."""
X_TITLE = "DSM: standardized mean of system less that of gold"

GROUPS = "a column of groups, such as --group gender."


def section(evaluation: Evaluation) -> Section:
    """Show whether errors differ by group, and which groups stand out."""
    groups = asked_by(evaluation, GROUPS)
    return Section(
        id="fairness",
        title="Fairness",
        question="Are groups treated as people treat them?",
        blocks=tuple(_blocks(evaluation)),
        needs="" if evaluation.options.get("groups") or asked_alone(evaluation) else groups,
        takes=groups,
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    if evaluation.data.view != "ordinal":
        yield from of_labels(evaluation)
    every = _columns(evaluation)
    if every:
        yield Text(DSM, rank=Rank.PAGE)
        yield Says(tuple(_said(every)), rank=Rank.FIRST)
    for by_system in _alike(every, "column"):
        name = by_system[0].column
        yield Heading(Sentence("By {name}", name=name), rank=Rank.PAGE)
        yield from _forests(evaluation, by_system)
        yield from _tables(by_system)


def _said(every: Sequence[GroupColumn]) -> Iterator[Sentence]:
    """A sentence or two on each system, or where there are many on each column of groups."""
    of_systems = _alike(every, "system")
    if len(of_systems) > FEW_SYSTEMS:
        return chain.from_iterable(map(errors_of_many, _alike(every, "column")))
    return chain.from_iterable(map(errors_by_group, of_systems))


def _alike(every: Sequence[GroupColumn], what: str) -> list[list[GroupColumn]]:
    """Those of each system, or of each column of groups, in their order."""
    parts: dict[str, list[GroupColumn]] = {}
    for groups in every:
        parts.setdefault(getattr(groups, what), []).append(groups)
    return [*parts.values()]


def _columns(evaluation: Evaluation) -> list[GroupColumn]:
    """Every system by every column of groups."""
    subsets = [subset for subset in evaluation.subsets if subset.against == OTHER_GROUPS]
    groups: dict[tuple[str, str | None], list[GroupNumbers]] = {}
    for subset in subsets:
        if subset.group is not None:
            numbers = GroupNumbers(subset.group, subset.n, evaluation.of(subset))
            groups.setdefault((subset.system, subset.group_column), []).append(numbers)
    return [
        GroupColumn(
            subset.system,
            subset.group_column or "",
            evaluation.of(subset)["osd"],
            tuple(groups.get((subset.system, subset.group_column), ())),
        )
        for subset in subsets
        if subset.group is None and "osd" in evaluation.of(subset)
    ]


def _tables(by_system: Sequence[GroupColumn]) -> Iterator[Table]:
    """A table of each system that stands out, then one of all others."""
    for groups in by_system:
        if groups.stands_out:
            yield _table([groups], Rank.FIRST)
    others = [groups for groups in by_system if not groups.stands_out]
    if others:
        yield _table(others, Rank.FULL)


def _table(by_system: Sequence[GroupColumn], rank: Rank) -> Table:
    everyone = [(of_system.system, group) for of_system in by_system for group in of_system.groups]
    shown = [m for m in members("groups") if any(m.text in g.numbers for _, g in everyone)]
    several, signed = len(by_system) > 1, any(group.sign for _, group in everyone)
    names = [Column("group"), *([Column("system")] if several else [])]
    names += [Column("sign", SIGN)] if signed else []
    rows: list[tuple[Value, ...]] = [
        (
            group.name,
            *([system] if several else []),
            *([Cell(group.sign, tone="warn")] if signed else []),
            Responses(group.n),
            *(group.numbers.get(statistic.text) for statistic in shown),
        )
        for system, group in everyone
    ]
    numbers = [
        Column(statistic.heading, statistic.gloss, statistic.text, numeric=True)
        for statistic in shown
    ]
    return Table(
        id="groups",
        caption=groups_beside_others(by_system),
        columns=(*names, Column("n", numeric=True), *numbers),
        rows=tuple(rows),
        names=len(names),
        rank=rank,
    )


def _forests(evaluation: Evaluation, by_system: Sequence[GroupColumn]) -> Iterator[Drawing]:
    """DSM of each group against ±.10, the systems on one axis."""
    series = {name: i for i, name in enumerate(systems_of(evaluation), 1)}
    rows = [
        [
            Whisker.of(
                group.numbers["dsm"],
                literal(group.name),
                n=group.n,
                series=series[of_system.system],
            )
            for group in of_system.groups
            if "dsm" in group.numbers
        ]
        for of_system in by_system[:MOST_FIGURES]
    ]
    marks = (Mark(-0.1, ""), Mark(0.1, ""))
    domain = common_domain([row for groups in rows for row in groups], marks)
    for of_system, groups in zip(by_system, rows, strict=False):
        if groups:
            caption = Sentence(
                "{system}: DSM by {column}", system=of_system.system, column=of_system.column
            )
            options = {"domain": domain, "x_title": X_TITLE}
            small = len(groups) <= FEW_GROUPS
            yield Drawing("intervals.forest", (groups,), caption, small, options)
