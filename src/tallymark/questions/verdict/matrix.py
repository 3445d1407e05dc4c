"""The matrix: systems by criteria, and by prompts or traits, beside people and ceilings."""

from collections.abc import Iterator, Sequence

from tallymark.defaults import FEW_SYSTEMS
from tallymark.questions.verdict.by_part import (
    TOP,
    TWO_PEOPLE,
    ByPart,
    ceiling,
    held,
    parts_in,
    statistics_of_parts,
    two_people,
)
from tallymark.questions.verdict.settling import held_against
from tallymark.questions.verdict.sides import short_demand
from tallymark.render.leading import brief
from tallymark.render.model import Block, Cell, Column, Rank, Section, Table, Value
from tallymark.render.numbers import intervals
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import (
    at_a_glance,
    headline_subsets,
)
from tallymark.results import (
    Evaluation,
    Judgement,
    Subset,
)


def section(evaluation: Evaluation) -> Section:
    """Show every system at a glance; nothing where there are few systems and few prompts."""
    shown = at_a_glance(evaluation)
    return Section(
        id="matrix",
        title="At a glance",
        question="Which system is good enough, and where?",
        blocks=tuple(_blocks(evaluation)) if shown else (),
        titled=False,
    )


def _blocks(evaluation: Evaluation) -> Iterator[Block]:
    column, subsets = headline_subsets(evaluation)
    verdict = evaluation.verdict
    if verdict is not None and len(verdict.systems) > FEW_SYSTEMS:
        yield _by_criterion(evaluation, verdict.systems)
    if not subsets:
        return
    if len(parts_in(evaluation, column)) > 1:
        for text in statistics_of_parts(evaluation):
            yield from ByPart(evaluation, column, text).tables()
    elif verdict is None and evaluation.kind != "compare":
        yield _by_statistic(evaluation, subsets)


def _by_criterion(evaluation: Evaluation, judgements: Sequence[Judgement]) -> Table:
    """Each system by the limits of the policy, its own verdict first."""
    criteria = {(c.title, c.where, c.statistic): c for j in judgements for c in j.criteria}
    rows: list[tuple[Value, ...]] = []
    for judgement in judgements:
        known = {(c.title, c.where, c.statistic): c for c in judgement.criteria}
        cells = (held_against(evaluation, known.get(key)) for key in criteria)
        rows.append((judgement.system, Cell(judgement.state, state=judgement.state), *cells))
    limits = [short_demand(criterion) for criterion in criteria.values()]
    statistics = [criterion.statistic for criterion in criteria.values()]
    people, ceilings = _yardsticks(evaluation, statistics)
    below: list[tuple[Value, ...]] = [("limit", Cell(""), *limits)]
    below += [(name, Cell(""), *row) for name, row in (*people, *ceilings)]
    return Table(
        id="matrix",
        caption=Sentence("Systems by criterion, {intervals}", intervals=intervals(evaluation)),
        columns=(
            Column("system"),
            Column("verdict"),
            *(Column(c.title, key=c.statistic, numeric=True) for c in criteria.values()),
        ),
        rows=(*rows, *below),
        below=len(below),
        rank=Rank.FIRST,
    )


def _by_statistic(evaluation: Evaluation, subsets: Sequence[Subset]) -> Table:
    """Each system by a few statistics, where no policy was named; elsewhere agreement shows more."""
    shown = brief(evaluation)
    rows: list[tuple[Value, ...]] = [
        (s.system, *(held(statistic.of(evaluation.of(s))) for statistic in shown)) for s in subsets
    ]
    people, ceilings = _yardsticks(evaluation, [statistic.key for statistic in shown])
    below = [(name, *row) for name, row in (*people, *ceilings)]
    return Table(
        id="matrix",
        caption=Sentence("Systems and people, {intervals}", intervals=intervals(evaluation)),
        columns=(
            Column("system"),
            *(Column(each.title, each.words, each.key, numeric=True) for each in shown),
        ),
        rows=(*rows, *below),
        below=len(below),
        rank=Rank.PAGE,
    )


Named = list[tuple[str, list[Value]]]


def _yardsticks(evaluation: Evaluation, statistics: Sequence[str]) -> tuple[Named, Named]:
    """How two people agree in each statistic, and the ceiling of it, where either is known."""
    column, _ = headline_subsets(evaluation)
    people: list[Value] = [held(two_people(evaluation, column, "", text)) for text in statistics]
    tops: list[Value] = [held(ceiling(evaluation, column, "", text)) for text in statistics]
    return (
        [(TWO_PEOPLE, people)] if any(people) else [],
        [(TOP, tops)] if any(tops) else [],
    )
