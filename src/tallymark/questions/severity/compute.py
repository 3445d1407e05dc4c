"""Rater severity: the many-facet Rasch model on the ratings, systems entered as further raters."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, estimate_all
from tallymark.inference.interval import student
from tallymark.reliability.rasch import NotFitted
from tallymark.reliability.severity import (
    Method,
    Severities,
    fair_average,
    predictions,
)
from tallymark.reliability.severity_fit import FitSums, infit, outfit, spread
from tallymark.results import PEOPLE, SEVERITY, Estimate, Finding, Key, system_called
from tallymark.sources import Scores
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.models import assignment_estimates, severity_model
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows, summed
from tallymark.tally import nearest

Floats = NDArray[np.float64]
ONE_SIDED = "the rater gave only the lowest or only the highest score"
MODEL = "a parameter of the model, given without an interval"


class JudgedRaters(NamedTuple):
    """What is known of each rater's severity, of the model, and what a reader should know."""

    by_rater: dict[str, list[Estimate]]
    model: list[SubsetResults]
    findings: list[Finding]


def judge(people: People, part: Part, settings: Settings, method: Method = "auto") -> JudgedRaters:
    """Estimate the severity and fit of every rater, or say why it cannot be."""
    model = severity_model(people, method)
    given = (~np.isnan(people.rows.scores)).T @ people.rows.counts
    if isinstance(model, NotFitted):
        none = [_undefined(int(n), model.why, settings) for n in given]
        return JudgedRaters(dict(zip(people.names, none, strict=True)), [], [])
    raters = range(model.raters.size)
    estimates = _estimates(model, people, settings, part, raters, np.zeros(len(raters)))
    by_rater = {people.names[model.raters[i]]: estimates[i] for i in raters}
    for rater in model.one_sided:
        by_rater[people.names[rater]] = _undefined(int(given[rater]), ONE_SIDED, settings)
    n = int(people.rows.rated().counts.sum())
    subset = subset_of(part, PEOPLE, n=n, against=SEVERITY)
    dealt = assignment_estimates(
        model.assignment, people.rows, settings, all_count=not model.conditional
    )
    results = [SubsetResults(subset, [*_model(model, people, settings, n), *dealt], [])]
    return JudgedRaters(by_rater, results, _findings(model, method))


def _undefined(n: int, why: str, settings: Settings) -> list[Estimate]:
    return [
        Estimate(
            key=Key("severity"), value=np.nan, level=settings.level, n=n, score="human", why=why
        )
    ]


def system_severity(
    scores: Scores, system: str, part: Part, settings: Settings
) -> Iterator[SubsetResults]:
    """Yield how severe and how erratic the system is, entered as one more rater.

    Its severity is less the mean of the people's: above 0 it gives less than they do.
    """
    people, scales = part.people, part.scales
    if people is None or scales is None or scales[0].ends != scales[1].ends:
        return
    given = scores.patterns.scores[f"system:{system}"][part.rows]
    if people.scale.continuous or np.isnan(given).all():
        return
    points = people.rows.points
    rounded = np.where(np.isnan(given), np.nan, points[nearest(given, points)])
    ratings = np.concatenate([people.rows.scores, rounded[:, None]], axis=1)
    rows = replace(people.rows, scores=ratings)
    joined = People((*people.names, system), rows, people.scale).distinct()
    model = severity_model(joined, "auto")
    last = len(people.names)
    if isinstance(model, NotFitted) or model.raters[-1] != last:
        return
    others = np.full(model.raters.size, 1 / (model.raters.size - 1))
    others[-1] = 0.0
    place = model.raters.size - 1
    (estimates,) = _estimates(model, joined, settings, part, [place], others)
    yield SubsetResults(
        subset_of(part, system_called(system), n=estimates[0].n, against=SEVERITY), estimates, []
    )


def _estimates(
    model: Severities,
    people: People,
    settings: Settings,
    part: Part,
    which: Sequence[int],
    others: Floats,
) -> list[list[Estimate]]:
    """Severity of some raters less that of the ``others``, fair averages and fit."""
    a, fit = model.answers, model.fit
    mean, variance = predictions(model)
    counted = a.ratings[a.kind] > 1
    every = []
    for i in which:
        n = int(a.weight[a.rater == i].sum())
        towards = -others
        towards[i] += 1
        value = float(towards @ fit.severity)
        se = float(np.sqrt(towards @ fit.covariance @ towards))
        ends = student(value, se, fit.units - 1, settings.level)
        base = Estimate(
            key=Key("severity"), value=value, se=se, se_analytic=se, low=ends.low, high=ends.high,
            level=settings.level, n=n, score="human", method=f"{fit.method}; t interval, {fit.units - 1} df",
        )  # fmt: skip
        here = np.flatnonzero((a.rater == i) & counted)
        columns = np.stack([a.score[here] * 1.0, mean[here], variance[here]], axis=1)
        clusters = people.rows.clusters
        rows = Rows(
            columns, a.weight[here].astype(np.int64), people.rows.points,
            None if clusters is None else clusters[a.row[here]],
        )  # fmt: skip
        every.append([base, *_fair(model, base, others), *_fit(rows, settings, part)])
    return every


def _fair(model: Severities, severity: Estimate, others: Floats) -> Iterator[Estimate]:
    """The mean score the rater would give all responses, and less that of an average rater."""
    average = float(others @ model.fit.severity)
    at = np.array([severity.value, severity.high, severity.low]) + average
    value, low, high = (float(score) for score in fair_average(model, at))
    usual = float(fair_average(model, np.array([average]))[0])
    method = f"{severity.method} of severity, carried over"
    fair = replace(severity, key=Key("fair_average"), se=np.nan, se_analytic=np.nan, method=method)
    yield replace(fair, value=value, low=low, high=high)
    apart = replace(fair, key=Key("fair_difference"), value=value - usual)
    yield replace(apart, low=low - usual, high=high - usual)


def _fit(rows: Rows, settings: Settings, part: Part) -> list[Estimate]:
    kept = rows.distinct()
    units = summed(kept, FitSums.rows(*kept.scores.T), FitSums)
    none = "the rater shares no response with another"
    formulas = [
        Formula(name=name, value=value, undefined=none)
        for name, value in {"infit": infit, "outfit": outfit, "rater_spread": spread}.items()
    ]
    estimates = estimate_all(formulas, units, settings, key=stream_of(part.label))
    return [replace(estimate, score="human") for estimate in estimates]


def _model(model: Severities, people: People, settings: Settings, n: int) -> list[Estimate]:
    """Thresholds between points, mean and spread of quality, spread of severities."""
    fit = model.fit
    numbers = {"severity_sd": fit.spread, "quality_mean": fit.mean, "quality_sd": fit.sd}
    labels = people.scale.labels
    base = Estimate(
        key=Key(""),
        value=0.0,
        level=settings.level,
        n=n,
        method=fit.method,
        score="human",
        why=MODEL,
    )
    every = [replace(base, key=Key(name), value=value) for name, value in numbers.items()]
    points = np.searchsorted(people.rows.points, model.points[1:])
    for place, point, threshold in zip(points, model.points[1:], fit.thresholds, strict=True):
        word = labels[place] if labels else f"{point:g}"
        every.append(replace(base, key=Key("threshold", point=word), value=float(threshold)))
    return every


def _findings(model: Severities, method: Method) -> list[Finding]:
    findings = []
    if model.collapsed.size:
        unused = {f"point {i}": float(point) for i, point in enumerate(model.collapsed, 1)}
        findings.append(Finding(name="points_unused", numbers=unused, weight="note"))
    if not model.conditional and not model.assignment.random and method == "auto":
        findings.append(Finding(name="severity_from_all", weight="note"))
    return findings
