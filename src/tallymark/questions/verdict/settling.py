"""What would settle a limit, and the number that decides it."""

import math

from tallymark.defaults import ON_LIMIT
from tallymark.questions.verdict.sides import ends_of
from tallymark.render.limits import Beside
from tallymark.render.model import Cell, Held, Value
from tallymark.render.sentences import Sentence
from tallymark.results import Criterion, Estimate, Evaluation, Key

MOST_NEEDED = 10_000_000
"""More responses than this are no answer."""


def decided_by(evaluation: Evaluation, criterion: Criterion) -> Estimate:
    """The estimate whose numbers are shown."""
    if criterion.decided_by is None:
        return Estimate(key=Key(criterion.statistic), value=math.nan, n=0)
    return evaluation.estimates[criterion.decided_by]


def held_against(evaluation: Evaluation, criterion: Criterion | None) -> Value:
    """The number that decides a limit, with its state."""
    if criterion is None or criterion.decided_by is None:
        return None if criterion is None else Cell("–", state=criterion.state)
    return Held(decided_by(evaluation, criterion), criterion.state, tuple(ends_of(criterion)))


def settling(criterion: Criterion, estimate: Estimate, what: str) -> Sentence:
    """How many responses would settle a limit, if the value is the true one."""
    value = Beside(estimate, ends_of(criterion))
    if criterion.needed is None:
        many = Sentence("no number of responses")
    elif criterion.needed > MOST_NEEDED:
        many = Sentence(f"more than {{most}} {what}", most=MOST_NEEDED)
    else:
        many = Sentence(f"about {{needed:about}} {what}", needed=criterion.needed)
    if criterion.needed is not None and estimate.parts.get("clusters"):
        more = math.ceil(
            criterion.needed / max(estimate.n, 1) * estimate.parts["clusters"] - ON_LIMIT
        )
        many = Sentence("{many} in {more:about} clusters like these", many=many, more=more)
    return Sentence(
        "If {value:value} is the true value, {many} would settle it.", value=value, many=many
    )
