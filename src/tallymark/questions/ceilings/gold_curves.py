"""Ceilings of a gold on its points, modelled along the reliability of one rating, by rule of resolution."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.questions.ceilings.ladder import CeilingCurve, Ladder
from tallymark.reliability.gold_rule import ADJUDICATED, POSITIONS, label_scale
from tallymark.reliability.quantised import (
    Label,
    LabelCeilings,
    Latent,
    Moments,
    fit_latent,
    fit_near,
    fit_raters,
    fit_third,
    human_like_of_raters,
    label_ceilings,
    label_of,
    label_of_raters,
    stacked,
)
from tallymark.scale import Scale
from tallymark.study.units import Rows

REACH = np.array([-3.0, -1.5, 1.5, 3.0])
"""Where, in standard errors of the reliability, ceilings are computed; between them on a polynomial."""
NUDGE = 0.05
"""In standard deviations: how far mean and spread of ratings are moved to see the ceilings move."""
CONTINUOUS = "the scale is continuous: without points this ceiling is not known"
NO_FIT = "no normal distribution of true scores gives ratings of this mean, variance and error"
TWO_POINTS = "on two score points ratings do not tell how true scores are spread, which this ceiling depends on"
NO_ERROR = "ratings of the same response never differ, so there is no rater error to model"


class Crew(NamedTuple):
    """Raters who are told apart: mean, variance, error and share of each; who rated, by share."""

    moments: tuple[Moments, ...]
    share: Floats
    sets: Mapping[tuple[int, ...], float]


class Rated(NamedTuple):
    """The ratings as the model sees them: scale, moments, and numbers of ratings by share.

    Where a third rating was asked for, ``third`` are mean and mean square of it less the mean of the
    first two, and by how much the error of the first exceeds that of the second, if that is known.
    """

    scale: Scale
    mean: float
    variance: float
    ratings: Mapping[int, float]
    adjacency: float
    crew: Crew | None = None
    third: tuple[float, ...] = ()


class GoldRatings(NamedTuple):
    """The gold of a rule, the ratings behind it, and the reliability of one with its error."""

    rule: str
    rated: Rated
    single: float
    se: float


class Latents(NamedTuple):
    """True scores that fit the ratings, by reliability of one rating; ``why`` if none do.

    ``moved`` holds those that fit ratings with a lower and a higher mean, and variance, and by
    how much they differ.
    """

    by_reliability: Mapping[float, Latent]
    why: str = ""
    moved: tuple[tuple[float, Latent, Latent] | None, ...] = ()

    @property
    def fits(self) -> list[Latent]:
        """All that were fitted: along the reliability, then the moved ones."""
        pairs = [moved for moved in self.moved if moved is not None]
        return [*self.by_reliability.values(), *(latent for pair in pairs for latent in pair[1:])]

    def with_third(self, gold: GoldRatings) -> "Latents":
        """The same, with the usual fit again where what tells of a third rater is moved."""
        if self.why:
            return self
        fitted = self.by_reliability[gold.single]
        third = ((2 * by, fitted, fitted) for by in _nudges(gold.rated))
        return self._replace(moved=(*self.moved, *third))


def latents_of(many: Sequence[GoldRatings]) -> list[Latents]:
    """Fit true scores to the ratings, at reliabilities about that of one rating."""
    latents = [Latents({}, _unfit(gold)) for gold in many]
    fittable = [i for i, latent in enumerate(latents) if not latent.why]
    if not fittable:
        return latents
    points = np.asarray(many[0].rated.scale.points)
    wanted = np.array([_wanted(many[i].rated, many[i].single) for i in fittable])
    fitted = dict(zip(fittable, fit_latent(points, wanted), strict=True))
    plans = {i: _plan(many[i]) for i, fit in fitted.items() if fit is not None}
    starts = [fit for i, fit in fitted.items() if fit is not None for _ in plans[i].wanted]
    wanted = np.array([row for plan in plans.values() for row in plan.wanted])
    fits = iter(fit_near(starts, wanted) if starts else [])
    for i, fit in fitted.items():
        if fit is None:
            latents[i] = Latents({}, NO_FIT)
        else:
            moved = [next(fits) for _ in plans[i].wanted]
            latents[i] = plans[i].latents(many[i].single, fit, moved)
    return latents


def _unfit(gold: GoldRatings) -> str:
    """Why no true scores can be fitted."""
    if gold.rated.scale.continuous:
        return CONTINUOUS
    if len(gold.rated.scale.points) == 2:
        return TWO_POINTS
    return "" if gold.single < 1 else NO_ERROR


def thirds_of(rated: Rated, fits: int) -> Floats:
    """What tells of a third rater, ``[fit, number]``: in the last fits one after the other moved."""
    moments = np.tile(rated.third, (fits, 1))
    for i, by in enumerate(_nudges(rated)):
        place = fits + 2 * (i - len(rated.third))
        moments[place : place + 2, i] += (-by, by)
    return moments


def _nudges(rated: Rated) -> list[float]:
    """How far the numbers that tell of a third rater are moved to see the ceilings move."""
    sizes = math.sqrt(rated.variance), rated.variance, rated.variance
    return [NUDGE * size for size, _ in zip(sizes, rated.third, strict=False)]


class _Plan(NamedTuple):
    """About which reliabilities true scores are fitted, and how far mean and variance are moved."""

    reliabilities: list[float]
    distances: tuple[float, float]
    wanted: list[tuple[float, float, float]]

    def latents(self, single: float, fitted: Latent, fits: Sequence[Latent | None]) -> Latents:
        """Put together what was found."""
        around = zip(self.reliabilities, fits, strict=False)
        by_reliability = {single: fitted} | {
            reliability: fit for reliability, fit in around if fit is not None
        }
        moved = tuple(
            None if low is None or high is None else (2 * distance, low, high)
            for distance, low, high in zip(self.distances, fits[-4::2], fits[-3::2], strict=True)
        )
        return Latents(dict(sorted(by_reliability.items())), moved=moved)


def _plan(gold: GoldRatings) -> _Plan:
    _, rated, single, se = gold
    spread = max(se, 1e-6) if np.isfinite(se) else 0.05
    reliabilities = np.clip(single + REACH * spread, 0.01, 0.995).tolist()
    distances = NUDGE * math.sqrt(rated.variance), NUDGE * rated.variance
    wanted = [_wanted(rated, reliability) for reliability in reliabilities]
    for field, distance in zip(
        ("mean", "variance"), distances, strict=True
    ):  # a little lower, higher
        ends = (getattr(rated, field) + way * distance for way in (-1, 1))
        wanted += [_wanted(rated._replace(**{field: end}), single) for end in ends]
    return _Plan(reliabilities, distances, wanted)


def _wanted(rated: Rated, single: float) -> tuple[float, float, float]:
    """Mean, variance and error variance of ratings of this reliability."""
    return rated.mean, rated.variance, (1 - single) * rated.variance


def chances_of(
    many: Sequence[Rated], fits: Sequence[Sequence[Latent]]
) -> list[list[list[Floats] | None]]:
    """By rater and point, at given true scores; None where some rater's ratings are not met.

    None also where raters are not told apart.
    """
    pairs: list[tuple[Latent, Moments]] = []
    for rated, latents in zip(many, fits, strict=True):
        thirds = thirds_of(rated, len(latents))
        pairs += [
            pair
            for latent, third in zip(latents, thirds.tolist(), strict=True)
            for pair in _moved(rated, latent, third)
        ]
    wanted = np.array([moments for _, moments in pairs]).reshape(-1, 3)
    each_rater = iter(fit_raters([latent for latent, _ in pairs], wanted))
    chances_of_parts: list[list[list[Floats] | None]] = []
    for rated, latents in zip(many, fits, strict=True):
        number = 0 if rated.crew is None else len(rated.crew.moments)
        chances = [[next(each_rater) for _ in range(number)] for _ in latents]
        fitted = [[c for c in of_raters if c is not None] for of_raters in chances]
        chances_of_parts.append([c if number and len(c) == number else None for c in fitted])
    return chances_of_parts


def _moved(
    rated: Rated, latent: Latent, third: Sequence[float]
) -> Iterator[tuple[Latent, Moments]]:
    """What each rater's ratings are like where the true scores are these."""
    crew = rated.crew
    if crew is None:
        return
    mean_error = crew.share @ np.array([moments[2] for moments in crew.moments]) / crew.share.sum()
    mean, variance, error = latent.moments().tolist()
    by, spread = mean - rated.mean, variance / rated.variance
    gap = (third[2] - rated.third[2]) / 2 if len(third) > 2 else 0.0
    for (m, v, e), extra in zip(crew.moments, chain((gap, -gap), repeat(0.0)), strict=False):
        yield latent, (m + by, (v + extra) * spread, (e + extra) * error / mean_error)


FEW_POINTS = 6
"""On this many points or fewer the quantised ceiling is reported."""
FEW_AT_ONCE = 10
"""On more points sets of ratings are many: fits take turns, to stay within memory."""
UNEVEN = "the points of the scale are not evenly spaced: rounding to them is not modelled"
MANY_SETS = "the ratings of a response can combine in too many ways on this scale"


class LabelCurve(NamedTuple):
    """The curve of the ceilings against one kind of gold; ``why`` if there is none."""

    rule: str
    curve: CeilingCurve | None = None
    why: str = ""


def summary(ladder: Ladder, rule: str) -> tuple[Floats, ...]:
    """Reliability, mean and variance of the one rating that stands for those behind a gold.

    The mean is about the middle of the scale. Of a gold that adds up, the rating has the noise of
    the gold; of another, the mean of the raters' variances. Where a third rater decides, mean and
    mean square of that rating less the mean of the first two follow, and how much more the first
    errs than the second.
    """
    if rule not in ladder.summaries:
        ladder.summaries[rule] = _summary(ladder, rule)
        if rule in ADJUDICATED and ladder.design.third is not None:
            asked_times, *sums = np.moveaxis(ladder.third, -1, 0)
            times = np.where(np.real(asked_times) > 0, asked_times, np.nan)
            ladder.summaries[rule] += tuple(part / times for part in sums)
            if ladder.design.model != "pool":
                error = ladder.raters.error
                ladder.summaries[rule] += (error[..., 0] - error[..., 1],)
    return ladder.summaries[rule]


def _summary(ladder: Ladder, rule: str) -> tuple[Floats, Floats, Floats]:
    variances, sums = ladder.variances, ladder.ratings.sums
    with np.errstate(invalid="ignore", divide="ignore"):  # the only cluster was left out
        mean = np.asarray(sums[..., 5] / sums[..., 1])
        if ladder.design.model == "pool":
            return variances.single, mean, variances.true + variances.error
        if rule in ladder.golds:
            gold, several = ladder.golds[rule], rule not in POSITIONS
            size = variances.ratings if rule == "sum" else 1.0
            true = ladder.reliability(rule) * gold.variance / size**2
            error = gold.variance / size**2 - true
            total = true + error * (variances.ratings if several else 1.0)
            return true / total, gold.sums[..., 1] / gold.n / size, total
        raters = ladder.raters
        share = raters.ratings / raters.ratings.sum(axis=-1, keepdims=True)
        error = (share * raters.error).sum(axis=-1)
        total = error + (share * raters.loading**2).sum(axis=-1)
        return 1 - error / total, (share * ladder.means).sum(axis=-1), total


def simple(rule: str) -> bool:
    """Whether a rule's ceilings follow from the reliability alone."""
    return rule in (*POSITIONS, "mean", "sum")


def coarse(rows: Rows, scale: Scale) -> bool:
    """Whether points are so few, or one of them so common, that they lower the ceiling."""
    if scale.continuous:
        return False
    present = ~np.isnan(rows.scores)
    times = np.repeat(rows.heavy[:, None], rows.scores.shape[1], axis=1)[present]
    used = np.unique(rows.scores[present], return_inverse=True)[1]
    shares = np.bincount(used, weights=times) / times.sum()
    return len(scale.points) <= FEW_POINTS or bool(shares.max(initial=0.0) > 0.5)


def label_points(rule: str, scale: Scale, ratings: int) -> Floats:
    """The points on which a gold lies that a rule makes of this many ratings.

    >>> label_points("mean", Scale.parse("1:3"), 2).tolist()
    [1.0, 1.5, 2.0, 2.5, 3.0]
    """
    times, parts = label_scale(rule, ratings)
    points = np.asarray(scale.points)
    if parts == 1:
        return points
    between = np.linspace(points[:-1], points[1:], parts, endpoint=False, axis=1).ravel()
    return np.append(between, points[-1]) * times


def label_curves(many: Sequence[GoldRatings]) -> list[LabelCurve]:
    """Ceilings against each gold, along the reliability of one rating; all are on one scale.

    True scores and raters of all of them are fitted side by side.
    """
    latents = [latent.with_third(gold) for latent, gold in zip(latents_of(many), many, strict=True)]
    whys = [latent.why or _uneven(gold) for latent, gold in zip(latents, many, strict=True)]
    fits = [[] if why else latent.fits for latent, why in zip(latents, whys, strict=True)]
    told_apart = chances_of([gold.rated for gold in many], fits)
    curves = []
    for gold, fitted, why, chances in zip(many, latents, whys, told_apart, strict=True):
        if why:
            curves.append(LabelCurve(gold.rule, why=why))
        else:
            thirds = thirds_of(gold.rated, len(fitted.fits))
            curves.append(_curve(gold, fitted, _ceilings(gold, fitted.fits, chances, thirds)))
    return curves


def _uneven(gold: GoldRatings) -> str:
    """Why there is no curve of a mean that is rounded."""
    uneven = np.ptp(np.diff(gold.rated.scale.points)) > 1e-9
    return UNEVEN if uneven and gold.rule.startswith("mean_") else ""


def _curve(gold: GoldRatings, latents: Latents, all_ceilings: Floats) -> LabelCurve:
    """The curve through the ceilings at all the true scores that were fitted."""
    rule, rated, *_ = gold
    ceilings, moved_ceilings = np.split(all_ceilings, [len(latents.by_reliability)])
    if np.isnan(ceilings[:, 0]).any():
        return LabelCurve(rule, why=MANY_SETS)
    slopes = np.zeros((len(latents.moved), 4))
    places = [i for i, moved in enumerate(latents.moved) if moved is not None]
    by = [moved[0] for moved in latents.moved if moved is not None]
    slopes[places] = (moved_ceilings[1::2] - moved_ceilings[::2]) / np.reshape(by, (-1, 1))
    middle = (rated.scale.low + rated.scale.high) / 2
    moments = np.array([rated.mean - middle, rated.variance, *rated.third])
    return LabelCurve(
        rule, CeilingCurve(np.array(list(latents.by_reliability)), ceilings, slopes, moments)
    )


def _ceilings(
    gold: GoldRatings,
    fits: Sequence[Latent],
    told_apart: Sequence[list[Floats] | None],
    thirds: Floats,
) -> Floats:
    """Ceilings ``[fit, kind]`` against the gold of a rule; NaN if it cannot be listed.

    ``thirds`` tell of the third rater, where there is one.
    """
    rule, rated, *_ = gold
    if len(fits) > 1 and len(rated.scale.points) > FEW_AT_ONCE:
        turns = zip(fits, told_apart, thirds[:, None], strict=True)
        return np.concatenate([_ceilings(gold, [fit], [c], third) for fit, c, third in turns])
    number = max(rated.ratings)
    points, times = label_points(rule, rated.scale, number), label_scale(rule, number)[0]
    ceilings = np.full((len(fits), len(LabelCeilings._fields)), np.nan)
    separate = {i: chances for i, chances in enumerate(told_apart) if rated.crew and chances}
    if rated.crew and separate:
        latent = stacked([fits[i] for i in separate])
        each_rater = [np.stack(chances) for chances in zip(*separate.values(), strict=True)]
        of_crew = _of_crew(rule, rated, rated.crew, latent, each_rater, thirds[[*separate]])
        if of_crew is None:
            separate = {}
        else:
            label, further = of_crew
            reached = label_ceilings(latent, label, points, times=times)
            ceilings[[*separate]] = np.stack(reached._replace(human_like=further), axis=-1)
    rest = [i for i in range(len(fits)) if i not in separate]
    if rest:
        latent = stacked([fits[i] for i in rest])
        if rated.third:
            pooled = _with_third(rule, rated, latent, [latent.chances] * 2, thirds[rest])
        else:
            pooled = label_of(latent, rule, rated.ratings, adjacency=rated.adjacency)
        if pooled is not None:
            reached = label_ceilings(latent, pooled, points, times=times)
            ceilings[rest] = np.stack(reached, axis=-1)
    return ceilings


def _of_crew(
    rule: str,
    rated: Rated,
    crew: Crew,
    latent: Latent,
    chances: list[Floats],
    thirds: Floats,
) -> tuple[Label, Floats] | None:
    """The gold of raters who are told apart, and one more rater's correlation with it."""
    if rated.third:
        gold = _with_third(rule, rated, latent, chances, thirds)
    else:  # a third rater of whom no rating tells is as the others are on average
        average = np.tensordot(crew.share / crew.share.sum(), np.array(chances), axes=1)
        gold = label_of_raters(
            latent, [*chances, average], rule, crew.sets, adjacency=rated.adjacency
        )
    return None if gold is None else (gold, human_like_of_raters(latent, chances, crew.share, gold))


def _with_third(
    rule: str, rated: Rated, latent: Latent, chances: Sequence[Floats], thirds: Floats
) -> Label | None:
    """The gold of two raters and of a third who is asked where they are apart, and errs alone."""
    (first, second), adjacency = chances[:2], rated.adjacency
    third = fit_third(latent, first, second, thirds[:, :2], adjacency=adjacency)
    return label_of_raters(
        latent, [first, second, third], rule, {(0, 1, 2): 1.0}, adjacency=adjacency
    )
