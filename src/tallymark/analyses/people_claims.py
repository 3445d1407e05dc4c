"""What the top of a page says of people: how they agree, or what is attainable with them."""

import math
from collections.abc import Iterator

from tallymark.catalogue import called
from tallymark.questions.ceilings.ladder import kappa_in
from tallymark.questions.people.view import people_sentences
from tallymark.questions.verdict.first import FEW
from tallymark.render.first_screen import Claim
from tallymark.render.scope import scope
from tallymark.render.sentences import Sentence, Words
from tallymark.render.subsets import (
    ceilings,
    panels,
    rater_numbers,
    single_raters,
    standing_for_all,
)
from tallymark.results import Estimate, Evaluation, Key, Subset, gold_in_use

_EXACT, _ONE_RATING = Key("percent_agreement"), Key("icc", type="1,1")
_R = Key("pearson")
WITH_NOBODY = 0.2
"""A rater whose correlation with the others is surely below this agrees with nobody."""


def of_people(evaluation: Evaluation) -> Iterator[Claim]:
    """What is attainable with these people, or how they agree."""
    top = _ceiling(evaluation) if evaluation.kind == "ceiling" else None
    if top is not None:
        yield _attainable(evaluation, top)
        return
    yield from _with_nobody(evaluation)
    for subset in standing_for_all(evaluation, panels(evaluation)):
        exact, one_rating = map(evaluation.of(subset).get, (_EXACT, _ONE_RATING))
        words, known = "Agreement of people is undefined{of}.", math.nan
        if exact is not None and not math.isnan(exact.value):
            words = "Two people give the same score to {known:percent} of responses{of}."
            known = exact.value
        elif one_rating is not None and not math.isnan(one_rating.value):
            words, known = "One rating has a reliability of {known:goal}{of}.", one_rating.value
        detail = " ".join(map(str, people_sentences(evaluation))).partition(": ")[2]
        yield Claim(
            name="",
            state="",
            words=Sentence(words, known=known, of=_of(evaluation, subset)),
            detail=f"{detail[:1].upper()}{detail[1:]}",
        )


def _attainable(evaluation: Evaluation, top: Estimate) -> Claim:
    """What no scorer can exceed."""
    return Claim(
        name="",
        state="",
        words=Sentence(
            "{name} {top} is the most that a scorer can be expected to reach against this gold{of}.",
            name=called(kappa_in(evaluation.numbers[top.subset])),
            top=top,
            of=_of(evaluation, evaluation.subsets[top.subset]),
        ),
        detail="A scorer who knew every true score would reach that: human scores hold rater error.",
    )


def _of(evaluation: Evaluation, subset: Subset) -> Words:
    """Over what a number is a mean."""
    of = scope(evaluation, subset)
    return "" if of is None else Sentence(", {of}", of=of)


def _with_nobody(evaluation: Evaluation) -> Iterator[Claim]:
    """Raters whose scores have next to nothing to do with those of the others."""
    raters = single_raters(evaluation)
    for subset in raters if len(raters) > FEW else ():
        r = rater_numbers(evaluation, subset)[1].get(_R)
        if r is not None and r.high < WITH_NOBODY:
            words = Sentence("agrees with nobody: r {r} with the mean of the others.", r=r)
            yield Claim(name=subset.system, state="", words=words)


def _ceiling(evaluation: Evaluation) -> Estimate | None:
    """The theoretical ceiling of all responses, where it is known."""
    for people in standing_for_all(evaluation, ceilings(evaluation)):
        key = Key("ceiling_theoretical", gold=gold_in_use(evaluation, people))
        estimate = evaluation.of(people).get(key)
        return None if estimate is None or math.isnan(estimate.value) else estimate
    return None
