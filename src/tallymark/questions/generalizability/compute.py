"""G-study and D-study: where the variance of ratings comes from, and how many raters are enough."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.questions.generalizability.candidates import component, with_prompts
from tallymark.reliability import generalizability as g
from tallymark.results import GSTUDY, PEOPLE, Curve, Estimate
from tallymark.sources import Scores
from tallymark.study.average import average_subset, joint
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.models import assignment_estimates
from tallymark.study.parts import FACETS, Part, pooled, without_needs
from tallymark.study.raters_needed import (
    COEFFICIENTS,
    LONGEST,
    RATERS,
    TARGETS,
    at,
    crossed_units,
    for_others,
    mean_over,
    needed,
    rated_rows,
    read_once,
    unknown_raters,
)
from tallymark.study.units import Rows, summed
from tallymark.tally.crossed import CrossedSums

TABLE = (1, 2, 3, 4, 6, 8, 10)
"""Numbers of raters in the D-study."""
ONCE_PARTS = ("rater", "residual")
IN_POINTS = ("variance_component", "sem_relative", "sem_absolute")
"""What has no mean over scales that differ."""


def gstudy(scores: Scores, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield variance components and coefficients of the raters on a part of the data."""
    people = part.people
    if people is None or part.many or any(key.startswith("group:") for key in part.where):
        return
    rows = rated_rows(people)
    if not rows.counts.size:
        return
    estimates, curves = _of_raters(rows, settings, stream_of(part.label))
    if pooled(scores, part):
        estimates = without_needs(estimates)
    if not part.where:
        estimates += with_prompts(scores, people, settings)
    subset = subset_of(part, PEOPLE, n=int(rows.counts.sum()), against=GSTUDY)
    yield SubsetResults(subset, [replace(e, score="human") for e in estimates], [], tuple(curves))


def _of_raters(rows: Rows, settings: Settings, key: int) -> tuple[list[Estimate], list[Curve]]:
    """Raters crossed with responses, then as if they were unknown; or responses read once."""
    if not rows.twice.any():
        values = CrossedSums.rows(rows.scores - float(np.nanmean(rows.scores)))
        formulas = [for_others(component("once", name), complete=True) for name in ONCE_PARTS]
        return estimate_all(formulas, summed(rows, values, read_once), settings, key=key), []
    units, assignment = crossed_units(rows)
    known, curves = crossed(units, settings, key)
    known += assignment_estimates(assignment, rows, settings)
    formulas = _formulas("nested", ("response", "residual"))
    nested = estimate_all(formulas, unknown_raters(rows), settings, key=key)
    return [*known, *nested], curves


_ERRORS = ("sem_relative", "sem_absolute")


_ABSOLUTE = {"dependability", "sem_absolute"}


def _formulas(design: str, components: Sequence[str]) -> list[Formula]:
    formulas = [for_others(component(design, name), complete=True) for name in components]
    # without known raters severity cannot be set aside
    kept = _ABSOLUTE if design == "nested" else {*COEFFICIENTS, *_ERRORS}
    for raters in TABLE:
        for name in (*COEFFICIENTS, *_ERRORS):
            formulas += [at(name, design, raters)] if name in kept else []
    for name in COEFFICIENTS:
        formulas += [needed(design, name, target) for target in TARGETS if name in kept]
    return formulas


def crossed(
    units: Units[Any], settings: Settings, key: int, *, over: str | None = None
) -> tuple[list[Estimate], list[Curve]]:
    """Components, coefficients and their curves along the number of raters, in one resampling.

    ``over`` says what units of several parts are averaged over.
    """
    formulas = _formulas("crossed", g.Components._fields)
    along = [at(name, "crossed", n) for name in COEFFICIENTS for n in RATERS.tolist()]
    every = {formula.key: formula for formula in (*formulas, *along)}
    if over is not None:
        every = {text: mean_over(formula, over) for text, formula in every.items()}
    estimates = dict(
        zip(every, estimate_all([*every.values()], units, settings, key=key), strict=True)
    )
    points = [estimates[formula.key] for formula in along]
    starts = range(0, len(points), LONGEST)
    curves = [_curve(points[i : i + LONGEST]) for i in starts]
    return [estimates[formula.key] for formula in formulas], curves


def _curve(points: Sequence[Estimate]) -> Curve:
    name = points[0].name
    return Curve(
        name=name,
        subset=-1,
        x_title="raters",
        y_title=name,
        x=tuple(float(e.params["raters"]) for e in points),
        y=tuple(e.value for e in points),
        low=tuple(e.low for e in points),
        high=tuple(e.high for e in points),
    )


def gstudy_averages(
    scores: Scores, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield the mean over prompts or traits of components and coefficients within each."""
    for key in FACETS:
        over = [part for part in parts if set(part.where) == {key}]
        people = [part.people for part in over]
        rows = [rated_rows(raters) for raters in people if raters is not None]
        rows = [of_part for of_part in rows if of_part.twice.any()]
        if len(rows) < 2:
            continue
        label = f"average:{key}"
        units = joint([crossed_units(of_part)[0] for of_part in rows])
        estimates, curves = crossed(units, settings, stream_of(label), over=key)
        if any(pooled(scores, part) for part in over):
            estimates = without_needs(estimates)
        if len({raters.scale for raters in people if raters is not None}) > 1:
            estimates = [e for e in estimates if e.name not in IN_POINTS]
        sizes = [int(of_part.counts.sum()) for of_part in rows]
        subset = average_subset(PEOPLE, GSTUDY, key, sizes)
        estimates = [replace(estimate, score="human") for estimate in estimates]
        yield SubsetResults(subset, estimates, [], tuple(curves))
