"""What would settle a limit, and the number that decides it."""

import math
from typing import NamedTuple

from msgspec.structs import replace

from tallymark.defaults import ON_LIMIT, POWER
from tallymark.questions.verdict.sides import ends_of
from tallymark.render.limits import Beside
from tallymark.render.model import Cell, Held, Value
from tallymark.render.sentences import Sentence
from tallymark.results import Criterion, Estimate, Evaluation, Key

MOST_NEEDED = 10_000_000
"""More responses than this are no answer."""


class DecidedBy(NamedTuple):
    """What is said of limits that a rule decides; ``{what}`` is a group, prompt or trait.

    ``whole``: of one number. Of parts, ``each`` where all keep the limit, ``breaks`` of one of
    several, ``only_breaks`` of a single one, ``several_break`` and ``still_open``; ``alone``: of
    parts that break a limit on all responses. ``mark`` stands beside the state in a table.
    """

    whole: str
    each: str
    breaks: str
    only_breaks: str
    several_break: str
    still_open: str
    alone: str
    mark: str = ""


DECIDED = {
    "interval": DecidedBy(
        whole="The whole interval is {side}.",
        each="Each of the {k} intervals is {side}; this {what} ({n:responses}) reaches furthest.",
        breaks=", also when the tests of all {k} {what}s are adjusted (Holm)",
        only_breaks="",
        several_break="also when their tests are adjusted (Holm)",
        still_open="{kept} of {k} intervals keep the limit ({demand}), and no {what} is shown to "
        "break it.",
        alone="also after Holm's adjustment",
    ),
    "point": DecidedBy(
        whole="The value is {side}; the policy decides by it alone.",
        each="Every {what} is {side}; the policy decides by values alone.",
        breaks="; the policy decides by values alone",
        only_breaks="; the policy decides by values alone",
        several_break="the policy decides by values alone",
        still_open="No {what} breaks the limit ({demand}) by its value.",
        alone="by their values",
        mark=" (by the point)",
    ),
}
"""The sentences of every rule of ``verdict.states.DECIDE``."""


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
    """How many responses decide a limit, if the value is the true one."""
    true = estimate.value if math.isnan(criterion.planned) else criterion.planned
    value = Beside(replace(estimate, value=true), ends_of(criterion))
    if criterion.needed is None:
        return Sentence(
            "If {value:value} is the true value, no number of responses settles it.", value=value
        )
    if criterion.needed > MOST_NEEDED:
        many = Sentence(f"more than {{most}} {what}", most=MOST_NEEDED)
    else:
        many = Sentence(f"about {{needed:about}} {what}", needed=criterion.needed)
    if estimate.parts.get("clusters"):
        more = math.ceil(
            criterion.needed / max(estimate.n, 1) * estimate.parts["clusters"] - ON_LIMIT
        )
        many = Sentence("{many} in {more:about} clusters like these", many=many, more=more)
    return Sentence(
        "If {value:value} is the true value, {many} settle it with a probability of {power:level}.",
        value=value,
        many=many,
        power=POWER,
    )
