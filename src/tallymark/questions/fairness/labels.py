"""Groups where scores are labels: agreement, and each label found, less that of the other groups."""

from collections.abc import Iterator

from tallymark.catalogue import member, texts
from tallymark.questions.fairness.say import SURE
from tallymark.render.model import Block, Column, Rank, Responses, Says, Table
from tallymark.render.sentences import Sentence, joined
from tallymark.results import OTHER_GROUPS, Estimate, Evaluation, Key, Subset, split_key

_CAPTION = "{system}: groups of {column} less all other groups, at the same label by people"


def of_labels(evaluation: Evaluation) -> Iterator[Block]:
    """A sentence on each column of groups, and the differences of each group."""
    columns: dict[tuple[str, str], list[Subset]] = {}
    for subset in evaluation.subsets:
        if subset.against == OTHER_GROUPS and subset.group is not None:
            columns.setdefault((subset.system, subset.group_column or ""), []).append(subset)
    rank = Rank.FIRST if evaluation.data.view == "nominal" else Rank.FULL
    for (system, column), groups in columns.items():
        keys = _differences(evaluation, groups)
        if evaluation.data.view == "nominal":
            yield Says((_said(evaluation, system, column, groups),), rank=rank)
        yield Table(
            id="labels by group",
            caption=Sentence(_CAPTION, system=system, column=column),
            columns=(
                Column("group"),
                Column("n", numeric=True),
                *(Column(_heading(key), key=key, numeric=True) for key in keys),
            ),
            rows=tuple(
                (str(s.group), Responses(s.n), *(evaluation.of(s).get(key) for key in keys))
                for s in groups
            ),
            rank=Rank.FULL,
        )


def _differences(evaluation: Evaluation, groups: list[Subset]) -> list[Key]:
    """The differences that are known of some group."""
    known = dict.fromkeys(e.key for s in groups for e in evaluation.of(s).values())
    shown = texts("labels_by_group")
    return [key for key in known if key.name == "difference" and _of(key) in shown]


def _of(key: Key) -> str:
    return split_key(str(key.params["of"]))[0]


def _heading(key: Key) -> str:
    of = str(key.params["of"])
    name, label = split_key(of)
    return f"{member(name).heading} {label}" if label else member(of).heading


def _said(evaluation: Evaluation, system: str, column: str, groups: list[Subset]) -> Sentence:
    """Which groups differ from the others, by tests adjusted over the column."""
    clauses = []
    for subset in groups:
        numbers = evaluation.of(subset)
        for key in _differences(evaluation, [subset]):
            estimate = numbers[key]
            if estimate.parts.get("p_adjusted", 1.0) < SURE:
                clauses.append(_clause(subset, key, estimate))
    if not clauses:
        return Sentence(
            "{system}: agreement and recall do not clearly differ by {column}.",
            system=system,
            column=column,
        )
    return Sentence("{system}: {clauses}.", system=system, clauses=joined(clauses, "; "))


def _clause(subset: Subset, key: Key, estimate: Estimate) -> Sentence:
    return Sentence(
        "{what} of {group} is {less} beside the other groups (adjusted p {p:after_p})",
        what=_heading(key),
        group=str(subset.group),
        less=estimate,
        p=estimate.parts["p_adjusted"],
    )
