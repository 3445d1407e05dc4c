"""Pairs of systems: which is better, by how much, and is that settled?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from tallymark.catalogue import member, members
from tallymark.render.sentences import Sentence, Words, some, written
from tallymark.render.subsets import place
from tallymark.results import Comparison, Estimate, Evaluation, Key, Kind, Subset, split_key

Record = Mapping[str, Any]
FEW_PAIRS = 3
"""Up to this many pairs have sentences; more stand in a table."""
MOST_NEEDED = 1_000_000
MOST_NAMED = 5
DIFFERENCE = "paired_difference"
BETWEEN = "between_prompt_sd"
NEW_PROMPT = "new_prompt"
NO_ANSWER = "The systems cannot be compared on all responses together: prompts differ in scale"
PAIRED = (
    "Differences are paired: both systems scored the same responses. p is adjusted for the number "
    "of pairs."
)
ADJUSTED = " (interval not adjusted), adjusted p {p:after_p}"
"""Behind the difference of one of several pairs, of which only the test is adjusted."""


class SystemPair(NamedTuple):
    """Two systems in one statistic; ``difference`` is that of the first less the second.

    ``better`` is empty where they are not told apart; ``needed`` is how many responses would do
    that; ``on_new`` is the difference on new prompts like these.
    """

    statistic: str
    first: str
    second: str
    difference: Estimate
    p: float
    p_adjusted: float
    better: str
    needed: int | None
    test: str
    prompts: int | None
    on_new: Estimate | None
    p_on_new: float

    @property
    def turned(self) -> "SystemPair":
        """The same pair, the second system first."""
        return self._replace(
            first=self.second,
            second=self.first,
            difference=_negative(self.difference),
            on_new=None if self.on_new is None else _negative(self.on_new),
        )


class SubsetDifference(NamedTuple):
    """Two systems on one subset of the data, the first as its subject, in one statistic."""

    subset: Subset
    difference: Estimate

    @property
    def first(self) -> str:
        """The system whose values the others are taken from."""
        return self.subset.system

    @property
    def second(self) -> str:
        """The system whose values are subtracted."""
        return str(self.subset.against)

    @property
    def part(self) -> str:
        """Which part of the data it is of; empty for all of them."""
        return ", ".join(place(self.subset).values())

    @property
    def p_adjusted(self) -> float:
        """The p-value adjusted for all pairs; NaN where it was not tested."""
        return self.difference.parts.get("p_holm", math.nan)


class Answer(NamedTuple):
    """Which system is better, and the numbers that say so."""

    words: Words
    detail: Words = ""

    def __str__(self) -> str:
        """Write it as one sentence."""
        words = written(self.words)
        return f"{words}: {written(self.detail)}" if self.detail else f"{words}."


def records(evaluation: Evaluation, name: str) -> list[Record]:
    """The rows of a table by column."""
    return [
        dict(zip(table.columns, row, strict=True))
        for table in evaluation.tables
        if table.name == name
        for row in table.rows
    ]


def ranked_by(evaluation: Evaluation) -> str:
    """The statistic that systems are ranked by."""
    return str(evaluation.options.get("by", ""))


def heading(text: str) -> str:
    """What a statistic is called in a table."""
    leading = (*members("leading"), *members("leading_continuous"))
    headings = {entry.text: entry.heading for entry in leading}
    return headings.get(text) or headings.get(split_key(text)[0]) or member(text).heading


def differences_of(evaluation: Evaluation) -> list[SubsetDifference]:
    """Every number about two systems beside each other, on every subset."""
    return [
        SubsetDifference(subset, estimate)
        for subset in evaluation.subsets
        if subset.against.kind is Kind.SYSTEM
        for estimate in evaluation.of(subset).values()
    ]


def whole_or_mean(evaluation: Evaluation, subset: Subset) -> bool:
    """Whether a difference is the headline: the mean over prompts, else that of all responses."""
    over = evaluation.options.get("over") or None
    return subset.average == over and subset.column is None


def pairs_of(evaluation: Evaluation, statistic: str = "") -> list[SystemPair]:
    """The pairs that are listed: in one statistic, or in all."""
    differences = {
        (estimate.key, subset.system, subset.against): estimate
        for subset, estimate in differences_of(evaluation)
        if whole_or_mean(evaluation, subset)
    }
    pairs = []
    for row in records(evaluation, "pairs"):
        text, first, second = str(row["statistic"]), str(row["system"]), str(row["against"])
        key = Key(DIFFERENCE, of=text), first, Comparison(Kind.SYSTEM, second)
        if key in differences and statistic in ("", text):
            pairs.append(_pair(row, differences[key]))
    return pairs


def _pair(row: Record, difference: Estimate) -> SystemPair:
    on_new = None
    if row["new_p"] is not None:
        on_new = replace(difference, low=row["new_low"], high=row["new_high"])
    return SystemPair(
        statistic=str(row["statistic"]),
        first=str(row["system"]),
        second=str(row["against"]),
        difference=difference,
        p=_number(row["p"]),
        p_adjusted=_number(row["p_holm"]),
        better=str(row["better"]),
        needed=row["responses_needed"],
        test=str(row["test"]),
        prompts=row["prompts"],
        on_new=on_new,
        p_on_new=_number(row["new_p"]),
    )


def _negative(difference: Estimate) -> Estimate:
    return replace(difference, value=-difference.value, low=-difference.high, high=-difference.low)


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def answers(evaluation: Evaluation) -> Iterator[Answer]:
    """Say which system is better, or that these data do not tell; nothing where none is compared."""
    if evaluation.kind != "compare":
        return
    ranked = records(evaluation, "ranking")
    if not ranked:
        yield Answer(NO_ANSWER)
        return
    by = ranked_by(evaluation)
    pairs = pairs_of(evaluation, by)
    if all(record["rank"] is None for record in ranked):
        template = "The {number} systems cannot be compared: {by} is undefined"
        yield Answer(Sentence(template, number=len(ranked), by=heading(by)))
        return
    if len(pairs) > FEW_PAIRS:
        yield _best(ranked, by, pairs)
        return
    sign = -1 if evaluation.definitions[by].better == "lower" else 1
    for pair in pairs:
        ordered = pair.turned if sign * pair.difference.value < 0 else pair
        yield _better(ordered, single=len(pairs) == 1)


def _better(pair: SystemPair, *, single: bool) -> Answer:
    """One pair, the better system first; of a ``single`` one the interval needs no adjustment."""
    names = {"first": pair.first, "second": pair.second, "statistic": heading(pair.statistic)}
    if math.isnan(pair.difference.value):
        template = "{first} and {second} cannot be compared: {statistic} is undefined"
        return Answer(Sentence(template, **names))
    if not pair.better and pair.difference.value == 0 and pair.p == 1:
        return Answer(Sentence("{first} and {second} have the same {statistic}", **names))
    template = "These data do not tell {first} and {second} apart{prompts}"
    if pair.better:
        template = "{first} is better than {second}{prompts}"
    prompts: Words = ""
    if pair.prompts is not None:
        prompts = Sentence(" on these {prompts} prompts", prompts=pair.prompts)
    adjusted = ", adjusted p {p:after_p}" if single else ADJUSTED
    detail = Sentence(
        f"{{statistic}} {{difference}}{adjusted}{{more}}.{{on_new}}",
        statistic=heading(pair.statistic),
        difference=pair.difference,
        p=pair.p_adjusted,
        more=_responses_needed(pair),
        on_new=_on_new_prompts(pair),
    )
    return Answer(Sentence(template, prompts=prompts, **names), detail)


def _responses_needed(pair: SystemPair) -> Words:
    """How many responses would settle which system is better, where that is open."""
    if pair.better or pair.needed is None:
        return ""
    if pair.needed > MOST_NEEDED:
        return Sentence("; more than {most} responses would", most=MOST_NEEDED)
    return Sentence("; about {needed:roughly} responses would", needed=pair.needed)


def _on_new_prompts(pair: SystemPair) -> Words:
    """What the prompts say of new ones, as a sample of them."""
    if pair.on_new is None:
        return ""
    settled = pair.on_new.low > 0 or pair.on_new.high < 0
    return Sentence(
        " For new prompts like these: {difference}, p {p:after_p}, which {settled}.",
        difference=pair.on_new,
        p=pair.p_on_new,
        settled="settles it too" if settled else "does not settle it",
    )


def _best(ranked: Sequence[Record], by: str, pairs: Sequence[SystemPair]) -> Answer:
    """Of many systems, the best, or those that may be, and how far off the next is."""
    best, second = (str(record["system"]) for record in ranked[:2])
    names = {"best": best, "by": heading(by)}
    if len({record["value"] for record in ranked}) == 1:
        template = "All {number} systems have the same {by}"
        return Answer(Sentence(template, number=len(ranked), **names))
    unsettled = [
        str(record["system"]) for record in ranked[1:] if record["apart_from_best"] == "no"
    ]
    template = "{best} leads {number} systems by {by}; its lead over {unsettled} is not settled"
    if ranked[0]["rank_low"] == ranked[0]["rank_high"] == 1:
        template = "{best} is the best of {number} systems by {by}, ahead of every other"
    elif len(unsettled) == len(ranked) - 1:
        template = (
            "{best} leads {number} systems by {by}, but its lead over any other is not settled"
        )
    words = Sentence(template, number=len(ranked), unsettled=some(unsettled, MOST_NAMED), **names)
    pair = next((pair for pair in pairs if {pair.first, pair.second} == {best, second}), None)
    if pair is None or math.isnan(pair.difference.value):
        return Answer(words)
    over = "" if unsettled == [second] else " over {second}, the next"
    lead = Sentence(
        f"{{difference}}{over}{ADJUSTED}.",
        difference=pair.difference if pair.first == best else _negative(pair.difference),
        second=second,
        p=pair.p_adjusted,
    )
    return Answer(words, lead)


def best_less_each(evaluation: Evaluation) -> list[SubsetDifference]:
    """The best system less each other, the next first, as an evaluation knows it."""
    return [
        difference
        for difference in differences_of(evaluation)
        if difference.subset.average or difference.subset.whole
    ]


def lead(differences: Sequence[SubsetDifference], scored: int, level: float) -> Sentence:
    """Say from which other systems the best is settled, and how far off the next is."""
    unsettled = [pair.second for pair in differences if not pair.p_adjusted <= 1 - level]
    n, second, difference = len(differences), differences[0].second, differences[0].difference
    common = "" if difference.n == scored else " on the {common:responses} that all scored"
    settled = "It is ahead of all {n} others." if n > 2 else "It is ahead of both others."
    distance = "It leads the next, {second}, by {difference}"
    if unsettled:
        settled = "Its lead over {names} is not settled."
    if len(unsettled) == n:
        settled = "Its lead over any of the {n} others is not settled."
    elif unsettled == [second]:
        settled = ""
        distance = "It is ahead of all others but {second}, which it leads by {difference}"
    return Sentence(
        f"{settled} {distance}{common}{ADJUSTED}.".strip(),
        n=n,
        common=difference.n,
        names=some(unsettled, MOST_NAMED),
        second=second,
        difference=difference,
        p=differences[0].p_adjusted,
    )
