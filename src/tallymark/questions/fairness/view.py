"""Fairness, as a section: by which columns errors differ, and the groups beside each other."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from tallymark.catalogue import member, members, texts
from tallymark.defaults import FEW_SYSTEMS, MOST_SYSTEMS
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
    table_by,
)
from tallymark.render.sentences import Sentence, asked_by, joined
from tallymark.render.subsets import asked_alone, systems_of
from tallymark.results import OTHER_GROUPS, Estimate, Evaluation, Key, Numbers, split_key
from tallymark.results.records import SubsetNumbers

FEW_GROUPS = 12
"""Forests of this many groups stand beside each other."""
SURE = 0.05
X_TITLE = "DSM: standardized mean of system less that of gold"
GROUPS = "a column of groups, such as --group gender."
DSM = (
    "Groups may differ in truth; that alone is no unfairness. DSM asks whether the system puts a "
    "group higher or lower, beside the other groups, than people do. A difference beyond ±.10 is "
    "commonly flagged."
)
SIGN = (
    "(-) disfavoured and (+) favoured beside all groups, by the test of DSM, adjusted over all "
    "groups and tests of the column"
)


class GroupColumn(NamedTuple):
    """A system by one column of groups: the share of errors they explain, and each one's numbers."""

    system: str
    column: str
    explained: Estimate | None
    groups: list[SubsetNumbers]

    @property
    def p(self) -> float:
        """The adjusted p-value of errors that differ by group."""
        return self.explained.parts.get("p_adjusted", math.nan) if self.explained else math.nan

    @property
    def stands_out(self) -> bool:
        """Whether errors differ by group, or one of the groups is favoured or not."""
        return self.p < SURE or any(_sign(group.numbers) for group in self.groups)


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
    columns = _columns(evaluation)
    if evaluation.data.view != "ordinal":
        for column in columns:
            yield from _labels(column, nominal=evaluation.data.view == "nominal")
    columns = [column for column in columns if column.explained]
    if columns:
        yield Text(DSM, rank=Rank.PAGE)
        yield Says(tuple(_sentences(columns)), rank=Rank.FIRST)
    for by_system in _split(columns, "column"):
        yield Heading(Sentence("By {name}", name=by_system[0].column), rank=Rank.PAGE)
        yield from _forests(evaluation, by_system)
        yield from _tables(by_system)


def _columns(evaluation: Evaluation) -> list[GroupColumn]:
    """Every system by every column of groups."""
    subsets: dict[tuple[str, str], list[SubsetNumbers]] = {}
    for entry in evaluation.where(against=OTHER_GROUPS):
        key = entry.subset.system, entry.subset.group_column or ""
        subsets.setdefault(key, []).append(entry)
    return [
        GroupColumn(
            system,
            column,
            next((e.numbers.get("osd") for e in entries if e.subset.group is None), None),
            [e for e in entries if e.subset.group is not None],
        )
        for (system, column), entries in subsets.items()
    ]


def _split(columns: Sequence[GroupColumn], field: str) -> list[list[GroupColumn]]:
    """Those of each system, or of each column of groups, in their order."""
    by_field: dict[str, list[GroupColumn]] = {}
    for column in columns:
        by_field.setdefault(getattr(column, field), []).append(column)
    return [*by_field.values()]


def _sentences(columns: Sequence[GroupColumn]) -> Iterator[Sentence]:
    """A sentence or two on each system, or where there are many on each column of groups."""
    by_system = _split(columns, "system")
    if len(by_system) > FEW_SYSTEMS:
        return map(_errors_of_systems, _split(columns, "column"))
    return chain.from_iterable(map(_errors_by_column, by_system))


def _errors_by_column(columns: Sequence[GroupColumn]) -> Iterator[Sentence]:
    """Say by which group columns a system's errors differ, and by which no difference is clear."""
    for significant, differ, conjunction in (
        (True, "differ", " and "),
        (False, "do not clearly differ", " or "),
    ):
        clauses = [_explained(c.column, c) for c in columns if (c.p < SURE) is significant]
        if clauses:
            yield Sentence(
                f"{{system}}: errors {differ} by {{columns}}.",
                system=columns[0].system,
                columns=joined(clauses, conjunction),
            )


def _errors_of_systems(by_system: Sequence[GroupColumn]) -> Sentence:
    """Say of how many systems errors differ by one column of groups, and of which."""
    differing = [_explained(column.system, column) for column in by_system if column.p < SURE]
    p_values = [column.p for column in by_system if column.p >= SURE]
    systems = Sentence(": {names}", names=differing) if differing else " clearly"
    least = Sentence(
        "; {of}adjusted p is at least {p:p}",
        of="for the others " if differing else "",
        p=min(p_values, default=math.nan),
    )
    return Sentence(
        "By {column}, errors of {m} of {n} systems differ{which}{others}.",
        column=by_system[0].column,
        m=len(differing) or "none",
        n=len(by_system),
        which=systems,
        others=least if p_values else "",
    )


def _explained(name: str, column: GroupColumn) -> Sentence:
    """A column of groups, or a system, with the share of the errors' variance that is explained."""
    template = "{name} ({share:percent} of their variance, adjusted p {p:after_p})"
    return Sentence(template, name=name, share=column.explained or "", p=column.p)


def _tables(by_system: Sequence[GroupColumn]) -> Iterator[Table]:
    """A table of each system that stands out, then one of all others."""
    yield from (_table([column], Rank.FIRST) for column in by_system if column.stands_out)
    if unremarkable := [column for column in by_system if not column.stands_out]:
        yield _table(unremarkable, Rank.FULL)


def _table(by_system: Sequence[GroupColumn], rank: Rank) -> Table:
    """Groups of one column beside the others: whether each is favoured, and its numbers."""
    groups = [group for column in by_system for group in column.groups]
    measures = [m for m in members("groups") if any(m.text in g.numbers for g in groups)]
    names: list[tuple[Column, Callable[[SubsetNumbers], Value]]] = [
        (Column("group"), lambda group: str(group.subset.group))
    ]
    caption = "{system}: groups of {column} beside the others"
    if len(by_system) > 1:
        caption = "Groups of {column} beside the others"
        names.append((Column("system"), lambda group: group.subset.system))
    if not any(column.stands_out for column in by_system):
        caption += ": none stands out"
    if any(_sign(group.numbers) for group in groups):
        names.append((Column("sign", SIGN), lambda group: Cell(_sign(group.numbers), tone="warn")))
    return table_by(
        "groups",
        Sentence(caption, system=by_system[0].system, column=by_system[0].column),
        groups,
        *names,
        (Column("n", numeric=True), lambda group: Responses(group.subset.n)),
        *(
            (
                Column(measure.heading, measure.gloss, measure.text, numeric=True),
                lambda group, key=measure.text: group.numbers.get(key),
            )
            for measure in measures
        ),
        names=len(names),
        rank=rank,
    )


def _sign(numbers: Numbers) -> str:
    """Whether a group is favoured or not, where the adjusted test of its DSM says so."""
    dsm = numbers.get("dsm")
    if dsm is None or not dsm.parts.get("p_adjusted", 1.0) < SURE:
        return ""
    return "(+)" if dsm.value > 0 else "(-)"


def _forests(evaluation: Evaluation, by_system: Sequence[GroupColumn]) -> Iterator[Drawing]:
    """DSM of each group against ±.10, the systems on one axis."""
    series = {name: i for i, name in enumerate(systems_of(evaluation), 1)}
    drawn = by_system[:MOST_SYSTEMS]
    whiskers = [
        [
            Whisker.of(
                group.numbers["dsm"],
                literal(str(group.subset.group)),
                n=group.subset.n,
                series=series[column.system],
            )
            for group in column.groups
            if "dsm" in group.numbers
        ]
        for column in drawn
    ]
    marks = (Mark(-0.1, ""), Mark(0.1, ""))
    options = {"domain": common_domain([*chain(*whiskers)], marks), "x_title": X_TITLE}
    for column, rows in zip(drawn, whiskers, strict=True):
        if rows:
            caption = Sentence(
                "{system}: DSM by {column}", system=column.system, column=column.column
            )
            yield Drawing("intervals.forest", (rows,), caption, len(rows) <= FEW_GROUPS, options)


def _labels(column: GroupColumn, *, nominal: bool) -> Iterator[Block]:
    """Agreement, and each label found, in every group less that of the other groups."""
    if not column.groups:
        return
    differences = [
        (group, estimate)
        for group in column.groups
        for estimate in group.numbers.values()
        if estimate.name == "difference" and _statistic(estimate.key) in texts("labels_by_group")
    ]
    if nominal:
        clauses = [
            Sentence(
                "{what} of {group} is {less} beside the other groups (adjusted p {p:after_p})",
                what=_heading(estimate.key),
                group=str(group.subset.group),
                less=estimate,
                p=estimate.parts["p_adjusted"],
            )
            for group, estimate in differences
            if estimate.parts.get("p_adjusted", 1.0) < SURE
        ]
        template = "{system}: agreement and recall do not clearly differ by {column}."
        if clauses:
            template = "{system}: {clauses}."
        sentence = Sentence(
            template,
            system=column.system,
            column=column.column,
            clauses=joined(clauses, "; ") if clauses else "",
        )
        yield Says((sentence,), rank=Rank.FIRST)
    caption = "{system}: groups of {column} less all other groups, at the same label by people"
    yield table_by(
        "labels by group",
        Sentence(caption, system=column.system, column=column.column),
        column.groups,
        (Column("group"), lambda group: str(group.subset.group)),
        (Column("n", numeric=True), lambda group: Responses(group.subset.n)),
        *(
            (
                Column(_heading(key), key=key, numeric=True),
                lambda group, key=key: group.numbers.get(key),
            )
            for key in dict.fromkeys(estimate.key for _, estimate in differences)
        ),
        rank=Rank.FULL,
    )


def _statistic(key: Key) -> str:
    return split_key(str(key.params["of"]))[0]


def _heading(key: Key) -> str:
    statistic = str(key.params["of"])
    name, label = split_key(statistic)
    return f"{member(name).heading} {label}" if label else member(statistic).heading
