"""Findings of every question in words: notes before the numbers, and what the numbers hide.

Each question says what it found in the ``FINDINGS`` of its ``say.py``; they are joined here.
"""

from collections.abc import Sequence
from dataclasses import replace

from tallymark.questions.ceilings import say as ceilings
from tallymark.questions.confidence import say as confidence
from tallymark.questions.people import say as people
from tallymark.questions.raters import say as raters
from tallymark.questions.routing import say as routing
from tallymark.questions.severity import say as severity
from tallymark.render.model import Rank, Remark, Section, Text
from tallymark.render.numbers import plain_number
from tallymark.render.report.diagnosis import TITLES
from tallymark.render.sentences import Sentence, Tellers, Told, Words, written
from tallymark.render.subsets import place, systems_of
from tallymark.results import Evaluation, Finding

QUESTIONS: tuple[Tellers, ...] = (
    ceilings.FINDINGS,
    confidence.FINDINGS,
    people.FINDINGS,
    raters.FINDINGS,
    routing.FINDINGS,
    severity.FINDINGS,
)
"""What each question says of its findings."""
FINDINGS: Tellers = {name: tell for said in QUESTIONS for name, tell in said.items()}
MOST = 8
"""At most so many loud findings are in a summary; the others are in the files."""
MOST_PARTS = 4


def told(finding: Finding, evaluation: Evaluation) -> Told:
    """Return the words of a finding."""
    if finding.name in FINDINGS:
        return FINDINGS[finding.name](finding, evaluation)
    period = "" if finding.weight != "note" else "."
    return Told(Sentence(f"{{words}}{period}", words=finding.words), finding.advice)


def notes(evaluation: Evaluation) -> list[str]:
    """Return what is said before the numbers, and of which part of the data."""
    return [
        written(_placed(evaluation, note, told(note, evaluation).words))
        for note in evaluation.notes
    ]


def _placed(evaluation: Evaluation, finding: Finding, words: Words) -> Words:
    part = _part(evaluation, finding)
    return Sentence("{part}: {words}", part=part, words=words) if part else words


def remarks(evaluation: Evaluation) -> list[Remark]:
    """Return what the numbers hide, the loud first, each with its system and part of the data."""
    found = sorted(evaluation.diagnoses, key=lambda one: not one.loud)
    return [_remark(evaluation, one, _names(evaluation, one)) for one in found]


def hidden(evaluation: Evaluation) -> Section:
    """Show loud findings, each once: as told of all responses, else of the first part."""
    loud = [one for one in evaluation.diagnoses if one.loud]
    first = {(one.system, one.name): one for one in reversed(loud)}
    kept = [one for one in loud if first[one.system, one.name] is one]
    several = len(systems_of(evaluation)) > 1
    blocks = [_once(evaluation, one, loud, several=several) for one in kept[:MOST]]
    more = f"... and {len(kept) - MOST} more"
    return Section(
        id="hidden",
        title="What these numbers hide",
        question="What do the coefficients hide?",
        blocks=(*blocks, *([Text(more, rank=Rank.FIRST)] if len(kept) > MOST else [])),
    )


def _once(
    evaluation: Evaluation, one: Finding, loud: Sequence[Finding], *, several: bool
) -> Remark:
    """Say a finding of one part, and where else it holds; name the system among several."""
    same = [other for other in loud if (other.name, other.system) == (one.name, one.system)]
    parts = [_part(evaluation, other) for other in same if other is not one]
    where = list(dict.fromkeys(filter(None, parts)))
    whose = _names(evaluation, one) if several else _part(evaluation, one)
    remark = _remark(evaluation, one, whose)
    if not where:
        return remark
    left = len(where) - MOST_PARTS
    rest = Sentence(" and {left} more", left=left) if left > 0 else ""
    words = Sentence(
        "{words} The same holds for {parts}{rest}.",
        words=remark.words, parts="; ".join(where[:MOST_PARTS]), rest=rest,
    )  # fmt: skip
    return replace(remark, words=words)


def _remark(evaluation: Evaluation, one: Finding, whose: str) -> Remark:
    said = told(one, evaluation)
    return Remark(
        title=said.title or TITLES.get(one.name, one.name.replace("_", " ").capitalize()),
        whose=whose,
        words=said.words,
        advice=said.advice,
        numbers=tuple(
            (name.replace("_", " "), plain_number(value)) for name, value in one.numbers.items()
        ),
        loud=one.loud,
        rank=Rank.FIRST,
    )


def _names(evaluation: Evaluation, one: Finding) -> str:
    """The system and the part of the data."""
    return ", ".join(filter(None, (one.system, _part(evaluation, one))))


def _part(evaluation: Evaluation, one: Finding) -> str:
    if one.subset < 0:
        return ""
    where = place(evaluation.subsets[one.subset])
    return ", ".join(f"{key} {value}" for key, value in where.items())
