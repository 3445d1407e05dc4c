"""Fairness: does what holds for all responses hold for every group?"""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.catalogue.reasons import beyond_range
from tallymark.defaults import FEW
from tallymark.fairness import errors_by_group as by_group
from tallymark.fairness.contrasts import Spread, intervals, joint_draws, p_values, spread
from tallymark.inference import Settings
from tallymark.inference.making import NO_SPREAD, few_carry
from tallymark.inference.multiplicity import step_down
from tallymark.questions.fairness.grouped import (
    MOST_SCORES,
    Grouped,
    GroupMeasure,
    errors_of,
    grouped_by,
    measures,
    same_scores,
)
from tallymark.questions.fairness.grouped_labels import label_measures
from tallymark.results import OTHER_GROUPS, Estimate, Key, system_called
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.tally import GroupErrors

Floats = NDArray[np.float64]
INDEPENDENT = "takes responses as independent, which within clusters they are not"
MANY_SCORES = (
    f"the gold takes more than {MOST_SCORES} values: hardly any two responses have the same"
)
TOO_FEW = "nearly all of the group is one cluster, or has one weight: too little to show how far it varies"
ONE_RESPONSE = "one response does not show how far the group's number could vary"
UNWEIGHTED = "no interval: F-based intervals do not use weights"
KINDS = ("osa", "osd", "csd")


def fairness_of(
    everything: Part, system: str, settings: Settings, *, small: int = FEW
) -> Iterator[SubsetResults]:
    """Yield, for each group column, whether errors differ by group, then each group's numbers."""
    scores = everything.scores
    for key in [key for key in scores.patterns.keys if key.startswith("group:")]:
        grouped = grouped_by(everything, system, key)
        if grouped is None:
            continue
        overall, each = _measured(grouped, settings, stream_of(f"{key}=*"))
        subset = subset_of(
            everything, system_called(system), n=sum(grouped.sizes), against=OTHER_GROUPS
        )
        column = key.removeprefix("group:")
        subset = replace(subset, id=f"{subset.id}|{key}", group_column=column)
        yield SubsetResults(subset, overall, [])
        for name, size, of_group in zip(grouped.names, grouped.sizes, each, strict=True):
            here = Part(scores, everything.rows, {key: name})
            marked = [_marked(estimate, size, small) for estimate in of_group]
            yield SubsetResults(
                subset_of(here, system_called(system), n=size, against=OTHER_GROUPS), marked, []
            )


def _measured(
    grouped: Grouped, settings: Settings, stream: int
) -> tuple[list[Estimate], list[list[Estimate]]]:
    """Estimates of the group column as a whole, and of each of its groups."""
    nominal = grouped.scale.nominal
    every = label_measures(grouped) if nominal else measures(grouped)
    errors = errors_of(grouped)
    spreads_of = [(measure, spread(measure.contrast)) for measure in every]
    adjusted = _family(spreads_of, (settings.seed, stream))
    weighted = grouped.rows.weights is not None
    kinds = () if weighted or nominal else KINDS  # least squares and F take every response alike
    tests = {f"{k}_effect": by_group.standard_errors(errors, k) for k in kinds}
    each: list[list[Estimate]] = [[] for _ in grouped.names]
    for place, (measure, spreads) in enumerate(spreads_of):
        parts: dict[str, Floats] = {"df": spreads.df}
        if measure.name in tests:
            classic = tests[measure.name]
            parts |= {"se_ols": classic.classic, "se_robust": classic.robust}
        if place in adjusted:
            parts |= dict(zip(("p", "p_adjusted"), adjusted[place], strict=True))
        for g, estimate in _of_groups(measure, spreads, parts, grouped, settings):
            each[g].append(estimate)
    least = {m.name: _least(adjusted[i][1]) for i, (m, _) in enumerate(spreads_of) if m.to_first}
    return [] if nominal else _overall(errors, grouped, settings, least), each


def _least(p_adjusted: Floats) -> float:
    return float(np.nanmin(p_adjusted)) if (~np.isnan(p_adjusted)).any() else math.nan


def _family(
    measured: Sequence[tuple[GroupMeasure, Spread]], seed: tuple[int, int]
) -> dict[int, tuple[Floats, Floats]]:
    """Plain and adjusted p-values of what is tested: one family, all that a reader sees of it."""
    tested = [(i, m.contrast, s) for i, (m, s) in enumerate(measured) if m.tested]
    plain = [p_values(contrast, spreads) for _, contrast, spreads in tested]
    for p, (i, _, _) in zip(plain, tested, strict=True):
        p[: int(measured[i][0].to_first)] = np.nan  # the first group beside itself
    null = joint_draws([(contrast, spreads) for _, contrast, spreads in tested], seed=seed)
    adjusted = np.array(step_down(np.concatenate(plain).tolist(), null))
    ends = np.cumsum([p.size for p in plain])[:-1]
    return {
        i: (p, q) for (i, _, _), p, q in zip(tested, plain, np.split(adjusted, ends), strict=True)
    }


def _of_groups(
    measure: GroupMeasure,
    spreads: Spread,
    parts: Mapping[str, Floats],
    grouped: Grouped,
    settings: Settings,
) -> Iterator[tuple[int, Estimate]]:
    """The estimates of one number, by group; the reference has no difference to itself."""
    low, high = intervals(measure.contrast, spreads, settings.level)
    method = f"t interval, influence standard error over {grouped.units.kind}"
    for g in range(int(measure.to_first), len(grouped.names)):
        value, se = float(measure.contrast.values[g]), float(spreads.se[g])
        known = not (math.isnan(value) or math.isnan(se))
        why = "" if known else _why(measure, value, grouped.sizes[g], df=spreads.df[g])
        estimate = Estimate(
            key=Key(measure.name, **measure.params),
            value=value,
            se=se,
            low=float(low[g]) if known else math.nan,
            high=float(high[g]) if known else math.nan,
            level=settings.level,
            n=grouped.sizes[g],
            method=method if known else "",
            why=why,
            se_analytic=se,
            parts={name: float(column[g]) for name, column in parts.items()} if known else {},
            score=measure.score,
        )
        if measure.to_first and known:
            few = few_carry(grouped.carriers(g), settings.level, grouped.units.kind)
            estimate = replace(estimate, low=math.nan, high=math.nan, why=few) if few else estimate
        if measure.name == "prmse" and known:
            estimate = replace(estimate, why=beyond_range(estimate))
        yield g, estimate


def _why(measure: GroupMeasure, value: float, size: int, *, df: float) -> str:
    if math.isnan(value):
        return measure.undefined
    if df < 1:
        return TOO_FEW
    return ONE_RESPONSE if size == 1 else NO_SPREAD


def _overall(
    errors: GroupErrors, grouped: Grouped, settings: Settings, least: Mapping[str, float]
) -> list[Estimate]:
    """The share of the variance of errors that groups explain, and whether they differ at all."""
    estimates = []
    for kind in KINDS:
        alike = kind != "csd" or same_scores(grouped)
        value = float(by_group.share(errors, kind)) if alike else math.nan
        weighted = grouped.rows.weights is not None
        low, high, f, p = (math.nan,) * 4
        if not weighted:
            low, high = by_group.interval(errors, kind, level=settings.level)
            f, p = by_group.significance(errors, kind)
        known = not (math.isnan(value) or math.isnan(low))
        tested = {"f": f, "p": p, "p_adjusted": least.get(f"{kind}_effect", math.nan)}
        words = [
            "" if known else _why_overall(value, alike=alike, weighted=weighted),
            INDEPENDENT if known and grouped.units.kind.endswith("clusters") else "",
        ]
        estimate = Estimate(
            key=Key(kind),
            value=value,
            low=low if known else math.nan,
            high=high if known else math.nan,
            level=settings.level,
            n=sum(grouped.sizes),
            method="F-based interval" if known else "",
            parts={k: v for k, v in tested.items() if alike and not math.isnan(v)},
            score="trimmed",
            why="; ".join(word for word in words if word),
        )
        estimates.append(estimate)
    return estimates


def _why_overall(value: float, *, alike: bool, weighted: bool) -> str:
    """Why a share of the variance of errors, or its interval, is lacking."""
    if weighted and not math.isnan(value):
        return UNWEIGHTED
    return "errors do not vary" if alike else MANY_SCORES


def _marked(estimate: Estimate, size: int, small: int) -> Estimate:
    if size >= small:
        return estimate
    words = f"only {size} responses in this group"
    return replace(estimate, why=f"{estimate.why}; {words}" if estimate.why else words)
