"""Sentences on length: do equally good responses get more for being longer?"""

import math
from collections.abc import Iterator

from tallymark.render.sentences import Sentence
from tallymark.results import Estimate, Numbers

MEANING = (
    "Longer responses are often better, so that scores may well follow length. The question is whether "
    "length counts beyond that: whether, of two equally good responses, the longer gets more."
)
ASSUMED = "Ratings are taken for true scores here, since no response was rated twice: quality that they missed may pass for length."


def rewarded(system: str, numbers: Numbers, of: Sentence | None) -> Iterator[Sentence]:
    """Say what a system makes of length, and on which data."""
    of_system, of_people, at_true, share = (
        _known(numbers, key)
        for key in (
            "length_correlation[system]", "length_correlation[human]", "length_partial", "length_share",
        )
    )  # fmt: skip
    where = "" if of is None else Sentence(", {of}", of=of)
    if at_true is not None:
        yield Sentence(
            "{system} and length: {verdict} (partial r {r}{where}).",
            system=system,
            verdict=_verdict(at_true),
            r=at_true,
            where=where,
        )
    if of_system is not None and of_people is not None:
        yield Sentence(
            "Its scores correlate with length by {m}, people's ratings by {h}{share}.",
            m=of_system,
            h=of_people,
            share=""
            if share is None
            else Sentence(
                "; length alone explains {s:percent} of what it explains of these ratings", s=share
            ),
        )


def _known(numbers: Numbers, key: str) -> Estimate | None:
    estimate = numbers.get(key)
    return None if estimate is None or math.isnan(estimate.value) else estimate


def _verdict(partial: Estimate) -> str:
    if partial.low > 0:
        return "of two equally good responses, the longer gets more"
    if partial.high < 0:
        return "of two equally good responses, the longer gets less"
    return "equally good responses are not clearly scored by length"
