"""Left-out raters: does one of them set the yardstick that systems are held against?"""

import math
from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from msgspec.structs import replace

from tallymark.catalogue import preferred_contrast, texts
from tallymark.inference import Settings
from tallymark.questions.people.compute import (
    PartContrasts,
    formulas_of,
    mean_contrasts,
    panel_without,
    responses_of,
)
from tallymark.questions.people.contrasts import (
    Paired,
    estimated,
    joined,
    paired_by_kind,
    prolific,
)
from tallymark.results import AMONG_PEOPLE, Estimate, Finding, Kind, system_called, without_rater
from tallymark.study.average import faceted
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part, People

MUCH = 0.1
"""So much higher without a rater, agreement is another."""


def system_without_each_rater(
    system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """A system beside people, as in ``compared_with_people``, without each rater in turn.

    The means over prompts or traits, or all responses where there are none.
    """
    for key, over in faceted(parts):
        for name, by_part in _without_each(system, over):
            on_parts = [*by_part.values()]
            yield from mean_contrasts(system, key, without_rater(name), on_parts, settings)
    if any(faceted(parts)):
        return
    whole = [part for part in parts if not part.where]
    for name, by_part in _without_each(system, whole):
        for part, contrasts in by_part.items():
            n = contrasts.n
            estimates = [
                replace(estimate, n=n)
                for formulas, units in contrasts.by_kind.values()
                for estimate in estimated(formulas, units, settings, part.label)
            ]
            subset = subset_of(part, system_called(system), n=n, against=without_rater(name))
            yield SubsetResults(subset, estimates, [])


def _without_each(
    system: str, parts: Sequence[Part]
) -> Iterator[tuple[str, dict[Part, PartContrasts]]]:
    """Yield each left-out rater, and the contrasts of the parts in which others can be compared."""
    ratings = {part: columns for part in parts if (columns := joined(system, part)) is not None}
    people = [part.people for part in ratings if part.people is not None]
    paired: dict[Part, list[Paired]] = {}
    for name in dict.fromkeys(name for raters in people for name in prolific(raters)):
        by_part = {}
        for part, everyone in ratings.items():
            rest = joined(system, part, without=name)
            if rest is None:
                continue
            if everyone.pooled or name not in everyone.names:
                pairings = paired_by_kind(formulas_of(rest, part), rest.rows, rest.single)
                by_part[part] = PartContrasts.of(responses_of(rest), pairings)
                continue
            if part not in paired:
                formulas = formulas_of(everyone, part)
                paired[part] = paired_by_kind(formulas, everyone.rows, everyone.single)
            counted = everyone.single.without(everyone.names.index(name))
            n = responses_of(rest)
            by_part[part] = PartContrasts.of(n, paired[part], counted=counted)
        yield name, by_part


def people_without_each_rater(parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """How people agree without each rater in turn: the mean over traits or prompts, if there are."""
    names = dict.fromkeys(
        name for part in parts if part.people is not None for name in prolific(part.people)
    )
    for name in names:
        yield from panel_without(parts, settings, name)


def turning_on_one_rater(
    results: Sequence[SubsetResults], parts: Sequence[Part], *, raters_only: bool = False
) -> list[SubsetResults]:
    """Add to the results of systems, and of people, which rater turns them.

    A system: the difference from people changes its sign without the rater, and one of the two is
    sure of it; or it is sure with all raters or with the others only, and moves out of the interval
    of all. People: they surely agree better without the rater, by ``MUCH`` and with
    intervals that lie apart. That comes first where there are ``raters_only``.
    """
    people = _everyone(parts)
    left_out: dict[tuple[object, ...], list[SubsetResults]] = {}
    for result in results:
        if result.subset.against.kind is Kind.WITHOUT:
            with_all = replace(result.subset, against=AMONG_PEOPLE)
            left_out.setdefault(with_all.where, []).append(result)
    with_findings = []
    for result in results:
        rest = left_out.get(result.subset.where, [])
        findings = _findings(result, rest, people, raters_only=raters_only)
        with_findings.append(result._replace(findings=(*result.findings, *findings)))
    return with_findings


def _findings(
    result: SubsetResults,
    left_out: Sequence[SubsetResults],
    people: Sequence[People],
    *,
    raters_only: bool,
) -> Iterator[Finding]:
    system = result.subset.system if result.subset.subject.is_system else ""
    difference = _difference(result) if system else _alpha(result)
    without_each = [(rest, _difference(rest) if system else _alpha(rest)) for rest in left_out]
    turning = [
        (abs(without.value - difference.value), rest.subset.against.name)
        for rest, without in without_each
        if difference is not None and without is not None
        if (_turns if system else _rises)(difference, without)
    ]
    if turning:
        rater = max(turning)[1]
        weight: Literal["note", "quiet"] = "note" if raters_only else "quiet"
        r = correlation_with_others(people, rater)
        yield Finding(
            name="yardstick_turns" if system else "panel_turns",
            system=system,
            numbers={"others": len(turning) - 1.0, "r": r},
            texts={"rater": rater},
            weight="loud" if system else weight,
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


def _rises(everyone: Estimate, without: Estimate) -> bool:
    return without.low > everyone.high and without.value - everyone.value >= MUCH


def correlation_with_others(everyone: Sequence[People], name: str) -> float:
    """The correlation of a rater with the mean of the others; its mean over parts of the data."""
    correlations = [_correlation(people, name) for people in everyone if name in people.names]
    defined = [r for r in correlations if not math.isnan(r)]
    return sum(defined) / len(defined) if defined else math.nan


def _correlation(people: People, name: str) -> float:
    """The correlation of a rater with the mean of the others, on the responses both rated."""
    rater, ratings = people.names.index(name), people.rows.scores
    other_ratings = np.delete(ratings, rater, axis=1)
    number = (~np.isnan(other_ratings)).sum(axis=1)
    shared = (number > 0) & ~np.isnan(ratings[:, rater])
    mean = np.nansum(other_ratings[shared], axis=1) / number[shared]
    pair, weights = np.stack([ratings[shared, rater], mean]), people.rows.heavy[shared]
    if shared.sum() < 2:
        return math.nan
    moments = np.cov(pair, aweights=weights)
    spread = moments[0, 0] * moments[1, 1]
    return float(moments[0, 1] / math.sqrt(spread)) if spread > 0 else math.nan
