"""The evidence checklist: what standards and law ask for, what an evaluation documents, what is missing."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from tallymark.catalogue import preferred_contrast, texts
from tallymark.defaults import MOST_SYSTEMS
from tallymark.errors import OptionError, did_you_mean
from tallymark.render.leading import leading, panel_brief
from tallymark.render.model import Column, Rank, Section, table_by
from tallymark.render.sentences import Sentence, Words, asked_by, joined, written
from tallymark.render.subsets import (
    headline_subsets,
    panels,
    system_against,
    systems_leading,
    systems_of,
)
from tallymark.results import AMONG_PEOPLE, ITSELF, SEVERITY, Evaluation, Key

FILE = Path(__file__).with_name("checklist.toml")
NOTE = (
    "In our own words, for orientation, and no legal advice: read the sources. What is missing is "
    "for you to add before the report goes to others."
)
SAME_SCORE = Key("self_consistency", kind="exact")


class Matter(NamedTuple):
    """What an evaluation says on a matter, None where it says nothing, and what would bring it."""

    tell: Callable[[Evaluation], Words | None]
    lacking: str


class Item(Struct, frozen=True, kw_only=True):
    """What a source asks, which evidence of ours answers it, and what only the user can add."""

    name: str
    source: str
    asks: str
    evidence: tuple[str, ...]
    yours: str


@cache
def items() -> tuple[Item, ...]:
    """Return every item, in the order of the file."""
    import tomllib

    contents = tomllib.loads(FILE.read_text("utf-8"))["items"]
    return tuple(Item(**{**entry, "evidence": tuple(entry["evidence"])}) for entry in contents)


def check_items(statements: Mapping[str, str]) -> dict[str, str]:
    """Return what a user states, by item; refuse an item that the checklist does not have.

    >>> check_items({"3.8": "Groups were chosen by the board."})
    {'3.8': 'Groups were chosen by the board.'}
    """
    names = [item.name for item in items()]
    for name, text in statements.items():
        if name not in names:
            raise OptionError(
                f"--evidence: the checklist has no item {name!r}.{did_you_mean(name, names)} "
                f"Its items are {', '.join(names)}"
            )
        if not text.strip():
            raise OptionError(
                f"--evidence: the statement on {name} is empty; write it or leave it out"
            )
    return dict(statements)


def section(evaluation: Evaluation) -> Section:
    """Show each item with what documents it here and what is missing; nothing without a system."""
    statements = evaluation.options.get("evidence", {})

    def documented(item: Item) -> str:
        """What this evaluation holds of the evidence, and what its authors state, as theirs."""
        matters = [EVIDENCE[name].tell(evaluation) for name in item.evidence]
        words = [matter for matter in matters if matter is not None]
        if statement := statements.get(item.name):
            words.append(Sentence("stated by the authors: {stated}", stated=statement))
        return written(joined(words, "; "))

    def missing(item: Item) -> str:
        """What it does not hold, and what no evaluation can."""
        matters = [EVIDENCE[name] for name in item.evidence]
        words = [asked_by(evaluation, m.lacking) for m in matters if m.tell(evaluation) is None]
        if item.yours and item.name not in statements:
            words.append(item.yours)
        return f"missing: {'; '.join(words)}" if words else ""

    table = table_by(
        "checklist",
        "What is asked, what this report documents, and what is missing",
        items(),
        (Column("source"), lambda item: item.source),
        (Column("asks"), lambda item: item.asks),
        (Column("this report"), documented),
        (Column("missing"), missing),
        note=NOTE,
        folded=True,
        rank=Rank.PAGE,
    )
    return Section(
        id="checklist",
        title="Evidence checklist",
        question="What do standards and law ask for, and what does this report show?",
        blocks=(table,) if systems_of(evaluation) else (),
    )


def _people(evaluation: Evaluation) -> Words | None:
    subsets, measures = panels(evaluation), panel_brief(evaluation)
    if not subsets or not measures:
        return _two_people(evaluation)
    subset = min(subsets, key=lambda subset: (subset.average is None, not subset.whole))
    estimate = measures[0].of(evaluation.of(subset))
    if estimate is None or not (subset.average or subset.whole):
        return None
    mean = f", mean over {subset.average}s" if subset.average else ""
    return Sentence(
        f"agreement between people: {{heading}} {{estimate}}{mean}",
        heading=measures[0].title,
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
    if not any(matrix.name == "confusion" for matrix in evaluation.matrices):
        return None
    return "how scores of the system fall at each score point of the gold"


def _raters(evaluation: Evaluation) -> Words | None:
    severities = evaluation.where(against=SEVERITY)
    if all(found.subset.subject.is_system for found in severities):
        return None
    return "severity of the raters"


def _agreement(evaluation: Evaluation) -> Words | None:
    column, subsets = headline_subsets(evaluation)
    measures = leading(evaluation)
    if not subsets or not measures:
        return None
    by_key = {measure.key: measure for measure in measures}
    keys = [text for text in texts("preferred", evaluation.data.view) if text in by_key]
    preferred = by_key[keys[0]] if keys else measures[0]
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
    if not evaluation.options.get("confidences"):
        return None
    return "a confidence of each score, by which people get the doubtful ones"


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
