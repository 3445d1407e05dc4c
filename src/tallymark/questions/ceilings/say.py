"""Sentences on ceilings: their gold, what they assume, where systems stand, what to know first."""

import math
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tallymark.catalogue import called, member
from tallymark.questions.ceilings.kappas import kappa_in
from tallymark.reliability.congeneric import LINK, MOST_RATERS, Model
from tallymark.render.sentences import FindingWords, Said, Sentence, Tellers, Words, joined
from tallymark.results import Estimate, Evaluation, Finding, Key, Numbers

ERRORS = (
    "Human scores hold rater error, so even a perfect scorer stays below 1. Read a coefficient beside "
    "the ceiling of its own data."
)
NO_CEILING = (
    "No ceiling: no response was rated twice, so rater error is not known. Add a second --human "
    "column."
)
NOT_SHOWN = "No clear difference: its interval holds 0; a gap may still be there."
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
COMPONENTS_ASSUME = (
    "raters differ in severity and all have the same slope and error variance; they are compared "
    "within responses, so that it does not matter who was given the better ones"
)
INDEPENDENT = "errors of raters are independent of each other"


def gold_words(rule: str) -> str:
    """Say what a rule takes for the gold.

    >>> gold_words("second")
    'the second rating'
    """
    return GOLDS.get(rule, f"the {rule} rating")


def ladder(kappa: str, gold: str, level: float, of: Sentence | None) -> Sentence:
    """Say which statistics the ceilings are of, against which gold, for whom and on which data."""
    return Sentence(
        f"{called(kappa)} and r if the gold is {gold_words(gold)}, with {{level:level}} "
        "intervals for these raters{of}",
        level=level,
        of="" if of is None else Sentence(", {of}", of=of),
    )


def attainable(kappa: str, rungs: Mapping[str, Estimate], of: Sentence | None) -> Sentence | None:
    """Say what is attainable, from a scorer who knows all down to two people, on which data."""
    words = {
        "theoretical": "{number} by a scorer who knew every true score",
        "human_like": "{number} by one more rater",
    }
    known = {rung: e for rung, e in rungs.items() if not math.isnan(e.value)}
    each = [Sentence(words[rung], number=known[rung]) for rung in words if rung in known]
    where = "" if of is None else Sentence(", {of}", of=of)
    name = member(kappa).heading
    said = Sentence(f"Attainable {name}{{where}}: {{each}}.", each=each, where=where)
    people = Sentence(
        f"Two people reach {'{number}' if each else f'{name} {{number}}{{where}}'}.",
        number=known.get("human_human", math.nan),
        where=where,
    )
    shown = [said] if each else []
    shown += [people] if "human_human" in known else []
    return joined(shown, " ") if shown else None


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


def standing(system: str, numbers: Numbers, of: Sentence | None = None) -> Sentence | None:
    """Say where one system stands, and ``of`` which data; nothing where no rung is known."""
    kappa = compared(numbers)
    gaps = gaps_to(kappa, numbers)
    if not gaps:
        return None
    share = numbers.get(Key("share_of_ceiling", of=kappa, ceiling="theoretical"))
    people = numbers[Key("gap_to_ceiling", of=kappa, ceiling="human_human")]
    return Sentence(
        f"{{system}}: {member(kappa).heading} {{value:value}}{{of}} is {{places}}.",
        system=system,
        of="" if of is None else Sentence(" ({of})", of=of),
        value=replace(people, value=people.parts.get("statistic", math.nan)),
        places=_places(gaps, share),
    )


def published_standing(name: str, numbers: Numbers, gold: str) -> Sentence:
    """Say where a published number stands, were it of the gold that the ceilings are of."""
    return Sentence(
        "{name} ({value:value}), if its gold is {gold}: {places}.",
        name=name,
        value=numbers["reference"],
        gold=gold_words(gold),
        places=_places(gaps_to("reference", numbers)),
    )


def compared(numbers: Numbers) -> str:
    """The statistic of a system: QWK, kappa on two points, concordance of continuous scores."""
    return kappa_in(numbers, name="gap_to_ceiling", ceiling="human_human")


def gaps_to(of: str, numbers: Numbers) -> dict[str, Estimate]:
    """How far a statistic is from each rung that is known."""
    gaps = {rung: numbers.get(Key("gap_to_ceiling", of=of, ceiling=rung)) for rung in PLACES}
    return {rung: e for rung, e in gaps.items() if e is not None and not math.isnan(e.value)}


def at(gap: Estimate) -> bool:
    """Whether a difference from a rung is not shown."""
    return not (gap.low > 0 or gap.high < 0)


def _places(gaps: dict[str, Estimate], share: Estimate | None = None) -> Sentence:
    """The share of the highest rung; how far from which, and from which no distance is clear."""
    share = None if share is None or not share.value > 0 else share
    named, order, apart = dict(PLACES), list(gaps), list[Sentence]()
    if share is not None:
        order.sort(key=lambda rung: rung != "theoretical")
        apart.append(Sentence("{share:percent} of the theoretical ceiling", share=share))
        if "theoretical" in gaps and not at(gaps["theoretical"]):
            named["theoretical"] = "it"
    apart += [_place(named[rung], gaps[rung]) for rung in order if not at(gaps[rung])]
    alike = [PLACES[rung] for rung, gap in gaps.items() if at(gap)]
    some = Sentence("{each}", each=apart)
    if not alike:
        return some
    last = joined([joined(alike[:-1], ", "), alike[-1]], " or ") if alike[1:] else alike[0]
    none = Sentence("not clearly apart from {alike}", alike=last)
    return Sentence("{some}; {none}", some=some, none=none) if apart else none


def _place(rung: Words, gap: Estimate) -> Sentence:
    """So far above or below a rung."""
    if gap.low > 0:
        return Sentence("{gap:value} above {rung}", gap=gap, rung=rung)
    below = replace(gap, value=-gap.value, low=-gap.high, high=-gap.low)
    return Sentence("{below:value} below {rung}", below=below, rung=rung)


_FINDINGS = {
    "gold_made": "the gold is {gold} in {percent} % of {responses:responses} rated twice or more"
    "{among}; ceilings are of that gold.",
    "gold_unknown": "no known rule made the gold of these ratings. The nearest, {gold}, gives it in "
    "{percent} % of {responses:responses} rated twice or more{among}; ceilings against this gold are "
    "not known, and those shown are of other golds.",
    "some_rated_twice": "{twice} of {responses:responses} were rated twice or more. If a flag or a "
    "disagreement chose them, reliability and ceilings are biased.",
    "error_below_zero": "an error variance comes out negative ({rater}: {error}) and is taken as 0: "
    "few double ratings, or errors that raters share.",
    "rater_at_random": "{rater} hardly follows the other raters (reliability {reliability}), which "
    "lowers the ceiling of a gold with scores of {rater}. Look at them first.",
    "above_ceiling": "{system}: {statistic} {value:value} is above the theoretical ceiling of "
    "{ceiling:value}: {why}.",
    "published_above": "{system}: published {value:coefficient}; it cannot be held against these "
    "ceilings unless its gold is {gold}, from raters like these.",
    "no_ceiling": "no ceiling: {why}.",
    "ratings_never_differ": "ratings of the same response never differ. If one column is a copy of "
    "another, the ceilings say nothing.",
    "ceilings_out_of_order": "{lower} ({over:value}) is above its long-run limit, {higher} "
    "({under:value}): {why}.",
}
_REASONS = {
    "rater_at_random": "{raters} rates nearly at random, so true scores are poorly known",
    "equal_errors": "raters are taken to have equal errors, and those behind the gold may have "
    "smaller ones; or the system shares their biases",
    "shared_errors": "the system shares errors with the raters behind the gold, as one trained on "
    "their scores does, or it saw the gold",
    "severity": "raters differ in severity or spread, which lowers the reliability of a rater drawn "
    "at random but not the correlation of two given ones",
    "sample": "pairs of raters rated different responses, or the sample is small",
}
_STEPS = {
    "kappa": "{kappa} of two people",
    "r": "the correlation of two people",
    "human_like": "the human-like ceiling",
    "theoretical": "the theoretical ceiling",
}


def _words(finding: Finding, _: Evaluation) -> FindingWords:
    values: dict[str, Said] = {"system": finding.system, **finding.numbers, **finding.texts}
    words = Sentence(_FINDINGS[finding.name], **{**values, **_written(finding)})
    alike = finding.name == "error_below_zero"  # whose it is matters less than where
    return FindingWords(words, state=() if alike else tuple(finding.texts.values()))


def _written(finding: Finding) -> dict[str, Said]:
    """What a finding holds as a name or a bare number, as its sentence takes it."""
    numbers, texts = finding.numbers, finding.texts
    why = Sentence(_REASONS.get(texts.get("reason", ""), "{why}"), **texts)
    match finding.name:
        case "gold_made" | "gold_unknown":
            among = Sentence(" ({same} of the {disputed} on which raters differ)", **numbers)
            disputed = numbers["disputed"] > 0
            return {"gold": gold_words(texts["rule"]), "among": among if disputed else ""}
        case "rater_at_random":
            value, low, high = (numbers[name] for name in ("value", "low", "high"))
            key = Key("rater_reliability")
            reliability = Estimate(key=key, value=value, low=low, high=high, n=0)
            # at its least possible value it has no interval worth the name
            return {"reliability": Sentence("{r:value}" if low == high else "{r}", r=reliability)}
        case "above_ceiling":
            return {**_ceilings(numbers), "statistic": called(texts["of"]), "why": why}
        case "published_above":
            return {"gold": gold_words(texts["rule"])}
        case "ceilings_out_of_order":
            steps = {
                end: Sentence(_STEPS[texts[end]], kappa=called(texts["of"]))
                for end in ("lower", "higher")
            }
            return {**_ceilings(numbers), **steps, "why": why}
    return {}


def _ceilings(numbers: Mapping[str, float]) -> dict[str, Said]:
    """Numbers that are written as ceilings are."""
    key = Key("ceiling_theoretical")
    return {name: Estimate(key=key, value=value, n=0) for name, value in numbers.items()}


FINDINGS: Tellers = dict.fromkeys(_FINDINGS, _words)
