"""What lies behind the ceilings, in sentences: reliability, other golds, other raters."""

import math
from collections.abc import Iterator

from tallymark.questions.ceilings.raters import LIKE_THESE
from tallymark.questions.ceilings.within import needed
from tallymark.questions.ceilings.words import rule_words
from tallymark.render.literal import literal
from tallymark.render.numbers import value_text, with_interval
from tallymark.results import Key, Numbers

MOST_RATERS_SHOWN = 6
_MODELS = {
    "components": "variance components (all raters err alike but for severity)",
    "severity": "the severity model (Rasch: raters differ in severity alone)",
}


def behind_sentences(numbers: Numbers, gold: str) -> Iterator[str]:
    """Say how reliable ratings are, and what other golds and raters would give."""
    one, mean = numbers["reliability[one]"], numbers["reliability[mean]"]
    if math.isnan(one.value):
        return
    yield (
        f"Reliability of one rating {with_interval(one)}, of a response's mean rating "
        f"{with_interval(mean)}; one rating is off by {value_text(numbers['sem[one]'])} points "
        "(standard error of measurement)."
    )
    known = numbers.get("raters_needed[0.9]")
    if known is not None and not math.isnan(known.value):
        told = [f"{needed(numbers[Key('raters_needed', target=g)])} for {g:g}" for g in (0.8, 0.9)]
        yield f"Raters per response for a reliability: {', '.join(told)}."
    for rule in ("mean", "first"):
        top, like = (
            numbers[Key(f"ceiling_{kind}", gold=rule)] for kind in ("theoretical", "human_like")
        )
        if rule != gold and not math.isnan(top.value):
            yield (
                f"If the gold were {rule_words(rule)}: theoretical {with_interval(top)}, "
                f"human-like {with_interval(like)}."
            )
    yield from _told_apart(numbers, gold)
    if one.value < 1:
        yield from _cautions(numbers)


def _told_apart(numbers: Numbers, gold: str) -> Iterator[str]:
    """How reliable each rater is, and the ceiling if ratings were all alike."""
    own = [e for e in numbers.values() if e.name == "rater_reliability"]
    known = sorted((e for e in own if not math.isnan(e.value)), key=lambda e: e.value)
    shown = known if len(known) <= MOST_RATERS_SHOWN else [*known[:2], *known[-1:]]
    if shown:
        told = [f"{literal(str(e.params['rater']))} {with_interval(e)}" for e in shown]
        some = (
            "" if len(shown) == len(known) else f", the lowest two and the highest of {len(known)}"
        )
        yield f"Reliability of each rater{some}: {', '.join(told)}."
    top = numbers.get(Key("ceiling_theoretical", gold=gold, raters="pool"))
    if top is not None and not math.isnan(top.value):
        yield (
            "If the ratings all had the same error, from raters drawn anew for each response: "
            f"theoretical {with_interval(top)}."
        )
    for model, words in _MODELS.items():
        top = numbers.get(Key("ceiling_theoretical", gold=gold, raters=model))
        if top is not None and not math.isnan(top.value):
            yield f"From {words}: theoretical {with_interval(top)}."


def _cautions(numbers: Numbers) -> Iterator[str]:
    """What would lower the ceilings, and for whom else they hold."""
    own = [
        numbers.get(Key("ceiling_uncalibrated", of=kind)) for kind in ("theoretical", "human_like")
    ]
    if own[0] is not None and own[1] is not None and not math.isnan(own[0].value):
        yield (
            f"Without calibration true scores reach QWK {value_text(own[0])} and one more rater "
            f"{value_text(own[1])} against the mean rating; a rater who is part of it correlates "
            f"{value_text(numbers['rater_in_gold'])} with it, which is no ceiling."
        )
    shared = [e for e in numbers.values() if "shared" in e.params]
    if shared:
        yield (
            f"If the errors of raters correlate by {shared[0].params['shared']:g} to "
            f"{shared[-1].params['shared']:g}, the theoretical ceiling of the mean rating is only "
            f"{value_text(shared[0])} to {value_text(shared[-1])}."
        )
    like = numbers.get(Key("ceiling_theoretical", gold="mean", **{"for": LIKE_THESE}))
    if like is not None:
        yield f"For other raters like these: theoretical {with_interval(like)}."
