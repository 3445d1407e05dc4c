"""Sentences on groups: do errors differ by group, and which groups does a system favour?"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallymark.render.sentences import Sentence, joined
from tallymark.results import Estimate, Numbers

SURE = 0.05
DSM = (
    "Groups may differ in truth; that alone is no unfairness. DSM asks whether the system puts a "
    "group higher or lower, beside the other groups, than people do. A difference beyond ±.10 is "
    "commonly flagged."
)
SIGN = (
    "(-) disfavoured and (+) favoured beside all groups, by the test of DSM, adjusted over all "
    "groups and tests of the column"
)


class GroupNumbers(NamedTuple):
    """What is known of one group beside the others."""

    name: str
    n: int
    numbers: Numbers

    @property
    def sign(self) -> str:
        """Whether the group is favoured or not, where the adjusted test of its DSM says so."""
        dsm: Estimate | None = self.numbers.get("dsm")
        if dsm is None or not dsm.parts.get("p_adjusted", 1.0) < SURE:
            return ""
        return "(+)" if dsm.value > 0 else "(-)"


class GroupColumn(NamedTuple):
    """What is known of a system by one column of groups."""

    system: str
    column: str
    explained: Estimate
    groups: tuple[GroupNumbers, ...]

    @property
    def p(self) -> float:
        """The adjusted p-value of errors that differ by group."""
        return self.explained.parts.get("p_adjusted", math.nan)

    @property
    def stands_out(self) -> bool:
        """Whether errors differ by group, or one of the groups is favoured or not."""
        return self.p < SURE or any(group.sign for group in self.groups)


def errors_by_group(columns: Sequence[GroupColumn]) -> Iterator[Sentence]:
    """Say by which group columns a system's errors differ, and by which no difference is clear."""
    for words, shown in (("errors differ", True), ("errors do not clearly differ", False)):
        some = [groups for groups in columns if (groups.p < SURE) is shown]
        if some:
            yield Sentence(
                f"{{system}}: {words} by {{columns}}.",
                system=some[0].system,
                columns=joined(
                    [_explained(each.column, each) for each in some], " and " if shown else " or "
                ),
            )


def errors_of_many(by_system: Sequence[GroupColumn]) -> Iterator[Sentence]:
    """Say of how many systems errors differ by one column of groups, and of which."""
    differ = [each for each in by_system if each.p < SURE]
    ps = sorted(each.p for each in by_system if not each.p < SURE and not math.isnan(each.p))
    yield Sentence(
        "By {column}, errors of {m} of {n} systems differ{which}{others}.",
        column=by_system[0].column,
        m=len(differ) or "none",
        n=len(by_system),
        which=Sentence(": {each}", each=[_explained(each.system, each) for each in differ])
        if differ
        else " clearly",
        others=Sentence(
            "; {of}adjusted p is at least {p:p}", of="for the others " if differ else "", p=ps[0]
        )
        if ps
        else "",
    )


def _explained(name: str, groups: GroupColumn) -> Sentence:
    """A column of groups, or a system, with the share of the errors' variance that is explained."""
    return Sentence(
        "{name} ({share:percent} of their variance, adjusted p {p:after_p})",
        name=name,
        share=groups.explained,
        p=groups.p,
    )


def groups_beside_others(by_system: Sequence[GroupColumn]) -> Sentence:
    """Say of whom a table is, and whether a group stands out."""
    whose = Sentence("Groups of {column}", column=by_system[0].column)
    if len(by_system) == 1:
        first = by_system[0]
        whose = Sentence("{system}: groups of {column}", system=first.system, column=first.column)
    if any(groups.stands_out for groups in by_system):
        return Sentence("{whose} beside the others", whose=whose)
    return Sentence("{whose} beside the others: none stands out", whose=whose)
