"""Sentences on decisions at a cut."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tallymark.render.sentences import Said, Sentence
from tallymark.results import Estimate, Key

GOLD = Key("decision_agreement")
SYSTEM = Key("decision_accuracy", of="system")
RATING = Key("decision_accuracy", of="rater")


class Decision(NamedTuple):
    """What is known of a system at one cut, or of all grades where there is none.

    ``numbers`` are by their keys without the cut.
    """

    system: str
    part: str
    cut: float | None
    n: int
    numbers: Mapping[Key, Estimate]

    @property
    def place(self) -> Sentence:
        """Where it is taken, as the heading of its numbers."""
        at = Sentence("all grades") if self.cut is None else Sentence("cut {cut:g}", cut=self.cut)
        return Sentence("{part}, {at}", part=self.part, at=at) if self.part else at


def sentence(decision: Decision) -> Sentence:
    """Say how often the system decides as true scores would, or else as the gold does."""
    known: dict[str, Said] = {"where": _where(decision), "system": decision.system}
    if SYSTEM in decision.numbers and not math.isnan(decision.numbers[SYSTEM].value):
        return Sentence(
            "{where}, {system} decides as true scores would in {same:percent} of responses; a "
            "single rating does in {rating:percent}.",
            same=decision.numbers[SYSTEM],
            rating=decision.numbers[RATING],
            **known,
        )
    return Sentence(
        "{where}, {system} decides as the gold does in {same:percent} of responses.",
        same=decision.numbers[GOLD],
        **known,
    )


def _where(decision: Decision) -> Sentence:
    at = (
        Sentence("Over all grades")
        if decision.cut is None
        else Sentence("At cut {cut:g}", cut=decision.cut)
    )
    return Sentence("{at} of {part}", at=at, part=decision.part) if decision.part else at


def cautions(decisions: Sequence[Decision]) -> Iterator[Sentence]:
    """Say once where decisions against true scores are to be taken with care."""
    estimates = [decision.numbers[SYSTEM] for decision in decisions if SYSTEM in decision.numbers]
    for why in dict.fromkeys(e.why for e in estimates if e.why and not math.isnan(e.low)):
        yield Sentence("Note: {why}.", why=why)


def misfit(cut: float, expected: float, counted: float) -> Sentence:
    """Say that the model expects another agreement with ratings than was counted."""
    return Sentence(
        "at {cut:g} the model expects the same decision as a rating in {expected:percent} of "
        "responses, and {counted:percent} were counted: scores there are not as the model has "
        "them, so take decisions against true scores with care",
        cut=cut,
        expected=expected,
        counted=counted,
    )
