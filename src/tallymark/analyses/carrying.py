"""The few numbers that carry the answer, against limits, people and ceilings."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tallymark.questions.verdict import say
from tallymark.render import figures
from tallymark.render.figures.intervals import common_domain
from tallymark.render.figures.records import Mark, Row
from tallymark.render.leading import CONTINUOUS, LEADING, Shown, leading, panel
from tallymark.render.literal import literal
from tallymark.render.model import Block, Cell, Column, Strip, Strips
from tallymark.render.model import Table as ReportTable
from tallymark.render.numbers import is_coefficient, rounded
from tallymark.render.report.blocks import NAMESPACE, any_table, statistics_table
from tallymark.render.report.view import MOST_ROWS, View, words
from tallymark.render.subsets import headline_subsets, panels, whole
from tallymark.results import (
    AMONG_PEOPLE,
    CEILING,
    PEOPLE,
    TRUE_SCORES,
    Criterion,
    Estimate,
    Key,
    Numbers,
    Subset,
    Table,
    gold_in_use,
)

MOST_STRIPS = 4
"""More systems than this are told in a table."""
PLOT = 330
"""Width of a small plot, which narrow screens show a little smaller."""
_KAPPA = ("cohen_kappa[quadratic]", CONTINUOUS.text)
_DEGRADATION = "agreement with a person less that between two people; below 0 is worse than people"
_SMD = "system less gold, in standard deviations; 0 is as severe as people"
_PRMSE = "share of the variance of true scores, without rater error, that is predicted"


class Carried(NamedTuple):
    """A statistic, the estimate of each system, and what it is held against."""

    shown: Shown
    found: dict[str, Estimate]
    marks: tuple[Mark, ...]


def carrying(view: View) -> Iterator[Block]:
    """Small plots of a few systems; a table of many; the panel where people are alone."""
    column, subsets = headline_subsets(view.evaluation)
    if view.tables("routing"):
        yield from (any_table(view, _unsaid(t)) for t in view.tables("routing", "plan"))
    elif not subsets:
        yield from _people(view)
    elif len(subsets) > MOST_STRIPS:
        yield from _verdicts(view)
        rows = [
            (words(s.system), s.n, view.numbers[view.evaluation.subsets.index(s)]) for s in subsets
        ]
        over = f", mean over {column}s" if column else ""
        caption = f"Systems against the gold{over}"
        yield statistics_table(view, "leading", caption, rows, leading(view.evaluation))
    else:
        judged = _judged(view)  # what a criterion shows is not shown twice
        found = [one for one in _carried(view, subsets) if one.shown.text not in judged]
        if found:
            yield Strips(entries=tuple(_drawn(view, one) for one in found))


def _verdicts(view: View) -> Iterator[Block]:
    """What the policy says of each of many systems."""
    verdict = view.evaluation.verdict
    if verdict is not None:
        yield ReportTable(
            id=view.free_id("verdicts"),
            caption="Verdict on each system",
            columns=(Column("system"), Column("state"), Column("in words")),
            rows=tuple(
                (words(one.system), words(one.state), Cell(str(say.reasons(one))))
                for one in verdict.systems[:MOST_ROWS]
            ),
            left=max(len(verdict.systems) - MOST_ROWS, 0),
        )


def _unsaid(table: Table) -> Table:
    """The table without the sentence that stands at the top of the page."""
    kept = [i for i, column in enumerate(table.columns) if column != "statement"]
    return replace(
        table,
        columns=tuple(table.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in table.rows),
    )


def against_limits(view: View, system: str, found: Estimate, one: Criterion) -> str:
    """A number that a policy looks at, drawn against the limits and what people reach."""
    row = Row.of(found, literal(system), series=view.series(system), state=one.state)
    ends = [end for end in (one.at_least, one.at_most) if end is not None]
    marks = [Mark(end, f"limit {_short(end)}", "limit") for end in ends]
    if found.text in _KAPPA:
        marks += [*_people_mark(view, found.text), *_ceiling_mark(view)]
    domain = common_domain([row], marks)
    name = view.free_id(f"limit {found.name}")
    return figures.strip(row, marks, domain=domain, width=PLOT, prefix=name).svg.replace(
        NAMESPACE, ""
    )


def _short(number: float) -> str:
    return rounded(number, 2, coefficient=True).replace("-", "−")


def _judged(view: View) -> set[str]:
    verdict = view.evaluation.verdict
    return {c.statistic for j in (verdict.systems if verdict else ()) for c in j.criteria}


def _people(view: View) -> Iterator[Block]:
    everyone = [subset for subset in panels(view.evaluation) if whole(subset)]
    if everyone:
        own = view.numbers[view.evaluation.subsets.index(everyone[0])]
        shown = panel(view.evaluation)
        carried = [Carried(one, {"people": own[one.text]}, ()) for one in shown if one.text in own]
        low = min((e.low for one in carried for e in one.found.values()), default=0.0)
        domain = (min(0.0, low) if math.isfinite(low) else 0.0, 1.0)
        yield Strips(entries=tuple(_drawn(view, one, domain) for one in carried))


def _carried(view: View, subsets: Sequence[Subset]) -> Iterator[Carried]:
    """Agreement beyond chance, exact agreement, people, severity, true scores."""
    own = {s.system: view.numbers[view.evaluation.subsets.index(s)] for s in subsets}
    known = {one.text: one for one in (*LEADING, CONTINUOUS)}
    for text in _KAPPA:
        if any(text in numbers for numbers in own.values()):
            yield _of(view, known[text], own, (*_people_mark(view, text), *_ceiling_mark(view)))
            break
    yield _of(view, known["percent_agreement"], own, _people_mark(view, "percent_agreement"))
    beside = {s.system: view.numbers[i] for i, s in view.whole(AMONG_PEOPLE) if s.subject.is_system}
    for text in _KAPPA:
        shown = Shown(
            Key("degradation", of=text), f"{known[text].heading} less people", _DEGRADATION
        )
        if any(shown.text in numbers for numbers in beside.values()):
            yield _of(view, shown, beside, (Mark(0.0, "as people", "zero"),))
            break
    yield _of(view, Shown("smd[unpooled]", "SMD", _SMD), own, (Mark(0.0, "0", "zero"),))
    true = {s.system: view.numbers[i] for i, s in view.whole(TRUE_SCORES)}
    yield _of(view, Shown("prmse", "PRMSE", _PRMSE), true, ())


def _of(view: View, shown: Shown, numbers: dict[str, Numbers], marks: Sequence[Mark]) -> Carried:
    found = {system: shown.of(own) for system, own in numbers.items()}
    known = {system: one for system, one in found.items() if one is not None}
    return Carried(shown, known, (*_limits(view, shown.text), *marks))


def _limits(view: View, text: str) -> Iterator[Mark]:
    """The limits that a policy sets on a statistic of all responses."""
    verdict, seen = view.evaluation.verdict, set[float]()
    for judgement in verdict.systems if verdict else ():
        for one in judgement.criteria:
            ends = (one.at_least, one.at_most) if one.statistic == text and not one.group else ()
            for end in ends:
                if end is not None and end not in seen:
                    seen.add(end)
                    yield Mark(end, f"limit {_short(end)}", "limit")


def _people_mark(view: View, text: str) -> tuple[Mark, ...]:
    """How two people agree in this statistic."""
    for i, _ in view.whole(AMONG_PEOPLE):
        found = view.numbers[i].get(Key("human_human", of=text))
        if found is not None and not math.isnan(found.value):
            value = rounded(found.value, 2, coefficient=True)
            return (Mark(found.value, f"people {value}", "people"),)
    return ()


def _ceiling_mark(view: View) -> tuple[Mark, ...]:
    for i, people in view.whole(CEILING, PEOPLE):
        gold = gold_in_use(view.evaluation, people)
        found = view.numbers[i].get(Key("ceiling_theoretical", gold=gold))
        if found is not None and not math.isnan(found.value):
            value = rounded(found.value, 2, coefficient=True)
            return (Mark(found.value, f"ceiling {value}", "ceiling"),)
    return ()


def _drawn(
    view: View, one: Carried, domain: tuple[float, float] | None = None
) -> tuple[Column, tuple[Strip, ...]]:
    """The plots of a statistic, all on one axis."""
    rows = {
        system: Row.of(found, literal(system), series=view.series(system))
        for system, found in one.found.items()
    }
    if domain is None and not one.marks and is_coefficient(one.shown.text):
        lows = [row.low for row in rows.values() if row.low < 0]
        domain = (min([0.0, *lows]), 1.0)
    domain = domain or common_domain([*rows.values()], one.marks)
    strips: list[Strip] = []
    for system, row in rows.items():
        name = view.free_id(f"strip {one.shown.heading}")
        # what a line means is said once, at the first system
        marks = [replace(mark, label="") for mark in one.marks] if strips else one.marks
        drawn = figures.strip(row, marks, domain=domain, width=PLOT, prefix=name)
        number = view.cell(one.found[system])
        svg = drawn.svg.replace(NAMESPACE, "")
        strips.append(Strip(literal(system), number, svg, view.series(system)))
    return Column(one.shown.heading, one.shown.words, one.shown.text), tuple(strips)
