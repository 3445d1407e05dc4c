"""G-study and D-study: where the variance of ratings comes from, and how many raters are enough."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue.row import POSITIVE, PROPORTION
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.interval import OtherRaters
from tallymark.questions.generalizability.candidates import (
    ANALYTIC,
    COEFFICIENTS,
    ONCE,
    component,
    with_prompts,
)
from tallymark.reliability import generalizability as g
from tallymark.reliability.absorbed import AbsorbedSums, absorb, absorbed, rater_limits
from tallymark.reliability.assignment import Assignment
from tallymark.results import GSTUDY, PEOPLE, Curve, Estimate
from tallymark.sources import Scores
from tallymark.study.average import average_subset, averaged, joint
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.models import assignment_estimates
from tallymark.study.parts import FACETS, Part, pooled, without_needs
from tallymark.study.units import Rows, summed
from tallymark.tally import OneWay
from tallymark.tally.crossed import CrossedSums

TABLE = (1, 2, 3, 4, 6, 8, 10)
"""Numbers of raters in the D-study."""
LONGEST = 20
"""Raters at the end of its curve."""
RATERS = np.arange(1, LONGEST + 1)
TARGETS = (0.8, 0.9)
ALIKE = "responses do not differ more than their ratings do"
ONCE_PARTS = ("rater", "residual")
IN_POINTS = ("variance_component", "sem_relative", "sem_absolute")
"""What has no mean over scales that differ."""


def gstudy(scores: Scores, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield variance components and coefficients of the raters on a part of the data."""
    people = part.people
    if people is None or part.many or any(key.startswith("group:") for key in part.where):
        return
    rows = people.rows.rated().distinct()
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
    center = float(np.nanmean(rows.scores))
    if not rows.twice.any():
        values = CrossedSums.rows(rows.scores - center)
        formulas = [_like_these(component("once", name), complete=True) for name in ONCE_PARTS]
        return estimate_all(formulas, summed(rows, values, _once), settings, key=key), []
    units, assignment = crossed_units(rows)
    known, curves = crossed(units, settings, key)
    known += assignment_estimates(assignment, rows, settings)
    unnamed = rows.distinct(named=False)
    units = summed(unnamed, OneWay.rows(unnamed.scores - center), _nested)
    nested = estimate_all(_formulas("nested", ("response", "residual")), units, settings, key=key)
    return [*known, *nested], curves


class DStudy(Struct, frozen=True, dict=True):
    """Components and what they make of 1, 2 and so on raters, on the last axis."""

    parts: g.Components
    severity: Callable[[float], tuple[float, float, float]] = lambda _: (math.nan,) * 3

    def __getattr__(self, component: str) -> Any:
        """A component by its name."""
        return getattr(self.parts, component)

    @cached_property
    def _each(self) -> g.Components:
        return g.Components(*(np.asarray(part)[..., None] for part in self.parts))

    @cached_property
    def generalizability(self) -> Any:
        """Of the mean of this many ratings."""
        return g.generalizability(self._each, raters=RATERS)

    @cached_property
    def dependability(self) -> Any:
        """Of the mean of this many ratings."""
        return g.dependability(self._each, raters=RATERS)

    @cached_property
    def sem_relative(self) -> Any:
        """Of the mean of this many ratings."""
        return g.sem_relative(self._each, raters=RATERS)

    @cached_property
    def sem_absolute(self) -> Any:
        """Of the mean of this many ratings."""
        return g.sem_absolute(self._each, raters=RATERS)


def crossed_units(rows: Rows) -> tuple[Units[DStudy], Assignment]:
    """Responses as what they add to the components of responses, raters and error."""
    absorbing = absorb(rows.scores, rows.counts, rows.clusters)
    units = summed(rows, absorbing.rows, lambda sums: _crossed(absorbing.tally(sums)))
    shape = ("crossed", absorbing.effects, absorbing.noise, absorbing.squared)
    return replace(units, shape=shape), absorbing.assignment


def _crossed(tally: AbsorbedSums) -> DStudy:
    return DStudy(absorbed(tally), partial(rater_limits, tally))


def _once(sums: NDArray[Any]) -> DStudy:
    tally = CrossedSums(sums)
    return DStudy(g.responses_within_raters(tally), partial(g.limits_read_once, tally))


def _other_raters(
    study: DStudy, level: float, *, value: Callable[[DStudy], Any], complete: bool = False
) -> OtherRaters:
    """A statistic at the limits that the variance of severity has among raters like these."""
    least, most, df = study.severity(level)
    at = (DStudy(study.parts._replace(rater=np.array(end))) for end in (least, most))
    first, last = (float(value(study)) for study in at)
    return OtherRaters(min(first, last), max(first, last), df, complete)


def _nested(sums: NDArray[Any]) -> DStudy:
    return DStudy(g.raters_within_responses(OneWay(sums)))


_ERRORS = ("sem_relative", "sem_absolute")


_ABSOLUTE = {"dependability", "sem_absolute"}


def _formulas(design: str, components: Sequence[str]) -> list[Formula]:
    formulas = [_like_these(component(design, name), complete=True) for name in components]
    # without known raters severity cannot be set aside
    kept = _ABSOLUTE if design == "nested" else {*COEFFICIENTS, *_ERRORS}
    for raters in TABLE:
        for name in (*COEFFICIENTS, *_ERRORS):
            formulas += [_at(name, design, raters)] if name in kept else []
    for name in [coefficient for coefficient in COEFFICIENTS if coefficient in kept]:
        for target in TARGETS:
            absolute = name == "dependability"
            formulas.append(
                _like_these(
                    Formula(
                        name="raters_needed",
                        params={"design": design, "of": name, "target": target},
                        value=partial(_needed, target=target, absolute=absolute),
                        undefined=ALIKE,
                        range=POSITIVE,
                    )
                )
            )
    return formulas


def _like_these(formula: Formula, *, complete: bool = False) -> Formula:
    """The same for other raters like these, where it depends on severity and raters are known."""
    of = {formula.name, *formula.params.values()}
    if not of & {"crossed", "once"} or not of & {"dependability", "sem_absolute", "rater"}:
        return formula
    return replace(formula, raters=partial(_other_raters, value=formula.value, complete=complete))


def _needed(study: DStudy, *, target: float, absolute: bool) -> Any:
    return g.raters_needed(study.parts, target=target, absolute=absolute)


def _at(name: str, design: str, raters: int) -> Formula:
    coefficient = name in COEFFICIENTS
    return _like_these(
        Formula(
            name=name,
            params={"design": design, "raters": raters},
            value=lambda study: getattr(study, name)[..., raters - 1],
            undefined=ALIKE if coefficient else ONCE,
            range=PROPORTION if coefficient else POSITIVE,
            **({} if coefficient else ANALYTIC),
        )
    )


def crossed(
    units: Units[Any], settings: Settings, key: int, *, over: str | None = None
) -> tuple[list[Estimate], list[Curve]]:
    """Components, coefficients and their curves along the number of raters, in one resampling.

    ``over`` says what units of several parts are averaged over.
    """
    formulas = _formulas("crossed", g.Components._fields)
    along = [_at(name, "crossed", n) for name in COEFFICIENTS for n in RATERS.tolist()]
    every = {formula.key: formula for formula in (*formulas, *along)}
    if over is not None:
        every = {text: averaged(formula, over=over) for text, formula in every.items()}
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
        rows = [
            raters.rows.rated().distinct()
            for raters in people
            if raters and raters.rows.twice.any()
        ]
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
