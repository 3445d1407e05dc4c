"""Fairness: does what holds for all responses hold for every group?"""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.catalogue.reasons import beyond_range
from tallymark.defaults import FEW
from tallymark.fairness import errors_by_group as by_group
from tallymark.fairness.contrasts import Spread, intervals, joint_draws, p_values, spread
from tallymark.inference import Settings
from tallymark.inference.kinds import NO_SPREAD, few_carry
from tallymark.inference.multiplicity import step_down
from tallymark.questions.fairness.grouped import (
    MOST_SCORES,
    Grouped,
    GroupMeasure,
    errors_of,
    grouped_by,
    measures,
)
from tallymark.results import OTHER_GROUPS, Estimate, Key, system_called
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part
from tallymark.tally import GroupErrors

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
    scores, subject = everything.scores, system_called(system)
    for key in [key for key in scores.patterns.keys if key.startswith("group:")]:
        grouped = grouped_by(everything, system, key)
        if grouped is None:
            continue
        overall, by_name = _measured(grouped, settings, stream_of(f"{key}=*"))
        subset = subset_of(everything, subject, n=sum(grouped.sizes), against=OTHER_GROUPS)
        column = key.removeprefix("group:")
        subset = replace(subset, id=f"{subset.id}|{key}", group_column=column)
        yield SubsetResults(subset, overall, [])
        for name, size, estimates in zip(grouped.names, grouped.sizes, by_name, strict=True):
            caution = f"only {size} responses in this group" if size < small else ""
            cautioned = [
                replace(e, why="; ".join(filter(None, (e.why, caution)))) for e in estimates
            ]
            part = Part(scores, everything.rows, {key: name})
            subset = subset_of(part, subject, n=size, against=OTHER_GROUPS)
            yield SubsetResults(subset, cautioned, [])


def _measured(
    grouped: Grouped, settings: Settings, stream: int
) -> tuple[list[Estimate], list[list[Estimate]]]:
    """Estimates of the group column as a whole, and of each of its groups."""
    measured = [(measure, spread(measure.contrast)) for measure in measures(grouped)]
    adjusted = _family(measured, (settings.seed, stream))
    errors, least = errors_of(grouped), dict[str, float]()
    by_name: list[list[Estimate]] = [[] for _ in grouped.names]
    for i, (measure, spreads) in enumerate(measured):
        parts: dict[str, Floats] = {"df": spreads.df}
        kind = measure.name.removesuffix("_effect")
        if kind in KINDS and grouped.rows.weights is None:  # least squares take all alike
            standard = by_group.standard_errors(errors, kind)
            parts |= {"se_ols": standard.classic, "se_robust": standard.robust}
        if i in adjusted:
            p, p_adjusted = adjusted[i]
            parts |= {"p": p, "p_adjusted": p_adjusted}
            if not np.isnan(p_adjusted).all():
                least[kind] = float(np.nanmin(p_adjusted))
        for g, estimate in _of_groups(measure, spreads, parts, grouped, settings):
            by_name[g].append(estimate)
    if grouped.scale.nominal:
        return [], by_name
    return [_overall(kind, errors, grouped, settings, least) for kind in KINDS], by_name


def _family(
    measured: Sequence[tuple[GroupMeasure, Spread]], seed: tuple[int, int]
) -> dict[int, tuple[Floats, Floats]]:
    """Plain and adjusted p-values of what is tested: one family, all that a reader sees of it."""
    tested = {i: (m.contrast, spreads) for i, (m, spreads) in enumerate(measured) if m.tested}
    p_by_measure = [p_values(*contrast) for contrast in tested.values()]
    for i, p in zip(tested, p_by_measure, strict=True):
        p[: int(measured[i][0].to_first)] = np.nan  # the first group beside itself
    null = joint_draws([*tested.values()], seed=seed)
    adjusted = np.array(step_down(np.concatenate(p_by_measure).tolist(), null))
    edges = np.cumsum([p.size for p in p_by_measure])[:-1]
    pairs = zip(p_by_measure, np.split(adjusted, edges), strict=True)
    return dict(zip(tested, pairs, strict=True))


def _of_groups(
    measure: GroupMeasure,
    spreads: Spread,
    parts: Mapping[str, Floats],
    grouped: Grouped,
    settings: Settings,
) -> Iterator[tuple[int, Estimate]]:
    """The estimates of one number, by group; the reference has no difference to itself."""
    low, high = intervals(measure.contrast, spreads, settings.level)
    for g in range(int(measure.to_first), len(grouped.names)):
        value, se, size = float(measure.contrast.values[g]), float(spreads.se[g]), grouped.sizes[g]
        estimate = Estimate(
            key=Key(measure.name, **measure.params),
            value=value,
            se=se,
            level=settings.level,
            n=size,
            se_analytic=se,
            score=measure.score,
        )
        if math.isnan(value) or math.isnan(se):
            yield g, replace(estimate, why=_why(measure, value, size, df=spreads.df[g]))
            continue
        estimate = replace(
            estimate,
            low=float(low[g]),
            high=float(high[g]),
            method=f"t interval, influence standard error over {grouped.units.kind}",
            parts={name: float(column[g]) for name, column in parts.items()},
        )
        if measure.to_first:
            carriers, kind = grouped.carriers(g), grouped.units.kind
            if few := few_carry(carriers, settings.level, kind):
                estimate = replace(estimate, low=math.nan, high=math.nan, why=few)
        if measure.name == "prmse":
            estimate = replace(estimate, why=beyond_range(estimate))
        yield g, estimate


def _why(measure: GroupMeasure, value: float, size: int, *, df: float) -> str:
    """Why a number of a group, or its interval, is lacking."""
    if math.isnan(value):
        return measure.undefined
    if df < 1:
        return TOO_FEW
    return ONE_RESPONSE if size == 1 else NO_SPREAD


def _overall(
    kind: str,
    errors: GroupErrors,
    grouped: Grouped,
    settings: Settings,
    least: Mapping[str, float],
) -> Estimate:
    """The share of the variance of errors that groups explain, and whether they differ at all."""
    weighted, comparable = grouped.rows.weights is not None, kind != "csd" or grouped.same_scores
    value = float(by_group.share(errors, kind)) if comparable else math.nan
    low = high = f = p = math.nan
    if not weighted:
        low, high = by_group.interval(errors, kind, level=settings.level)
        f, p = by_group.significance(errors, kind)
    tests = {"f": f, "p": p, "p_adjusted": least.get(kind, math.nan)}
    estimate = Estimate(
        key=Key(kind),
        value=value,
        level=settings.level,
        n=sum(grouped.sizes),
        parts={k: v for k, v in tests.items() if comparable and not math.isnan(v)},
        score="trimmed",
    )
    if weighted and not math.isnan(value):
        return replace(estimate, why=UNWEIGHTED)
    if math.isnan(value) or math.isnan(low):
        return replace(estimate, why="errors do not vary" if comparable else MANY_SCORES)
    why = INDEPENDENT if grouped.units.kind.endswith("clusters") else ""
    return replace(estimate, low=low, high=high, method="F-based interval", why=why)
