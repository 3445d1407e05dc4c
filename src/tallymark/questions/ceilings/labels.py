"""Ceilings of the gold as it was really made: by rule of resolution, on its points."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.questions.ceilings.ladder import CeilingCurve, Ladder
from tallymark.reliability.gold_rule import POSITIONS, label_scale
from tallymark.reliability.quantised import (
    Label,
    Latent,
    fit_latent,
    fit_near,
    label_ceilings,
    label_of,
)
from tallymark.reliability.unequal import (
    Moments,
    fit_raters,
    human_like_of_raters,
    label_of_raters,
)
from tallymark.scale import Scale
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
FEW_POINTS = 6
"""On this many points or fewer the quantised ceiling is reported."""
REACH = np.array([-3.0, -1.5, 1.5, 3.0])
"""Where, in standard errors of the reliability, ceilings are computed; between them on a polynomial."""
NUDGE = 0.05
"""In standard deviations: how far mean and spread of ratings are moved to see the ceilings move."""
CONTINUOUS = "the scale is continuous: without points this ceiling is not known"
UNEVEN = "the points of the scale are not evenly spaced: rounding to them is not modelled"
NO_FIT = "no normal distribution of true scores gives ratings of this mean, variance and error"
TWO_POINTS = "on two score points ratings do not tell how true scores are spread, which this ceiling depends on"
NO_ERROR = "ratings of the same response never differ, so there is no rater error to model"
MANY_SETS = "the ratings of a response can combine in too many ways on this scale"


class Crew(NamedTuple):
    """Raters who are told apart: mean, variance, error and share of each; who rated, by share."""

    moments: tuple[Moments, ...]
    share: Floats
    sets: Mapping[tuple[int, ...], float]


class Rated(NamedTuple):
    """The ratings as the model sees them: scale, moments, and numbers of ratings by share."""

    scale: Scale
    mean: float
    variance: float
    ratings: Mapping[int, float]
    adjacency: float
    crew: Crew | None = None


class Latents(NamedTuple):
    """True scores that fit the ratings, by reliability of one rating; ``why`` if none do.

    ``moved`` holds those that fit ratings with a lower and a higher mean, and variance, and by
    how much they differ.
    """

    at: Mapping[float, Latent]
    why: str = ""
    moved: tuple[tuple[float, Latent, Latent] | None, ...] = ()


class LabelCurve(NamedTuple):
    """The curve of the ceilings against one kind of gold; ``why`` if there is none."""

    rule: str
    curve: CeilingCurve | None = None
    why: str = ""


def summary(ladder: Ladder, rule: str) -> tuple[Floats, Floats, Floats]:
    """Reliability, mean and variance of the one rating that stands for those behind a gold.

    The mean is about the middle of the scale. Of a gold that adds up, the rating has the noise of
    the gold; of another, the mean of the raters' variances.
    """
    if rule not in ladder.summaries:
        ladder.summaries[rule] = _summary(ladder, rule)
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
    given = ~np.isnan(rows.scores)
    times = np.repeat(rows.heavy[:, None], rows.scores.shape[1], axis=1)[given]
    used = np.unique(rows.scores[given], return_inverse=True)[1]
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


def latents_of(rated: Rated, single: float, se: float) -> Latents:
    """Fit true scores to the ratings, at reliabilities about that of one rating."""
    if rated.scale.continuous:
        return Latents({}, CONTINUOUS)
    if len(rated.scale.points) == 2:
        return Latents({}, TWO_POINTS)
    if not single < 1:
        return Latents({}, NO_ERROR)
    usual = fit_latent(np.asarray(rated.scale.points), *_wanted(rated, single))
    if usual is None:
        return Latents({}, NO_FIT)
    spread = max(se, 1e-6) if np.isfinite(se) else 0.05
    about = np.clip(single + REACH * spread, 0.01, 0.995).tolist()
    apart = {"mean": NUDGE * math.sqrt(rated.variance), "variance": NUDGE * rated.variance}
    wanted = [_wanted(rated, at) for at in about]
    for field, distance in apart.items():  # a mean and a variance a little lower and higher
        ends = (getattr(rated, field) + way * distance for way in (-1, 1))
        wanted += [_wanted(rated._replace(**{field: end}), single) for end in ends]
    fits = fit_near(usual, np.array(wanted))
    latents = {single: usual} | {
        at: fit for at, fit in zip(about, fits, strict=False) if fit is not None
    }
    moved = tuple(
        None if low is None or high is None else (2 * distance, low, high)
        for distance, low, high in zip(apart.values(), fits[-4::2], fits[-3::2], strict=True)
    )
    return Latents(dict(sorted(latents.items())), moved=moved)


def _wanted(rated: Rated, single: float) -> tuple[float, float, float]:
    """Mean, variance and error variance of ratings of this reliability."""
    return rated.mean, rated.variance, (1 - single) * rated.variance


def label_curve(rule: str, rated: Rated, latents: Latents) -> LabelCurve:
    """Ceilings against the gold of a rule, along the reliability of one rating."""
    if latents.why:
        return LabelCurve(rule, why=latents.why)
    if rule.startswith("mean_") and np.ptp(np.diff(rated.scale.points)) > 1e-9:
        return LabelCurve(rule, why=UNEVEN)
    pairs = [moved for moved in latents.moved if moved is not None]
    fits = [*latents.at.values(), *(made for pair in pairs for made in pair[1:])]
    every = np.array([*_ceilings(rule, rated, fits)])
    ceilings, others = np.split(every, [len(latents.at)])
    if np.isnan(ceilings[:, 0]).any():
        return LabelCurve(rule, why=MANY_SETS)
    slopes = np.zeros((2, 4))
    known = [i for i, moved in enumerate(latents.moved) if moved is not None]
    slopes[known] = (others[1::2] - others[::2]) / np.reshape([pair[0] for pair in pairs], (-1, 1))
    usual = np.array([rated.mean - (rated.scale.low + rated.scale.high) / 2, rated.variance])
    return LabelCurve(rule, CeilingCurve(np.array(list(latents.at)), ceilings, slopes, usual))


def _ceilings(rule: str, rated: Rated, fits: Sequence[Latent]) -> Iterator[Floats]:
    """Ceilings against the gold of a rule at given true scores; NaN if it cannot be listed."""
    number = max(rated.ratings)
    points, times = label_points(rule, rated.scale, number), label_scale(rule, number)[0]
    crew = rated.crew
    told_apart = [None] * len(fits) if crew is None else _chances(rated, crew, fits)
    for made, chances in zip(fits, told_apart, strict=True):
        of_crew = crew and chances and _of_crew(rule, rated, crew, made, chances)
        if of_crew:
            gold, like = of_crew
            yield np.array(
                label_ceilings(made, gold, points, times=times)._replace(human_like=like)
            )
            continue
        pooled = label_of(made, rule, rated.ratings, adjacency=rated.adjacency)
        none = np.full(4, np.nan)
        yield (
            none if pooled is None else np.array(label_ceilings(made, pooled, points, times=times))
        )


def _chances(rated: Rated, crew: Crew, fits: Sequence[Latent]) -> list[list[Floats] | None]:
    """By rater and point, at given true scores; None where some rater's ratings are not met."""
    usual = crew.share @ np.array([moments[2] for moments in crew.moments]) / crew.share.sum()
    wanted = []
    for made in fits:
        mean, variance, error = made.moments().tolist()
        by, spread = mean - rated.mean, variance / rated.variance
        wanted += [(m + by, v * spread, e * error / usual) for m, v, e in crew.moments]
    each = fit_raters([made for made in fits for _ in crew.moments], np.array(wanted))
    number = len(crew.moments)
    known = [
        [chances for chances in each[i : i + number] if chances is not None]
        for i in range(0, len(each), number)
    ]
    return [chances if len(chances) == number else None for chances in known]


def _of_crew(
    rule: str, rated: Rated, crew: Crew, made: Latent, chances: list[Floats]
) -> tuple[Label, float] | None:
    """The gold of raters who are told apart, and one more rater's correlation with it."""
    # a third rater who was asked only where two differ is as the others are on average
    average = np.tensordot(crew.share / crew.share.sum(), np.array(chances), axes=1)
    every = [*chances, average]
    gold = label_of_raters(made, every, rule, crew.sets, adjacency=rated.adjacency)
    return None if gold is None else (gold, human_like_of_raters(made, chances, crew.share, gold))
