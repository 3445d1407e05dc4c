"""Rater severity: the many-facet Rasch model on the ratings, systems entered as further raters.

The traits of a response are no ratings on one scale: the model is fitted within each trait, and
within prompts on scales of their own. Prompts on one scale share a model, which links raters who
read different ones.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.interval import student
from tallymark.reliability.assignment import summed_squares
from tallymark.reliability.rasch import NotFitted
from tallymark.reliability.severity import Method, Severities, fair_average, predictions
from tallymark.reliability.severity_fit import FitSums, infit, outfit, spread
from tallymark.results import (
    OTHERS,
    PEOPLE,
    SEVERITY,
    Estimate,
    Finding,
    Key,
    rater_called,
    system_called,
)
from tallymark.study.average import average_subset, faceted, means
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.models import assignment_estimates, severity_model
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows, summed
from tallymark.tally import nearest

ONE_SIDED = "the rater gave only the lowest or only the highest score"
NOT_RATED = "the rater gave no rating"
MODEL = "a parameter of the model, given without an interval"
STEP = 1e-4
"""Logits either way, by which the slope of a fair average is found."""
_FIT = [
    Formula(name=name, value=value, undefined="the rater shares no response with another")
    for name, value in {"infit": infit, "outfit": outfit, "rater_spread": spread}.items()
]


class Fitted(Struct, frozen=True, eq=False, dict=True):
    """The model of the ratings in one part of the data."""

    part: Part
    people: People
    model: Severities

    @cached_property
    def expected(self) -> tuple[Floats, Floats]:
        """What the other ratings of the response predict for every rating, and its variance."""
        return predictions(self.model)

    @cached_property
    def places(self) -> dict[str, int]:
        """The raters who have a severity, and where the model has it."""
        return {self.people.names[rater]: i for i, rater in enumerate(self.model.raters)}


class FittedRater(Struct, frozen=True, eq=False, dict=True):
    """A rater in a model, less the mean of ``reference`` (a weight for each rater of the model)."""

    fitted: Fitted
    place: int
    reference: Floats

    @classmethod
    def of(cls, fitted: Fitted, name: str) -> "FittedRater":
        """The rater of this name, less the mean of all, which is 0."""
        return cls(fitted, fitted.places[name], np.zeros(len(fitted.places)))

    @property
    def n(self) -> int:
        """How many ratings the rater gave."""
        a = self.fitted.model.answers
        return int(a.weight[a.rater == self.place].sum())

    @property
    def towards(self) -> Floats:
        """The weights of all severities in this one."""
        towards = -self.reference
        towards[self.place] += 1
        return towards

    @property
    def severity(self) -> float:
        """In logits, less that of the others."""
        return float(self.towards @ self.fitted.model.fit.severity)

    def points(self, severity: Floats) -> Floats:
        """The fair averages at severities that are less that of the others."""
        average = float(self.reference @ self.fitted.model.fit.severity)
        return fair_average(self.fitted.model, severity + average)

    @cached_property
    def fit_units(self) -> Units[Any]:
        """What tells how regular the rater's scores are, as it is resampled."""
        a, (mean, variance) = self.fitted.model.answers, self.fitted.expected
        answers = np.flatnonzero((a.rater == self.place) & (a.ratings[a.kind] > 1))
        columns = np.stack([a.score[answers] * 1.0, mean[answers], variance[answers]], axis=1)
        rows = self.fitted.people.rows
        rows_of_rater = Rows(
            columns, a.weight[answers].astype(np.int64), rows.points,
            None if rows.clusters is None else rows.clusters[a.row[answers]],
        ).distinct()  # fmt: skip
        return summed(rows_of_rater, FitSums.rows(*rows_of_rater.scores.T), FitSums)


def estimates_of(rater: FittedRater, settings: Settings) -> list[Estimate]:
    """Severity, fair averages and fit of a rater in one part."""
    fit = rater.fitted.model.fit
    se = float(np.sqrt(rater.towards @ fit.covariance @ rater.towards))
    ends = student(rater.severity, se, fit.units - 1, settings.level)
    severity = Estimate(
        key=Key("severity"), value=rater.severity, se=se, se_analytic=se, low=ends.low,
        high=ends.high, level=settings.level, n=rater.n, score="human",
        method=f"{fit.method}; t interval, {fit.units - 1} df", why=_alone(fit.units),
    )  # fmt: skip
    key = stream_of(rater.fitted.part.label)
    regular = estimate_all(_FIT, rater.fit_units, settings, key=key)
    return [severity, *_fair(rater, severity), *(replace(e, score="human") for e in regular)]


def _fair(rater: FittedRater, severity: Estimate) -> Iterator[Estimate]:
    """The mean score the rater would give all responses, and less that of an average rater."""
    severities = np.array([severity.value, severity.high, severity.low, 0.0])
    value, low, high, average = (float(score) for score in rater.points(severities))
    method = f"{severity.method} of severity, carried over"
    fair = replace(severity, key=Key("fair_average"), se=np.nan, se_analytic=np.nan, method=method)
    yield replace(fair, value=value, low=low, high=high)
    difference = replace(fair, key=Key("fair_difference"), value=value - average)
    yield replace(difference, low=low - average, high=high - average)


def mean_estimates(raters: Sequence[FittedRater], over: str, settings: Settings) -> list[Estimate]:
    """The means over parts of a rater's severity, fair averages and fit.

    What a response or cluster adds in several parts is added up before it is squared, so that
    standard errors hold also where parts share clusters.
    """
    steps = np.array([0.0, -STEP, STEP])
    points_of_parts = [rater.points(steps + rater.severity) for rater in raters]
    averages = [float(rater.points(np.zeros(1))[0]) for rater in raters]
    slopes = [float(points[2] - points[1]) / (2 * STEP) for points in points_of_parts]
    fair = [float(points[0]) for points in points_of_parts]
    differences = [value - average for value, average in zip(fair, averages, strict=True)]
    regular = means([(_FIT, rater.fit_units) for rater in raters], over, settings)
    return [
        _mean_of_parts(
            "severity", raters, [r.severity for r in raters], [1.0] * len(raters), settings
        ),
        _mean_of_parts("fair_average", raters, fair, slopes, settings),
        _mean_of_parts("fair_difference", raters, differences, slopes, settings),
        *(replace(estimate, score="human") for estimate in regular),
    ]


def _mean_of_parts(
    name: str,
    raters: Sequence[FittedRater],
    values: Sequence[float],
    slopes: Sequence[float],
    settings: Settings,
) -> Estimate:
    """The mean of one value a part, each of which moves with the severity by its slope."""
    fits = [rater.fitted.model.fit for rater in raters]
    moved = np.concatenate(
        [
            fit.influence @ rater.towards * slope / len(raters)
            for fit, rater, slope in zip(fits, raters, slopes, strict=True)
        ]
    )
    rows = [rater.fitted.people.rows for rater in raters]
    counts = np.concatenate([row.counts for row in rows])
    codes = [row.clusters for row in rows if row.clusters is not None]
    clusters = np.concatenate(codes) if codes else None
    units = sum(fit.units for fit in fits)
    if clusters is not None:
        telling = np.concatenate([fit.influence.any(axis=1) for fit in fits])
        units = int(np.unique(clusters[telling]).size)
    value = float(np.mean(values))
    se = float(np.sqrt(summed_squares(moved[:, None], counts, clusters)[0, 0]))
    ends = student(value, se, units - 1, settings.level)
    methods = " and ".join(dict.fromkeys(fit.method.partition(",")[0] for fit in fits))
    return Estimate(
        key=Key(name), value=value, se=se, se_analytic=se, low=ends.low, high=ends.high,
        level=settings.level, n=sum(rater.n for rater in raters), score="human",
        method=f"{methods}, in each of {len(raters)} parts; t interval, {units - 1} df",
        why=_alone(units),
    )  # fmt: skip


def _alone(units: int) -> str:
    """Why there is no interval, where a single response or cluster tells of severity."""
    return "" if units > 1 else "one response or cluster does not show how others differ"


class JudgedRaters(NamedTuple):
    """What is known of each rater's severity, of the models, and what a reader should know.

    ``by_rater`` is of all responses, ``means`` over the traits or prompts within which models were
    fitted; ``results`` has the models, and the raters within each.
    """

    by_rater: dict[str, list[Estimate]]
    means: dict[str, list[Estimate]]
    results: list[SubsetResults]
    findings: list[Finding]


class _Judged(NamedTuple):
    """The model of one part, and its raters; or the reason why there is none."""

    part: Part
    people: People
    fitted: Fitted | NotFitted
    raters: dict[str, FittedRater | str]

    def estimates(self, name: str, settings: Settings) -> list[Estimate]:
        rater = self.raters[name]
        if isinstance(rater, FittedRater):
            return estimates_of(rater, settings)
        rated = ~np.isnan(self.people.rows.scores[:, self.people.names.index(name)])
        return [_undefined(int(self.people.rows.counts[rated].sum()), rater, settings)]


def judge(parts: Sequence[Part], settings: Settings, method: Method = "auto") -> JudgedRaters:
    """Estimate the severity and fit of every rater, or say why it cannot be."""
    over, parts_judged = _scope(parts)
    everyone = [(part, part.people) for part in parts_judged if part.people is not None]
    if len(everyone) < len(parts_judged) or not any(p.rows.twice.any() for _, p in everyone):
        return JudgedRaters({}, {}, [], [])
    judged = [_judged(part, people, method) for part, people in everyone]
    models = [
        model_of_part.fitted for model_of_part in judged if isinstance(model_of_part.fitted, Fitted)
    ]
    findings = [finding for fitted in models for finding in _findings(fitted, method)]
    results = [_model(fitted, settings) for fitted in models if not fitted.part.many]
    if not over:
        (model_of_part,) = judged
        by_rater = {name: model_of_part.estimates(name, settings) for name in model_of_part.raters}
        return JudgedRaters(by_rater, {}, results, findings)
    for model_of_part in judged:
        if not model_of_part.part.many:
            results += _in_part(model_of_part, settings)
    names = dict.fromkeys(name for model_of_part in judged for name in model_of_part.raters)
    means = {
        name: _mean(
            [model_of_part.raters.get(name, NOT_RATED) for model_of_part in judged], over, settings
        )
        for name in names
    }
    return JudgedRaters({}, means, results, findings)


def _scope(parts: Sequence[Part]) -> tuple[str, list[Part]]:
    """The traits, or the prompts where they are on scales of their own; else all responses."""
    for key, over in faceted(parts):
        if key == "trait" or parts[0].scales is None:
            return key, over
    return "", [part for part in parts if not part.where]


def _judged(part: Part, people: People, method: Method) -> _Judged:
    model = severity_model(people, method)
    if isinstance(model, NotFitted):
        return _Judged(part, people, model, dict.fromkeys(people.names, model.why))
    fitted = Fitted(part, people, model)
    raters: dict[str, FittedRater | str] = {
        name: FittedRater.of(fitted, name) for name in fitted.places
    }
    raters |= {people.names[rater]: ONE_SIDED for rater in model.one_sided}
    return _Judged(part, people, fitted, raters)


def _in_part(judged: _Judged, settings: Settings) -> Iterator[SubsetResults]:
    """Yield every rater's severity in one of several parts."""
    for name in judged.raters:
        estimates = judged.estimates(name, settings)
        if estimates[0].n:
            n = estimates[0].n
            subset = subset_of(judged.part, rater_called(name), n=n, against=OTHERS)
            yield SubsetResults(subset, estimates, [])


def _mean(raters: Sequence[FittedRater | str], over: str, settings: Settings) -> list[Estimate]:
    """The mean over all parts, or the reason why some part has none."""
    fitted = [rater for rater in raters if isinstance(rater, FittedRater)]
    lost = [rater for rater in raters if isinstance(rater, str)]
    if lost:
        n = sum(rater.n for rater in fitted)
        why = f"in {len(lost)} of {len(raters)} {over}s {lost[0]}"
        return [_undefined(n, why, settings)]
    return mean_estimates(fitted, over, settings)


def _undefined(n: int, why: str, settings: Settings) -> Estimate:
    return Estimate(
        key=Key("severity"), value=np.nan, level=settings.level, n=n, score="human", why=why
    )


def system_severity(
    system: str, parts: Sequence[Part], settings: Settings
) -> Iterator[SubsetResults]:
    """Yield how severe and how erratic the system is, entered as one more rater.

    Its severity is less the mean of the people's: above 0 it gives less than they do. Within
    traits, or prompts on scales of their own, and as their mean where each of them has it.
    """
    over, parts_judged = _scope(parts)
    raters = [rater for part in parts_judged if (rater := _as_rater(system, part)) is not None]
    subject = system_called(system)
    for rater in raters:
        if not rater.fitted.part.many:
            subset = subset_of(rater.fitted.part, subject, n=rater.n, against=SEVERITY)
            yield SubsetResults(subset, estimates_of(rater, settings), [])
    if over and len(raters) == len(parts_judged):
        subset = average_subset(subject, SEVERITY, over, [rater.n for rater in raters])
        yield SubsetResults(subset, mean_estimates(raters, over, settings), [])


def _as_rater(system: str, part: Part) -> FittedRater | None:
    """The system in the model of the people of a part and of itself; None where it has no place."""
    people, scales = part.people, part.scales
    if people is None or scales is None or scales[0].ends != scales[1].ends:
        return None
    scores = part.scores.patterns.scores[f"system:{system}"][part.rows]
    if people.scale.continuous or np.isnan(scores).all():
        return None
    points = people.rows.points
    rounded = np.where(np.isnan(scores), np.nan, points[nearest(scores, points)])
    ratings = np.concatenate([people.rows.scores, rounded[:, None]], axis=1)
    rows = replace(people.rows, scores=ratings)
    joined = People((*people.names, system), rows, people.scale).distinct()
    model = severity_model(joined, "auto")
    if isinstance(model, NotFitted) or model.raters[-1] != len(people.names):
        return None
    weights = np.full(model.raters.size, 1 / (model.raters.size - 1))
    weights[-1] = 0.0
    return FittedRater(Fitted(part, joined, model), model.raters.size - 1, weights)


def _model(fitted: Fitted, settings: Settings) -> SubsetResults:
    """Thresholds between points, mean and spread of quality, spread of severities; who read what."""
    people, model, fit = fitted.people, fitted.model, fitted.model.fit
    n = int(people.rows.rated().counts.sum())
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
    estimates = [replace(base, key=Key(name), value=value) for name, value in numbers.items()]
    points = np.searchsorted(people.rows.points, model.points[1:])
    for place, point, threshold in zip(points, model.points[1:], fit.thresholds, strict=True):
        word = labels[place] if labels else f"{point:g}"
        estimates.append(replace(base, key=Key("threshold", point=word), value=float(threshold)))
    estimates += assignment_estimates(
        model.assignment, people.rows, settings, all_count=not model.conditional
    )
    return SubsetResults(subset_of(fitted.part, PEOPLE, n=n, against=SEVERITY), estimates, [])


def _findings(fitted: Fitted, method: Method) -> Iterator[Finding]:
    model, texts = fitted.model, dict(fitted.part.where)
    if model.collapsed.size:
        unused = {f"point {i}": float(point) for i, point in enumerate(model.collapsed, 1)}
        yield Finding(name="points_unused", numbers=unused, texts=texts, weight="note")
    if not model.conditional and not model.assignment.random and method == "auto":
        yield Finding(name="severity_from_all", texts=texts, weight="note")
