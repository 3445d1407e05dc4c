"""The verdict as a section, and as the table of a pull request."""

from collections.abc import Iterator, Sequence

from tallymark.questions.verdict import say
from tallymark.questions.verdict.criteria import criterion, decided_by
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
MOST_TOLD = 3
"""Of more systems than this, each criterion is told in the files only."""


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
    if len(verdict.systems) > MOST_TOLD:
        said = tuple(say.judgement(one, verdict) for one in verdict.systems)
        yield Says(said, rank=Rank.FIRST)
    else:
        for one in verdict.systems:
            yield Heading(say.judgement(one, verdict), rank=Rank.FIRST)
            yield Says(tuple(criteria(evaluation, one)), rank=Rank.FIRST)
    for text in missing(verdict):
        yield Text(text, rank=Rank.FIRST)
    cautions = say.cautions(evaluation, verdict)
    start = f"Brackets hold {intervals(evaluation)}. Read with care:"
    first = [start, *cautions[:FIRST_CAUTIONS]]
    yield Text(_spaced(first), "lesser", rank=Rank.FIRST)
    yield Text(_spaced(cautions[FIRST_CAUTIONS:]), "lesser")


def criteria(evaluation: Evaluation, one: Judgement) -> Iterator[Sentence]:
    """Every limit with its state, in a sentence."""
    return (criterion(evaluation, each) for each in one.criteria)


def missing(verdict: Verdict) -> Iterator[Sentence]:
    """Evidence the data do not hold, told once where it is the same for every system."""
    same = len({one.missing for one in verdict.systems}) == 1
    for one in verdict.systems[:1] if same else verdict.systems:
        if one.missing:
            whose = "" if same else Sentence(" for {system}", system=one.system)
            lacks = say.joined(say.missing(one), "; ")
            yield Sentence("Missing evidence{whose}: {lacks}.", whose=whose, lacks=lacks)


def table(evaluation: Evaluation, one: Judgement) -> Table:
    """The limits of one system as a table."""
    titles = ("criterion", "limit", "value and interval", "n", "as a point", "state")
    return Table(
        id="criteria",
        caption="",
        columns=tuple(Column(title) for title in titles),
        rows=tuple(_row(evaluation, each) for each in one.criteria),
        rank=Rank.FIRST,
    )


def _row(evaluation: Evaluation, one: Criterion) -> tuple[Value, ...]:
    title: Words = one.title
    if one.group is not None:
        title = Sentence(
            "{title}: {column} {name}", title=title, column=one.group_column or "", name=one.group
        )
    point = "" if one.passes is None else "passes" if one.passes else "fails"
    by_point = " (by the point)" if one.decide == "point" and one.passes is not None else ""
    return (
        written(title),
        str(demand(one)),
        Cell("") if one.decided_by is None else decided_by(evaluation, one),
        one.n or Cell(""),
        point,
        Cell(f"{one.state}{by_point}", tone="" if one.state == "met" else "strong"),
    )


def _spaced(texts: Sequence[Words]) -> Sentence:
    return say.joined([Sentence("{text}", text=text) for text in texts])
