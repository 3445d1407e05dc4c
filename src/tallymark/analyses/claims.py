"""What the top of the page says of each system, with or without a verdict, and of people."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tallymark.catalogue import BY_NAME, PeopleContrast, called, members, preferred_contrast
from tallymark.defaults import FEW_SYSTEMS, LEVEL
from tallymark.questions.agreement import share_found, shares_found
from tallymark.questions.ceilings.ladder import kappa_in
from tallymark.questions.comparison.pairs import answers, best_less_each, lead
from tallymark.questions.people.say import turned
from tallymark.questions.people.view import people_sentences
from tallymark.questions.verdict.first import claims as judged
from tallymark.questions.whatif.section import answers as what_if
from tallymark.render.leading import leading
from tallymark.render.model import Claim, Measure
from tallymark.render.sentences import Sentence, Words, asked_by, joined
from tallymark.render.subsets import (
    FEWEST_RATERS,
    asked_alone,
    at_a_glance,
    ceilings,
    headline_subsets,
    panels,
    rated_twice,
    rater_numbers,
    scope,
    single_raters,
    standing_for_all,
    systems_leading,
)
from tallymark.results import (
    AMONG_PEOPLE,
    Estimate,
    Evaluation,
    Key,
    Subset,
    gold_in_use,
)

SURE = "ltt"
MOST_NAMES = 5
WITH_NOBODY = 0.2
"""A rater whose correlation with the others is surely below this agrees with nobody."""
_EXACT, _ONE_RATING, _R = Key("percent_agreement"), Key("icc", type="1,1"), Key("pearson")
GATE = "--policy llm-judge says whether it may gate a release."
_UNKNOWN = "No response was rated twice, so {} unknown: have some rated by a second person."
_ONE_RATER = (
    "Only one person scored, so {} unknown: name a second --human column, or have some "
    "responses rated by a second person."
)


def claims(evaluation: Evaluation) -> Iterator[Claim]:
    """The verdict on each system; without a policy, what the numbers say."""
    if evaluation.verdict is not None:
        yield from judged(evaluation, labels_found(evaluation))
    elif evaluation.kind in ("raters", "ceiling"):
        yield from of_people(evaluation)
    elif any(table.name == "routing" for table in evaluation.tables):
        yield from _routed(evaluation)
    elif evaluation.kind == "compare":
        for answer in answers(evaluation):
            yield Claim(name="", state="", words=f"{answer.words}.", detail=answer.detail)
    elif evaluation.kind == "whatif":
        yield from (Claim(name="", state="", words=words) for words in what_if(evaluation))
    else:
        yield from _unjudged(evaluation)


def labels_found(evaluation: Evaluation) -> dict[str, Words]:
    """What each system finds of labels; nothing where scores have an order."""
    _, subsets = headline_subsets(evaluation)
    said = {subset.system: share_found(evaluation, evaluation.of(subset)) for subset in subsets}
    return {system: words for system, words in said.items() if words is not None}


def _unjudged(evaluation: Evaluation) -> Iterator[Claim]:
    """What the numbers say of each system without a policy; of labels also what may let it gate."""
    contrasts = {s.system: s for s in systems_leading(evaluation, AMONG_PEOPLE)}
    _, subsets = headline_subsets(evaluation)
    if len(subsets) > FEW_SYSTEMS:
        yield from leader(evaluation)
        return
    for subset in subsets:
        if subset.system in contrasts:
            yield _beside_people(evaluation, subset, contrasts[subset.system])
        else:
            yield _alone(evaluation, subset)
    if labels_found(evaluation) and not asked_alone(evaluation):
        yield Claim(name="", state="", words=asked_by(evaluation, GATE))


def leader(evaluation: Evaluation) -> Iterator[Claim]:
    """Of many systems the best, whether that is settled, and which agree more or less than people."""
    _, subsets = headline_subsets(evaluation)
    if len(subsets) <= FEW_SYSTEMS:
        return
    kappas = members("preferred", evaluation.data.view)
    measure = next((k for k in kappas if _known(evaluation, subsets, k.text)), None)
    if measure is None:
        words = Sentence(
            "{n} systems cannot be ranked: {name} is undefined.",
            n=len(subsets),
            name=kappas[0].heading,
        )
        yield Claim(name="", state="", words=words, detail=_unknown(evaluation))
        return
    known = _known(evaluation, subsets, measure.text)
    apart = best_less_each(evaluation)
    best = apart[0].first if apart else max(known, key=lambda system: known[system].value)
    template = "has the highest {name} of {n} systems{mean}."  # its value stands below
    if len({number.value for number in known.values()}) == 1 < len(known):
        best, template = "", "All {n} systems reach the same {name}{mean}."
    # the order is that of the differences, which may be of all responses together
    ranked = evaluation.subsets[apart[0].difference.subset] if apart else subsets[0]
    of = scope(evaluation, ranked)
    mean = "" if of is None else Sentence(" ({of})", of=of)
    words = Sentence(template, n=len(subsets), name=measure.heading, mean=mean)
    if not best:
        yield Claim(name="", state="", words=words, detail=_unknown(evaluation))
        return
    level = float(evaluation.options.get("level", LEVEL))
    scored = max(subset.n for subset in subsets)
    said = [lead(apart, scored, level)] if apart else []
    said += [beside] if (beside := _each_beside_people(evaluation)) is not None else []
    detail = joined(said, " ") if said else _unknown(evaluation)
    yield Claim(name=best, state="", words=words, detail=detail)


def _mean(evaluation: Evaluation, subset: Subset) -> Sentence | str:
    """Over what a number is a mean."""
    of = scope(evaluation, subset) if subset.average else None
    return "" if of is None else Sentence(", {of}", of=of)


def _known(evaluation: Evaluation, subsets: Sequence[Subset], key: str) -> dict[str, Estimate]:
    """The number of each system that has one."""
    numbers = {subset.system: evaluation.of(subset).get(key) for subset in subsets}
    return {s: e for s, e in numbers.items() if e is not None and not math.isnan(e.value)}


def _each_beside_people(evaluation: Evaluation) -> Sentence | None:
    """Which systems agree with a person more than two people do, which less, which neither."""
    names: dict[str, list[Words]] = {"more": [], "less": [], "": []}
    for subset in systems_leading(evaluation, AMONG_PEOPLE):
        preferred = preferred_contrast(evaluation.of(subset))
        if preferred is not None and not math.isnan(preferred[1].difference.low):
            names[preferred[1].more_or_less].append(subset.system)
    every = sum(map(len, names.values()))
    said: list[Words] = []
    for which, systems in names.items():
        if not systems:
            continue
        single = len(systems) == 1
        words = f"agree{'s' if single else ''} with a person {which} than two people agree with each other"
        if said and which:
            words = which
        elif not which:
            words = f"{'does' if single else 'do'} not clearly differ from people"
        whose = Sentence("{names:and}", names=systems)
        if len(systems) > MOST_NAMES:
            whose = Sentence("{n} of {every} systems", n=len(systems), every=every)
        said.append(Sentence("{whose} {words}", whose=whose, words=words))
    return Sentence("{said}.", said=joined(said, "; ")) if said else None


def _alone(evaluation: Evaluation, subset: Subset, why: Words = "") -> Claim:
    """What a system reaches where it cannot be held beside people."""
    words: Words | None = shares_found(evaluation, evaluation.of(subset))
    if words is None and (known := _with_gold(evaluation, subset)) is not None:
        words = Sentence("{known}.", known=known)
    undefined = Sentence("cannot be compared with the gold: no statistic is defined.")
    detail = why or _unknown(evaluation)
    return Claim(name=subset.system, state="", words=words or undefined, detail=detail)


def _with_gold(evaluation: Evaluation, subset: Subset) -> Sentence | None:
    """How a system agrees with the gold, in the first statistic that is defined; else why in none."""
    kappas = map(Measure.headed, members("preferred", evaluation.data.view))
    asked = [(m.title, m.of(evaluation.of(subset))) for m in (*kappas, *leading(evaluation))]
    given = [(name, e) for name, e in asked if e is not None and BY_NAME[e.name].better == "higher"]
    for name, number in given:
        if not math.isnan(number.value):
            template = "agrees with the gold at {name} {number}{mean}"
            return Sentence(template, name=name, number=number, mean=_mean(evaluation, subset))
    return (
        Sentence("has no {name}: {why}", name=given[0][0], why=given[0][1].why) if given else None
    )


def _unknown(evaluation: Evaluation) -> str:
    """What is not known of people, where it is not; experiments are compared without them."""
    if evaluation.kind not in ("evaluate", "rsmeval"):
        return ""
    if rated_twice(evaluation):
        return " ".join(map(str, people_sentences(evaluation)))
    nominal = evaluation.data.view == "nominal"  # labels without order have no ceiling
    what = "human-human agreement is" if nominal else "human-human agreement and the ceiling are"
    said = _ONE_RATER if len(evaluation.options.get("humans", ())) == 1 else _UNKNOWN
    return "" if asked_alone(evaluation) else asked_by(evaluation, said.format(what))


def _beside_people(evaluation: Evaluation, alone: Subset, subset: Subset) -> Claim:
    """Whether a system agrees with a person as two people agree with each other."""
    preferred = preferred_contrast(evaluation.of(subset))
    if preferred is None:
        return _alone(evaluation, alone)
    statistic, contrast = preferred
    if math.isnan(contrast.difference.low):
        template = "It cannot be compared with people{because}."
        why = contrast.difference.why
        because = Sentence(": {why}", why=why) if why else ""
        return _alone(evaluation, alone, Sentence(template, because=because))
    labels = shares_found(evaluation, evaluation.of(alone))
    if alone.average != subset.average:  # people are known of one part, or of all pooled
        template = "Beside people ({of}): {system} {words}"
        where = scope(evaluation, subset) or "all responses"
        said = Sentence(template, of=where, system=subset.system, words=_beside(contrast))
        return _alone(evaluation, alone, said)
    shown = at_a_glance(evaluation)  # the matrix lacks the difference, which else stands below
    detail = Sentence(
        f"{'The difference in {name} is {less}' if shown else 'By {name}'}, on {{n:responses}} rated "
        "twice or more{of}.{without}",
        name=statistic.heading,
        less=contrast.difference,
        n=subset.n,
        without=turned(evaluation, subset.system),
        of="" if (of := scope(evaluation, subset)) is None else Sentence(", {of}", of=of),
    )
    words: Words = _beside(contrast)
    if labels is None and (known := _with_gold(evaluation, alone)) is not None:
        words = Sentence("{known}; it {beside}", known=known, beside=words)
    if labels is not None:
        words, detail = labels, Sentence("It {beside} {detail}", beside=words, detail=detail)
    return Claim(name=subset.system, state="", words=words, detail=detail)


def _beside(contrast: PeopleContrast) -> str:
    if contrast.more_or_less:
        return (
            f"agrees with a person {contrast.more_or_less} than two people agree with each other."
        )
    return (
        "does not clearly agree with a person more or less than two people agree with each other."
    )


def _routed(evaluation: Evaluation) -> Iterator[Claim]:
    """What is guaranteed of accepted scores, each sentence once."""
    for table in evaluation.tables:
        if table.name != "routing":
            continue
        said: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for row in table.rows:
            record = dict(zip(table.columns, row, strict=True))
            said.setdefault((str(record["certified"]), str(record["statement"])), []).append(record)
        several = len(said) > 1
        refused = [key for key in said if key[0] != "yes"]
        refusal: list[Claim] = []
        if len(refused) > 1:  # one claim for all of them, the last; what each lacks stands below
            prompts = [str(record["prompt"]) for key in refused for record in said.pop(key)]
            words = Sentence(
                "{prompts}: no threshold can be certified.", prompts=_some(prompts, len(table.rows))
            )
            refusal = [Claim(name="", state="not certified", words=words)]
        for (certified, statement), records in said.items():
            state = "certified" if certified == "yes" else "not certified"
            words, detail = Sentence("{statement}", statement=statement), Sentence("")
            if certified == "yes" and evaluation.options.get("method") == SURE:
                words, detail = _accepted(evaluation, records), words
            if several:
                prompts = [str(record["prompt"]) for record in records]
                whose = _some(prompts, len(table.rows))
                words = Sentence("{prompts}: {words}", prompts=whose, words=words)
            yield Claim(name="", state=state, words=words, detail=detail)
        yield from refusal


def _some(prompts: Sequence[str], every: int) -> Words:
    """The names of some prompts, or where they are many how many they are."""
    if len(prompts) <= MOST_NAMES:
        return Sentence("{names}", names=prompts)
    return Sentence("{n} of {every} prompts", n=len(prompts), every=every)


def _accepted(evaluation: Evaluation, records: Sequence[Mapping[str, Any]]) -> Sentence:
    """How much can be accepted, and how much of that is critically wrong at most."""
    shares = [float(record["coverage"]) for record in records]
    alike = min(shares) == max(shares)
    part = "{low:percent}" if alike else "{low:percent} to {high:percent} of each prompt"
    return Sentence(
        f"{part} can be accepted; at most {{alpha:level}} of them critically wrong "
        "({sure:level} sure).",
        low=min(shares),
        high=max(shares),
        alpha=float(evaluation.options["alpha"]),
        sure=1 - float(evaluation.options["delta"]),
    )


def of_people(evaluation: Evaluation) -> Iterator[Claim]:
    """What is attainable with these people, or how they agree."""
    top = _theoretical_ceiling(evaluation) if evaluation.kind == "ceiling" else None
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
            words=Sentence(words, known=known, of=_of_which(evaluation, subset)),
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
            of=_of_which(evaluation, evaluation.subsets[top.subset]),
        ),
        detail="A scorer who knew every true score would reach that: human scores hold rater error.",
    )


def _of_which(evaluation: Evaluation, subset: Subset) -> Words:
    """Over what a number is a mean."""
    of = scope(evaluation, subset)
    return "" if of is None else Sentence(", {of}", of=of)


def _with_nobody(evaluation: Evaluation) -> Iterator[Claim]:
    """Raters whose scores have next to nothing to do with those of the others."""
    raters = single_raters(evaluation)
    for subset in raters if len(raters) >= FEWEST_RATERS else ():
        r = rater_numbers(evaluation, subset)[1].get(_R)
        if r is not None and r.high < WITH_NOBODY:
            words = Sentence("agrees with nobody: r {r} with the mean of the others.", r=r)
            yield Claim(name=subset.system, state="", words=words)


def _theoretical_ceiling(evaluation: Evaluation) -> Estimate | None:
    """The theoretical ceiling of all responses, where it is known."""
    for people in standing_for_all(evaluation, ceilings(evaluation)):
        key = Key("ceiling_theoretical", gold=gold_in_use(evaluation, people))
        estimate = evaluation.of(people).get(key)
        return None if estimate is None or math.isnan(estimate.value) else estimate
    return None
