"""The verdict as a section, and as the table of a pull request."""

from collections.abc import Iterator, Sequence

from tallymark.questions.verdict import say
from tallymark.questions.verdict.criteria import beside_limit, criterion
from tallymark.questions.verdict.sides import demand
from tallymark.render.facts import intervals
from tallymark.render.model import (
    Block,
    Cell,
    Column,
    Heading,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.sentences import Sentence, Words, written
from tallymark.results import Criterion, Evaluation, Judgement, Verdict

FIRST_CAUTIONS = 2
"""Cautions that stand in the short summary."""
MOST_TOLD = 2
"""Beyond this many systems, single criteria are in the files only."""


def section(evaluation: Evaluation) -> Section:
    """Show what the policy says of each system, and why; nothing without a policy."""
    verdict = evaluation.verdict
    return Section(
        id="verdict",
        title="" if verdict is None else str(say.states(verdict)),
        question="May it be used?",
        blocks=() if verdict is None else tuple(_blocks(evaluation, verdict)),
    )


def _blocks(evaluation: Evaluation, verdict: Verdict) -> Iterator[Block]:
    yield Text(say.policy(verdict), rank=Rank.FIRST)
    for judgement in verdict.systems if len(verdict.systems) <= MOST_TOLD else ():
        yield Heading(say.judgement(judgement, verdict), rank=Rank.FIRST)
        yield Says(tuple(criteria(evaluation, judgement)), rank=Rank.FIRST)
    for text in missing(verdict):
        yield Text(text, rank=Rank.FIRST)
    cautions = say.cautions(evaluation, verdict)
    start = f"Brackets hold {intervals(evaluation)}. Read with care:"
    first = [start, *cautions[:FIRST_CAUTIONS]]
    yield Text(_spaced(first), "lesser", rank=Rank.FIRST)
    yield Text(_spaced(cautions[FIRST_CAUTIONS:]), "lesser")


def criteria(evaluation: Evaluation, judgement: Judgement) -> Iterator[Sentence]:
    """Every limit with its state, in a sentence."""
    return (criterion(evaluation, each) for each in judgement.criteria)


def missing(verdict: Verdict) -> Iterator[Sentence]:
    """Evidence the data do not hold, told once where it is the same for every system."""
    same = len({judgement.missing for judgement in verdict.systems}) == 1
    for judgement in verdict.systems[:1] if same else verdict.systems:
        if judgement.missing:
            whose = "" if same else Sentence(" for {system}", system=judgement.system)
            lacks = say.joined(say.missing(judgement), "; ")
            yield Sentence("Missing evidence{whose}: {lacks}.", whose=whose, lacks=lacks)


def table(evaluation: Evaluation, judgement: Judgement) -> Table:
    """The limits of one system as a table."""
    titles = ("criterion", "limit", "value and interval", "n", "as a point", "state")
    return Table(
        id="criteria",
        caption="",
        columns=tuple(Column(title) for title in titles),
        rows=tuple(_row(evaluation, each) for each in judgement.criteria),
        rank=Rank.FIRST,
    )


def _row(evaluation: Evaluation, limit: Criterion) -> tuple[Value, ...]:
    value, _, ends = str(beside_limit(evaluation, limit)).partition(" ")
    point = "" if limit.passes is None else "passes" if limit.passes else "fails"
    by_point = " (by the point)" if limit.decide == "point" and limit.passes is not None else ""
    return (
        written(say.titled(limit)),
        str(demand(limit)),
        Cell("") if limit.decided_by is None else Cell(value, ends.removeprefix("(no interval)")),
        limit.n or Cell(""),
        point,
        Cell(f"{limit.state}{by_point}", tone="" if limit.state == "met" else "strong"),
    )


def _spaced(texts: Sequence[Words]) -> Sentence:
    return say.joined([Sentence("{text}", text=text) for text in texts])
