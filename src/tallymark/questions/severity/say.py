"""Sentences on severity: who is severe, erratic or keeps to few scores."""

import math
from collections.abc import Mapping, Sequence

from tallymark.reliability.severity import NO_WAY_BACK
from tallymark.reliability.severity_fit import COMPRESSED, ERRATIC, PREDICTABLE
from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding, Numbers

LOGITS = (
    "Severity is in logits of a Rasch model: above 0 is more severe than the average rater. Infit "
    "and outfit near 1 say that the scores are as regular as expected; above 1.5 they are erratic."
)
COMPRESSES = "Compressed: the spread is surely below .9."


def by_model(method: str, *, many: bool) -> Sentence:
    """Say how severity was estimated, and in which order raters come."""
    order = "those furthest off first" if many else "the most severe first"
    return Sentence(f"Severity, {order}: Rasch model, {{method}}", method=method)


def judgement(numbers: Numbers) -> str:
    """What the numbers say of a rater or a system, in single words."""
    words = []
    severity = numbers["severity"]
    if severity.low > 0 or severity.high < 0:
        words.append("severe" if severity.low > 0 else "lenient")
    fit = [numbers["infit"].value, numbers["outfit"].value]
    if max(fit) > ERRATIC:
        words.append("erratic")
    if min(fit) < PREDICTABLE:
        words.append("predictable")
    if numbers["rater_spread"].high < COMPRESSED:
        words.append("compressed")
    return ", ".join(words)


def as_rater(system: str, numbers: Numbers) -> Sentence:
    """Say how a system would look as one more rater."""
    return Sentence(
        "{system}: {words}. Given the same responses it differs from the average rater by {points} "
        "points; severity {severity} logits, infit {infit:value}, outfit {outfit:value}, spread "
        "{spread:value} of that expected.",
        system=system,
        words=judgement(numbers) or "neither severe nor lenient, and it fits",
        points=numbers["fair_difference"],
        severity=numbers["severity"],
        infit=numbers["infit"],
        outfit=numbers["outfit"],
        spread=numbers["rater_spread"],
    )


def undefined(severities: Mapping[str, Estimate]) -> list[Sentence]:
    """Say whose severity is undefined, and why."""
    by_reason: dict[str, list[str]] = {}
    for rater, severity in severities.items():
        if math.isnan(severity.value):
            by_reason.setdefault(severity.why, []).append(rater)
    return [
        Sentence(
            "{what} is undefined, because {why}.",
            what=_whose(raters, everyone=len(raters) == len(severities)),
            why=why,
        )
        for why, raters in by_reason.items()
    ]


def _whose(raters: Sequence[str], *, everyone: bool) -> Sentence:
    return (
        Sentence("Severity in logits")
        if everyone
        else Sentence("Severity of {raters}", raters=raters)
    )


def _unused(finding: Finding, _: Evaluation) -> FindingWords:
    points = [Sentence("{point:g}", point=point) for point in finding.numbers.values()]
    return FindingWords(
        Sentence("nobody gave the score {points}: severity is estimated without it.", points=points)
    )


def _from_all(_: Finding, __: Evaluation) -> FindingWords:
    return FindingWords(
        Sentence(
            "{why}: severity takes the quality of responses as the same for all raters, which "
            "could not be checked.",
            why=NO_WAY_BACK,
        )
    )


FINDINGS: Tellers = {"points_unused": _unused, "severity_from_all": _from_all}
