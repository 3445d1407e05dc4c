"""The one door to an Estimate: a formula, the units behind its tally, and how to make intervals."""

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.defaults import MANY
from tallymark.inference import few_clusters
from tallymark.inference import interval as ends
from tallymark.inference.abc import abc_each
from tallymark.inference.bootstrap import jackknife, replicate
from tallymark.inference.divisors import boundless, divisors_of, keep
from tallymark.inference.formula import Analytic, Formula, Kind, Settings
from tallymark.inference.joining import OnUnits, expand_each, values_each
from tallymark.inference.making import (
    NO_BOUND,
    NO_SPREAD,
    NO_WIDTH,
    Made,
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
    ways = [_ways(*asked, of_asked, settings) for asked, of_asked in zip(many, values, strict=True)]
    known = [_defined(*asked, of) for asked, of in zip(many, values, strict=True)]
    smooth = [OnUnits([*filter(has_slopes, formulas)], units) for formulas, units in known]
    expand_each(smooth, second=settings.interval in (None, "abc"))
    for chosen, divisors in divisors_of(known, settings).items():
        keep(divisors, estimate_each(divisors, chosen, keys=[0] * len(divisors)), chosen)
    curves = _without_draws(many, values, ways, settings)
    each = zip(many, values, ways, curves, keys, strict=True)
    return [
        _estimates(*asked, known, way, made, key, settings) for asked, known, way, made, key in each
    ]


def _defined(formulas: Sequence[Formula], units: Units[Any], values: Sequence[float]) -> OnUnits:
    """Those that have a value."""
    known = zip(formulas, values, strict=True)
    return OnUnits([f for f, value in known if not math.isnan(value)], units)


def _estimates(
    formulas: Sequence[Formula],
    units: Units[Any],
    values: Sequence[float],
    ways: Sequence[Way | None],
    made: dict[int, Made],
    key: int,
    settings: Settings,
) -> list[Estimate]:
    if len(units.parts) > MANY and settings.interval is None:
        ways = [
            _spared(*each, i in made) for i, each in enumerate(zip(formulas, ways, strict=True))
        ]
    draw = [i for i, way in enumerate(ways) if way in RESAMPLED and i not in made]
    made |= _with_draws(draw, formulas, values, ways, units, settings, key)
    known = [i for i, value in enumerate(values) if not math.isnan(value)]
    moves = dict(zip(known, influences([formulas[i] for i in known], units), strict=True))
    return [
        _estimate(formulas[i], values[i], ways[i], units, settings, made.get(i), moves.get(i))
        for i in range(len(formulas))
    ]


def _spared(formula: Formula, way: Way | None, made: bool) -> Way | None:
    """Of many parts, what ABC cannot do has a normal interval: resamples would take too long."""
    return "analytic" if way == "abc" and not made and formula.analytic else way


def _without_draws(
    many: Sequence[OnUnits],
    values: Sequence[Sequence[float]],
    ways: Sequence[Sequence[Way | None]],
    settings: Settings,
) -> list[dict[int, Made]]:
    """Closed-form intervals of the smooth statistics that take one, by position."""
    which = [[i for i, way in enumerate(of_asked) if way == "abc"] for of_asked in ways]
    asked = [
        OnUnits([m.formulas[i] for i in here], m.units) for m, here in zip(many, which, strict=True)
    ]
    ends = abc_each(asked, settings.level)
    return [
        {i: curved(of[i], c, m.units) for i, c in zip(here, each, strict=True) if not c.why}
        for m, of, here, each in zip(many, values, which, ends, strict=True)
    ]


def _ways(
    formulas: Sequence[Formula], units: Units[Any], values: Sequence[float], settings: Settings
) -> list[Way | None]:
    few = effective(units) < few_clusters.FEW
    each = zip(formulas, values, strict=True)
    return [_way(formula, value, units, settings, few=few) for formula, value in each]


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
    which: Sequence[int],
    formulas: Sequence[Formula],
    values: Sequence[float],
    ways: Sequence[Way | None],
    units: Units[Any],
    settings: Settings,
    key: int,
) -> dict[int, Made]:
    """Intervals from resamples, of the statistics that need them, by position."""
    if not which:
        return {}
    functions = [formulas[i].value for i in which]
    seed = (settings.seed, key)
    replicates = replicate(functions, units, replicates=settings.replicates, seed=seed)
    left_out = jackknife(functions, units)
    return {
        i: resampled(values[i], replicates[j], left_out[j], units, settings, wanted=ways[i])
        for j, i in enumerate(which)
    }


def _estimate(
    formula: Formula,
    value: float,
    way: Way | None,
    units: Units[Any],
    settings: Settings,
    made: Made | None,
    moved: Floats | None,
) -> Estimate:
    se_analytic = math.nan if math.isnan(value) else analytic_se(formula, value, units, moved)
    if made is None:
        made = _made(formula, value, way, units, settings, se_analytic, moved)
    if not math.isnan(made.low) and boundless(formula, units, settings):
        made = Made(method=made.method, why=NO_BOUND, parts=made.parts)
    elif made.why != NO_WIDTH and made.high - made.low <= NARROW * max(1.0, abs(value)):
        made = Made(method=made.method, why=NO_SPREAD, parts=made.parts)
    few = few_carry(units.carriers, settings.level, units.kind) if formula.compares else ""
    if few:
        made = Made(method=made.method, why=few, parts=made.parts)
    interval = ends.Interval(made.low, made.high)
    if settings.interval != "analytic":  # which is given as its formula has it
        interval = ends.bounded(value, interval, formula.range)
    made, interval = _for_other_raters(formula, value, made, interval, units, settings)
    parts = formula.parts(units.tally) if formula.parts else {}
    if units.worth is not None:
        parts = {name: part for name, part in parts.items() if name not in UNWEIGHTED}
    return Estimate(
        key=formula.key,
        value=value,
        se=made.se,
        low=interval.low,
        high=interval.high,
        level=settings.level,
        n=units.n,
        method=made.method,
        why=_why(formula, value, units) or made.why,
        se_analytic=se_analytic,
        parts={**parts, **made.parts},
    )


def _for_other_raters(
    formula: Formula,
    value: float,
    made: Made,
    interval: ends.Interval,
    units: Units[Any],
    settings: Settings,
) -> tuple[Made, ends.Interval]:
    """The interval for raters like these, where they are a sample; that for these goes to the parts."""
    published = settings.interval == "analytic" and formula.closed_form is not None
    if formula.raters is None or published or math.isnan(interval.low):
        return made, interval
    raters = formula.raters(units.tally, settings.level)
    if math.isnan(raters.low):
        return made, interval
    these = {f"these_raters_{end}": at for end, at in interval._asdict().items()}
    parts = {**made.parts, **these, "rater_df": raters.df}
    method = f"{made.method}; for other raters: chi-squared limits, {raters.df:.1f} df"
    interval = ends.with_other_raters(value, interval, raters, formula.range)
    return replace(made, method=method, parts=parts), interval


def _made(
    formula: Formula,
    value: float,
    way: Way | None,
    units: Units[Any],
    settings: Settings,
    se: float,
    moved: Floats | None,
) -> Made:
    if way == "clusters":
        return over_clusters(formula, value, units, settings.level, moved)
    if way == "wilson":
        return of_shares(formula, value, se, units, settings.level)
    if way == "none":
        return Made(why=formula.thin(units.tally) if formula.thin else NO_INTERVAL)
    if way == "analytic":
        made = closed_form(formula, value, se, units, settings.level, moved)
        none = made.se == 0 or made.why == NO_WIDTH
        unasked = none and settings.interval is None
        return Made(se=0.0, method=made.method, why=NO_WIDTH) if unasked else made
    return Made()


def _why(formula: Formula, value: float, units: Units[Any]) -> str:
    if not math.isnan(value):
        return ""
    paired = np.max(getattr(units.tally, "paired", units.n), initial=0)
    return formula.reason(units.tally) if paired else "no response has both scores"
