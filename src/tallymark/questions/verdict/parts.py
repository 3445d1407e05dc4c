"""Sentences on limits in every part of the data: in each group, prompt or trait."""

import math
from collections.abc import Iterator, Sequence

from tallymark.inference.kinds import FEWEST_CLUSTERS
from tallymark.questions.verdict.say import listed
from tallymark.questions.verdict.settling import DECIDED, decided_by, settling
from tallymark.questions.verdict.sides import demand, ends_of, side_of
from tallymark.render.limits import Beside
from tallymark.render.sentences import Sentence, joined
from tallymark.render.subsets import part_called
from tallymark.results import Criterion, Evaluation, PartState
from tallymark.verdict.policy import part_of
from tallymark.verdict.states import DECIDE


def of_every_part(evaluation: Evaluation, criterion: Criterion) -> Iterator[Sentence]:
    """What the data say of a limit on every part: all that break it are named."""
    if criterion.state == "undecided":
        yield from _still_open(evaluation, criterion)
        return
    estimate, k = decided_by(evaluation, criterion), len(criterion.rows)
    what = criterion.where.removeprefix("every ")
    side = side_of(criterion, estimate)
    if criterion.state == "met":
        words = DECIDED[criterion.decide].each
        yield Sentence(words, k=k, side=side, n=estimate.n, what=what)
        return
    yield _broken(evaluation, criterion, side)
    if not DECIDE[criterion.decide].by_value:
        yield from _too_few(evaluation, criterion)


def each_alone(evaluation: Evaluation, criterion: Criterion) -> Iterator[Sentence]:
    """Name the prompts and traits that break a limit on all responses by themselves."""
    for column in dict.fromkeys(part.column for part in criterion.parts):
        parts = [part for part in criterion.parts if part.column == column]
        broken = [part for part in parts if part.state == "not met"]
        if broken:
            yield Sentence(
                f"Alone, {{m}} of {{k}} {column}s {'breaks' if len(broken) == 1 else 'break'} it, "
                f"{DECIDED[criterion.decide].alone}: {{parts}}.",
                m=len(broken),
                k=len(parts),
                parts=_numbered(evaluation, criterion, broken),
            )


def _broken(evaluation: Evaluation, criterion: Criterion, side: Sentence) -> Sentence:
    """All parts that break a limit, each with its number."""
    what, k = criterion.where.removeprefix("every "), len(criterion.rows)
    words = DECIDED[criterion.decide]
    broken = [part for part in criterion.parts if part.state == "not met"]
    if len(broken) == 1:
        how = words.breaks if k > 1 else words.only_breaks
        template = f"This {{what}} ({{n:responses}}) is {{side}}{how}."
        return Sentence(template, n=criterion.n, side=side, k=k, what=what)
    return Sentence(
        f"{{m}} of {{k}} {what}s are {{side}}, {words.several_break}: {{parts}}.",
        m=len(broken),
        k=k,
        side=side,
        parts=_numbered(evaluation, criterion, broken),
    )


def _numbered(
    evaluation: Evaluation, criterion: Criterion, parts: Sequence[PartState]
) -> list[Sentence]:
    """Parts with their numbers and intervals."""
    return [
        Sentence(
            "{part} {number}",
            part=part_called(part.column, part.name),
            number=Beside(evaluation.estimates[part.row], ends_of(criterion)),
        )
        for part in parts
    ]


def _still_open(evaluation: Evaluation, criterion: Criterion) -> Iterator[Sentence]:
    what = criterion.where.removeprefix("every ")
    estimate = decided_by(evaluation, criterion)
    yield Sentence(
        DECIDED[criterion.decide].still_open,
        kept=criterion.kept,
        k=len(criterion.rows),
        demand=demand(criterion),
        what=what,
    )
    by_value = DECIDE[criterion.decide].by_value
    if not by_value:
        yield from _adjusted(criterion, what)
    if math.isnan(estimate.value):
        part = _part(evaluation, criterion, criterion.decided_by or 0)
        yield Sentence("It is undefined for {part}: {why}.", part=part, why=estimate.why)
    else:
        yield Sentence(
            f"This {what} ({{n:responses}}) reaches furthest, with a value {{side}}.",
            n=estimate.n,
            side=side_of(criterion, estimate),
        )
        yield settling(
            criterion, estimate, f"responses of this {what}, and of others in proportion,"
        )
    if not by_value:
        yield from _too_few(evaluation, criterion)


def _adjusted(criterion: Criterion, what: str) -> Iterator[Sentence]:
    """Say so where only the adjustment for the number of parts leaves a limit open."""
    names = [part_called(part.column, part.name) for part in criterion.parts if part.adjusted]
    if names:
        many = "breaks" if len(names) == 1 else "break"
        yield Sentence(
            f"Taken alone, {{names}} {many} it; as {{m}} of {{k}} {what}s that could be due to "
            "chance (Holm's adjustment), which is why the limit is open.",
            names=joined(names, " and "),
            m=len(names),
            k=len(criterion.parts),
        )


def _too_few(evaluation: Evaluation, criterion: Criterion) -> Iterator[Sentence]:
    """Name the parts that decide nothing."""
    for what, rows, fewest in (
        ("responses", criterion.few, criterion.fewest),
        ("clusters", criterion.few_clusters, FEWEST_CLUSTERS),
    ):
        if rows:
            yield Sentence(
                f"Too few {what} to decide anything (below {{fewest}}): {{parts}}.",
                fewest=fewest,
                parts=listed([_part(evaluation, criterion, row) for row in rows]),
            )


def _part(evaluation: Evaluation, criterion: Criterion, row: int) -> Sentence:
    """The column and the name of the part behind a row."""
    subset = evaluation.subsets[evaluation.estimates[row].subset]
    column, name = part_of(subset, criterion.where) or ("", "")
    return part_called(column, name)
