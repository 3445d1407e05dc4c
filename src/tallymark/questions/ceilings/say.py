"""Sentences on ceilings: their gold, what they assume, where systems stand, what to know first."""

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from tallymark.catalogue import called, member
from tallymark.questions.ceilings.formulas import LIKE_THESE
from tallymark.questions.ceilings.ladder import kappa_in
from tallymark.render.raters import raters_needed
from tallymark.render.sentences import FindingWords, Said, Sentence, Tellers, Words, joined
from tallymark.results import Estimate, Evaluation, Finding, Key, Numbers
from tallymark.study.raters_needed import needed_in

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


def gold_words(rule: str) -> str:
    """Say what a rule takes for the gold.

    >>> gold_words("second")
    'the second rating'
    """
    return GOLDS.get(rule, f"the {rule} rating")


def ladder(kappa: str, gold: str, level: float, data: Sentence | None) -> Sentence:
    """Say which statistics the ceilings are of, against which gold, for whom and on which data."""
    return Sentence(
        f"{called(kappa)} and r if the gold is {gold_words(gold)}, with {{level:level}} "
        "intervals for these raters{of}",
        level=level,
        of="" if data is None else Sentence(", {of}", of=data),
    )


def attainable(kappa: str, rungs: Mapping[str, Estimate], data: Sentence | None) -> Sentence | None:
    """Say what is attainable, from a scorer who knows all down to two people, on which data."""
    words = {
        "theoretical": "{number} by a scorer who knew every true score",
        "human_like": "{number} by one more rater",
    }
    defined = {rung: e for rung, e in rungs.items() if not math.isnan(e.value)}
    clauses = [Sentence(words[rung], number=defined[rung]) for rung in words if rung in defined]
    on_data = "" if data is None else Sentence(", {of}", of=data)
    name = member(kappa).heading
    sentences = []
    if clauses:
        template = f"Attainable {name}{{where}}: {{each}}."
        sentences.append(Sentence(template, each=clauses, where=on_data))
    if "human_human" in defined:
        template = (
            "Two people reach {number}."
            if clauses
            else f"Two people reach {name} {{number}}{{where}}."
        )
        sentences.append(Sentence(template, number=defined["human_human"], where=on_data))
    return joined(sentences, " ") if sentences else None


def by_part(kind: str, golds: Sequence[str]) -> str:
    """Say against which gold the ceilings of each part are."""
    if len(golds) == 1:
        return f"Ceilings {kind} if the gold is {gold_words(golds[0])}"
    return f"Ceilings {kind}, each against its own gold"


def standing(system: str, numbers: Numbers, data: Sentence | None = None) -> Sentence | None:
    """Say where one system stands, and on which data; nothing where no rung is known."""
    kappa = compared(numbers)
    gaps = gaps_to(kappa, numbers)
    if not gaps:
        return None
    share = numbers.get(Key("share_of_ceiling", of=kappa, ceiling="theoretical"))
    people = numbers[Key("gap_to_ceiling", of=kappa, ceiling="human_human")]
    return Sentence(
        f"{{system}}: {member(kappa).heading} {{value:value}}{{of}} is {{places}}.",
        system=system,
        of="" if data is None else Sentence(" ({of})", of=data),
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


def gaps_to(statistic: str, numbers: Numbers) -> dict[str, Estimate]:
    """How far a statistic is from each rung that is known."""
    gaps = {rung: numbers.get(Key("gap_to_ceiling", of=statistic, ceiling=rung)) for rung in PLACES}
    return {rung: e for rung, e in gaps.items() if e is not None and not math.isnan(e.value)}


def at(gap: Estimate) -> bool:
    """Whether a difference from a rung is not shown."""
    return not (gap.low > 0 or gap.high < 0)


def _places(gaps: dict[str, Estimate], share: Estimate | None = None) -> Sentence:
    """The share of the highest rung; how far from which, and from which no distance is clear."""
    share = None if share is None or not share.value > 0 else share
    names, order, distances = dict(PLACES), list(gaps), list[Sentence]()
    if share is not None:
        order.sort(key=lambda rung: rung != "theoretical")
        distances.append(Sentence("{share:percent} of the theoretical ceiling", share=share))
        if "theoretical" in gaps and not at(gaps["theoretical"]):
            names["theoretical"] = "it"
    distances += [_place(names[rung], gaps[rung]) for rung in order if not at(gaps[rung])]
    unclear = [PLACES[rung] for rung, gap in gaps.items() if at(gap)]
    clear = Sentence("{each}", each=distances)
    if not unclear:
        return clear
    last = joined([joined(unclear[:-1], ", "), unclear[-1]], " or ") if unclear[1:] else unclear[0]
    not_clear = Sentence("not clearly apart from {alike}", alike=last)
    return Sentence("{some}; {none}", some=clear, none=not_clear) if distances else not_clear


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
    one_sentence = finding.name == "error_below_zero"  # whose it is matters less than where
    return FindingWords(words, state=() if one_sentence else tuple(finding.texts.values()))


def _written(finding: Finding) -> dict[str, Said]:
    """What a finding holds as a name or a bare number, as its sentence takes it."""
    numbers, texts = finding.numbers, finding.texts
    why = Sentence(_REASONS.get(texts.get("reason", ""), "{why}"), **texts)
    match finding.name:
        case "gold_made" | "gold_unknown":
            disputed_part = Sentence(
                " ({same} of the {disputed} on which raters differ)", **numbers
            )
            disputed = numbers["disputed"] > 0
            return {"gold": gold_words(texts["rule"]), "among": disputed_part if disputed else ""}
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


MOST_RATERS_SHOWN = 6
MODELS = {
    "pool": "If the ratings all had the same error, from raters drawn anew for each response",
    "components": "From variance components (all raters err alike but for severity)",
}


def within(
    column: str, mean_of: Numbers, parts: Sequence[tuple[str, Numbers]]
) -> Iterator[Sentence]:
    """Say how reliable ratings are within prompts or traits, whose differences are no reliability."""
    numbers_of_parts = [numbers for _, numbers in parts]
    keys = (Key("reliability", of=kind) for kind in ("one", "mean"))
    single, mean = (_spread(numbers_of_parts, key) for key in keys)
    if single is not None and mean is not None:
        yield Sentence(
            f"Within {column}s, mean (lowest to highest): reliability of one rating {{single}}, of a "
            "response's mean rating {mean}.",
            single=single,
            mean=mean,
        )
    yield from raters_needed(dict(needed_in(mean_of)), column, parts)


def _spread(numbers_of_parts: Sequence[Numbers], key: Key) -> Sentence | None:
    """The mean over parts, and the range; None where no part has the number."""
    estimates = [numbers[key] for numbers in numbers_of_parts if key in numbers]
    estimates = [e for e in estimates if not math.isnan(e.value)]
    if not estimates:
        return None
    values = [e.value for e in estimates]
    mean, low, high = (
        replace(estimates[0], value=value, low=math.nan, high=math.nan)
        for value in (sum(values) / len(values), min(values), max(values))
    )
    share = Sentence(", of {some} of {every}", some=len(estimates), every=len(numbers_of_parts))
    return Sentence(
        "{mean:value} ({low:value} to {high:value}{less})",
        mean=mean, low=low, high=high, less="" if len(estimates) == len(numbers_of_parts) else share,
    )  # fmt: skip


def behind(numbers: Numbers, gold: str) -> Iterator[Sentence]:
    """Say how reliable ratings are, and what other golds and raters would give."""
    single = numbers.get(Key("reliability", of="one"))
    if single is None or math.isnan(single.value):
        return
    yield Sentence(
        "Reliability of one rating {single}, of a response's mean rating {mean}; one rating is off by "
        "{sem:value} points (standard error of measurement).",
        single=single, mean=numbers["reliability[mean]"], sem=numbers["sem[one]"],
    )  # fmt: skip
    yield from raters_needed(dict(needed_in(numbers)), None, ())
    yield from _other_golds(numbers, gold)
    yield from _each_rater(numbers)
    for model, words in MODELS.items():
        top = numbers.get(Key("ceiling_theoretical", gold=gold, raters=model))
        if top is not None and not math.isnan(top.value):
            yield Sentence(f"{words}: theoretical {{top}}.", top=top)
    if single.value < 1:
        yield from _cautions(numbers)


def _other_golds(numbers: Numbers, gold: str) -> Iterator[Sentence]:
    for rule in ("mean", "first"):
        top, one_more = (
            numbers[Key(f"ceiling_{kind}", gold=rule)] for kind in ("theoretical", "human_like")
        )
        if rule != gold and not math.isnan(top.value):
            yield Sentence(
                f"If the gold were {gold_words(rule)}: theoretical {{top}}, human-like {{like}}.",
                top=top,
                like=one_more,
            )


def _each_rater(numbers: Numbers) -> Iterator[Sentence]:
    """How reliable each rater is; of many the extremes."""
    reliabilities = [e for e in numbers.values() if e.name == "rater_reliability"]
    defined = sorted((e for e in reliabilities if not math.isnan(e.value)), key=lambda e: e.value)
    extremes = defined if len(defined) <= MOST_RATERS_SHOWN else [*defined[:2], *defined[-1:]]
    if not extremes:
        return
    raters = [
        Sentence("{who} {estimate}", who=str(e.params["rater"]), estimate=e) for e in extremes
    ]
    which_raters = Sentence(", the lowest two and the highest of {every}", every=len(defined))
    yield Sentence(
        "Reliability of each rater{some}: {raters}.",
        some="" if len(extremes) == len(defined) else which_raters,
        raters=raters,
    )


def _cautions(numbers: Numbers) -> Iterator[Sentence]:
    """What would lower the ceilings, and for whom else they hold."""
    top, one_more = (
        numbers.get(Key("ceiling_uncalibrated", of=kind)) for kind in ("theoretical", "human_like")
    )
    if top is not None and one_more is not None and not math.isnan(top.value):
        yield Sentence(
            "Without calibration true scores reach {name} {top:value} and one more rater {like:value} "
            "against the mean rating; a rater who is part of it correlates {inside:value} with it, "
            "which is no ceiling.",
            name=member(kappa_in(numbers)).heading, top=top, like=one_more,
            inside=numbers["rater_in_gold"],
        )  # fmt: skip
    shared = [e for e in numbers.values() if "shared" in e.params]
    if shared:
        yield Sentence(
            "If the errors of raters correlate by {little:goal} to {much:goal}, the theoretical ceiling "
            "of the mean rating is only {high:value} to {low:value}.",
            little=shared[0].params["shared"], much=shared[-1].params["shared"],
            high=shared[0], low=shared[-1],
        )  # fmt: skip
    other_raters = numbers.get(Key("ceiling_theoretical", gold="mean", **{"for": LIKE_THESE}))
    if other_raters is not None:
        yield Sentence("For other raters like these: theoretical {others}.", others=other_raters)
