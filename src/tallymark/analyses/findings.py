"""Findings of every question in words: notes before the numbers, and what the numbers hide.

Each question says what it found in its ``FINDINGS``; they are joined here.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from tallymark.defaults import FEW_SYSTEMS
from tallymark.errors import DataError
from tallymark.questions import raters
from tallymark.questions.ceilings import say as ceilings
from tallymark.questions.confidence import view as confidence
from tallymark.questions.diagnosis import section as diagnosis
from tallymark.questions.people import say as people
from tallymark.questions.planning import say as planning
from tallymark.questions.routing import view as routing
from tallymark.questions.scale import section as scale
from tallymark.questions.severity import view as severity
from tallymark.render.model import Block, Heading, Rank, Remark, Section, Text
from tallymark.render.sentences import FindingWords, Sentence, Tellers, Words, written
from tallymark.render.subsets import headline_subsets, part_called, place, systems_of, whole
from tallymark.results import DIAGNOSIS, Evaluation, Finding

QUESTIONS: tuple[Tellers, ...] = (
    ceilings.FINDINGS,
    confidence.FINDINGS,
    diagnosis.FINDINGS,
    people.FINDINGS,
    planning.FINDINGS,
    raters.FINDINGS,
    routing.FINDINGS,
    scale.FINDINGS,
    severity.FINDINGS,
)
"""What each question says of its findings."""
FINDINGS: Tellers = {name: tell for said in QUESTIONS for name, tell in said.items()}
MOST_ALARMS = 3
"""At most so many loud findings are on a first screen."""
MOST_PARTS = 4
MOST_REMARKS = 40
NOTHING = "Nothing was found that a coefficient hides."


def words_of(finding: Finding, evaluation: Evaluation) -> FindingWords:
    """Return the words of a finding, or refuse one that was edited."""
    try:
        said = FINDINGS[finding.name](finding, evaluation)
        written(said.words), written(said.advice)  # what is missing shows only here
    except (LookupError, TypeError, ValueError):
        raise DataError(
            f"the finding {finding.name!r} of this evaluation.json lacks what it is said from; "
            "evaluate the scores again"
        ) from None
    return said


def notes(evaluation: Evaluation) -> list[str]:
    """Return the notes that stand before the numbers, with the part of the data they are about."""
    return [*first_notes(evaluation), *pooled_notes(evaluation)]


def first_notes(evaluation: Evaluation) -> list[str]:
    """Return the notes on what the first screen shows."""
    return _grouped(evaluation, [n for n in evaluation.notes if not _pooled(evaluation, n)])


def pooled_notes(evaluation: Evaluation) -> list[str]:
    """Return the notes on all responses together, where the first screen shows means over parts."""
    return _grouped(evaluation, [n for n in evaluation.notes if _pooled(evaluation, n)])


def _pooled(evaluation: Evaluation, note: Finding) -> bool:
    column, _ = headline_subsets(evaluation)
    subset = evaluation.subsets[note.subset] if note.subset >= 0 else None
    return bool(column) and subset is not None and whole(subset) and subset.average is None


def _grouped(evaluation: Evaluation, findings: Sequence[Finding]) -> list[str]:
    """What is found in several parts, or of several of many systems, is said once."""
    many = len(systems_of(evaluation)) > FEW_SYSTEMS
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for i, note in enumerate(findings):
        apart = (note.system if not many else "") if note.subset >= 0 else i
        state = words_of(note, evaluation).state
        alike.setdefault((apart, note.name, state), []).append(note)
    return [written(_noted(evaluation, kind)) for kind in alike.values()]


def _noted(evaluation: Evaluation, alike: Sequence[Finding]) -> Words:
    """The first of notes that are alike, and where else it holds."""
    words = words_of(alike[0], evaluation).words
    return _also(_placed(evaluation, alike[0], words), *_elsewhere(evaluation, alike))


def _placed(evaluation: Evaluation, finding: Finding, words: Words) -> Words:
    part = _part(evaluation, finding)
    return Sentence("{part}: {words}", part=part, words=words) if part else words


def hidden(evaluation: Evaluation) -> Section:
    """Show what the numbers hide, then the tables that show it."""
    shown, said = diagnosis.section(evaluation), remarks(evaluation)
    left = len(said) - MOST_REMARKS
    looked_at = any(subset.against == DIAGNOSIS for subset in evaluation.subsets)
    more = [Text(Sentence("{left} more are in evaluation.json.", left=left), "lesser")]
    loud = [remark for remark in said[:MOST_REMARKS] if remark.loud]
    quiet: list[Block] = [remark for remark in said[:MOST_REMARKS] if not remark.loud]
    if len(quiet) > MOST_ALARMS:
        quiet.insert(0, Heading("Also worth knowing", rank=Rank.PAGE, folded=True))
    return replace(
        shown,
        blocks=(
            *loud,
            *quiet,
            *(more if left > 0 else ()),
            *([] if said or not looked_at else [Text(NOTHING, "lesser", rank=Rank.PAGE)]),
            *shown.blocks,
        ),
    )


def alarms(evaluation: Evaluation) -> tuple[list[Remark], int]:
    """Return the few loud findings of the first screen, and how many more there are."""
    loud = [remark for remark in remarks(evaluation) if remark.loud]
    return loud[:MOST_ALARMS], max(len(loud) - MOST_ALARMS, 0)


def remarks(evaluation: Evaluation) -> list[Remark]:
    """Return what the numbers hide, the loud first.

    Each stands once per system, of many systems once: for all responses, else for the first part
    that has it and those others where the very same holds.
    """
    kinds: dict[tuple[object, ...], list[Finding]] = {}
    many = len(systems_of(evaluation)) > FEW_SYSTEMS
    for finding in sorted(evaluation.diagnoses, key=lambda finding: not finding.loud):
        whose = "" if many else finding.system
        state = words_of(finding, evaluation).state
        kinds.setdefault((whose, finding.name, finding.loud, state), []).append(finding)
    return [_remark(evaluation, alike, i) for i, alike in enumerate(kinds.values())]


def _remark(evaluation: Evaluation, alike: Sequence[Finding], place: int) -> Remark:
    """Say the first of findings that are alike, and where else it holds."""
    finding = alike[0]
    said = words_of(finding, evaluation)
    return Remark(
        title=said.title or finding.name.replace("_", " ").capitalize(),
        whose=_whose(evaluation, finding),
        words=_also(said.words, *_elsewhere(evaluation, alike)),
        advice=said.advice,
        loud=finding.loud,
        rank=Rank.FIRST if finding.loud and place < MOST_ALARMS else Rank.FULL,
    )


def _elsewhere(evaluation: Evaluation, alike: Sequence[Finding]) -> tuple[str, list[str]]:
    """Of which other systems the first of some findings holds, or in which other parts."""
    systems = [other.system for other in alike if other.system != alike[0].system]
    parts = systems or [_part(evaluation, other) for other in alike[1:]]
    return "for" if systems else "in", list(dict.fromkeys(filter(None, parts)))


def _also(words: Words, where: str, others: Sequence[str]) -> Words:
    if not others:
        return words
    left = len(others) - MOST_PARTS
    return Sentence(
        f"{{words}} Found also {where} {{others}}{{rest}}.",
        words=words,
        others=others[:MOST_PARTS],
        rest=Sentence(" and {left} more", left=left) if left > 0 else "",
    )


def _whose(evaluation: Evaluation, finding: Finding) -> str:
    """The system where there are several, and the part of the data."""
    system = finding.system if len(systems_of(evaluation)) > 1 else ""
    return ", ".join(filter(None, (system, _part(evaluation, finding))))


def _part(evaluation: Evaluation, finding: Finding) -> str:
    if finding.subset < 0:
        return ""
    where = place(evaluation.subsets[finding.subset])
    return ", ".join(str(part_called(*each)) for each in where.items())
