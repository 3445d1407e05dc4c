"""Sentences on probes: what another text in the place of a response gains or loses."""

import math
from collections.abc import Iterator

from tallymark.render.sentences import Sentence, joined
from tallymark.results import Estimate, Numbers

MEANING = (
    "A probe is a text that takes the place of a response. No one scored it: what it should get is a "
    "judgement. A system that reads should give a text twice no more than the text once, an empty text "
    "the lowest score, and a response to another prompt less."
)
TEXTS = {
    "repeated": "a text repeated twice",
    "shuffled": "a text with its sentences shuffled",
    "off-topic": "a response to another prompt",
    "empty": "an empty text",
}
"""What a sentence calls the probes that we make; others have the user's names."""


def changes(system: str, probe: str, numbers: Numbers, of: Sentence | None) -> Iterator[Sentence]:
    """Say what a probe gains or loses, how many scores rise, and on which data."""
    change, rises = _known(numbers, "probe_change"), _known(numbers, "probe_rises")
    clauses = [] if change is None else [_gain(change)]
    if rises is not None:
        some = Sentence("the score rises in {rises:percent} of responses", rises=rises)
        clauses.append(some if rises.value else Sentence("no score rises"))
    if not clauses:
        return
    yield Sentence(
        "{system}, {what}: {clauses}{where}.",
        system=system,
        what=TEXTS.get(probe) or Sentence("the probe {probe}", probe=probe),
        clauses=joined(clauses, "; "),
        where="" if of is None else Sentence(" ({of})", of=of),
    )


def _gain(change: Estimate) -> Sentence:
    if change.value == 0 and not (change.low < 0 < change.high):
        return Sentence("scores as the response does on average")
    if change.low > 0:
        return Sentence("scores higher, {change} points", change=change)
    if change.high < 0:
        return Sentence("scores lower, {change} points", change=change)
    return Sentence("does not clearly score higher or lower, {change} points", change=change)


def _known(numbers: Numbers, key: str) -> Estimate | None:
    estimate = numbers.get(key)
    return None if estimate is None or math.isnan(estimate.value) else estimate
