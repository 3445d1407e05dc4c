"""A rater in the severity model of a part of the data, and the mean over traits or prompts."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.inference.interval import student
from tallymark.reliability.assignment import summed_squares
from tallymark.reliability.severity import Severities, fair_average, predictions
from tallymark.reliability.severity_fit import FitSums, infit, outfit, spread
from tallymark.results import Estimate, Key
from tallymark.study.average import means
from tallymark.study.measured import stream_of
from tallymark.study.parts import Part, People
from tallymark.study.units import Rows, summed

Floats = NDArray[np.float64]
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
    """A rater in a model, less the mean of ``others`` (a weight for each rater of the model)."""

    fitted: Fitted
    place: int
    others: Floats

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
        towards = -self.others
        towards[self.place] += 1
        return towards

    @property
    def severity(self) -> float:
        """In logits, less that of the others."""
        return float(self.towards @ self.fitted.model.fit.severity)

    def points(self, severity: Floats) -> Floats:
        """The fair averages at severities that are less that of the others."""
        average = float(self.others @ self.fitted.model.fit.severity)
        return fair_average(self.fitted.model, severity + average)

    @cached_property
    def fit_units(self) -> Units[Any]:
        """What tells how regular the rater's scores are, as it is resampled."""
        a, (mean, variance) = self.fitted.model.answers, self.fitted.expected
        here = np.flatnonzero((a.rater == self.place) & (a.ratings[a.kind] > 1))
        columns = np.stack([a.score[here] * 1.0, mean[here], variance[here]], axis=1)
        rows = self.fitted.people.rows
        kept = Rows(
            columns, a.weight[here].astype(np.int64), rows.points,
            None if rows.clusters is None else rows.clusters[a.row[here]],
        ).distinct()  # fmt: skip
        return summed(kept, FitSums.rows(*kept.scores.T), FitSums)


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
    at = np.array([severity.value, severity.high, severity.low, 0.0])
    value, low, high, usual = (float(score) for score in rater.points(at))
    method = f"{severity.method} of severity, carried over"
    fair = replace(severity, key=Key("fair_average"), se=np.nan, se_analytic=np.nan, method=method)
    yield replace(fair, value=value, low=low, high=high)
    apart = replace(fair, key=Key("fair_difference"), value=value - usual)
    yield replace(apart, low=low - usual, high=high - usual)


def mean_estimates(raters: Sequence[FittedRater], over: str, settings: Settings) -> list[Estimate]:
    """The means over parts of a rater's severity, fair averages and fit.

    What a response or cluster adds in several parts is added up before it is squared, so that
    standard errors hold also where parts share clusters.
    """
    at = np.array([0.0, -STEP, STEP])
    every = [rater.points(at + rater.severity) for rater in raters]
    usual = [float(rater.points(np.zeros(1))[0]) for rater in raters]
    slopes = [float(points[2] - points[1]) / (2 * STEP) for points in every]
    fair = [float(points[0]) for points in every]
    apart = [value - average for value, average in zip(fair, usual, strict=True)]
    regular = means([(_FIT, rater.fit_units) for rater in raters], over, settings)
    return [
        _mean("severity", raters, [r.severity for r in raters], [1.0] * len(raters), settings),
        _mean("fair_average", raters, fair, slopes, settings),
        _mean("fair_difference", raters, apart, slopes, settings),
        *(replace(estimate, score="human") for estimate in regular),
    ]


def _mean(
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
    how = " and ".join(dict.fromkeys(fit.method.partition(",")[0] for fit in fits))
    return Estimate(
        key=Key(name), value=value, se=se, se_analytic=se, low=ends.low, high=ends.high,
        level=settings.level, n=sum(rater.n for rater in raters), score="human",
        method=f"{how}, in each of {len(raters)} parts; t interval, {units - 1} df",
        why=_alone(units),
    )  # fmt: skip


def _alone(units: int) -> str:
    """Why there is no interval, where a single response or cluster tells of severity."""
    return "" if units > 1 else "one response or cluster does not show how others differ"
