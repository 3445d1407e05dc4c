"""Fairness: does what holds for all responses hold for every group?"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tallymark.evaluation.asked import SMALL_GROUP
from tallymark.evaluation.grouped import (
    Grouped,
    differences,
    effects,
    errors_of,
    given_true_score,
    grouped_by,
    moments_of,
    rated_of,
    reliability,
    standardized,
    tables_of,
)
from tallymark.evaluation.measured import Found, stream_of, subset_of
from tallymark.evaluation.plan import Part
from tallymark.fairness import errors_by_group as by_group
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.interval import NORMAL
from tallymark.inference.multiplicity import holm
from tallymark.results import Estimate
from tallymark.sources import Scores
from tallymark.tally import GroupErrors

OTHER_GROUPS = "other groups"
INDEPENDENT = "takes responses as independent, which within clusters they are not"
ADJUSTED = ("dsm", "difference")
"""Statistics whose p-values are adjusted over the groups of a column."""


def fairness_of(
    scores: Scores, system: str, settings: Settings, *, small: int = SMALL_GROUP
) -> Iterator[Found]:
    """Yield, for each group column, whether errors differ by group, then each group's numbers."""
    for key in [key for key in scores.patterns.keys if key.startswith("group:")]:
        grouped = grouped_by(scores, system, key)
        if grouped is None:
            continue
        label = f"{key}=*"
        overall, each = _measured(scores, system, grouped, key, settings, stream_of(label))
        part = Part(np.ones(scores.patterns.counts.size, dtype=bool))
        subset = subset_of(part, system, n=sum(grouped.sizes), against=OTHER_GROUPS)
        column = key.removeprefix("group:")
        subset = replace(subset, id=f"{subset.id}|{key}", group_column=column)
        yield Found(subset, overall, [])
        for name, size, found in zip(grouped.names, grouped.sizes, each, strict=True):
            here = Part(part.rows, {key: name})
            marked = [_marked(estimate, size, small) for estimate in found]
            yield Found(subset_of(here, system, n=size, against=OTHER_GROUPS), marked, [])


def _measured(
    scores: Scores, system: str, grouped: Grouped, key: str, settings: Settings, stream: int
) -> tuple[list[Estimate], list[list[Estimate]]]:
    """Estimates of the group column as a whole, and of each of its groups."""
    groups = len(grouped.names)
    each: list[list[Estimate]] = [[] for _ in range(groups)]
    errors = errors_of(grouped)
    overall = _overall(errors, settings, stream)
    runs: list[tuple[Units[Any], Callable[[int], list[Formula]]]] = [
        (errors, effects),
        (moments_of(grouped), lambda g: standardized(g, grouped.scale)),
    ]
    if not grouped.scale.continuous:
        runs.append((tables_of(grouped), lambda g: differences(g, "table", grouped.scale)))
    rated = rated_of(scores, system, grouped, key)
    if rated is not None:
        runs += [(rated[0], given_true_score), (rated[1], reliability)]
    for units, formulas in runs:
        wanted = [(g, formula) for g in range(groups) for formula in formulas(g)]
        found = estimate_all([formula for _, formula in wanted], units, settings, key=stream)
        for (g, _), estimate in zip(wanted, found, strict=True):
            n = grouped.sizes[g]
            each[g].append(replace(estimate, n=n, score=estimate.score or "trimmed"))
    tests = {kind: by_group.effects(errors.tally, kind) for kind in ("osa", "osd", "csd")}
    each = [[_tested(e, g, tests) for e in found] for g, found in enumerate(each)]
    return overall, _adjusted(each)


def _interval(kind: str, errors: GroupErrors, level: float) -> tuple[float, float]:
    return by_group.interval(errors, kind, level=level)


def _overall(errors: Units[GroupErrors], settings: Settings, stream: int) -> list[Estimate]:
    formulas = [
        Formula(
            name=kind,
            value=partial(by_group.share, kind=kind),
            interval="analytic",
            analytic=None,
            closed_form=partial(_interval, kind),
            undefined="errors do not vary",
        )
        for kind in ("osa", "osd", "csd")
    ]
    found = []
    for estimate in estimate_all(formulas, errors, settings, key=stream):
        f, p = by_group.significance(errors.tally, estimate.name)
        parts = {**estimate.parts, "f": f, "p": p}
        words = [estimate.why, INDEPENDENT if errors.kind != "responses" else ""]
        why = "; ".join(word for word in words if word)
        found.append(replace(estimate, parts=parts, score="trimmed", why=why))
    return found


def _tested(
    estimate: Estimate, group: int, tests: Mapping[str, Sequence[by_group.Effect]]
) -> Estimate:
    """Add classic and robust standard errors and a p-value to a group's effect."""
    kind = estimate.name.removesuffix("_effect")
    if kind in tests and kind != estimate.name:
        effect = tests[kind][group]
        found = {"se_ols": effect.se_ols, "se_robust": effect.se_robust, "p": effect.p}
        return replace(estimate, parts={**estimate.parts, **found}, se_analytic=effect.se_robust)
    if estimate.name in ADJUSTED and estimate.se > 0:
        p = 2 * NORMAL.cdf(-abs(estimate.value) / estimate.se)
        return replace(estimate, parts={**estimate.parts, "p": p})
    return estimate


def _adjusted(each: Sequence[Sequence[Estimate]]) -> list[list[Estimate]]:
    """Adjust p-values over the groups of a column, one statistic at a time."""
    texts = dict.fromkeys(e.text for found in each for e in found if "p" in e.parts)
    adjusted: dict[tuple[str, int], float] = {}
    for text in texts:
        groups = [(g, e) for g, found in enumerate(each) for e in found if e.text == text]
        values = holm([e.parts.get("p", math.nan) for _, e in groups])
        adjusted |= {(text, g): p for (g, _), p in zip(groups, values, strict=True)}
    return [
        [
            replace(e, parts={**e.parts, "p_holm": adjusted[e.text, g]}) if "p" in e.parts else e
            for e in found
        ]
        for g, found in enumerate(each)
    ]


def _marked(estimate: Estimate, size: int, small: int) -> Estimate:
    if size >= small:
        return estimate
    words = f"only {size} responses in this group"
    return replace(estimate, why=f"{estimate.why}; {words}" if estimate.why else words)
