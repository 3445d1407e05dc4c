"""The few numbers that carry the answer, against limits, people and ceilings."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from tallymark.questions.verdict.matrix import section as matrix
from tallymark.render.figures.records import Mark, Whisker, common_domain
from tallymark.render.leading import CONTINUOUS, LEADING, panel, shown_of
from tallymark.render.limits import Beside, End
from tallymark.render.model import Block, Column, Measure, Strip, Strips
from tallymark.render.numbers import is_coefficient
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import (
    as_headline,
    ceilings,
    headline_subsets,
    many,
    panels,
    series_of,
    standing_for_all,
    systems_leading,
)
from tallymark.results import (
    AMONG_PEOPLE,
    PEOPLE,
    TRUE_SCORES,
    Criterion,
    Estimate,
    Evaluation,
    Key,
    Numbers,
    Subset,
    gold_in_use,
)
from tallymark.verdict.statistics import CCC, KAPPA, QWK

_KAPPA, _EXACT = (QWK, CCC), Key("percent_agreement")
_DEGRADATION = "agreement with a person less that between two people; below 0 is worse than people"
_SMD = Measure(
    "SMD",
    "system less gold, in standard deviations; 0 is as severe as people",
    Key("smd", kind="unpooled"),
)
_PRMSE = Measure(
    "PRMSE",
    "share of the variance of true scores, without rater error, that is predicted",
    Key("prmse"),
)
Domain = tuple[float, float]


class Carried(NamedTuple):
    """A statistic, the estimate of each system, and what it is held against."""

    shown: Measure
    estimates: Mapping[str, Estimate]
    marks: tuple[Mark, ...] = ()


def carrying(evaluation: Evaluation) -> Iterator[Block]:
    """Small plots of a few systems; the matrix of many; the panel where people are alone."""
    _, subsets = headline_subsets(evaluation)
    if not subsets:
        yield from _people(evaluation)
    elif many(evaluation):
        yield from matrix(evaluation).blocks
    else:
        judged = _judged(evaluation)  # what a criterion shows is not shown twice
        carried = [each for each in _carried(evaluation, subsets) if each.shown.key not in judged]
        if carried:
            yield Strips(entries=tuple(_strips(evaluation, each) for each in carried))


def against_limits(
    evaluation: Evaluation, system: str, estimate: Estimate, criterion: Criterion
) -> Strip:
    """A number that a policy looks at, against the limits and what people reach."""
    ends = [end for end in (criterion.at_least, criterion.at_most) if end is not None]
    marks = [_limit(end, criterion.statistic) for end in ends]
    if estimate.key in (*_KAPPA, KAPPA):
        marks += [*_people_mark(evaluation, estimate.key), *_ceiling_mark(evaluation)]
    row = Whisker.of(estimate, system)
    return Strip(
        system=system,
        estimate=estimate,
        series=series_of(evaluation, system),
        marks=tuple(marks),
        domain=common_domain([row], marks),
        state=criterion.state,
    )


def _judged(evaluation: Evaluation) -> set[str]:
    verdict = evaluation.verdict
    return {c.statistic for j in (verdict.systems if verdict else ()) for c in j.criteria}


def _people(evaluation: Evaluation) -> Iterator[Block]:
    everyone = standing_for_all(evaluation, panels(evaluation))
    if everyone:
        numbers = evaluation.of(everyone[0])
        shown = [statistic for statistic in panel(evaluation) if statistic.key in numbers]
        carried = [Carried(statistic, {str(PEOPLE): numbers[statistic.key]}) for statistic in shown]
        low = min((numbers[statistic.key].low for statistic in shown), default=0.0)
        domain = (min(0.0, low) if math.isfinite(low) else 0.0, 1.0)
        yield Strips(entries=tuple(_strips(evaluation, each, domain) for each in carried))


def _carried(evaluation: Evaluation, subsets: Sequence[Subset]) -> Iterator[Carried]:
    """Agreement beyond chance, exact agreement, people, severity, true scores."""
    numbers = {s.system: evaluation.of(s) for s in subsets}
    view = evaluation.data.view
    leading = (*LEADING, CONTINUOUS, *shown_of("leading", view))
    known = {statistic.key: statistic for statistic in leading}
    kappas = _KAPPA if view == "ordinal" else (KAPPA,)
    if view == "binary":
        both = (known[key] for key in (Key("sensitivity"), Key("specificity")))
        yield from (_of(evaluation, each, numbers) for each in both)
    for kappa in kappas:
        if any(kappa in of_system for of_system in numbers.values()):
            marks = (*_people_mark(evaluation, kappa), *_ceiling_mark(evaluation))
            yield _of(evaluation, known[kappa], numbers, marks)
            break
    yield _of(evaluation, known[_EXACT], numbers, _people_mark(evaluation, _EXACT))
    beside = {s.system: evaluation.of(s) for s in systems_leading(evaluation, AMONG_PEOPLE)}
    for kappa in kappas:
        key = Key("degradation", of=kappa)
        if any(key in of_system for of_system in beside.values()):
            shown = Measure(f"{known[kappa].title} less people", _DEGRADATION, key)
            yield _of(evaluation, shown, beside, (Mark(0.0, "as people", "zero"),))
            break
    if view != "ordinal":
        return
    yield _of(evaluation, _SMD, numbers, (Mark(0.0, "0", "zero"),))
    true = systems_leading(evaluation, TRUE_SCORES)
    yield _of(evaluation, _PRMSE, {s.system: evaluation.of(s) for s in true})


def _of(
    evaluation: Evaluation,
    shown: Measure,
    numbers: Mapping[str, Numbers],
    marks: Sequence[Mark] = (),
) -> Carried:
    estimates = {system: shown.of(of_system) for system, of_system in numbers.items()}
    known = {system: estimate for system, estimate in estimates.items() if estimate is not None}
    return Carried(shown, known, (*_limits(evaluation, shown.key), *marks))


def _limits(evaluation: Evaluation, statistic: str) -> list[Mark]:
    """The limits that a policy sets on a statistic of all responses."""
    verdict = evaluation.verdict
    criteria = [c for judgement in (verdict.systems if verdict else ()) for c in judgement.criteria]
    ends = [
        end
        for criterion in criteria
        if criterion.statistic == statistic and criterion.group is None
        for end in (criterion.at_least, criterion.at_most)
        if end is not None
    ]
    return [_limit(end, statistic) for end in dict.fromkeys(ends)]


def _limit(end: float, statistic: str) -> Mark:
    return Mark(end, _label("limit {end}", end=End(end, statistic)), "limit")


def _people_mark(evaluation: Evaluation, statistic: Key) -> tuple[Mark, ...]:
    """How two people agree in this statistic."""
    beside = systems_leading(evaluation, AMONG_PEOPLE)
    for subset in [subset for subset in beside if as_headline(evaluation, subset)]:
        estimate = evaluation.of(subset).get(Key("human_human", of=statistic))
        if estimate is not None and not math.isnan(estimate.value):
            label = _label("people {value:value}", value=Beside(estimate, ()))
            return (Mark(estimate.value, label, "people"),)
    return ()


def _ceiling_mark(evaluation: Evaluation) -> tuple[Mark, ...]:
    """What a scorer who knew every true score would reach."""
    leading = standing_for_all(evaluation, ceilings(evaluation))
    for people in [people for people in leading if as_headline(evaluation, people)]:
        gold = gold_in_use(evaluation, people)
        estimate = evaluation.of(people).get(Key("ceiling_theoretical", gold=gold))
        if estimate is not None and not math.isnan(estimate.value):
            label = _label("ceiling {value:value}", value=Beside(estimate, ()))
            return (Mark(estimate.value, label, "ceiling"),)
    return ()


def _label(template: str, **number: Beside | End) -> str:
    return str(Sentence(template, **number)).replace("-", "−")


def _strips(
    evaluation: Evaluation, carried: Carried, domain: Domain | None = None
) -> tuple[Column, tuple[Strip, ...]]:
    """The plots of a statistic, all on one axis."""
    rows = [Whisker.of(estimate, system) for system, estimate in carried.estimates.items()]
    if domain is None and not carried.marks and is_coefficient(carried.shown.key):
        domain = (min([0.0, *(row.low for row in rows if row.low < 0)]), 1.0)
    domain = domain or common_domain(rows, carried.marks)
    # what a line means is said once, at the first system
    unnamed = tuple(replace(mark, label="") for mark in carried.marks)
    strips = tuple(
        Strip(
            system=system,
            estimate=estimate,
            series=series_of(evaluation, system),
            marks=unnamed if i else carried.marks,
            domain=domain,
        )
        for i, (system, estimate) in enumerate(carried.estimates.items())
    )
    return Column(carried.shown.title, carried.shown.words, carried.shown.key), strips
