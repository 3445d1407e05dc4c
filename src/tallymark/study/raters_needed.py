"""How many raters are needed: one computation, whoever is asked.

The components of responses, raters and error of a part of the data make the reliability Phi of
the mean of so many ratings. With several traits or prompts, so many are needed that the mean of
their Phi reaches the target.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue.row import POSITIVE, PROPORTION
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.interval import OtherRaters
from tallymark.reliability import generalizability as g
from tallymark.reliability.absorbed import AbsorbedSums, absorb, absorbed, rater_limits
from tallymark.reliability.assignment import Assignment
from tallymark.results import Estimate
from tallymark.study.average import averaged, joint
from tallymark.study.parts import People
from tallymark.study.units import Rows, summed
from tallymark.tally import OneWay
from tallymark.tally.crossed import CrossedSums

COEFFICIENTS = ("generalizability", "dependability")
TARGETS = (0.8, 0.9)
LONGEST = 20
"""Raters at the end of the curves of reliability."""
RATERS = np.arange(1, LONGEST + 1)
MOST_CROSSED = 1000
"""Of more raters than this each is taken as one who reads a response of their own."""
ALIKE = "responses do not differ more than their ratings do"
ONCE = "too few responses were rated twice"
T_INTERVAL: dict[str, Any] = {"interval": "analytic", "analytic": "t", "ddof": 1}
"""A response drawn twice repeats its errors, which the bootstrap takes for severity: with few
responses a rater it covered .60 for .95 (rater, residual), this interval .96."""


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


def read_once(sums: NDArray[Any]) -> DStudy:
    """Severity and the rest, where every response was read once."""
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


def nested(sums: NDArray[Any]) -> DStudy:
    """Components as if every response had raters of its own."""
    return DStudy(g.raters_within_responses(OneWay(sums)))


def for_others(formula: Formula, *, complete: bool = False) -> Formula:
    """The same for other raters like these, where it depends on severity and raters are known."""
    of = {formula.name, *formula.params.values()}
    if not of & {"crossed", "once"} or not of & {"dependability", "sem_absolute", "rater"}:
        return formula
    return replace(formula, raters=partial(_other_raters, value=formula.value, complete=complete))


def _needed(study: DStudy, *, target: float, absolute: bool) -> Any:
    return g.raters_needed(study.parts, target=target, absolute=absolute)


def at(name: str, design: str, raters: int) -> Formula:
    """A coefficient, or standard error, of the mean of so many ratings."""
    coefficient = name in COEFFICIENTS
    return for_others(
        Formula(
            name=name,
            params={"design": design, "raters": raters},
            value=lambda study: getattr(study, name)[..., raters - 1],
            undefined=ALIKE if coefficient else ONCE,
            range=PROPORTION if coefficient else POSITIVE,
            **({} if coefficient else T_INTERVAL),
        )
    )


def mean_over(formula: Formula, over: str) -> Formula:
    """The mean over parts; of raters needed, so many that the mean coefficient reaches the target."""
    if formula.name != "raters_needed":
        return averaged(formula, over=over)
    solve = partial(g.raters_for_mean, target=float(formula.params["target"]))
    return averaged(formula, over=over, mean=solve)


def needed(design: str, of: str, target: float) -> Formula:
    """How many raters a coefficient takes to reach a target."""
    value = partial(_needed, target=target, absolute=of == "dependability")
    params = {"design": design, "of": of, "target": target}
    made = Formula(
        name="raters_needed", params=params, value=value, undefined=ALIKE, range=POSITIVE
    )
    return for_others(made)


def needs(
    each: Sequence[People],
    settings: Settings,
    key: int,
    *,
    over: str = "",
    targets: Sequence[float] = TARGETS,
) -> list[Estimate]:
    """Phi of one rating and the raters needed for each target, in one part or as a mean over several.

    Raters are crossed with responses where that tells their severity, else as if every response
    had raters of its own.
    """
    rows = [rated_rows(people) for people in each]
    known = [of_part for of_part in rows if of_part.twice.any()]
    if not known:
        return []
    estimates: list[Estimate] = []
    for design, units_of in (("crossed", _known_raters), ("nested", unknown_raters)):
        units = [units_of(of_part) for of_part in known]
        if None in units:
            continue
        formulas = [at("dependability", design, 1)]
        formulas += [needed(design, "dependability", target) for target in targets]
        if over:
            formulas = [mean_over(formula, over) for formula in formulas]
        of = joint([u for u in units if u is not None]) if over else units[0]
        if of is not None:
            estimates = estimate_all(formulas, of, settings, key=key)
        if not math.isnan(estimates[0].value):
            break
    return [replace(estimate, score="human") for estimate in estimates]


def rated_rows(people: People) -> Rows:
    """The ratings that tell of raters: those of adjudicators were asked for because others differ."""
    return people.without_adjudicators().rows.rated().distinct()


def _known_raters(rows: Rows) -> Units[DStudy] | None:
    """Raters crossed with responses; None where weights or the number of raters forbid that."""
    if rows.weights is not None or rows.scores.shape[1] > MOST_CROSSED:
        return None
    return crossed_units(rows)[0]


def unknown_raters(rows: Rows) -> Units[DStudy]:
    """Responses as what they add to components if every response had raters of its own."""
    unnamed = rows.distinct(named=False)
    values = OneWay.rows(unnamed.scores - float(np.nanmean(rows.scores)))
    return summed(unnamed, values, nested)


def needed_in(numbers: Mapping[Any, Estimate]) -> Iterator[tuple[float, Estimate]]:
    """The targets of Phi with the raters they take, as they were computed."""
    for design in ("crossed", "nested"):
        known = {
            float(e.params["target"]): e
            for e in numbers.values()
            if e.name == "raters_needed"
            and (e.params["design"], e.params["of"]) == (design, "dependability")
            and not math.isnan(e.value)
        }
        if known:
            yield from known.items()
            return
