"""The one door to an Estimate: a formula, the units behind its tally, and how to make intervals."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import OptionError
from tallymark.inference import interval as ends
from tallymark.inference.bootstrap import jackknife, replicate
from tallymark.inference.influence import influence, standard_error
from tallymark.inference.interval import ROUNDING
from tallymark.inference.units import Units
from tallymark.results import Estimate

Floats = NDArray[np.float64]
Kind = Literal["bca", "percentile", "analytic", "wilson", "none"]
Analytic = Literal["normal", "t", "fisher_z", "spearman_z"]
UNDEFINED_LIMIT = 0.01
RANK_LIMIT = 100
FEW_CLUSTERS = 30
NO_WIDTH = "the standard error is 0, which is not certainty: take another interval"
NO_Z = "a correlation of 1 or -1 has no z interval"
NO_F = "the F-based interval is undefined: responses do not differ, or ratings leave no error"
NO_INTERVAL = "no interval is known that holds this statistic's true value"
NO_SPREAD = "every resample gives the same value: these data do not show how far it could vary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A statistic with its parameters bound, and what is known about its sampling.

    ``linear`` is the formula whose influence gives the analytic standard error when it is not
    ``value`` itself; ``influence`` gives that influence directly; ``ddof`` is 1 where the
    literature divides by n - 1; ``closed_form`` gives interval ends of its own kind.
    ``undefined`` is the reason when ``value`` is NaN. ``tally`` is the kind of tally it needs where
    that is not the usual one of the statistic.
    """

    name: str
    value: Callable[[Any], Floats]
    params: Mapping[str, Any] = field(default_factory=dict)
    interval: Kind = "bca"
    analytic: Analytic | None = "normal"
    linear: Callable[[Any], Floats] | None = None
    influence: Callable[[Any], Floats] | None = None
    ddof: int = 0
    parts: Callable[[Any], Mapping[str, float]] | None = None
    undefined: str = "undefined"
    ranks: bool = False
    closed_form: Callable[[Any, float], tuple[float, float]] | None = None
    tally: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How intervals are made; ``interval`` None takes each statistic's default."""

    level: float = 0.95
    replicates: int = 2000
    seed: int = 0
    interval: Kind | None = None

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            hint = f" Did you mean {self.level / 100:g}?" if 1 < self.level < 100 else ""
            raise OptionError(f"level must lie between 0 and 1, got {self.level:g}.{hint}")
        if self.replicates < 100:
            raise OptionError(f"replicates must be at least 100, got {self.replicates}")
        if self.seed < 0:
            raise OptionError(f"seed must not be negative, got {self.seed}")
        if self.interval not in (None, "bca", "percentile", "analytic"):
            raise OptionError(
                f"unknown interval {self.interval!r}; choose bca, percentile or analytic"
            )


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
    settings = settings or Settings()
    tally = units.tally
    values = [float(formula.value(tally)) for formula in formulas]
    kinds = [
        _kind(formula, value, units, settings)
        for formula, value in zip(formulas, values, strict=True)
    ]
    drawn = _drawn(formulas, kinds, units, settings, key)
    return [
        _estimate(formula, value, kind, units, settings, drawn.get(i))
        for i, (formula, value, kind) in enumerate(zip(formulas, values, kinds, strict=True))
    ]


def _kind(formula: Formula, value: float, units: Units[Any], settings: Settings) -> Kind | None:
    """Choose the interval: as asked, else the statistic's default; None where there is none."""
    if math.isnan(value):
        return None
    if settings.interval is not None:
        return settings.interval if formula.interval != "none" else "none"
    if formula.ranks and units.width > RANK_LIMIT and formula.analytic:
        return "analytic"
    kind: Kind = formula.interval
    if kind == "wilson" and units.kind != "responses":
        kind = "bca"
    many = units.kind.startswith("shards")  # so many that a normal interval is as good
    return "analytic" if many and kind == "bca" and formula.analytic else kind


def _drawn(
    formulas: Sequence[Formula],
    kinds: Sequence[Kind | None],
    units: Units[Any],
    settings: Settings,
    key: int,
) -> dict[int, tuple[Floats, Floats]]:
    """Replicates and delete-one values of the statistics that need them, by position."""
    which = [i for i, kind in enumerate(kinds) if kind in ("bca", "percentile")]
    if not which:
        return {}
    values = [formulas[i].value for i in which]
    seed = (settings.seed, key)
    replicates = replicate(values, units, replicates=settings.replicates, seed=seed)
    left_out = jackknife(values, units)
    return {i: (replicates[j], left_out[j]) for j, i in enumerate(which)}


def _estimate(
    formula: Formula,
    value: float,
    kind: Kind | None,
    units: Units[Any],
    settings: Settings,
    drawn: tuple[Floats, Floats] | None,
) -> Estimate:
    se_analytic = math.nan if math.isnan(value) else _analytic_se(formula, value, units)
    made = _Made()
    if drawn is not None:
        made = resampled(value, *drawn, units, settings, wanted=kind)
    elif kind == "wilson":
        low, high = ends.wilson(value, units.n, settings.level)
        made = _Made(se=se_analytic, low=low, high=high, method="Wilson score interval")
    elif kind == "none":
        made = _Made(why=NO_INTERVAL)
    elif kind == "analytic":
        made = _closed_form(formula, value, se_analytic, units, settings.level)
        if made.se == 0 and settings.interval is None:
            made = _Made(se=0.0, method=made.method, why=NO_WIDTH)
    parts = formula.parts(units.tally) if formula.parts else {}
    return Estimate(
        name=formula.name,
        params=formula.params,
        value=value,
        se=made.se,
        low=made.low,
        high=made.high,
        level=settings.level,
        n=units.n,
        method=made.method,
        why=_why(formula, value, units) or made.why,
        se_analytic=se_analytic,
        parts={**parts, **made.parts},
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """An interval and how it was made."""

    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    method: str = ""
    why: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)


def _why(formula: Formula, value: float, units: Units[Any]) -> str:
    if not math.isnan(value):
        return ""
    paired = np.max(getattr(units.tally, "paired", units.n), initial=0)
    return formula.undefined if paired else "no response has both scores"


def resampled(
    value: float,
    replicates: Floats,
    left_out: Floats,
    units: Units[Any],
    settings: Settings,
    *,
    wanted: Kind | None,
) -> _Made:
    """BCa, or percentile where too many replicates are undefined; none where they do not vary."""
    finite = replicates[~np.isnan(replicates)]
    share = 1 - finite.size / replicates.size
    parts = {"undefined_share": share} if share else {}
    how = f"bootstrap over {units.kind}, {replicates.size} replicates, seed {settings.seed}"
    if finite.size < 2 or np.ptp(finite) <= ROUNDING * max(1.0, abs(value)):
        return _Made(se=math.nan, method=how, why=NO_SPREAD, parts=parts)
    se = float(finite.std(ddof=1))
    bca = wanted == "bca" and share <= UNDEFINED_LIMIT and not np.isnan(left_out).any()
    # BCa has nothing to go by where every replicate lies on one side of the value
    if bca and ends.within(value, finite):
        level = ends.expanded(settings.level, units.size)
        made = ends.bca(value, finite, left_out, units.times, level)
    else:
        bca, made = False, ends.percentile(finite, settings.level)
    low, high = ends.around(value, made)
    few = units.kind != "responses" and units.size < FEW_CLUSTERS
    return _Made(
        se=se,
        low=low,
        high=high,
        method=f"{'expanded BCa' if bca else 'percentile'} {how}",
        why=f"only {units.size} {units.kind}: the interval may be too narrow" if few else "",
        parts=parts,
    )


def _analytic_se(formula: Formula, value: float, units: Units[Any]) -> float:
    z_scale = formula.analytic in ("fisher_z", "spearman_z")
    if formula.analytic is None:
        return math.nan
    if z_scale and units.kind == "responses":
        return (1 - value * value) * _se_of_z(formula, value, units)
    if formula.influence is not None:
        by_sum = formula.influence(units.tally)
        by_unit = by_sum if units.rows is None else (units.rows @ by_sum) * (units.size / units.n)
    elif formula.ranks:
        return math.nan
    else:
        by_unit = influence(formula.linear or formula.value, units)
    return standard_error(np.asarray(by_unit), units.times, ddof=formula.ddof)


def _se_of_z(formula: Formula, value: float, units: Units[Any]) -> float:
    if units.n <= 3:
        return math.nan
    spread = 1 + value * value / 2 if formula.analytic == "spearman_z" else 1.0
    return math.sqrt(spread / (units.n - 3))


def _closed_form(
    formula: Formula, value: float, se: float, units: Units[Any], level: float
) -> _Made:
    if formula.closed_form is not None:
        found = ends.Interval(*formula.closed_form(units.tally, level))
        if not found.high - found.low > ROUNDING:
            return _Made(se=se, method="F-based interval", why=NO_F)
        low, high = ends.around(value, found)
        return _Made(se=se, low=low, high=high, method="F-based interval")
    if formula.analytic is None or math.isnan(se):
        return _Made(why="no analytic interval is known for this statistic on these data")
    if formula.analytic in ("fisher_z", "spearman_z"):
        if 1 - abs(value) <= ROUNDING:
            return _Made(se=se, method="Fisher z interval", why=NO_Z)
        se_z = se / (1 - value * value)
        low, high = ends.fisher_z(value, se_z, level)
        return _Made(se=se, low=low, high=high, method="Fisher z interval", parts={"se_z": se_z})
    if formula.analytic == "t":
        low, high = ends.student(value, se, units.size - 1, level)
        method = f"t interval, {units.size - 1} df"
    else:
        low, high = ends.normal(value, se, level)
        over = "" if units.kind == "responses" else f" over {units.kind}"
        method = f"normal interval, influence standard error{over}"
    none = se <= ROUNDING * max(1.0, abs(value))
    return _Made(se=se, low=low, high=high, method=method, why=NO_WIDTH if none else "")
