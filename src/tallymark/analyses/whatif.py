"""What if: a table of scores in, what its statistics were if one thing about it were different out."""

from collections.abc import Mapping
from typing import Unpack

import numpy as np
from msgspec.structs import replace

from tallymark.diagnosis.binning import coarser, merged
from tallymark.errors import OptionError
from tallymark.inference import Settings
from tallymark.questions.agreement import against_gold
from tallymark.questions.ceilings.compute import ladders_of
from tallymark.questions.scale.compute import under_rules
from tallymark.questions.whatif.compute import MOST_POINTS, PeopleKnown, pooled, what_if
from tallymark.questions.whatif.scenarios import Moves
from tallymark.results import Evaluation
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.study.asked import Asked
from tallymark.study.average import faceted
from tallymark.study.collected import collected
from tallymark.study.formulas import Progress, unwatched
from tallymark.study.keywords import WhatifKeywords
from tallymark.study.measured import SubsetResults
from tallymark.study.parts import Part, parts_of
from tallymark.study.reading import Outcome, noted, read, settings_of
from tallymark.study.request import Request, takes
from tallymark.study.rows import Rows
from tallymark.tally import nearest
from tallymark.verdict.policy import policy_of

POLICY = "williamson2012"
"""The limits, unless others are named."""


@takes("whatif")
def whatif(
    source: object, *, progress: Progress | None = None, **asked: Unpack[WhatifKeywords]
) -> Evaluation:
    """Say what the statistics of a system's table were if one thing about it were different.

    The same agreement at other scores, another prevalence, more or fewer errors, fewer score points,
    another rule of resolution; and what LWK, AC2 and alpha have where QWK is at its ``limit``.
    """
    return whatif_asked(source, Request.of("whatif", asked), progress=progress).evaluation


def whatif_asked(source: object, request: Request, *, progress: Progress | None = None) -> Outcome:
    """Move the counts of a table, as a request asks."""
    settings, limit = settings_of(request), request.limit
    moves = Moves(
        exchange=request.exchange,
        move=request.move or {},
        prevalence=request.prevalence or {},
        errors=request.errors,
    )
    moves.check()
    if not 0 < limit < 1:
        raise OptionError(f"limit must lie between 0 and 1, got {limit:g}")
    policy = policy_of(request.policy or POLICY)
    scores = read(source, request)
    if scores.gold_scale.nominal:
        raise OptionError(
            "whatif moves scores along a scale, and --categories have no order: use evaluate"
        )
    scores = _pooled(scores)
    part, results, report = Part.whole(scores), list[SubsetResults](), progress or unwatched
    observed = against_gold(scores.roles.systems, [part], settings, ())
    for i, system in enumerate(scores.roles.systems):
        report(i, len(scores.roles.systems))
        results.extend(observed[system])
        people = _people(system, part, settings)
        results.append(
            what_if(system, part, settings, moves=moves, policy=policy, limit=limit, people=people)
        )
    evaluation = collected(scores, settings, Asked(), results, kind="whatif")
    options = {**evaluation.options, "policy": policy.name}
    return Outcome(noted(replace(evaluation, options=options), request), scores.excluded)


def _pooled(scores: Scores) -> Scores:
    """Note that prompts or traits stand in one table, and how to keep one."""
    notes = [
        pooled(key, f"{getattr(scores.roles, key)}={over[0].where[key]}", len(over))
        for key, over in faceted([*parts_of(scores, cross=False)])
    ]
    facts = replace(scores.facts, notes=(*notes, *scores.facts.notes))
    return replace(scores, facts=facts)


def _people(system: str, part: Part, settings: Settings) -> PeopleKnown:
    """What people tell of their gold on these responses; nothing where no response was rated twice."""
    ceilings = _ceilings(part, settings)
    if not ceilings:
        return PeopleKnown()
    rule = part.gold.rule if part.gold.rule in ceilings else "mean"
    return PeopleKnown(
        rule=rule,
        ceilings=ceilings,
        coarser=_on_fewer_points(part, settings, rule),
        ruled={} if part.scores.weighted else _under_rules(system, part),
    )


def _ceilings(part: Part, settings: Settings) -> dict[str, float]:
    """The theoretical ceiling of each gold that the ratings could make."""
    return {
        str(formula.params["gold"]): float(formula.value(ladder.rungs.units.tally))
        for ladder in ladders_of([part], settings, f_based=False)
        for formula in ladder.formulas
        if formula.name == "ceiling_theoretical" and {*formula.params} == {"gold"}
    }


def _on_fewer_points(part: Part, settings: Settings, rule: str) -> Mapping[int, float]:
    """The ceiling after the points of gold and ratings are merged, where both are on one scale."""
    scores = part.scores
    points = scores.gold_scale.points
    if scores.rater_scale.points != points or scores.scales or len(points) > MOST_POINTS:
        return {}
    made = {
        bins: _ceilings(Part.whole(_merged(scores, bins)), settings)
        for bins in coarser(len(points))
    }
    return {bins: known[rule] for bins, known in made.items() if rule in known}


def _merged(scores: Scores, bins: int) -> Scores:
    """The same scores on fewer points."""
    points = np.asarray(scores.gold_scale.points)
    place = merged(points.size, bins)
    centres = np.bincount(place, weights=points) / np.bincount(place)
    scale = Scale(tuple(centres.tolist()))
    named = {
        name: np.where(np.isnan(values), np.nan, centres[place[nearest(values, points)]])
        for name, values in scores.patterns.scores.items()
        if name.startswith(("human:", "gold", "system:", "second"))
    }
    patterns = replace(scores.patterns, scores={**scores.patterns.scores, **named})
    return replace(scores, patterns=patterns, rater_scale=scale, gold_scale=scale)


def _under_rules(system: str, part: Part) -> dict[str, Rows]:
    """Gold and system under every rule, on the responses that every rater scored."""
    made = None if part.scales is None else under_rules(system, part, part.scales)
    if made is None:
        return {}
    rows, tables = made
    return {
        rule: replace(rows, scores=np.column_stack([points[gold], points[given]]), points=points)
        for rule, points, (gold, given) in tables
    }
