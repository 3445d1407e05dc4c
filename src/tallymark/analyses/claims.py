"""What the top of the page says of each system: a verdict, or what the numbers say without one."""

import math
import re
from collections import Counter
from collections.abc import Iterator

from tallymark.analyses.carrying import against_limits
from tallymark.questions.verdict import say
from tallymark.questions.verdict.criteria import criterion_words, decided_by
from tallymark.questions.verdict.sides import demand
from tallymark.render.comparing import answers
from tallymark.render.facts import responses
from tallymark.render.first_screen import Claim, Requirement
from tallymark.render.leading import CONTINUOUS, LEADING
from tallymark.render.literal import literal
from tallymark.render.model import Cell
from tallymark.render.numbers import (
    count,
    percent,
    value_text,
    with_interval,
)
from tallymark.render.people import Contrast, among_people, leading_contrast
from tallymark.render.report.view import View
from tallymark.render.subsets import headline_subsets, panels, system_against, whole
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    PEOPLE,
    Criterion,
    Estimate,
    Judgement,
    Key,
    Subset,
    Verdict,
    gold_in_use,
)

FEW = 4
"""More systems than this are told together, and each in a table."""
_KAPPAS = [one for one in (*LEADING, CONTINUOUS) if one.heading in ("QWK", "CCC")]
_BEGINNINGS = frozenset(
    [
        "a",
        "above",
        "all",
        "at",
        "below",
        "each",
        "met",
        "no",
        "not",
        "of",
        "one",
        "outside",
        "some",
        "the",
        "these",
        "there",
        "two",
        "undecided",
        "within",
    ]
)
_UNKNOWN = "How well people agree with each other is not known here, nor what could be reached."


def claims(view: View) -> Iterator[Claim]:
    """The verdict on each system; without a policy, what the numbers say."""
    verdict = view.evaluation.verdict
    if verdict is not None and len(verdict.systems) > FEW:
        states = Counter(one.state for one in verdict.systems)
        said = ", ".join(f"{count(n)} {state}" for state, n in states.most_common())
        words = f"{len(verdict.systems)} systems by {literal(verdict.policy)}: {said}."
        yield Claim(name="", state=verdict.state, words=words)
    elif verdict is not None:
        yield from (_judged(view, one, verdict) for one in verdict.systems)
    elif view.evaluation.kind in ("raters", "ceiling"):
        yield from _of_people(view)
    elif view.tables("routing"):
        yield from _routed(view)
    elif view.tables("pairs"):
        yield from (_compared(sentence) for sentence in answers(view.evaluation))
    else:
        yield from _unjudged(view)


def _judged(view: View, judgement: Judgement, verdict: Verdict) -> Claim:
    return Claim(
        name=literal(judgement.system),
        state=judgement.state,
        words=say.answer(judgement, verdict),
        detail=say.reasons(judgement),
        criteria=tuple(_requirement(view, judgement.system, one) for one in judgement.criteria),
        missing=tuple(say.missing(judgement)),
    )


def _requirement(view: View, system: str, one: Criterion) -> Requirement:
    """A limit with the number that decides it, drawn against the limit."""
    found = decided_by(view.evaluation, one)
    missing = math.isnan(found.value)
    return Requirement(
        title=literal(one.title),
        state=one.state,
        limit=demand(one),
        number=Cell("–") if missing else view.cell(found),
        words=criterion_words(view.evaluation, one),
        svg="" if missing else against_limits(view, system, found, one),
    )


def _halves(sentence: str) -> tuple[str, str]:
    """The verdict, and what stands behind it after a colon or in brackets.

    >>> _halves("does not meet it (not met: SMD; met: QWK).")
    ('does not meet it.', 'Not met: SMD; met: QWK.')
    """
    found = re.match(r"([^:(]+?)(?:: | \()(.+)", sentence)
    if found is None:
        return sentence, ""
    said, rest = found.groups()
    rest = rest.rstrip(".").removesuffix(")") if " (" in sentence[: len(said) + 2] else rest
    return f"{said}.", f"{_begun(rest).rstrip('.')}."


def _begun(sentence: str) -> str:
    """Begin with a capital, unless it begins with a name."""
    if sentence.partition(" ")[0].rstrip(":,") not in _BEGINNINGS:
        return sentence
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _unjudged(view: View) -> Iterator[Claim]:
    """What the numbers say of each system without a policy."""
    contrasts = {s.system: s for s in system_against(view.evaluation, AMONG_PEOPLE)}
    _, subsets = headline_subsets(view.evaluation)
    alone = [s for s in subsets if s.system not in contrasts]
    beside = [_beside_people(view, contrasts[s.system]) for s in subsets if s not in alone]
    if len(beside) > FEW:
        for words, n in Counter(claim.words for claim in beside).most_common():
            yield Claim(name=f"{count(n)} of {count(len(subsets))} systems:", state="", words=words)
    else:
        yield from beside
    if len(alone) > FEW:
        words = f"{len(alone)} systems were held against one human score per response."
        yield Claim(name="", state="", words=words, detail=_UNKNOWN)
        return
    for subset in alone:
        own = view.numbers[view.evaluation.subsets.index(subset)]
        found = [f"{one.heading} {_written(own[one.text])}" for one in _KAPPAS if one.text in own]
        reached = f"reaches {found[0]} against" if found else "was held against"
        words = f"{reached} one human score per response."
        yield Claim(name=literal(subset.system), state="", words=words, detail=_UNKNOWN)


def _beside_people(view: View, subset: Subset) -> Claim:
    """Whether a system agrees with a person as two people agree with each other."""
    name = literal(subset.system)
    one, found = leading_contrast(view.evaluation, subset)
    if found is None:
        return Claim(name=name, state="", words="was held against human scores.", detail=_UNKNOWN)
    person, people, less = map(_written, found)
    detail = (
        f"{one.heading} {person} with a person, {people} between two people; difference {less} on "
        f"{responses(subset.n)} rated twice or more."
    )
    return Claim(name=name, state="", words=_beside(found), detail=detail)


def _written(found: Estimate) -> str:
    return with_interval(found).replace("-", "−")


def _beside(found: Contrast) -> str:
    if found.more_or_less:
        return f"agrees with a person {found.more_or_less} than two people agree with each other."
    if math.isnan(found.difference.low):
        return "cannot be held against people: these data do not say how sure the difference is."
    return "agrees with a person as two people do, as far as these data can tell."


def _of_people(view: View) -> Iterator[Claim]:
    """What is attainable with these people, or how they agree."""
    for i, people in view.whole(CEILING, PEOPLE) if view.evaluation.kind == "ceiling" else ():
        own = view.numbers[i]
        top = own.get(Key("ceiling_theoretical", gold=gold_in_use(view.evaluation, people)))
        if top is not None and not math.isnan(top.value):
            words = f"Nobody can agree with this gold beyond {value_text(top)}, but by chance."
            detail = (
                f"A scorer who knew every true score would reach {_written(top)}, as QWK or as a "
                "correlation: human scores hold rater error."
            )
            yield Claim(name="", state="", words=words, detail=detail)
            return
    for subset in [subset for subset in panels(view.evaluation) if whole(subset)][:1]:
        own = view.numbers[view.evaluation.subsets.index(subset)]
        exact, one = own.get("percent_agreement"), own.get("icc[1,1]")
        words = "People were compared with each other."
        if exact is not None and not math.isnan(exact.value):
            words = f"Two people give the same score to {_percent(exact)} of responses."
        elif one is not None and not math.isnan(one.value):
            words = f"One rating has a reliability of {value_text(one)}."
        detail = " ".join(among_people(view.evaluation)).partition(": ")[2]
        yield Claim(name="", state="", words=words, detail=f"{detail[:1].upper()}{detail[1:]}")


def _percent(found: Estimate) -> str:
    return percent(found).partition(" [")[0]


def _compared(sentence: str) -> Claim:
    said, detail = _halves(sentence)
    return Claim(name="", state="", words=said, detail=detail)


def _routed(view: View) -> Iterator[Claim]:
    """What is guaranteed of accepted scores, each sentence once."""
    for table in view.tables("routing"):
        places = [table.columns.index(name) for name in ("certified", "statement", "prompt")]
        said: dict[tuple[str, str], list[str]] = {}
        for row in table.rows:
            certified, statement, prompt = (str(row[i]) for i in places)
            said.setdefault((certified, statement), []).append(literal(prompt))
        for (certified, statement), prompts in said.items():
            whom = f"{', '.join(prompts)}: " if len(said) > 1 else ""
            state = "certified" if certified == "yes" else "not certified"
            yield Claim(name="", state=state, words=f"{whom}{literal(statement)}")
