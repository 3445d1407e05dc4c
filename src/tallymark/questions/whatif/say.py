"""Words on tables that could be different."""

import math
from collections.abc import Mapping, Sequence

from tallymark.questions.whatif.scenarios import Scenario
from tallymark.render.sentences import Sentence

TITLE = "If one thing were different"
LIMITS = "What other coefficients have where {leading} is at {limit:goal}"
USUAL = 0.7
BENCH = "Move the table of {system}"
CORNER = "gold"
BENCH_NOTE = (
    "Computed on this page from the counts, without intervals; those of single changes are in the table below. "
    "Changes are made in the order in which they stand."
)
KEEPS = (
    "Exchanged, moved or spread: agreement stands at other scores; every disagreement stays, and so does exact "
    "agreement. Gold at a share: as many responses have this gold; what the system gives at each gold stays. "
    "Errors: made so many times as often, at each gold up to all of its responses; the gold stays, and which "
    "errors are made. Score points: neighbours are merged. Gold by another rule: on responses that every rater scored."
)
BARE = "Tables of more than {most} points have no intervals, and so no verdicts."
ROUNDED = "System scores stand at their nearest points."
CEILING = "ceiling: of a scorer who knew every true score, if the error variance of the gold stays what it is."
VERDICT = "verdict: of the limits of {policy} that a table can be held against: {limits}."
FAMILIES = (
    "same errors: the errors of this table, made more or less often until the limit is reached. by chance: "
    "a share of the responses is scored by chance, with the same margins. Where the two differ, no one limit "
    "corresponds to it."
)
LEFT = "{left} more systems are in evaluation.json; --system shows those that are named."
ELSEWHERE = " With the same agreement at other scores it would have {low:share} to {high:share}."
CORRESPONDS = "{leading} {limit:goal} corresponds to {others}, if the same errors were made more or less often."
UNREACHED = "However often the same errors were made, the limit is not crossed."
NAMES = {
    "observed": "as it is",
    "exchanged": "{first} and {second} exchanged",
    "moved": "{amount:percent} of {first} moved to {second}",
    "evened": "spread evenly",
    "prevalence": "gold {first} at {amount:percent}",
    "errors": "errors {amount:g} times",
    "points": "{amount:g} score points",
    "rule": "gold: {rule}",
}


def answer(system: str, places: Sequence[float], limits: Mapping[str, float]) -> Sentence:
    """What the system has now and would have elsewhere, and what corresponds to the limit.

    ``places`` are the leading statistic as it is, and its least and most at other scores.
    """
    leading, *others = limits
    now, low, high = places
    elsewhere = Sentence(ELSEWHERE, low=low, high=high) if low < high else ""
    named = [Sentence("{name} {value:share}", name=n, value=limits[n]) for n in others]
    limit = limits[leading]
    corresponds = Sentence(UNREACHED)
    if not math.isnan(limit):
        corresponds = Sentence(CORRESPONDS, leading=leading, limit=limit, others=named)
    return Sentence(
        "{system} has {leading} {now:share}.{elsewhere} {corresponds}",
        system=system, leading=leading, now=now, elsewhere=elsewhere, corresponds=corresponds,
    )  # fmt: skip


def pooled(column: str, flag: str, values: int) -> str:
    """Say that prompts or traits stand in one table; ``flag`` keeps one of them."""
    return (
        f"all responses are in one table, so that differences between {values} {column}s count as "
        f"agreement; --flag {flag} keeps one {column}"
    )


def name(scenario: Scenario) -> str:
    """What is different.

    >>> name(Scenario(kind="errors", amount=1.5))
    'errors 1.5 times'
    """
    first, second = (*scenario.points, "", "")[:2]
    return str(
        Sentence(
            NAMES[scenario.kind],
            first=first,
            second=second,
            amount=scenario.amount,
            rule=scenario.rule,
        )
    )
