"""The verdict again on the yardstick of people without each rater: does it turn on one of them?"""

from collections.abc import Iterator

from msgspec.structs import replace

from tallymark.results import (
    AMONG_PEOPLE,
    Criterion,
    Estimate,
    Evaluation,
    Finding,
    Judgement,
    Kind,
)
from tallymark.verdict.judged import judged
from tallymark.verdict.policy import Policy


def turning_verdicts(evaluation: Evaluation, policy: Policy) -> Iterator[Finding]:
    """Find the systems whose verdict is another without one rater.

    It turns where a limit on a system beside people has another state, and its value is on the
    other side of the limit: an interval that is only wider turns nothing.
    """
    if evaluation.verdict is None:
        return
    raters = dict.fromkeys(
        s.against.name for s in evaluation.subsets if s.against.kind is Kind.WITHOUT
    )
    turned: dict[str, list[Finding]] = {}
    for rater in raters:
        again = judged(without(evaluation, rater), policy).verdict or evaluation.verdict
        for before, after in zip(evaluation.verdict.systems, again.systems, strict=True):
            for criterion in _turned(before, after):
                texts = {
                    "rater": rater,
                    "limit": criterion.title,
                    "state": before.state,
                    "without": after.state,
                }
                finding = Finding(name="verdict_turns", system=before.system, texts=texts)
                turned.setdefault(before.system, []).append(finding)
    for findings in turned.values():
        several = {finding.texts["rater"] for finding in findings}
        yield replace(findings[0], numbers={"others": len(several) - 1.0})


def without(evaluation: Evaluation, rater: str) -> Evaluation:
    """The evaluation with people's numbers as they are without one rater."""
    left_out = {
        (replace(subset, against=AMONG_PEOPLE).where, estimate.key): estimate
        for subset, numbers in zip(evaluation.subsets, evaluation.numbers, strict=True)
        for estimate in numbers.values()
        if subset.against.kind is Kind.WITHOUT and subset.against.name == rater
    }

    def other(estimate: Estimate) -> Estimate:
        subset = evaluation.subsets[estimate.subset]
        rest = left_out.get((subset.where, estimate.key))
        return estimate if rest is None else replace(rest, subset=estimate.subset)

    return replace(evaluation, estimates=tuple(map(other, evaluation.estimates)))


def _turned(before: Judgement, after: Judgement) -> Iterator[Criterion]:
    """The limits that turn the verdict."""
    if before.state != after.state:
        for old, new in zip(before.criteria, after.criteria, strict=True):
            if old.state != new.state and old.passes != new.passes:
                yield new
