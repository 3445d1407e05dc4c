"""What the top of the page says of each system: a verdict, or what the numbers say without one."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tallymark.catalogue import PeopleContrast, preferred_contrast
from tallymark.defaults import LEVEL
from tallymark.questions.ceilings.say import standing
from tallymark.questions.comparison.pairs import behind
from tallymark.questions.comparison.say import ahead, answers
from tallymark.questions.people.say import turned
from tallymark.questions.people.view import people_sentences
from tallymark.questions.verdict.first import FEW
from tallymark.questions.verdict.first import claims as judged
from tallymark.questions.whatif.view import answers as what_if
from tallymark.render.first_screen import Claim
from tallymark.render.leading import CONTINUOUS, LEADING
from tallymark.render.scope import scope
from tallymark.render.sentences import Sentence, Words, joined
from tallymark.render.subsets import (
    asked_alone,
    at_a_glance,
    ceilings,
    headline_subsets,
    panels,
    rated_twice,
    rater_numbers,
    single_raters,
    standing_for_all,
    systems_leading,
)
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    Estimate,
    Evaluation,
    Key,
    Subset,
    gold_in_use,
)

_KAPPAS = [shown for shown in (*LEADING, CONTINUOUS) if shown.title in ("QWK", "CCC")]
_EXACT, _ONE_RATING = Key("percent_agreement"), Key("icc", type="1,1")
_R, SURE = Key("pearson"), "ltt"
WITH_NOBODY = 0.2
"""A rater whose correlation with the others is surely below this agrees with nobody."""
MOST_NAMES = 5
_UNKNOWN = "How well people agree with each other is not known here, nor what could be reached."


def claims(evaluation: Evaluation) -> Iterator[Claim]:
    """The verdict on each system; without a policy, what the numbers say."""
    if evaluation.verdict is not None:
        yield from judged(evaluation)
    elif evaluation.kind in ("raters", "ceiling"):
        yield from _of_people(evaluation)
    elif any(table.name == "routing" for table in evaluation.tables):
        yield from _routed(evaluation)
    elif evaluation.kind == "compare":
        for answer in answers(evaluation):
            yield Claim(name="", state="", words=f"{answer.words}.", detail=answer.detail)
    elif evaluation.kind == "whatif":
        yield from (Claim(name="", state="", words=words) for words in what_if(evaluation))
    else:
        yield from _unjudged(evaluation)


def _unjudged(evaluation: Evaluation) -> Iterator[Claim]:
    """What the numbers say of each system without a policy."""
    contrasts = {s.system: s for s in systems_leading(evaluation, AMONG_PEOPLE)}
    _, subsets = headline_subsets(evaluation)
    yield from leader(evaluation)
    alone = [s for s in subsets if s.system not in contrasts]
    beside = [_beside_people(evaluation, contrasts[s.system]) for s in subsets if s not in alone]
    if len(beside) > FEW:
        yield from _together(beside)
    else:
        yield from beside
    if len(alone) <= FEW:
        yield from (_alone(evaluation, subset) for subset in alone)


def leader(evaluation: Evaluation) -> Iterator[Claim]:
    """Of many systems the one that agrees best, whether that is settled, and how far it comes."""
    column, subsets = headline_subsets(evaluation)
    if len(subsets) <= FEW:
        return
    measure = next((k for k in _KAPPAS if _known(evaluation, subsets, k.key)), None)
    if measure is None:
        words = Sentence("{n} systems cannot be ranked: QWK is undefined.", n=len(subsets))
        yield Claim(name="", state="", words=words, detail=_unknown(evaluation))
        return
    known = _known(evaluation, subsets, measure.key)
    apart = behind(evaluation)
    best = apart[0].best if apart else max(known, key=lambda system: known[system].value)
    template = "agrees best of {n} systems with the gold: {name} {value}{mean}."
    if len({number.value for number in known.values()}) == 1 < len(known):
        best, template = "", "All {n} systems reach the same {name}: {value}{mean}."
    words = Sentence(
        template,
        n=len(subsets),
        name=measure.title,
        value=known[best or subsets[0].system],
        mean=Sentence(f", mean over {column}s") if column else "",
    )
    if not best:
        yield Claim(name="", state="", words=words, detail=_unknown(evaluation))
        return
    level = float(evaluation.options.get("level", LEVEL))
    stands = [s for s in systems_leading(evaluation, CEILING) if s.system == best]
    scored = max(subset.n for subset in subsets)
    said = [ahead(apart, scored, level)] if apart else []
    said += [where for s in stands if (where := standing(best, evaluation.of(s))) is not None]
    detail = joined(said, " ") if said else _unknown(evaluation)
    yield Claim(name=best, state="", words=words, detail=detail)


def _known(evaluation: Evaluation, subsets: Sequence[Subset], key: str) -> dict[str, Estimate]:
    """The number of each system that has one."""
    numbers = {subset.system: evaluation.of(subset).get(key) for subset in subsets}
    return {s: e for s, e in numbers.items() if e is not None and not math.isnan(e.value)}


def _together(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Systems of which the same is said, named together."""
    names_by_words: dict[str, list[Words]] = {}
    for claim in claims:
        names_by_words.setdefault(str(claim.words), []).append(claim.name)
    for words, names in sorted(names_by_words.items(), key=lambda pair: -len(pair[1])):
        whose = Sentence("{names}:", names=names[:MOST_NAMES])
        if len(names) > MOST_NAMES:
            whose = Sentence("{n} of {all} systems:", n=len(names), all=len(claims))
        # several systems agree, one agrees
        said = (
            f"agree {words.removeprefix('agrees ')}"
            if len(names) > 1 and words.startswith("agrees ")
            else words
        )
        yield Claim(name=str(whose), state="", words=said)


def _alone(evaluation: Evaluation, subset: Subset) -> Claim:
    """What a system reaches where it cannot be held beside people."""
    numbers = evaluation.of(subset)
    words = Sentence("was held against the gold.")
    known = [kappa for kappa in _KAPPAS if kappa.key in numbers]
    for measure in [kappa for kappa in known if not math.isnan(numbers[kappa.key].value)][:1]:
        words = Sentence(
            "reaches {name} {kappa} against the gold.",
            name=measure.title,
            kappa=numbers[measure.key],
        )
    return Claim(name=subset.system, state="", words=words, detail=_unknown(evaluation))


def _unknown(evaluation: Evaluation) -> str:
    """What is not known of people, where it is not."""
    if rated_twice(evaluation):
        return " ".join(map(str, people_sentences(evaluation)))
    return "" if asked_alone(evaluation) else _UNKNOWN


def _beside_people(evaluation: Evaluation, subset: Subset) -> Claim:
    """Whether a system agrees with a person as two people agree with each other."""
    preferred = preferred_contrast(evaluation.of(subset))
    if preferred is None:
        words = "was held against human scores."
        return Claim(name=subset.system, state="", words=words, detail=_unknown(evaluation))
    statistic, contrast = preferred
    shown = at_a_glance(evaluation)  # the matrix lacks the difference, which else stands below
    detail = Sentence(
        f"{'{name} differs by {less}' if shown else 'By {name}'}, on {{n:responses}} rated twice or "
        "more{of}.{without}",
        name=statistic.heading,
        less=contrast.difference,
        n=subset.n,
        without=turned(evaluation, subset.system),
        of="" if (of := scope(evaluation, subset)) is None else Sentence(", {of}", of=of),
    )
    return Claim(name=subset.system, state="", words=_beside(contrast), detail=detail)


def _beside(contrast: PeopleContrast) -> str:
    if contrast.more_or_less:
        return (
            f"agrees with a person {contrast.more_or_less} than two people agree with each other."
        )
    if math.isnan(contrast.difference.low):
        return "cannot be held against people: these data do not say how sure the difference is."
    return "may agree with a person as two people do: these data do not tell them apart."


def _of_people(evaluation: Evaluation) -> Iterator[Claim]:
    """What is attainable with these people, or how they agree."""
    top = _ceiling(evaluation) if evaluation.kind == "ceiling" else None
    if top is not None:
        yield Claim(
            name="",
            state="",
            words=Sentence(
                "Nobody can agree with this gold beyond {top:value}, but by chance.", top=top
            ),
            detail=Sentence(
                "A scorer who knew every true score would reach {top}, as QWK or as a correlation: "
                "human scores hold rater error.",
                top=top,
            ),
        )
        return
    yield from _with_nobody(evaluation)
    for subset in standing_for_all(evaluation, panels(evaluation)):
        exact, one_rating = map(evaluation.of(subset).get, (_EXACT, _ONE_RATING))
        words = Sentence("People were compared with each other.")
        if exact is not None and not math.isnan(exact.value):
            template = "Two people give the same score to {share:percent} of responses."
            words = Sentence(template, share=exact.value)
        elif one_rating is not None and not math.isnan(one_rating.value):
            words = Sentence(
                "One rating has a reliability of {reliability:value}.", reliability=one_rating
            )
        detail = " ".join(map(str, people_sentences(evaluation))).partition(": ")[2]
        yield Claim(name="", state="", words=words, detail=f"{detail[:1].upper()}{detail[1:]}")


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


def _routed(evaluation: Evaluation) -> Iterator[Claim]:
    """What is guaranteed of accepted scores, each sentence once."""
    for table in evaluation.tables:
        if table.name != "routing":
            continue
        said: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for row in table.rows:
            record = dict(zip(table.columns, row, strict=True))
            said.setdefault((str(record["certified"]), str(record["statement"])), []).append(record)
        for (certified, statement), records in said.items():
            state = "certified" if certified == "yes" else "not certified"
            words, detail = Sentence("{statement}", statement=statement), Sentence("")
            if certified == "yes" and evaluation.options.get("method") == SURE:
                words, detail = _accepted(evaluation, records), words
            if len(said) > 1:
                prompts = [str(record["prompt"]) for record in records]
                words = Sentence("{prompts}: {words}", prompts=prompts, words=words)
            yield Claim(name="", state=state, words=words, detail=detail)


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
