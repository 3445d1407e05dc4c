"""Without each rater: does one of them set the yardstick that systems are held against?"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from tallymark.catalogue import preferred_contrast, texts
from tallymark.inference import Settings
from tallymark.questions.people.beside import (
    PartContrasts,
    formulas_of,
    mean_contrasts,
    responses_of,
)
from tallymark.questions.people.compute import panel_without
from tallymark.questions.people.contrasts import Paired, contrasted, estimated, paired_by_kind
from tallymark.questions.people.joined import Joined, joined, prolific
from tallymark.results import (
    AMONG_PEOPLE,
    Estimate,
    Finding,
    Kind,
    system_called,
    without_rater,
)
from tallymark.study.average import faceted
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part, People

MUCH = 0.1
"""So much higher without a rater, agreement is another."""


def system_without_each_rater(
    system: str, part: Part, settings: Settings
) -> Iterator[SubsetResults]:
    """A system beside people, as in ``compared_with_people``, without each rater in turn."""
    both = joined(system, part)
    if both is None or part.people is None:
        return
    every = {name: joined(system, part, without=name) for name in prolific(part.people)}
    others = {name: rest for name, rest in every.items() if rest is not None}
    told_apart = others and not both.pooled
    formulas = formulas_of(both, part)
    shared = [*paired_by_kind(formulas, both.rows, both.single)] if told_apart else []
    for name, rest in others.items():
        if both.pooled or name not in both.names:
            estimates = contrasted(
                formulas_of(rest, part), rest.rows, rest.single, settings, part.label
            )
        else:
            which = both.single.without(both.names.index(name))
            estimates = [
                estimate
                for paired in shared
                for estimate in estimated(
                    paired.formulas(which), paired.units, settings, part.label
                )
            ]
        n, subject = responses_of(rest), system_called(system)
        subset = subset_of(part, subject, n=n, against=without_rater(name))
        yield SubsetResults(subset, [replace(e, n=n) for e in estimates], [])


def means_without_each_rater(
    system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """The means over prompts or traits of the same, without each rater in turn."""
    for key, over in faceted(parts):
        every = {part: both for part in over if (both := joined(system, part)) is not None}
        everyone = [part.people for part in every if part.people is not None]
        names = dict.fromkeys(name for people in everyone for name in prolific(people))
        left = {
            name: {p: rest for p in every if (rest := joined(system, p, without=name)) is not None}
            for name in names
        }
        paired = {
            part: [*paired_by_kind(formulas_of(both, part), both.rows, both.single)]
            for part, both in every.items()
            if any(part in of_parts for of_parts in left.values())
        }
        for name, of_parts in left.items():
            known = [
                _without(part, every[part], rest, paired[part], name)
                for part, rest in of_parts.items()
            ]
            yield from mean_contrasts(system, key, without_rater(name), known, settings)


def _without(
    part: Part, both: Joined, rest: Joined, paired: Sequence[Paired], name: str
) -> PartContrasts:
    """The contrasts of one part without a rater, on the ``rest``."""
    if both.pooled or name not in both.names:
        made = [*paired_by_kind(formulas_of(rest, part), rest.rows, rest.single)]
        return PartContrasts.of(responses_of(rest), made)
    which = both.single.without(both.names.index(name))
    return PartContrasts(responses_of(rest), {p.kind: (p.formulas(which), p.units) for p in paired})


def people_without_each_rater(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """How people agree without each rater in turn: the mean over traits or prompts, if there are."""
    names = dict.fromkeys(
        name for part in parts if part.people is not None for name in prolific(part.people)
    )
    for name in names:
        yield from panel_without(parts, settings, name)


def turning_on_one_rater(
    results: Sequence[SubsetResults], parts: Sequence[Part], *, alone: bool = False
) -> list[SubsetResults]:
    """Add to the results of systems, and of people, which rater turns them.

    A system: the difference from people changes its sign without the rater, and one of the two is
    sure of it; or it is sure with all raters or with the others only, and moves out of the interval
    of all. People: they surely agree better without the rater, by ``MUCH`` and with
    intervals that lie apart. That comes first where people are looked at ``alone``.
    """
    people = _everyone(parts)
    left_out: dict[tuple[object, ...], list[SubsetResults]] = {}
    for result in results:
        if result.subset.against.kind is Kind.WITHOUT:
            whole = replace(result.subset, against=AMONG_PEOPLE)
            left_out.setdefault(whole.where, []).append(result)
    return [
        result._replace(findings=(*result.findings, *_findings(result, rest, people, alone=alone)))
        if (rest := left_out.get(result.subset.where))
        else result
        for result in results
    ]


def _findings(
    result: SubsetResults,
    left_out: Sequence[SubsetResults],
    people: Sequence[People],
    *,
    alone: bool,
) -> Iterator[Finding]:
    system = result.subset.system if result.subset.subject.is_system else ""
    difference = _difference(result) if system else _alpha(result)
    others = [(rest, _difference(rest) if system else _alpha(rest)) for rest in left_out]
    turning = [
        (abs(without.value - difference.value), rest.subset.against.name)
        for rest, without in others
        if difference is not None and without is not None
        if (_turns if system else _apart)(difference, without)
    ]
    if turning:
        rater = max(turning)[1]
        r = correlation_with_others(people, rater)
        yield Finding(
            name="yardstick_turns" if system else "panel_turns",
            system=system,
            numbers={"others": len(turning) - 1.0, "r": r},
            texts={"rater": rater},
            weight="loud" if system else "note" if alone else "quiet",
        )


def _everyone(parts: Sequence[Part]) -> list[People]:
    """The raters of each prompt or trait, or of all responses: what differs between is left out."""
    over = next((over for _, over in faceted(parts)), parts[:1])
    return [part.people for part in over if part.people is not None]


def _difference(result: SubsetResults) -> Estimate | None:
    preferred = preferred_contrast({estimate.key: estimate for estimate in result.estimates})
    return None if preferred is None else preferred[1].difference


def _alpha(result: SubsetResults) -> Estimate | None:
    alpha = texts("panel_brief")[0]
    return next((estimate for estimate in result.estimates if estimate.key == alpha), None)


def _turns(everyone: Estimate, without: Estimate) -> bool:
    """Whether the sign differs and one of the two is sure, or what is said differs by far."""
    signs = [(e.low > 0) - (e.high < 0) for e in (everyone, without)]
    if everyone.value * without.value < 0:
        return any(signs)
    return signs[0] != signs[1] and not everyone.low <= without.value <= everyone.high


def _apart(everyone: Estimate, without: Estimate) -> bool:
    return without.low > everyone.high and without.value - everyone.value >= MUCH


def correlation_with_others(everyone: Sequence[People], name: str) -> float:
    """The correlation of a rater with the mean of the others; its mean over parts of the data."""
    each = [_correlation(people, name) for people in everyone if name in people.names]
    known = [r for r in each if not math.isnan(r)]
    return sum(known) / len(known) if known else math.nan


def _correlation(people: People, name: str) -> float:
    """The correlation of a rater with the mean of the others, on the responses both rated."""
    rater, ratings = people.names.index(name), people.rows.scores
    others = np.delete(ratings, rater, axis=1)
    number = (~np.isnan(others)).sum(axis=1)
    both = (number > 0) & ~np.isnan(ratings[:, rater])
    mean = np.nansum(others[both], axis=1) / number[both]
    pair, weights = np.stack([ratings[both, rater], mean]), people.rows.heavy[both]
    if both.sum() < 2:
        return math.nan
    moments = np.cov(pair, aweights=weights)
    spread = moments[0, 0] * moments[1, 1]
    return float(moments[0, 1] / math.sqrt(spread)) if spread > 0 else math.nan
