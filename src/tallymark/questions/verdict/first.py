"""The verdict at the top of a page: a claim on each system, and the limits behind it."""

import math
from collections.abc import Iterator, Mapping

from tallymark.defaults import FEW_SYSTEMS
from tallymark.questions.verdict import say
from tallymark.questions.verdict.carrying import against_limits
from tallymark.questions.verdict.criteria import criterion_words
from tallymark.questions.verdict.headline import answer, reasons
from tallymark.questions.verdict.settling import decided_by
from tallymark.questions.verdict.sides import demand
from tallymark.render.model import Claim, Requirement
from tallymark.render.sentences import Words
from tallymark.results import Criterion, Evaluation, Judgement, Verdict


def claims(evaluation: Evaluation, labels: Mapping[str, Words]) -> Iterator[Claim]:
    """What the policy says of each system, and what it finds of ``labels``; nothing without a policy."""
    verdict = evaluation.verdict
    if verdict is None:
        return
    if len(verdict.systems) > FEW_SYSTEMS:
        words, detail = say.counted(verdict), say.the_rest(verdict)
        yield Claim(name="", state="", words=words, detail=detail)
        return
    for judgement in verdict.systems:
        yield _claim(evaluation, judgement, verdict, labels.get(judgement.system, ""))


def _claim(evaluation: Evaluation, judgement: Judgement, verdict: Verdict, labels: Words) -> Claim:
    return Claim(
        name=judgement.system,
        state=judgement.state,
        words=answer(judgement, verdict, labels),
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
