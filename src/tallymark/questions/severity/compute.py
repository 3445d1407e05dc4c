"""Rater severity: the many-facet Rasch model on the ratings, systems entered as further raters.

The traits of a response are no ratings on one scale: the model is fitted within each trait, and
within prompts on scales of their own. Prompts on one scale share a model, which links raters who
read different ones.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from tallymark.inference import Settings
from tallymark.questions.severity.fitted import Fitted, FittedRater, estimates_of, mean_estimates
from tallymark.reliability.rasch import NotFitted
from tallymark.reliability.severity import Method
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
from tallymark.study.average import average_subset, faceted
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.models import assignment_estimates, severity_model
from tallymark.study.parts import Part, People
from tallymark.tally import nearest

ONE_SIDED = "the rater gave only the lowest or only the highest score"
NOT_RATED = "the rater gave no rating"
MODEL = "a parameter of the model, given without an interval"


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
        given = ~np.isnan(self.people.rows.scores[:, self.people.names.index(name)])
        return [_undefined(int(self.people.rows.counts[given].sum()), rater, settings)]


def judge(parts: Sequence[Part], settings: Settings, method: Method = "auto") -> JudgedRaters:
    """Estimate the severity and fit of every rater, or say why it cannot be."""
    over, within = _scope(parts)
    everyone = [(part, part.people) for part in within if part.people is not None]
    if len(everyone) < len(within) or not any(p.rows.twice.any() for _, p in everyone):
        return JudgedRaters({}, {}, [], [])
    judged = [_judged(part, people, method) for part, people in everyone]
    models = [each.fitted for each in judged if isinstance(each.fitted, Fitted)]
    findings = [finding for fitted in models for finding in _findings(fitted, method)]
    results = [_model(fitted, settings) for fitted in models if not fitted.part.many]
    if not over:
        (each,) = judged
        by_rater = {name: each.estimates(name, settings) for name in each.raters}
        return JudgedRaters(by_rater, {}, results, findings)
    for each in judged:
        if not each.part.many:
            results += _in_part(each, settings)
    names = dict.fromkeys(name for each in judged for name in each.raters)
    means = {
        name: _mean([each.raters.get(name, NOT_RATED) for each in judged], over, settings)
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
    known = [rater for rater in raters if isinstance(rater, FittedRater)]
    lost = [rater for rater in raters if isinstance(rater, str)]
    if lost:
        n = sum(rater.n for rater in known)
        why = f"in {len(lost)} of {len(raters)} {over}s {lost[0]}"
        return [_undefined(n, why, settings)]
    return mean_estimates(known, over, settings)


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
    over, within = _scope(parts)
    raters = [rater for part in within if (rater := _as_rater(system, part)) is not None]
    subject = system_called(system)
    for rater in raters:
        if not rater.fitted.part.many:
            subset = subset_of(rater.fitted.part, subject, n=rater.n, against=SEVERITY)
            yield SubsetResults(subset, estimates_of(rater, settings), [])
    if over and len(raters) == len(within):
        subset = average_subset(subject, SEVERITY, over, [rater.n for rater in raters])
        yield SubsetResults(subset, mean_estimates(raters, over, settings), [])


def _as_rater(system: str, part: Part) -> FittedRater | None:
    """The system in the model of the people of a part and of itself; None where it has no place."""
    people, scales = part.people, part.scales
    if people is None or scales is None or scales[0].ends != scales[1].ends:
        return None
    given = part.scores.patterns.scores[f"system:{system}"][part.rows]
    if people.scale.continuous or np.isnan(given).all():
        return None
    points = people.rows.points
    rounded = np.where(np.isnan(given), np.nan, points[nearest(given, points)])
    ratings = np.concatenate([people.rows.scores, rounded[:, None]], axis=1)
    rows = replace(people.rows, scores=ratings)
    joined = People((*people.names, system), rows, people.scale).distinct()
    model = severity_model(joined, "auto")
    if isinstance(model, NotFitted) or model.raters[-1] != len(people.names):
        return None
    others = np.full(model.raters.size, 1 / (model.raters.size - 1))
    others[-1] = 0.0
    return FittedRater(Fitted(part, joined, model), model.raters.size - 1, others)


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
    every = [replace(base, key=Key(name), value=value) for name, value in numbers.items()]
    points = np.searchsorted(people.rows.points, model.points[1:])
    for place, point, threshold in zip(points, model.points[1:], fit.thresholds, strict=True):
        word = labels[place] if labels else f"{point:g}"
        every.append(replace(base, key=Key("threshold", point=word), value=float(threshold)))
    every += assignment_estimates(
        model.assignment, people.rows, settings, all_count=not model.conditional
    )
    return SubsetResults(subset_of(fitted.part, PEOPLE, n=n, against=SEVERITY), every, [])


def _findings(fitted: Fitted, method: Method) -> Iterator[Finding]:
    model, texts = fitted.model, dict(fitted.part.where)
    if model.collapsed.size:
        unused = {f"point {i}": float(point) for i, point in enumerate(model.collapsed, 1)}
        yield Finding(name="points_unused", numbers=unused, texts=texts, weight="note")
    if not model.conditional and not model.assignment.random and method == "auto":
        yield Finding(name="severity_from_all", texts=texts, weight="note")
