"""The one door to an Estimate: a formula, the units behind its tally, and how to make intervals."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.defaults import MANY
from tallymark.inference import few_clusters
from tallymark.inference import interval as ends
from tallymark.inference.abc import abc_each
from tallymark.inference.bootstrap import jackknife, replicate
from tallymark.inference.formula import Analytic, Formula, Kind, Settings, divisor_of, name_of
from tallymark.inference.interval import ROUNDING
from tallymark.inference.joint_formulas import OnUnits, expand_each, values_each
from tallymark.inference.kinds import (
    NO_BOUND,
    NO_SPREAD,
    NO_WIDTH,
    IntervalEstimate,
    analytic_se,
    closed_form,
    curved,
    effective,
    few_carry,
    has_slopes,
    influences,
    over_clusters,
    resampled,
)
from tallymark.inference.shares import of_shares
from tallymark.inference.units import Units
from tallymark.results import Estimate

__all__ = ["Analytic", "Formula", "Kind", "Settings", "estimate", "estimate_all", "estimate_each"]
Way = Kind | Literal["clusters"]
"""How an interval is made: as can be asked for, or over few clusters."""
RANK_LIMIT = 100
RESAMPLED = ("abc", "bca", "percentile")
"""Ways that resample; ABC does so where a statistic is not smooth."""
UNWEIGHTED = ("se_null",)
"""Parts whose formulas take every response alike."""
NARROW = 1e-9
"""Relative to the value, or 1: what is solved step by step is no more exact."""
NO_INTERVAL = "no interval is known that holds this statistic's true value"


def estimate(
    formula: Formula, units: Units[Any], settings: Settings | None = None, *, key: int = 0
) -> Estimate:
    """Estimate one statistic with its interval."""
    return estimate_all([formula], units, settings, key=key)[0]


def estimate_all(
    formulas: Sequence[Formula],
    units: Units[Any],
    settings: Settings | None = None,
    *,
    key: int = 0,
) -> list[Estimate]:
    """Estimate several statistics of one tally; they share the resamples.

    ``key`` sets the random stream beside the seed, so that disjoint parts of the data
    are resampled independently of each other.
    """
    return estimate_each([OnUnits(formulas, units)], settings, keys=[key])[0]


def estimate_each(
    many: Sequence[OnUnits], settings: Settings | None = None, *, keys: Sequence[int]
) -> list[list[Estimate]]:
    """The same for statistics of several tallies; those of one shape take one go."""
    settings = settings or Settings()
    values = values_each(many)
    ways = [_ways(*on_units, row, settings) for on_units, row in zip(many, values, strict=True)]
    defined = [_defined(*on_units, row) for on_units, row in zip(many, values, strict=True)]
    smooth = [OnUnits([*filter(has_slopes, formulas)], units) for formulas, units in defined]
    expand_each(smooth, second=settings.interval in (None, "abc"))
    for chosen, divisors in _divisors(defined, settings).items():
        _keep_lows(divisors, estimate_each(divisors, chosen, keys=[0] * len(divisors)), chosen)
    curves = _without_draws(many, values, ways, settings)
    return [
        _estimates(formulas, units, row, row_of_ways, intervals, key, settings)
        for (formulas, units), row, row_of_ways, intervals, key in zip(
            many, values, ways, curves, keys, strict=True
        )
    ]


def _defined(formulas: Sequence[Formula], units: Units[Any], values: Sequence[float]) -> OnUnits:
    """Those that have a value."""
    pairs = zip(formulas, values, strict=True)
    return OnUnits([f for f, value in pairs if not math.isnan(value)], units)


def _estimates(
    formulas: Sequence[Formula],
    units: Units[Any],
    values: Sequence[float],
    ways: Sequence[Way | None],
    intervals: dict[int, IntervalEstimate],
    key: int,
    settings: Settings,
) -> list[Estimate]:
    if len(units.parts) > MANY and settings.interval is None:
        # what ABC cannot do has a normal interval: resamples of many parts would take too long
        ways = [
            "analytic" if way == "abc" and i not in intervals and formula.analytic else way
            for i, (formula, way) in enumerate(zip(formulas, ways, strict=True))
        ]
    draw = [i for i, way in enumerate(ways) if way in RESAMPLED and i not in intervals]
    intervals |= _with_draws(draw, formulas, values, ways, units, settings, key)
    defined = [i for i, value in enumerate(values) if not math.isnan(value)]
    moves = dict(zip(defined, influences([formulas[i] for i in defined], units), strict=True))
    return [
        _estimate(formulas[i], values[i], ways[i], units, settings, intervals.get(i), moves.get(i))
        for i in range(len(formulas))
    ]


def _without_draws(
    many: Sequence[OnUnits],
    values: Sequence[Sequence[float]],
    ways: Sequence[Sequence[Way | None]],
    settings: Settings,
) -> list[dict[int, IntervalEstimate]]:
    """Closed-form intervals of the smooth statistics that take one, by position."""
    indices = [[i for i, way in enumerate(row) if way == "abc"] for row in ways]
    smooth = [
        OnUnits([formulas[i] for i in row], units)
        for (formulas, units), row in zip(many, indices, strict=True)
    ]
    curves = abc_each(smooth, settings.level)
    return [
        {
            i: curved(row[i], curve, on_units.units)
            for i, curve in zip(positions, row_of_curves, strict=True)
            if not curve.why
        }
        for on_units, row, positions, row_of_curves in zip(
            many, values, indices, curves, strict=True
        )
    ]


def _ways(
    formulas: Sequence[Formula], units: Units[Any], values: Sequence[float], settings: Settings
) -> list[Way | None]:
    few = effective(units) < few_clusters.FEW
    pairs = zip(formulas, values, strict=True)
    return [_way(formula, value, units, settings, few=few) for formula, value in pairs]


def _way(
    formula: Formula, value: float, units: Units[Any], settings: Settings, *, few: bool
) -> Way | None:
    """Choose the interval: as asked, else the statistic's default; None where there is none."""
    if math.isnan(value):
        return None
    if formula.interval == "none" or (formula.thin and formula.thin(units.tally)):
        return "none"
    if settings.interval is not None:
        return settings.interval
    if few:
        return "clusters"
    if formula.ranks and units.width > RANK_LIMIT and formula.analytic:
        return "analytic"
    way: Way = formula.interval
    if way == "analytic" and formula.closed_form and units.worth is not None:
        way = "abc"
    if way == "wilson" and units.kind != "responses":
        way = "abc"
    if way == "abc" and formula.analytic is None:  # it has no derivative
        way = "bca"
    many = units.kind.startswith("shards")  # so many that a normal interval is as good
    return "analytic" if many and way == "bca" and formula.analytic else way


def _with_draws(
    indices: Sequence[int],
    formulas: Sequence[Formula],
    values: Sequence[float],
    ways: Sequence[Way | None],
    units: Units[Any],
    settings: Settings,
    key: int,
) -> dict[int, IntervalEstimate]:
    """Intervals from resamples, of the statistics that need them, by position."""
    if not indices:
        return {}
    functions = [formulas[i].value for i in indices]
    seed = (settings.seed, key)
    replicates = replicate(functions, units, replicates=settings.replicates, seed=seed)
    left_out = jackknife(functions, units)
    return {
        i: resampled(values[i], replicates[j], left_out[j], units, settings, wanted=ways[i])
        for j, i in enumerate(indices)
    }


def _estimate(
    formula: Formula,
    value: float,
    way: Way | None,
    units: Units[Any],
    settings: Settings,
    estimate: IntervalEstimate | None,
    moved: Floats | None,
) -> Estimate:
    se_analytic = math.nan if math.isnan(value) else analytic_se(formula, value, units, moved)
    if estimate is None:
        estimate = _by_formula(formula, value, way, units, settings, se_analytic, moved)
    width, without = estimate.high - estimate.low, ""
    if not math.isnan(estimate.low) and _boundless(formula, units, settings):
        without = NO_BOUND
    elif estimate.why != NO_WIDTH and width <= NARROW * max(1.0, abs(value)):
        without = NO_SPREAD
    few = few_carry(units.carriers, settings.level, units.kind) if formula.compares else ""
    if few or without:
        estimate = IntervalEstimate(
            method=estimate.method, why=few or without, parts=estimate.parts
        )
    interval = ends.Interval(estimate.low, estimate.high)
    if settings.interval != "analytic":  # which is given as its formula has it
        interval = ends.bounded(value, interval, formula.range)
    estimate, interval = _for_other_raters(formula, value, estimate, interval, units, settings)
    parts = formula.parts(units.tally) if formula.parts else {}
    if units.worth is not None:
        parts = {name: part for name, part in parts.items() if name not in UNWEIGHTED}
    return Estimate(
        key=formula.key,
        value=value,
        se=estimate.se,
        low=interval.low,
        high=interval.high,
        level=settings.level,
        n=units.n,
        method=estimate.method,
        why=_why(formula, value, units) or estimate.why,
        se_analytic=se_analytic,
        parts={**parts, **estimate.parts},
    )


def _for_other_raters(
    formula: Formula,
    value: float,
    estimate: IntervalEstimate,
    interval: ends.Interval,
    units: Units[Any],
    settings: Settings,
) -> tuple[IntervalEstimate, ends.Interval]:
    """The interval for raters like these, where they are a sample; that for these goes to the parts."""
    published = settings.interval == "analytic" and formula.closed_form is not None
    if formula.raters is None or published or math.isnan(interval.low):
        return estimate, interval
    raters = formula.raters(units.tally, settings.level)
    if math.isnan(raters.low):
        return estimate, interval
    these_raters = {f"these_raters_{end}": limit for end, limit in interval._asdict().items()}
    parts = {**estimate.parts, **these_raters, "rater_df": raters.df}
    method = f"{estimate.method}; for other raters: chi-squared limits, {raters.df:.1f} df"
    interval = ends.with_other_raters(value, interval, raters, formula.range)
    return replace(estimate, method=method, parts=parts), interval


def _by_formula(
    formula: Formula,
    value: float,
    way: Way | None,
    units: Units[Any],
    settings: Settings,
    se: float,
    moved: Floats | None,
) -> IntervalEstimate:
    if way == "clusters":
        return over_clusters(formula, value, units, settings.level, moved)
    if way == "wilson":
        return of_shares(formula, value, se, units, settings.level)
    if way == "none":
        return IntervalEstimate(why=formula.thin(units.tally) if formula.thin else NO_INTERVAL)
    if way == "analytic":
        estimate = closed_form(formula, value, se, units, settings.level, moved)
        if settings.interval is None and (estimate.se == 0 or estimate.why == NO_WIDTH):
            return IntervalEstimate(se=0.0, method=estimate.method, why=NO_WIDTH)
        return estimate
    return IntervalEstimate()


def _why(formula: Formula, value: float, units: Units[Any]) -> str:
    if not math.isnan(value):
        return ""
    paired = np.max(getattr(units.tally, "paired", units.n), initial=0)
    return formula.reason(units.tally) if paired else "no response has both scores"


def _divisors(many: Sequence[OnUnits], settings: Settings) -> dict[Settings, list[OnUnits]]:
    """What statistics are divided by, in all parts, where it was not estimated yet."""
    divisors: dict[Settings, list[OnUnits]] = {}
    for (formulas, units), chosen in _with_parts(many, settings):
        of_formulas = [divisor_of(f) for f in formulas if f.divisor and not f.joint]
        new = [d for d in of_formulas if (name_of(d, "low"), chosen) not in units.kept]
        if new:
            divisors.setdefault(chosen, []).append(OnUnits(new, units))
    return divisors


def _keep_lows(
    divisors: Sequence[OnUnits], estimates: Sequence[Sequence[Estimate]], settings: Settings
) -> None:
    """Keep with the units how low what statistics are divided by may be."""
    for (formulas, units), row in zip(divisors, estimates, strict=True):
        for formula, divisor in zip(formulas, row, strict=True):
            units.kept[name_of(formula, "low"), settings] = divisor.low


def _boundless(formula: Formula, units: Units[Any], settings: Settings) -> bool:
    """Whether the interval of what the statistic is divided by, in some part, reaches 0."""
    if formula.joint is not None:
        settings = _of_parts(units, settings)
        return any(
            _boundless(formula.joint.formula(i), part, settings)
            for i, part in enumerate(units.parts)
        )
    if formula.divisor is None:
        return False
    low: float = units.kept[name_of(divisor_of(formula), "low"), settings]
    return low <= ROUNDING


def _with_parts(many: Sequence[OnUnits], settings: Settings) -> Iterator[tuple[OnUnits, Settings]]:
    """The statistics of all units, and of parts those that functions of several rest on."""
    for formulas, units in many:
        yield OnUnits(formulas, units), settings
        joint = [formula.joint for formula in formulas if formula.joint is not None]
        for i, part in enumerate(units.parts if joint else ()):
            of_part = OnUnits([function.formula(i) for function in joint], part)
            yield from _with_parts([of_part], _of_parts(units, settings))


def _of_parts(units: Units[Any], settings: Settings) -> Settings:
    """How divisors of parts are estimated: of many, without ABC."""
    many = len(units.parts) > MANY and settings.interval is None
    return replace(settings, interval="analytic") if many else settings
