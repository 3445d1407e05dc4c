"""Sentences on ceilings: of which gold they are, what they assume, and where systems stand."""

import math
from collections.abc import Sequence
from dataclasses import replace

from tallymark.catalogue import called
from tallymark.reliability.congeneric import LINK, MOST_RATERS, Model
from tallymark.render.sentences import Sentence
from tallymark.results import Estimate, Key, Numbers

ERRORS = (
    "Human scores hold rater error, so even a perfect scorer stays below 1. Read a coefficient beside "
    "the ceiling of its own data."
)
NO_CEILING = (
    "No ceiling: no response was rated twice, so rater error is not known. Add a second --human "
    "column."
)
AT = '"At" means that the interval of the difference holds 0: a gap may still be there.'
GOLDS = {
    "first": "the first rating",
    "sum": "the sum of the ratings",
    "mean": "the mean of the ratings",
    "mean_up": "the mean of the ratings, halves rounded up",
    "mean_down": "the mean of the ratings, halves rounded down",
    "mean_even": "the mean of the ratings, halves rounded to even",
    "higher": "the highest rating",
    "lower": "the lowest rating",
    "median": "the middle rating",
    "third_mean": "the third rating where there is one, else the mean of the first two",
    "third_sum": "twice the third rating where there is one, else the sum of the first two",
    "third_higher": "the third rating where there is one, else the higher of the first two",
    "third_first": "the third rating where there is one, else the first",
    "parity": "the mean of the third rating and the nearer of the first two, else that of these two",
}
"""What a rule of resolution takes for the gold."""
PLACES = {
    "human_human": "human-human",
    "human_like": "the human-like ceiling",
    "quantised": "the ceiling on these points",
    "theoretical": "the theoretical ceiling",
}
"""Rungs from the bottom up, as a sentence names them."""
MODELS = {
    "components": "raters differ in severity and all have the same slope and error variance; they "
    "are compared within responses, so that it does not matter who was given the better ones",
    "severity": "raters differ in severity alone and the quality of responses is normal (Rasch rating "
    "scale model); errors follow from the points of the scale",
}
"""What the other models of the raters assume."""
INDEPENDENT = "errors of raters are independent of each other"


def gold_words(rule: str) -> str:
    """Say what a rule takes for the gold.

    >>> gold_words("second")
    'the second rating'
    """
    return GOLDS.get(rule, f"the {rule} rating")


def ladder(kappa: str, gold: str, level: float) -> Sentence:
    """Say which statistics the ceilings are of, against which gold, and for whom."""
    return Sentence(
        f"{called(kappa)} and r if the gold is {gold_words(gold)}, with {{level:g}} % "
        "intervals for these raters",
        level=100 * level,
    )


def by_part(kind: str, golds: Sequence[str]) -> str:
    """Say against which gold the ceilings of each part are."""
    if len(golds) == 1:
        return f"Ceilings {kind} if the gold is {gold_words(golds[0])}"
    return f"Ceilings {kind}, each against its own gold"


def assumption(model: Model, raters: Sequence[str], alike: Sequence[str], *, bent: bool) -> str:
    """Say what is assumed of the raters, of whom those ``alike`` have equal slopes."""
    if model == "grubbs":
        who = " and ".join(alike) if len(alike) == 2 else f"the {len(alike)} raters"
        ends = ", but for what the ends of the scale do" if bent else ""
        return (
            f"{who} each have an error variance of their own and follow true scores with the same "
            f"slope{ends}; {INDEPENDENT}"
        )
    if model == "congeneric":
        return (
            f"each of {len(raters)} raters has an error variance and a slope on true scores of its "
            f"own; {INDEPENDENT}"
        )
    why = f"they are more than {MOST_RATERS}"
    if len(raters) <= MOST_RATERS:
        why = f"too many of them share fewer than {LINK} responses with any other"
    return (
        f"raters are drawn anew for each response from a pool and all have the same error variance, "
        f"since {why}; {INDEPENDENT}"
    )


def standing(system: str, numbers: Numbers) -> Sentence | None:
    """Say where one system stands; nothing where no rung is known."""
    kappa = compared(numbers)
    gaps = gaps_to(kappa, numbers)
    if not gaps:
        return None
    share = numbers.get(Key("share_of_ceiling", of=kappa, ceiling="theoretical"))
    reached: str | Sentence = ""
    if share is not None and not math.isnan(share.value):
        reached = Sentence("; {share:percent} of the theoretical ceiling", share=share)
    people = numbers[Key("gap_to_ceiling", of=kappa, ceiling="human_human")]
    return Sentence(
        f"{{system}}: {called(kappa)} {{value:value}} is {{places}}{{reached}}.",
        system=system,
        value=replace(people, value=people.parts.get("statistic", math.nan)),
        places=_places(gaps),
        reached=reached,
    )


def published_standing(name: str, numbers: Numbers) -> Sentence:
    """Say where a published number stands."""
    return Sentence(
        "{name} ({value:value}): {places}.",
        name=name,
        value=numbers["reference"],
        places=_places(gaps_to("reference", numbers)),
    )


def compared(numbers: Numbers) -> str:
    """The statistic of a system: QWK, or concordance where scores are continuous."""
    continuous = Key("gap_to_ceiling", of="lin_ccc", ceiling="human_human") in numbers
    return "lin_ccc" if continuous else "cohen_kappa[quadratic]"


def gaps_to(of: str, numbers: Numbers) -> dict[str, Estimate]:
    """How far a statistic is from each rung that is known."""
    found = {rung: numbers.get(Key("gap_to_ceiling", of=of, ceiling=rung)) for rung in PLACES}
    return {rung: e for rung, e in found.items() if e is not None and not math.isnan(e.value)}


def at(gap: Estimate) -> bool:
    """Whether a difference from a rung is not shown."""
    return not (gap.low > 0 or gap.high < 0)


def _places(gaps: dict[str, Estimate]) -> list[Sentence | str]:
    return [_place(PLACES[rung], gap) for rung, gap in gaps.items()]


def _place(rung: str, gap: Estimate) -> Sentence | str:
    """Above, at or so far below a rung."""
    if at(gap):
        return f"at {rung}"
    if gap.low > 0:
        return f"above {rung}"
    below = replace(gap, value=-gap.value, low=-gap.high, high=-gap.low)
    return Sentence(f"{{below:value}} below {rung}", below=below)
