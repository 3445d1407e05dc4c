"""The verdict at the top of a page: a claim on each system, and the limits behind it."""

import math
from collections.abc import Iterator

from tallymark.questions.verdict import say
from tallymark.questions.verdict.carrying import against_limits
from tallymark.questions.verdict.criteria import criterion_words
from tallymark.questions.verdict.headline import answer, reasons
from tallymark.questions.verdict.settling import decided_by
from tallymark.questions.verdict.sides import demand
from tallymark.render.first_screen import Claim, Requirement
from tallymark.results import Criterion, Evaluation, Judgement, Verdict

FEW = 2
"""More systems than this share one claim, and each has a row in the matrix."""


def claims(evaluation: Evaluation) -> Iterator[Claim]:
    """What the policy says of each system; nothing without one."""
    verdict = evaluation.verdict
    if verdict is None:
        return
    if len(verdict.systems) > FEW:
        words, detail = say.counted(verdict), say.the_rest(verdict)
        yield Claim(name="", state="", words=words, detail=detail)
        return
    yield from (_claim(evaluation, judgement, verdict) for judgement in verdict.systems)


def _claim(evaluation: Evaluation, judgement: Judgement, verdict: Verdict) -> Claim:
    return Claim(
        name=judgement.system,
        state=judgement.state,
        words=answer(judgement, verdict),
        detail=reasons(judgement),
        criteria=tuple(
            _requirement(evaluation, judgement.system, each) for each in judgement.criteria
        ),
        missing=tuple(say.missing(judgement)),
    )


def _requirement(evaluation: Evaluation, system: str, criterion: Criterion) -> Requirement:
    """A limit with the number that decides it, drawn against the limit."""
    estimate = decided_by(evaluation, criterion)
    known = not math.isnan(estimate.value)
    return Requirement(
        title=say.titled(criterion),
        state=criterion.state,
        limit=demand(criterion),
        words=criterion_words(evaluation, criterion),
        strip=against_limits(evaluation, system, estimate, criterion) if known else None,
    )
