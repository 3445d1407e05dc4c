"""Kinds of interval: by resampling, from a closed form, or over few clusters, each with its method."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field

from tallymark.arrays import Floats
from tallymark.inference import few_clusters
from tallymark.inference import interval as ends
from tallymark.inference.abc import NOT_SMOOTH, Curved
from tallymark.inference.bootstrap import jackknife
from tallymark.inference.expansion import Expansion
from tallymark.inference.formula import Formula, Settings, name_of
from tallymark.inference.influence import error_of
from tallymark.inference.interval import ROUNDING
from tallymark.inference.joint_formulas import expand
from tallymark.inference.units import Units

UNDEFINED_LIMIT = 0.01
FEWEST_CLUSTERS = 15
"""Effective clusters below which a limit stays open; docs/verdict.md has the simulation."""
NO_WIDTH = "its standard error is 0: these data do not show how far it could vary"
NO_Z = "a correlation of 1 or -1 has no z interval"
NO_F = "the F-based interval is undefined: responses do not differ, or ratings leave no error"
NO_SPREAD = "every resample gives the same value: these data do not show how far it could vary"
NO_BOUND = "what it is divided by may be 0, so that it has no bounded interval: take more responses"
BOUNDLESS = 1e6
"""Resamples that give so many times the value divide by 0 but for rounding."""
FEW_CARRY = "only {n:g} {units} carr{ies} the difference: even if all spoke for one side, it could be chance"
ALIKE = "every cluster gives the same value: these data do not show how far it could vary"
ONE_CLUSTER = "one cluster does not show how clusters differ"
ONE_IN_PART = (
    "the responses of some part all come from one cluster: nothing shows how clusters differ there"
)


class IntervalEstimate(Struct, frozen=True):
    """An interval with its standard error and its method, or why there is none."""

    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    method: str = ""
    why: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)


def resampled(
    value: float,
    replicates: Floats,
    left_out: Floats,
    units: Units[Any],
    settings: Settings,
    *,
    wanted: str | None,
) -> IntervalEstimate:
    """BCa, or percentile where too many replicates are undefined; none where they do not vary."""
    finite = replicates[~np.isnan(replicates)]
    median = float(np.median(np.abs([value, *finite])))
    median = min(median, BOUNDLESS * max(1.0, abs(value)))  # most of them may divide by 0
    bounded = np.abs(finite) <= BOUNDLESS * max(abs(value), median)
    if bounded.any():  # what is further off was divided by a rounding error: it is undefined
        finite = finite[bounded]
    share = 1 - finite.size / replicates.size
    parts = {**counted(units), **({"undefined_share": share} if share else {})}
    how = f"bootstrap over {units.kind}, {replicates.size} replicates, seed {settings.seed}"
    if wanted == "abc":
        wanted, how = "bca", f"{how}: {NOT_SMOOTH}"
    if finite.size < 2 or np.ptp(finite) <= ROUNDING * max(1.0, abs(value)):
        return IntervalEstimate(se=math.nan, method=how, why=NO_SPREAD, parts=parts)
    if np.mean(~bounded) > (1 - settings.level) / 2:
        return IntervalEstimate(se=math.nan, method=how, why=NO_BOUND, parts=parts)
    se = float(finite.std(ddof=1))
    bca = wanted == "bca" and share <= UNDEFINED_LIMIT and np.isfinite(left_out).all()
    # BCa has nothing to go by where every replicate lies on one side of the value
    if bca and ends.within(value, finite):
        level = ends.expanded(settings.level, min(units.size, units.worth or units.size))
        interval = ends.bca(value, finite, left_out, units.times, level)
    else:
        bca, interval = False, ends.percentile(finite, settings.level)
    low, high = ends.around(value, interval)
    few = parts.get("df", math.inf) + 1 < few_clusters.FEW
    return IntervalEstimate(
        se=se,
        low=low,
        high=high,
        method=f"{'expanded BCa' if bca else 'percentile'} {how}",
        why=_few(units) if few else "",
        parts=parts,
    )


def curved(value: float, curve: Curved, units: Units[Any]) -> IntervalEstimate:
    """The closed-form interval of a smooth statistic."""
    parts = counted(units)
    few = parts.get("df", math.inf) + 1 < few_clusters.FEW
    low, high = ends.around(value, curve.interval)
    return IntervalEstimate(
        se=curve.se,
        low=low,
        high=high,
        method=f"expanded ABC over {units.kind}",
        why=_few(units) if few else "",
        parts=parts,
    )


def few_carry(carriers: float, level: float, kind: str = "responses") -> str:
    """Why so few responses or clusters carry no difference; nothing where they are enough.

    All m of them speak for one side by chance with probability 2 / 2^m, which a sign test at the
    level can reject from six on at .95.

    >>> few_carry(5, 0.95)[:36], few_carry(6, 0.95), few_carry(0, 0.95)[:19]
    ('only 5 responses carry the differenc', '', 'no response differs')
    """
    if 2.0 ** (1 - carriers) <= 1 - level + ROUNDING:
        return ""
    if not carriers:
        unit = "cluster" if kind == "clusters" else "response"
        return f"no {unit} differs: nothing shows how far the difference could vary"
    single = carriers == 1
    units = (kind if kind == "clusters" else "responses")[: -1 if single else None]
    return FEW_CARRY.format(n=carriers, units=units, ies="ies" if single else "y")


def _few(units: Units[Any]) -> str:
    return f"only {units.size} clusters: the interval may be too narrow"


def effective(units: Units[Any]) -> float:
    """How many clusters of one size these are worth: degrees of freedom and one; else infinite."""
    if units.kind != "clusters" or not units.times.size:
        return math.inf
    return units.leverage.df + 1


def counted(units: Units[Any]) -> dict[str, float]:
    """How many clusters there are, and the degrees of freedom that their sizes leave."""
    if math.isinf(effective(units)):
        return {}
    return {"clusters": float(units.size), "df": effective(units) - 1}


def over_clusters(
    formula: Formula, value: float, units: Units[Any], level: float, moved: Floats | None
) -> IntervalEstimate:
    """Value -/+ t CR2 standard errors, with Satterthwaite degrees of freedom.

    The influence of a cluster is that of its responses together; where a statistic has none, what
    leaving the cluster out does.
    """
    df = units.leverage.df
    method = f"t interval over {units.size} clusters, CR2 standard error, {df:.1f} df"
    if df < 1 - ROUNDING:
        return IntervalEstimate(why=ONE_CLUSTER if units.size < 2 else ONE_IN_PART)
    if moved is None:
        left_out = jackknife([formula.value], units)[0]
        moved = few_clusters.from_left_out(value, left_out, units.sizes_by_part)
    se = units.leverage.standard_error(moved)
    if not se > ROUNDING * max(1.0, abs(value)):
        why = "undefined without one of the clusters" if math.isnan(se) else ALIKE
        return IntervalEstimate(method=method, why=why)
    low, high = ends.student(value, se, max(df, 1.0), level)
    few = df + 1 < FEWEST_CLUSTERS
    return IntervalEstimate(
        se=se,
        low=low,
        high=high,
        method=method,
        why=f"only {units.size} clusters, which the t interval allows for" if few else "",
        parts={"clusters": float(units.size), "df": df},
    )


def influences(formulas: Sequence[Formula], units: Units[Any]) -> list[Floats | None]:
    """Influence of each unit on each statistic, times their number; None where none is known."""
    smooth = [f for f in formulas if has_slopes(f) and f.influence is None]
    if any(name_of(f) not in units.kept for f in smooth):
        expand(smooth, units, second=False)
    moves = {id(f): units.kept[name_of(f)] for f in smooth}
    for formula in smooth:
        if formula.linear is not None:
            moves[id(formula)] = units.kept[name_of(formula, "linear")]
    return [_influence(f, units, moves.get(id(f))) for f in formulas]


def has_slopes(formula: Formula) -> bool:
    """Whether a statistic has derivatives by the sums of its tally, as far as is known."""
    return formula.analytic is not None and not formula.ranks


def _influence(formula: Formula, units: Units[Any], moves: Expansion | None) -> Floats | None:
    if formula.analytic is None or (formula.ranks and formula.influence is None):
        return None
    if formula.influence is None:
        if moves is None:
            return None
        moved = moves.moves * units.size
        # the square moves twice as much as the root, times the root
        return moved / (2 * formula.value(units.tally)) if formula.analytic == "root" else moved
    by_sum = formula.influence(units.tally)
    if units.rows is None:
        return np.asarray(by_sum)
    if units.stratified:
        return np.asarray((units.spreading @ by_sum) * (units.size / units.n))
    return np.asarray((units.rows @ by_sum) * (units.size / units.n))


def analytic_se(formula: Formula, value: float, units: Units[Any], moved: Floats | None) -> float:
    """Standard error from the influence of the units, or of Fisher's z; NaN where none is known."""
    equal_weights = units.kind == "responses" and units.worth is None
    if formula.analytic in ("fisher_z", "spearman_z") and equal_weights:
        return (1 - value * value) * _se_of_z(formula, value, units)
    return math.nan if moved is None else error_of(moved, units, ddof=formula.ddof)


def _se_of_z(formula: Formula, value: float, units: Units[Any]) -> float:
    if units.n <= 3:
        return math.nan
    spread = 1 + value * value / 2 if formula.analytic == "spearman_z" else 1.0
    return math.sqrt(spread / (units.n - 3))


def _by_f(value: float, se: float, interval: ends.Interval) -> IntervalEstimate:
    if not interval.high - interval.low > ROUNDING:
        return IntervalEstimate(se=se, method="F-based interval", why=NO_F)
    low, high = ends.around(value, interval)
    return IntervalEstimate(se=se, low=low, high=high, method="F-based interval")


def closed_form(
    formula: Formula,
    value: float,
    se: float,
    units: Units[Any],
    level: float,
    moved: Floats | None,
) -> IntervalEstimate:
    """The analytic interval of a statistic."""
    if formula.closed_form is not None and units.worth is None:
        return _by_f(value, se, ends.Interval(*formula.closed_form(units.tally, level)))
    if units.kind == "clusters" and not math.isnan(value):
        return over_clusters(formula, value, units, level, moved)
    if formula.analytic is None or math.isnan(se):
        return IntervalEstimate(
            why="no analytic interval is known for this statistic on these data"
        )
    if formula.analytic in ("fisher_z", "spearman_z"):
        if 1 - abs(value) <= ROUNDING:
            return IntervalEstimate(se=se, method="Fisher z interval", why=NO_Z)
        se_z = se / (1 - value * value)
        low, high = ends.fisher_z(value, se_z, level)
        return IntervalEstimate(
            se=se, low=low, high=high, method="Fisher z interval", parts={"se_z": se_z}
        )
    if formula.analytic == "root" and formula.linear is not None:
        square = float(np.real(formula.linear(units.tally)))
        low, high = ends.student(square, 2 * value * se, units.size - 1, level)
        low, high = (math.sqrt(min(max(end, 0.0), 1.0)) for end in (low, high))
        method = f"root of the t interval of its square, {units.size - 1} df"
    elif formula.analytic == "t":
        low, high = ends.student(value, se, units.size - 1, level)
        method = f"t interval, {units.size - 1} df"
    elif formula.analytic == "logit" and 0 < value < 1 and se > 0:
        low, high = ends.logit(value, se, level)
        method = "normal interval of the log odds, influence standard error"
    else:
        low, high = ends.normal(value, se, level)
        over = "" if units.kind == "responses" else f" over {units.kind}"
        method = f"normal interval, influence standard error{over}"
    no_width = se <= ROUNDING * max(1.0, abs(value))
    return IntervalEstimate(
        se=se, low=low, high=high, method=method, why=NO_WIDTH if no_width else ""
    )
