"""Sentences on what lies behind the ceilings: reliability, other golds, other raters."""

import math
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from tallymark.catalogue import member
from tallymark.questions.ceilings.kappas import kappa_in
from tallymark.questions.ceilings.raters import LIKE_THESE
from tallymark.questions.ceilings.say import gold_words
from tallymark.render.raters_needed import raters_needed
from tallymark.render.sentences import Sentence
from tallymark.results import Estimate, Key, Numbers
from tallymark.study.raters_needed import needed_in

MOST_RATERS_SHOWN = 6
_MODELS = {
    "pool": "If the ratings all had the same error, from raters drawn anew for each response",
    "components": "From variance components (all raters err alike but for severity)",
}


def within(
    column: str, mean_of: Numbers, parts: Sequence[tuple[str, Numbers]]
) -> Iterator[Sentence]:
    """Say how reliable ratings are within prompts or traits, whose differences are no reliability."""
    each = [numbers for _, numbers in parts]
    single, mean = (_spread(each, Key("reliability", of=of), _bare) for of in ("one", "mean"))
    if single is not None and mean is not None:
        yield Sentence(
            f"Within {column}s, mean (lowest to highest): reliability of one rating {{single}}, of a "
            "response's mean rating {mean}.",
            single=single,
            mean=mean,
        )
    yield from raters_needed(dict(needed_in(mean_of)), column, parts)


def _spread(
    each: Sequence[Numbers], key: Key, clause: Callable[[Estimate], Sentence]
) -> Sentence | None:
    """The mean over parts, and the range; None where no part has the number."""
    estimates = [
        numbers[key] for numbers in each if key in numbers and not math.isnan(numbers[key].value)
    ]
    if not estimates:
        return None
    values = [e.value for e in estimates]
    mean, low, high = (
        clause(replace(estimates[0], value=value, low=math.nan, high=math.nan))
        for value in (sum(values) / len(values), min(values), max(values))
    )
    some = Sentence(", of {some} of {every}", some=len(estimates), every=len(each))
    return Sentence(
        "{mean} ({low} to {high}{less})",
        mean=mean, low=low, high=high, less="" if len(estimates) == len(each) else some,
    )  # fmt: skip


def _bare(estimate: Estimate) -> Sentence:
    return Sentence("{estimate:value}", estimate=estimate)


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
    yield from _other_models(numbers, gold)
    if single.value < 1:
        yield from _cautions(numbers)


def _other_golds(numbers: Numbers, gold: str) -> Iterator[Sentence]:
    for rule in ("mean", "first"):
        top, like = (
            numbers[Key(f"ceiling_{kind}", gold=rule)] for kind in ("theoretical", "human_like")
        )
        if rule != gold and not math.isnan(top.value):
            yield Sentence(
                f"If the gold were {gold_words(rule)}: theoretical {{top}}, human-like {{like}}.",
                top=top,
                like=like,
            )


def _each_rater(numbers: Numbers) -> Iterator[Sentence]:
    """How reliable each rater is; of many the extremes."""
    reliabilities = [e for e in numbers.values() if e.name == "rater_reliability"]
    known = sorted((e for e in reliabilities if not math.isnan(e.value)), key=lambda e: e.value)
    shown = known if len(known) <= MOST_RATERS_SHOWN else [*known[:2], *known[-1:]]
    if not shown:
        return
    raters = [Sentence("{who} {estimate}", who=str(e.params["rater"]), estimate=e) for e in shown]
    some = Sentence(", the lowest two and the highest of {every}", every=len(known))
    yield Sentence(
        "Reliability of each rater{some}: {raters}.",
        some="" if len(shown) == len(known) else some,
        raters=raters,
    )


def _other_models(numbers: Numbers, gold: str) -> Iterator[Sentence]:
    for model, words in _MODELS.items():
        top = numbers.get(Key("ceiling_theoretical", gold=gold, raters=model))
        if top is not None and not math.isnan(top.value):
            yield Sentence(f"{words}: theoretical {{top}}.", top=top)


def _cautions(numbers: Numbers) -> Iterator[Sentence]:
    """What would lower the ceilings, and for whom else they hold."""
    top, like = (
        numbers.get(Key("ceiling_uncalibrated", of=kind)) for kind in ("theoretical", "human_like")
    )
    if top is not None and like is not None and not math.isnan(top.value):
        yield Sentence(
            "Without calibration true scores reach {name} {top:value} and one more rater {like:value} "
            "against the mean rating; a rater who is part of it correlates {inside:value} with it, "
            "which is no ceiling.",
            name=member(kappa_in(numbers)).heading, top=top, like=like,
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
    others = numbers.get(Key("ceiling_theoretical", gold="mean", **{"for": LIKE_THESE}))
    if others is not None:
        yield Sentence("For other raters like these: theoretical {others}.", others=others)
