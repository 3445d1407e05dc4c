"""Sentences on what a confidence is worth, and on whom one threshold leaves out."""

from collections.abc import Mapping

from tallymark.render.sentences import FindingWords, Sentence, Tellers
from tallymark.results import Estimate, Evaluation, Finding

ABOUT = (
    "A score is accepted when the system's confidence reaches the threshold; people score the rest. "
    "A critical error is one of at least a set share of the score range. Coverage is the share of "
    "responses that is accepted, the critical-error rate (CSRate) the share of accepted scores that "
    "are critically wrong."
)
BOUND = (
    "The bound holds for one threshold fixed beforehand. One chosen by looking has no guarantee: "
    "tallymark route certify gives one."
)


NEAREST_HALF = "at the threshold nearest to half"


def one_threshold(taken: Mapping[str, Estimate]) -> Sentence:
    """Say at which threshold parts of the data are looked at, and how much it accepts in all.

    Equal confidences are accepted together, so that it may be far from half.
    """
    each = [
        Sentence("{share:percent} of {system}", share=share.value, system=system)
        for system, share in taken.items()
    ]
    return Sentence(
        f"Each part of the data, {NEAREST_HALF}{{each}}",
        each=Sentence(": accepts {each}", each=each) if each else "",
    )


def critical(lambda_: float, points: float | None = None) -> Sentence:
    """Say which errors are critical: from a share of the range, or from some points on."""
    if points is not None:
        return Sentence(
            "An error of {points:g} points or more is critical; CSRate is the share of scores with "
            "one.",
            points=points,
        )
    return Sentence(
        "An error of {share:g} % of the score range is critical; CSRate is the share of scores with "
        "one.",
        share=100 * lambda_,
    )


def between_people(lambda_: float, people: Estimate, gap: Estimate) -> Sentence:
    """Say how often two people lie a critical error apart: no rate of a system means much alone."""
    usual = " Such a lambda calls the usual differences of people critical."
    return Sentence(
        "Two people differ by a critical error (lambda {share:g}) on {people:percent} of the "
        "responses they both scored; their mean gap is {gap} of the range."
        + usual
        * (lambda_ < gap.value),
        share=lambda_,
        people=people,
        gap=gap,
    )


def _missing(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(
        Sentence(
            "{n:responses} have no confidence of {system} and are left out where it counts.",
            n=finding.numbers["without"],
            system=finding.system,
        ),
        "Give them a confidence or leave them to people: routing refuses gaps.",
    )


def _uneven_coverage(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(
        _uneven(
            "{where}, {system} accepts {here:percent} of the responses of {column} {group} and "
            "{others:percent} of the others: this group is left to people more often.",
            finding,
        ),
        "Ask why the system is less sure of them; report waiting times by group.",
    )


def _uneven_errors(finding: Finding, _: Evaluation) -> FindingWords:
    return FindingWords(
        _uneven(
            "{where}, {here:percent} of the accepted scores of {column} {group} are critical "
            "errors, and {others:percent} of the others': its errors pass more often.",
            finding,
        ),
        "Certify a threshold for this group, or leave its responses to people.",
    )


def _uneven(template: str, finding: Finding) -> Sentence:
    """Fill in the group and the threshold: that of a share of all responses, or the chosen one."""
    where = Sentence("At the chosen threshold")
    if "coverage" in finding.numbers:
        where = Sentence(
            "At the threshold that accepts {share:percent} of all responses",
            share=finding.numbers["coverage"],
        )
    return Sentence(
        template, where=where, system=finding.system, **finding.numbers, **finding.texts
    )


def _every_gap(finding: Finding, _: Evaluation) -> FindingWords:
    """Say that lambda calls every disagreement critical, and how gaps of two steps alone are."""
    numbers = finding.numbers
    two = Sentence("; --critical {two:g} needs {two:g} points", two=numbers["two"])
    return FindingWords(
        Sentence(
            "lambda {share:g} makes any error on {scale} critical{two}.",
            share=numbers["lambda"],
            scale=finding.texts["scale"],
            two="" if numbers["two"] > numbers["width"] else two,
        )
    )


FINDINGS: Tellers = {
    "confidence_missing": _missing,
    "every_gap_critical": _every_gap,
    "uneven_coverage": _uneven_coverage,
    "uneven_errors": _uneven_errors,
}
