"""Sentences on systems beside each other: which is better, by how much, and is that settled?"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tallymark.questions.comparison.pairs import (
    FEW_PAIRS,
    Behind,
    Record,
    SystemPair,
    heading,
    pairs_of,
    ranked_by,
    records,
)
from tallymark.render.sentences import Said, Sentence, Words, some, written
from tallymark.results import Estimate, Evaluation

MOST_NEEDED = 1_000_000
MOST_ALIKE = 5
NO_ANSWER = "The systems cannot be compared on all responses together: prompts differ in scale"
PAIRED = (
    "Differences are paired: both systems scored the same responses. p is adjusted for the number "
    "of pairs."
)


ADJUSTED = " (interval not adjusted), adjusted p {p:after_p}"
"""Behind the difference of one of several pairs, of which only the test is adjusted."""


class Answer(NamedTuple):
    """Which system is better, and the numbers that say so."""

    words: Words
    detail: Words = ""

    def __str__(self) -> str:
        """Write it as one sentence."""
        words = written(self.words)
        return f"{words}: {written(self.detail)}" if self.detail else f"{words}."


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
    lower = evaluation.definitions[by].better == "lower"
    for pair in pairs:
        value = pair.difference.value
        ahead = value == 0 or math.isnan(value) or (value > 0) != lower
        yield _different(pair if ahead else pair.turned, alone=len(pairs) == 1)


def _different(pair: SystemPair, *, alone: bool) -> Answer:
    """One pair, the better system first; of one ``alone`` the interval needs no adjustment."""
    known: dict[str, Said] = {
        "first": pair.first,
        "second": pair.second,
        "statistic": heading(pair.statistic),
        "here": _here(pair),
    }
    if math.isnan(pair.difference.value):
        return Answer(
            Sentence("{first} and {second} cannot be compared: {statistic} is undefined", **known)
        )
    if not pair.better and pair.difference.value == 0 and pair.p == 1:
        return Answer(Sentence("{first} and {second} have the same {statistic}", **known))
    words = Sentence("These data do not tell {first} and {second} apart{here}", **known)
    if pair.better:
        words = Sentence("{first} is better than {second}{here}", **known)
    detail = Sentence(
        "{statistic} {difference}"
        + (", adjusted p {p:after_p}" if alone else ADJUSTED)
        + "{more}.{on_new}",
        statistic=known["statistic"],
        difference=pair.difference,
        p=pair.p_adjusted,
        more="" if pair.better else _more(pair),
        on_new=_on_new(pair),
    )
    return Answer(words, detail)


def _here(pair: SystemPair) -> Words:
    """Say that a result is about the prompts at hand."""
    if pair.prompts is None:
        return ""
    return Sentence(" on these {prompts} prompts", prompts=pair.prompts)


def _more(pair: SystemPair) -> Words:
    if pair.needed is None:
        return ""
    if pair.needed > MOST_NEEDED:
        return Sentence("; more than {most} responses would", most=MOST_NEEDED)
    return Sentence("; about {needed:roughly} responses would", needed=pair.needed)


def _on_new(pair: SystemPair) -> Words:
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
    best, second = ranked[0], ranked[1]
    known: dict[str, Said] = {"best": str(best["system"]), "by": heading(by), "number": len(ranked)}
    if len({record["value"] for record in ranked}) == 1:
        return Answer(Sentence("All {number} systems have the same {by}", **known))
    alike = [str(record["system"]) for record in ranked[1:] if record["apart_from_best"] == "no"]
    words = "{best} leads {number} systems by {by}; its lead over {alike} is not settled"
    if best["rank_low"] == best["rank_high"] == 1:
        words = "{best} is the best of {number} systems by {by}, ahead of every other"
    elif len(alike) == len(ranked) - 1:
        words = "{best} leads {number} systems by {by}, but its lead over any other is not settled"
    answer = Sentence(words, alike=some(alike, MOST_ALIKE), **known)
    ends = {str(best["system"]), str(second["system"])}
    return Answer(
        answer,
        next(
            (
                _next(p, str(best["system"]), named=alike == [str(second["system"])])
                for p in pairs
                if {p.first, p.second} == ends
            ),
            "",
        ),
    )


def _next(pair: SystemPair, best: str, *, named: bool) -> Words:
    """How far the next system is behind the best, which may have been named."""
    if math.isnan(pair.difference.value):
        return ""
    pair = pair if pair.first == best else pair.turned
    return Sentence(
        f"{{difference}}{{over}}{ADJUSTED}.",
        over="" if named else Sentence(" over {second}, the next", second=pair.second),
        difference=pair.difference,
        p=pair.p_adjusted,
    )


def ahead(others: Sequence[Behind], scored: int, level: float) -> Sentence:
    """Say from which other systems the best is settled, and how far off the next is."""
    unsettled = [other.name for other in others if not _adjusted(other.difference) <= 1 - level]
    n, second, apart = len(others), others[0].name, others[0].difference
    common = "" if apart.n == scored else " on the {common:responses} that all scored"
    which = "It is ahead of all {n} others." if n > 2 else "It is ahead of both others."
    lead = "It leads the next, {second}, by {apart}"
    if unsettled:
        which = "Its lead over {names} is not settled."
    if len(unsettled) == n:
        which = "Its lead over any of the {n} others is not settled."
    elif unsettled == [second]:
        which, lead = "", "It is ahead of all others but {second}, which it leads by {apart}"
    return Sentence(
        f"{which} {lead}{common}{ADJUSTED}.".strip(),
        n=n,
        common=apart.n,
        names=some(unsettled, MOST_ALIKE),
        second=second,
        apart=apart,
        p=_adjusted(apart),
    )


def _adjusted(difference: Estimate) -> float:
    return difference.parts.get("p_holm", math.nan)


def pairs_caption(pairs: Sequence[SystemPair], systems: int) -> Sentence:
    """Say which pairs a table holds."""
    every, by = systems * (systems - 1) // 2, heading(pairs[0].statistic)
    if len(pairs) == every:
        return Sentence("Pairs by {by}, first less second", by=by)
    return Sentence(
        "Pairs by {by}, first less second: {listed} of {every}, with the best and of neighbours",
        by=by,
        listed=len(pairs),
        every=every,
    )


def every_p(by: str, pairs: int) -> Sentence:
    """Say of which pairs the p-values are."""
    return Sentence("Adjusted p of all {pairs} pairs by {by}", pairs=pairs, by=heading(by))


def against_each(others: Sequence[tuple[str, float | None]]) -> Sentence:
    """One system against each of some others: their names and the p-values."""
    return Sentence(
        "{each}",
        each=[
            Sentence("{name} {p:p}", name=name, p=math.nan if p is None else p)
            for name, p in others
        ],
    )


def new_prompt(by: str, intervals: str) -> Sentence:
    """Say what a table of values on new prompts holds."""
    return Sentence(
        "{by} to expect on a new prompt, {intervals}", by=heading(by), intervals=intervals
    )


def ranks_and_test(pairs: Sequence[SystemPair]) -> Sentence:
    """Say how to read the ranking, and how the pairs behind it were tested."""
    test = pairs[0].test if pairs else ""
    null = "null hypothesis: the two scores of a response are exchangeable; "
    return Sentence(
        "may be: ranks that all tests together leave open; first in: share of draws; systems "
        "that share a group letter do not differ clearly. Test: {test}; {null}adjusted over all pairs "
        "by Holm.",
        test=test,
        null=null if test.startswith("studentised") else "",
    )
