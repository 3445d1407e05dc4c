"""Ceilings: how reliable are people, what is attainable, and where does each system stand?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from tallymark.errors import DataError, OptionError
from tallymark.evaluation.asked import Asked
from tallymark.evaluation.ceilings.by_model import other_models
from tallymark.evaluation.ceilings.findings import ceiling_findings
from tallymark.evaluation.ceilings.formulas import rung_estimates
from tallymark.evaluation.ceilings.rungs import rungs_of
from tallymark.evaluation.ceilings.shared_error import sensitivity
from tallymark.evaluation.ceilings.standing import reference_standing, system_standing
from tallymark.evaluation.ceilings.told_apart import model_table
from tallymark.evaluation.collected import collected
from tallymark.evaluation.measured import Found, subset_of
from tallymark.evaluation.plan import Progress
from tallymark.evaluation.pooled import pooled, without_needs
from tallymark.inference import Settings
from tallymark.results import CEILING, PEOPLE, Evaluation, published, system_called
from tallymark.sources import Scores
from tallymark.study.gold import in_order
from tallymark.study.keywords import CeilingKeywords
from tallymark.study.parts import Part, parts_of
from tallymark.study.reading import Outcome, noted, read, settings_of
from tallymark.study.request import Request, takes


@takes("ceiling")
def ceiling(
    source: object, *, progress: Progress | None = None, **asked: Unpack[CeilingKeywords]
) -> Evaluation:
    """Say what agreement with these people is attainable; no system is needed.

    Two ratings of some responses are. With a ``gold`` column it is found out how the gold was
    made; ``references`` are published numbers to be placed among the ceilings.
    """
    return ceiling_asked(source, Request.of("ceiling", asked), progress=progress).evaluation


def ceiling_asked(source: object, request: Request, *, progress: Progress | None = None) -> Outcome:
    """Say what is attainable, as a request asks."""
    settings, given = settings_of(request), checked_references(request.references or {})
    scores = read(source, request, people_only=True)
    found = ceilings_of_scores(
        scores, settings, references=given, cross=request.cross, progress=progress
    )
    return Outcome(noted(found, request), scores.excluded)


def ceilings_of_scores(
    scores: Scores,
    settings: Settings,
    *,
    references: Mapping[str, float] | None = None,
    cross: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """Say what is attainable where scores were read already."""
    parts = [part for part in parts_of(scores, cross=cross) if not part.many]
    if len(scores.humans) < 2:
        raise DataError(
            f"{scores.facts.name} has one rater, {scores.humans[0]}; a ceiling needs two ratings of "
            "some responses, because rater error shows only where raters can differ. Name a second "
            "one with --human."
        )
    given = checked_references(references or {})
    found: list[Found] = []
    for i, part in enumerate(parts):
        if progress:
            progress(i, len(parts))
        found.extend(part_ceilings(scores, part, settings, given))
    if progress:
        progress(len(parts), len(parts))
    kept = replace(scores, options={**scores.options, **({"references": given} if given else {})})
    findings = ceiling_findings(found)
    return collected(kept, settings, Asked(cross=cross), found, kind="ceiling", findings=findings)


def ceilings(scores: Scores, parts: Sequence[Part], settings: Settings) -> list[Found]:
    """Ceilings of all responses and of each prompt and trait, and where each system stands.

    F-based limits are left to ``ceiling``: their quantiles take SciPy, half the time of a short run.
    """
    return [
        one
        for part in parts
        if not part.many and set(part.where) <= {"prompt", "trait"}
        for one in part_ceilings(scores, part, settings, f_based=False)
    ]


def part_ceilings(
    scores: Scores,
    part: Part,
    settings: Settings,
    references: Mapping[str, float] | None = None,
    *,
    f_based: bool = True,
) -> Iterator[Found]:
    """Yield the ceilings of one part of the data, then the place of each system and reference."""
    people = part.people
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
    yield Found(subset, [*estimates, *made.estimates(settings.level)], [], curves, (model,))
    for system in scores.roles.systems:
        given = scores.patterns.scores[f"system:{system}"][part.rows]
        if np.isnan(given).all():
            continue
        n, estimates = system_standing(scores, system, part, rungs, settings)
        if estimates:
            yield Found(subset_of(part, system_called(system), n=n, against=CEILING), estimates, [])
    for name, value in (references or {}).items():
        estimates = reference_standing(value, rungs, settings, part.label)
        yield Found(subset_of(part, published(name), n=n, against=CEILING), estimates, [])


def checked_references(given: Mapping[str, float]) -> dict[str, float]:
    """Refuse published numbers that no coefficient can have."""
    for name, value in given.items():
        if not -1 <= value <= 1:
            raise OptionError(
                f"a reference is a coefficient between -1 and 1, got {name}={value:g}; write "
                f"{name}=.856 for .856"
            )
    return dict(given)
