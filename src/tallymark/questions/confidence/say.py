"""Sentences on what a confidence is worth, and on whom one threshold leaves out."""

import math

from tallymark.render.sentences import Sentence
from tallymark.results import Estimate

ABOUT = (
    "A score is accepted when the system's confidence reaches the threshold; people score the rest. "
    "A critical error is one of at least a set share of the score range. Coverage is the share of "
    "responses that is accepted, the critical-error rate (CSRate) the share of accepted scores that "
    "are critically wrong."
)
BOUND = (
    "The bound holds for one threshold that was fixed beforehand. One that is chosen by looking has "
    "no guarantee: tallymark route certify gives one."
)
ONE_THRESHOLD = "Each part of the data, all at the threshold that accepts half of the responses"


def critical(lambda_: float) -> Sentence:
    """Say which errors are critical."""
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


def without_confidence(n: int, system: str) -> Sentence:
    """Say how many responses lack a confidence."""
    return Sentence(
        "{n:responses} have no confidence of {system} and are left out where it counts.",
        n=n,
        system=system,
    )


def threshold(coverage: float | None) -> Sentence:
    """Name the threshold at which groups are compared: that of a share of all, or the chosen one."""
    if coverage is None:
        return Sentence("At the chosen threshold")
    return Sentence(
        "At the threshold that accepts {share:percent} of all responses", share=coverage
    )


def uneven(
    name: str, where: Sentence, system: str, column: str, group: str, here: float, there: float
) -> Sentence:
    """Say that a group is left to people, or has its errors pass, more often than the others."""
    coverage = (
        "{where}, {system} accepts {here:percent} of the responses of {column} {group} and "
        "{there:percent} of the others: this group is left to people more often."
    )
    errors = (
        "{where}, {here:percent} of the accepted scores of {column} {group} are critical errors, "
        "and {there:percent} of the others': its errors pass more often."
    )
    return Sentence(
        coverage if name == "uneven_coverage" else errors,
        where=where, system=system, column=column, group=group, here=here, there=there,
    )  # fmt: skip


ADVICE = {
    "uneven_coverage": "Ask why the system is less sure of them; report waiting times by group.",
    "uneven_errors": "Certify a threshold for this group, or leave its responses to people.",
    "confidence_missing": "Give them a confidence or leave them to people: `tallymark route` "
    "refuses gaps.",
}


def every_gap(lambda_: float, scale: str, two: float) -> Sentence:
    """Say that lambda calls every disagreement critical; ``two`` is the share of two points."""
    always = Sentence(
        "at lambda {share:g} every disagreement on the scale {scale} is a critical error",
        share=lambda_,
        scale=scale,
    )
    if two > 1:
        return always
    below = math.floor(1000 * two + 1e-9) / 1000  # rounded up it would pass two points by
    return Sentence(
        "{always}; from two points on it is at --lambda {two:g}", always=always, two=below
    )
