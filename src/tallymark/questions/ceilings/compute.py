"""Ceilings of one part of the data after the other, and the place of each system among them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tallymark.inference import Settings
from tallymark.questions.ceilings.by_model import model_table, other_models
from tallymark.questions.ceilings.findings import about_people, above_ceiling
from tallymark.questions.ceilings.formulas import rung_estimates
from tallymark.questions.ceilings.rungs import rungs_of
from tallymark.questions.ceilings.shared_error import sensitivity
from tallymark.questions.ceilings.standing import reference_standing, system_standing
from tallymark.results import CEILING, PEOPLE, Estimate, Scorer, published, system_called
from tallymark.study.gold import in_order
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part, pooled, without_needs


def ceilings(parts: Sequence[Part], settings: Settings) -> list[SubsetResults]:
    """Ceilings of all responses and of each prompt and trait, and where each system stands.

    F-based limits are left to ``ceiling``: their quantiles take SciPy, half the time of a short run.
    """
    return [
        results
        for part in parts
        if not part.many and set(part.where) <= {"prompt", "trait"}
        for results in part_ceilings(part, settings, f_based=False)
    ]


def part_ceilings(
    part: Part,
    settings: Settings,
    references: Mapping[str, float] | None = None,
    *,
    f_based: bool = True,
) -> Iterator[SubsetResults]:
    """Yield the ceilings of one part of the data, then the place of each system and reference."""
    scores, people = part.scores, part.people
    if people is None or not people.rows.twice.any():
        return
    made = part.gold
    slots = scores.facts.layout == "slots" and made.rule == "first"
    slots = slots and not in_order(part)
    rungs = rungs_of(people, made.rule, made.adjacency, slots=slots)
    rungs = replace(rungs, f_based=f_based)
    n = int(rungs.people.rows.rated().counts.sum())
    subset = subset_of(part, PEOPLE, n=n, against=CEILING)
    estimates = rung_estimates(rungs, settings, part.label)
    if (f_based or not part.where) and not scores.weighted:
        estimates += other_models(rungs, settings, part.label, refit=f_based)
    top = next(e for e in estimates if e.text == "ceiling_theoretical[mean]")
    curves, model = sensitivity(rungs, top), model_table(rungs)
    estimates = without_needs(estimates) if pooled(scores, part) else estimates
    of_people = [*estimates, *made.estimates(settings.level)]
    findings = about_people(of_people, n, everyone=not part.where)
    yield SubsetResults(subset, of_people, [], curves, (model,), tuple(findings))
    for system in scores.roles.systems:
        given = scores.patterns.scores[f"system:{system}"][part.rows]
        if np.isnan(given).all():
            continue
        n, estimates = system_standing(system, part, rungs, settings)
        if estimates:
            yield _placed(part, system_called(system), n, estimates, of_people)
    for name, value in (references or {}).items():
        estimates = reference_standing(value, rungs, settings, part.label)
        yield _placed(part, published(name), n, estimates, of_people)


def _placed(
    part: Part, scorer: Scorer, n: int, estimates: list[Estimate], people: Sequence[Estimate]
) -> SubsetResults:
    """A system or a published number among the ceilings of a part of the data."""
    subset = subset_of(part, scorer, n=n, against=CEILING)
    above = tuple(above_ceiling(scorer.name, estimates, people))
    return SubsetResults(subset, estimates, [], findings=above)
