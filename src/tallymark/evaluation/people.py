"""People: how raters agree with each other, and whether a system agrees with them as well."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import texts
from tallymark.evaluation.measured import Found, estimate_by_tally, subset_of, units_by_tally
from tallymark.evaluation.panel import panel_estimates
from tallymark.evaluation.plan import formulas_for
from tallymark.inference import Settings
from tallymark.reliability.adjudicators import adjudicators
from tallymark.results import AMONG_PEOPLE, PEOPLE, Comparison, Kind, rater_called, system_called
from tallymark.scale import Scale
from tallymark.sources import Scores
from tallymark.study.parts import Part, People

Floats = NDArray[np.float64]
MANY_RATERS = 12
"""Of more raters than this the pairs are not reported one by one."""


def people_agree(part: Part, settings: Settings) -> Iterator[Found]:
    """Yield the agreement of the raters as a panel, then of every two of them."""
    people = part.people
    if people is None:
        return
    people = people.told_once()
    rated = people.rows.where(np.asarray(~np.isnan(people.rows.scores).all(axis=1)))
    n = int(rated.counts.sum())
    grouped = any(key.startswith("group:") for key in part.where)
    names = texts("panel_by_part") if part.many or grouped else texts("panel")
    estimates = panel_estimates(
        names, people.rows, settings, part.label, continuous=people.scale.continuous
    )
    yield Found(subset_of(part, PEOPLE, n=n, against=AMONG_PEOPLE), estimates, [])
    if part.many or grouped or len(people.names) > MANY_RATERS:
        return
    for first, second in combinations(range(len(people.names)), 2):
        pair = replace(rated, scores=rated.scores[:, [first, second]]).complete()
        if pair.counts.size:
            formulas = formulas_for(people.scale, texts("by_part"), lambda_=part.lambda_)
            one, other = (people.names[rater] for rater in (second, first))
            against = Comparison(Kind.RATER, other)
            subset = subset_of(part, rater_called(one), n=int(pair.counts.sum()), against=against)
            units = units_by_tally(formulas, pair)
            yield Found(subset, estimate_by_tally(formulas, units, settings, part.label), [])


def against_each_rater(
    scores: Scores, system: str, part: Part, settings: Settings
) -> Iterator[Found]:
    """Yield the system against every single rater, on the responses both scored."""
    people, scales = part.people, part.scales
    if people is None or scales is None or len(people.names) > MANY_RATERS:
        return
    if scale_ends(scales[0]) != scale_ends(scales[1]):
        return
    given = scores.patterns.scores[f"system:{system}"][part.rows]
    formulas = formulas_for(people.scale, texts("by_part"), lambda_=part.lambda_)
    for rater, name in enumerate(people.names):
        both = np.stack([people.rows.scores[:, rater], given], axis=1)
        pair = replace(people.rows, scores=both).complete()
        if pair.counts.size:
            units = units_by_tally(formulas, pair)
            estimates = estimate_by_tally(formulas, units, settings, part.label)
            against = Comparison(Kind.RATER, name)
            subset = subset_of(
                part, system_called(system), n=int(pair.counts.sum()), against=against
            )
            yield Found(subset, estimates, [])


def about_adjudicators(people: People | None) -> list[str]:
    """Say which raters were asked only because the others disagreed."""
    if people is None:
        return []
    return [
        f"{people.names[rater]} rated only responses on which the other raters differ, as an "
        "adjudicator does: left out where a system is compared with people; agreement of all "
        "raters together is lowered by it"
        for rater in adjudicators(people.rows.scores, people.rows.counts)
    ]


def scale_ends(scale: Scale) -> tuple[float, float]:
    """The lowest and the highest point."""
    return scale.low, scale.high
