"""People: how raters agree with each other, and whether a system agrees with them as well."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import texts
from tallymark.defaults import MANY_RATERS
from tallymark.inference import Settings
from tallymark.questions.people.alt_test import alt_tests
from tallymark.results import Comparison, Finding, Kind, rater_called, system_called
from tallymark.study.formulas import formulas_for
from tallymark.study.measured import SubsetResults, estimate_by_tally, subset_of, units_by_tally
from tallymark.study.panel import panel_of
from tallymark.study.parts import Part, People

Floats = NDArray[np.float64]


def people_agree(part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield the agreement of the raters as a panel, then of every two of them."""
    if part.people is None:
        return
    people = part.people.told_once()
    yield panel_of(part, people, settings)._replace(tables=alt_tests(part))
    if part.many or part.grouped or len(people.names) > MANY_RATERS:
        return
    rated = people.rows.rated()
    for first, second in combinations(range(len(people.names)), 2):
        pair = replace(rated, scores=rated.scores[:, [first, second]]).complete()
        if pair.counts.size:
            formulas = formulas_for(people.scale, texts("by_part"), lambda_=part.lambda_)
            name, other = (people.names[rater] for rater in (second, first))
            against = Comparison(Kind.RATER, other)
            subset = subset_of(part, rater_called(name), n=int(pair.counts.sum()), against=against)
            units = units_by_tally(formulas, pair)
            yield SubsetResults(
                subset, estimate_by_tally(formulas, units, settings, part.label), []
            )


def against_each_rater(system: str, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield the system against every single rater, on the responses both scored."""
    people, scales = part.people, part.scales
    if people is None or scales is None or len(people.names) > MANY_RATERS:
        return
    if scales[0].ends != scales[1].ends:
        return
    given = part.scores.patterns.scores[f"system:{system}"][part.rows]
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
            yield SubsetResults(subset, estimates, [])


def about_adjudicators(people: People | None) -> list[Finding]:
    """Find the raters who were asked only because the others disagreed."""
    names = [] if people is None else [people.names[rater] for rater in people.adjudicators]
    return [Finding(name="adjudicator", texts={"rater": name}, weight="note") for name in names]
