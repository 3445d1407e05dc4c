"""The verdict as a section, and as the table of a pull request."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tallymark.defaults import FEW_SYSTEMS, POWER
from tallymark.questions.verdict import say
from tallymark.questions.verdict.criteria import beside_limit, criterion, held_open
from tallymark.questions.verdict.headline import in_short
from tallymark.questions.verdict.settling import DECIDED, MOST_NEEDED, held_against
from tallymark.questions.verdict.sides import demand, short_demand
from tallymark.render.model import (
    Block,
    Cell,
    Column,
    Heading,
    Number,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.numbers import intervals
from tallymark.render.sentences import Sentence, Words, written
from tallymark.results import Criterion, Evaluation, Judgement, Verdict


def section(evaluation: Evaluation, labels: Mapping[str, Words] | None = None) -> Section:
    """Show what the policy says of each system, and why; nothing without a policy."""
    verdict = evaluation.verdict
    return Section(
        id="verdict",
        title="" if verdict is None else str(say.states(verdict)),
        question="May it be used?",
        blocks=() if verdict is None else tuple(_blocks(evaluation, verdict, labels or {})),
    )


def _blocks(
    evaluation: Evaluation, verdict: Verdict, labels: Mapping[str, Words]
) -> Iterator[Block]:
    if len(verdict.systems) > FEW_SYSTEMS:
        which = say.joined([say.counted(verdict), say.the_rest(verdict)])
        yield Heading(which, rank=Rank.FIRST)
    yield Text(say.policy(verdict))
    for judgement in verdict.systems if len(verdict.systems) <= FEW_SYSTEMS else ():
        said = in_short(judgement, verdict, labels.get(judgement.system, ""))
        yield Heading(said, rank=Rank.FIRST)
        if judgement.criteria:
            yield _at_a_glance(evaluation, judgement)
            yield Says(tuple(_held_open(evaluation, judgement)), rank=Rank.FIRST)
        yield Says(tuple(criteria(evaluation, judgement)))
    for text in missing(verdict):
        yield Text(text, rank=Rank.FIRST)
    yield Text(say.NOT_TESTED, "lesser", rank=Rank.FIRST)
    yield Text(_spaced(say.cautions(evaluation, verdict)), "lesser")


def _at_a_glance(evaluation: Evaluation, judgement: Judgement) -> Table:
    """The limits of one system, each with its number and state in a line."""
    limits, mean = judgement.criteria, say.mean_of_all(judgement)
    needed = [_to_settle(limit) for limit in limits]
    counted = any(isinstance(number, Number) for number in needed)
    whose = "responses (of the group)" if any(limit.group for limit in limits) else "responses"
    settle = Sentence(
        f"{whose} to settle it with {{power:level}} probability at this value", power=POWER
    )
    return Table(
        id="limits",
        caption="",
        columns=(
            Column("criterion"),
            Column("limit"),
            Column(intervals(evaluation) if mean is None else str(mean)),
            *([Column("needed", str(settle), numeric=True)] if counted else []),
        ),
        rows=tuple(
            (
                str(say.titled_shortly(limit, mean)),
                str(short_demand(limit)),
                held_against(evaluation, limit),
                *([number] if counted else []),
            )
            for limit, number in zip(limits, needed, strict=True)
        ),
        note=say.means_among(judgement),
        rank=Rank.FIRST,
    )


def _held_open(evaluation: Evaluation, judgement: Judgement) -> Iterator[Sentence]:
    """Why limits are open whatever their intervals say, each reason once."""
    titles: dict[str, tuple[Sentence, list[Words]]] = {}
    for limit in judgement.criteria:
        known = limit.state == "undecided" and not math.isnan(limit.low)
        why = held_open(evaluation, limit) if known else None
        if why is not None and limit.group is None:
            titles.setdefault(str(why), (why, []))[1].append(limit.title)
    for why, of in titles.values():
        yield Sentence("{titles}: {why}.", titles=say.listed(of), why=why)


def _to_settle(limit: Criterion) -> Value:
    """How many responses would settle an open limit; empty where none would, or none need to."""
    needed = limit.needed if limit.state == "undecided" else None
    return "" if needed is None or needed > MOST_NEEDED else Number(needed, "about")


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
    by_point = "" if limit.passes is None else DECIDED[limit.decide].mark
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
