"""Sentences of the checklist: what an evaluation documents, and how missing evidence is brought."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tallymark.catalogue import preferred_contrast, texts
from tallymark.render.asking import asked_by
from tallymark.render.leading import leading, panel_brief
from tallymark.render.sentences import Sentence, Words, joined
from tallymark.render.subsets import (
    headline_subsets,
    panels,
    system_against,
    systems_leading,
)
from tallymark.results import AMONG_PEOPLE, ITSELF, SEVERITY, Evaluation, Key

TITLE = "Evidence checklist"
CAPTION = "What is asked, what this report documents, and what is missing"
QUESTION = "What do standards and law ask for, and what does this report show?"
NOTE = (
    "In our own words, for orientation, and no legal advice: read the sources. What is missing is "
    "for you to add before the report goes to others."
)
MOST_SYSTEMS = 4
SAME_SCORE = Key("self_consistency", kind="exact")


class Matter(NamedTuple):
    """What an evaluation says on a matter, None where it says nothing, and what would bring it."""

    tell: Callable[[Evaluation], Words | None]
    lacking: str


def documented(evaluation: Evaluation, evidence: tuple[str, ...], stated: str = "") -> Sentence:
    """What this evaluation holds of some evidence, and what its authors state, as theirs."""
    said = [words for name in evidence if (words := EVIDENCE[name].tell(evaluation)) is not None]
    theirs: list[Words] = (
        [Sentence("stated by the authors: {stated}", stated=stated)] if stated else []
    )
    return joined([*said, *theirs], "; ")


def missing(evaluation: Evaluation, evidence: tuple[str, ...], yours: str) -> str:
    """What it does not hold, and what no evaluation can."""
    lacks = [
        asked_by(evaluation, EVIDENCE[name].lacking)
        for name in evidence
        if EVIDENCE[name].tell(evaluation) is None
    ]
    every = [*lacks, *([yours] if yours else [])]
    return f"missing: {'; '.join(every)}" if every else ""


def _people(evaluation: Evaluation) -> Words | None:
    among = sorted(
        panels(evaluation), key=lambda subset: (subset.average is None, not subset.whole)
    )
    shown = panel_brief(evaluation)
    if not among or not shown:
        return _two_people(evaluation)
    subset = among[0]
    estimate = shown[0].of(evaluation.of(subset))
    if estimate is None or not (subset.average or subset.whole):
        return None
    mean = f", mean over {subset.average}s" if subset.average else ""
    return Sentence(
        f"agreement between people: {{heading}} {{estimate}}{mean}",
        heading=shown[0].title,
        estimate=estimate,
    )


def _two_people(evaluation: Evaluation) -> Words | None:
    """How two people agree, where that was computed beside a system alone."""
    for subset in systems_leading(evaluation, AMONG_PEOPLE):
        preferred = preferred_contrast(evaluation.of(subset))
        if preferred is not None:
            statistic, contrast = preferred
            template = "agreement between people: {heading} {estimate}"
            return Sentence(template, heading=statistic.heading, estimate=contrast.people)
    return None


def _repeats(evaluation: Evaluation) -> Words | None:
    clauses: list[Words] = [
        Sentence(
            "{system}: {same:percent}", system=subset.system, same=evaluation.of(subset)[SAME_SCORE]
        )
        for subset in system_against(evaluation, ITSELF)
        if SAME_SCORE in evaluation.of(subset)
    ]
    return Sentence("same score in two runs: {clauses}", clauses=clauses) if clauses else None


def _groups(evaluation: Evaluation) -> Words | None:
    groups = {(s.group_column, s.group) for s in evaluation.subsets if s.group is not None}
    columns = [column for column in dict.fromkeys(c for c, _ in sorted(groups, key=str)) if column]
    if not columns:
        return None
    return Sentence("{n} groups of {columns}", n=len(groups), columns=columns)


def _errors(evaluation: Evaluation) -> Words | None:
    known = any(matrix.name == "confusion" for matrix in evaluation.matrices)
    return "how scores of the system fall at each score point of the gold" if known else None


def _raters(evaluation: Evaluation) -> Words | None:
    known = any(s.against == SEVERITY and not s.subject.is_system for s in evaluation.subsets)
    return "severity of the raters" if known else None


def _agreement(evaluation: Evaluation) -> Words | None:
    column, subsets = headline_subsets(evaluation)
    shown = leading(evaluation)
    if not subsets or not shown:
        return None
    usual = (
        entry
        for text in texts("preferred", evaluation.data.view)
        for entry in shown
        if entry.key == text
    )
    preferred = next(usual, shown[0])
    clauses: list[Words] = [
        Sentence("{system} {estimate}", system=subset.system, estimate=estimate)
        for subset in subsets[:MOST_SYSTEMS]
        if (estimate := preferred.of(evaluation.of(subset))) is not None
    ]
    left = len(subsets) - MOST_SYSTEMS
    more: list[Words] = [Sentence("and {left} more", left=left)] if left > 0 else []
    mean = f", mean over {column}s" if column else ""
    return Sentence(
        f"agreement with the gold ({{heading}}{mean}): {{clauses}}",
        heading=preferred.title,
        clauses=[*clauses, *more],
    )


def _verdict(evaluation: Evaluation) -> Words | None:
    verdict = evaluation.verdict
    if verdict is None:
        return None
    clauses: list[Words] = [
        Sentence(f"{{system}} {judged.state}", system=judged.system) for judged in verdict.systems
    ]
    return Sentence("verdict by {policy}: {clauses}", policy=verdict.policy, clauses=clauses)


def _findings(evaluation: Evaluation) -> Words | None:
    if evaluation.options.get("statistics"):
        return None
    n = len(evaluation.diagnoses)
    many = "1 finding" if n == 1 else "{n} findings" if n else "no finding"
    return Sentence(f"{many} on what single numbers hide", n=n)


def _confidence(evaluation: Evaluation) -> Words | None:
    named = evaluation.options.get("confidences")
    return "a confidence of each score, by which people get the doubtful ones" if named else None


EVIDENCE: Mapping[str, Matter] = {
    "people": Matter(
        _people, "agreement between people (name the second rater with --human COLUMN)"
    ),
    "repeats": Matter(_repeats, "repeated runs (name them with --repeat SYSTEM=COLUMN,COLUMN)"),
    "groups": Matter(_groups, "groups (name their column with --group COLUMN)"),
    "errors": Matter(_errors, "errors at each score point (the gold is continuous)"),
    "raters": Matter(_raters, "severity and drift of raters (run tallymark raters)"),
    "agreement": Matter(_agreement, "agreement with the gold"),
    "verdict": Matter(_verdict, "limits (name them with --policy NAME)"),
    "findings": Matter(_findings, "what single numbers hide (ask without --statistic)"),
    "confidence": Matter(
        _confidence, "a confidence of each score (name it with --confidence SYSTEM=COLUMN)"
    ),
}
"""By the name that the items of the checklist have for it."""
