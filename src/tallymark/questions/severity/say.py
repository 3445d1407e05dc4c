"""Sentences on severity: who is severe, erratic or keeps to few scores."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tallymark.reliability.severity import NO_WAY_BACK
from tallymark.reliability.severity_fit import COMPRESSED, ERRATIC, PREDICTABLE
from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding, Numbers

LOGITS = (
    "Severity is in logits of a Rasch model: above 0 is more severe than the average rater. Infit "
    "and outfit near 1 say that the scores are as regular as expected; above 1.5 they are erratic."
)
COMPRESSES = "Compressed: the spread is surely below .9."


def over(column: str) -> str:
    """Say over what severity is a mean, if it is."""
    return f", mean over {column}s" if column else ""


def by_model(method: str, column: str, *, many: bool) -> Sentence:
    """Say how severity was estimated, over what it is a mean, and in which order raters come."""
    order = "those furthest off first" if many else "the most severe first"
    how = f"in each {column}" if column else method
    return Sentence(f"Severity{over(column)}, {order}: Rasch model, {{how}}", how=how)


def by_part(column: str) -> str:
    """Say what the table of severities in each trait or prompt holds."""
    return f"Severity in each {column}, in logits"


def leanings(by_part: Mapping[str, Estimate]) -> Sentence:
    """Say in which parts a rater is severe, and in which lenient."""
    said = _leaning(by_part)
    words = [
        word if len(parts) == len(by_part) else f"{word} in {{{word}}}"
        for word, parts in said.items()
        if parts
    ]
    return Sentence("; ".join(words), **said)


def changing(column: str, by_rater: Mapping[str, Mapping[str, Estimate]]) -> Iterator[Sentence]:
    """Name the raters of whom a mean does not tell: severe here, lenient there."""
    raters = [rater for rater, by_part in by_rater.items() if all(_leaning(by_part).values())]
    if raters:
        yield Sentence(f"Severe in some {column}s, lenient in others: {{raters}}.", raters=raters)


def _leaning(by_part: Mapping[str, Estimate]) -> dict[str, list[str]]:
    """The parts in which a rater is severe, and those in which the same rater is lenient."""
    return {
        "severe": [part for part, severity in by_part.items() if severity.low > 0],
        "lenient": [part for part, severity in by_part.items() if severity.high < 0],
    }


def in_part(part: str | None, said: Sentence) -> Sentence:
    """Say of which part something holds."""
    return Sentence("{part}: {said}", part=part, said=said) if part else said


def judgement(numbers: Numbers) -> str:
    """What the numbers say of a rater or a system, in single words."""
    words = []
    severity, points = numbers["severity"], numbers["fair_difference"]
    if severity.low > 0 > points.high:  # logits of traits differ in size: points must agree
        words.append("severe")
    if severity.high < 0 < points.low:
        words.append("lenient")
    fit = [numbers["infit"].value, numbers["outfit"].value]
    if max(fit) > ERRATIC:
        words.append("erratic")
    if min(fit) < PREDICTABLE:
        words.append("predictable")
    if numbers["rater_spread"].high < COMPRESSED:
        words.append("compressed")
    return ", ".join(words)


def as_rater(system: str, numbers: Numbers, column: str) -> Sentence:
    """Say how a system would look as one more rater, maybe in the mean over traits or prompts."""
    return Sentence(
        f"{{system}}{over(column)}: {{words}}. Given the same responses it differs from the average rater by {{points}} "
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
    said = Sentence(
        "nobody gave the score {points}: severity is estimated without it.", points=points
    )
    return FindingWords(in_part(_part(finding), said))


def _from_all(finding: Finding, _: Evaluation) -> FindingWords:
    said = Sentence(
        "{why}: severity takes the quality of responses as the same for all raters, which "
        "could not be checked.",
        why=NO_WAY_BACK,
    )
    return FindingWords(in_part(_part(finding), said))


def _part(finding: Finding) -> str | None:
    return next(iter(finding.texts.values()), None)


FINDINGS: Tellers = {"points_unused": _unused, "severity_from_all": _from_all}
