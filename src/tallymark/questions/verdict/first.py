"""The verdict at the top of a page: a claim on each system, and the limits behind it."""

import math
from collections.abc import Iterator

from tallymark.questions.verdict import say
from tallymark.questions.verdict.carrying import against_limits
from tallymark.questions.verdict.criteria import criterion_words, decided_by
from tallymark.questions.verdict.sides import demand
from tallymark.render.first_screen import Claim, Requirement
from tallymark.results import Criterion, Evaluation, Judgement, Verdict

FEW = 4
"""More systems than this are told together, and each in a table."""


def claims(evaluation: Evaluation) -> Iterator[Claim]:
    """What the policy says of each system; nothing without one."""
    verdict = evaluation.verdict
    if verdict is None:
        return
    if len(verdict.systems) > FEW:
        yield Claim(name="", state=verdict.state, words=say.counted(verdict))
        return
    yield from (_claim(evaluation, one, verdict) for one in verdict.systems)


def _claim(evaluation: Evaluation, one: Judgement, verdict: Verdict) -> Claim:
    return Claim(
        name=one.system,
        state=one.state,
        words=say.answer(one, verdict),
        detail=say.reasons(one),
        criteria=tuple(_requirement(evaluation, one.system, each) for each in one.criteria),
        missing=tuple(say.missing(one)),
    )


def _requirement(evaluation: Evaluation, system: str, one: Criterion) -> Requirement:
    """A limit with the number that decides it, drawn against the limit."""
    found = decided_by(evaluation, one)
    known = not math.isnan(found.value)
    return Requirement(
        title=one.title,
        state=one.state,
        limit=demand(one),
        words=criterion_words(evaluation, one),
        strip=against_limits(evaluation, system, found, one) if known else None,
    )
