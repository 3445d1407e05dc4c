"""True scores and raters that fit the ratings behind a gold, those of several parts side by side."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.reliability.quantised import Latent, fit_latent, fit_near
from tallymark.reliability.unequal import Moments, fit_raters
from tallymark.scale import Scale

Floats = NDArray[np.float64]
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


class ToModel(NamedTuple):
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

    at: Mapping[float, Latent]
    why: str = ""
    moved: tuple[tuple[float, Latent, Latent] | None, ...] = ()

    @property
    def every(self) -> list[Latent]:
        """All that were fitted: along the reliability, then the moved ones."""
        pairs = [moved for moved in self.moved if moved is not None]
        return [*self.at.values(), *(made for pair in pairs for made in pair[1:])]

    def with_third(self, asked: ToModel) -> "Latents":
        """The same, with the usual fit again where what tells of a third rater is moved."""
        if self.why:
            return self
        usual = self.at[asked.single]
        third = ((2 * by, usual, usual) for by in _nudges(asked.rated))
        return self._replace(moved=(*self.moved, *third))


def latents_of(many: Sequence[ToModel]) -> list[Latents]:
    """Fit true scores to the ratings, at reliabilities about that of one rating."""
    made = [Latents({}, _unfit(asked)) for asked in many]
    can = [i for i, each in enumerate(made) if not each.why]
    if not can:
        return made
    points = np.asarray(many[0].rated.scale.points)
    wanted = np.array([_wanted(many[i].rated, many[i].single) for i in can])
    usual = dict(zip(can, fit_latent(points, wanted), strict=True))
    known = {i: fit for i, fit in usual.items() if fit is not None}
    plans = {i: _plan(many[i]) for i in known}
    near = [known[i] for i, plan in plans.items() for _ in plan.wanted]
    wanted = np.array([row for plan in plans.values() for row in plan.wanted])
    fits = iter(fit_near(near, wanted) if near else [])
    for i, fit in usual.items():
        if fit is None:
            made[i] = Latents({}, NO_FIT)
            continue
        made[i] = plans[i].latents(many[i].single, fit, [next(fits) for _ in plans[i].wanted])
    return made


def _unfit(asked: ToModel) -> str:
    """Why no true scores can be fitted."""
    if asked.rated.scale.continuous:
        return CONTINUOUS
    if len(asked.rated.scale.points) == 2:
        return TWO_POINTS
    return "" if asked.single < 1 else NO_ERROR


def thirds_of(rated: Rated, fits: int) -> Floats:
    """What tells of a third rater, ``[fit, number]``: in the last fits one after the other moved."""
    each = np.tile(rated.third, (fits, 1))
    for i, by in enumerate(_nudges(rated)):
        place = fits + 2 * (i - len(rated.third))
        each[place : place + 2, i] += (-by, by)
    return each


def _nudges(rated: Rated) -> list[float]:
    """How far the numbers that tell of a third rater are moved to see the ceilings move."""
    sizes = math.sqrt(rated.variance), rated.variance, rated.variance
    return [NUDGE * size for size, _ in zip(sizes, rated.third, strict=False)]


class _Plan(NamedTuple):
    """About which reliabilities true scores are fitted, and how far mean and variance are moved."""

    about: list[float]
    apart: tuple[float, float]
    wanted: list[tuple[float, float, float]]

    def latents(self, single: float, usual: Latent, fits: Sequence[Latent | None]) -> Latents:
        """Put together what was found."""
        about = {single: usual} | {
            at: fit for at, fit in zip(self.about, fits, strict=False) if fit is not None
        }
        moved = tuple(
            None if low is None or high is None else (2 * distance, low, high)
            for distance, low, high in zip(self.apart, fits[-4::2], fits[-3::2], strict=True)
        )
        return Latents(dict(sorted(about.items())), moved=moved)


def _plan(asked: ToModel) -> _Plan:
    _, rated, single, se = asked
    spread = max(se, 1e-6) if np.isfinite(se) else 0.05
    about = np.clip(single + REACH * spread, 0.01, 0.995).tolist()
    apart = NUDGE * math.sqrt(rated.variance), NUDGE * rated.variance
    wanted = [_wanted(rated, at) for at in about]
    for field, distance in zip(("mean", "variance"), apart, strict=True):  # a little lower, higher
        ends = (getattr(rated, field) + way * distance for way in (-1, 1))
        wanted += [_wanted(rated._replace(**{field: end}), single) for end in ends]
    return _Plan(about, apart, wanted)


def _wanted(rated: Rated, single: float) -> tuple[float, float, float]:
    """Mean, variance and error variance of ratings of this reliability."""
    return rated.mean, rated.variance, (1 - single) * rated.variance


def chances_of(
    many: Sequence[Rated], fits: Sequence[Sequence[Latent]]
) -> list[list[list[Floats] | None]]:
    """By rater and point, at given true scores; None where some rater's ratings are not met.

    None also where raters are not told apart.
    """
    each: list[tuple[Latent, Moments]] = []
    for rated, here in zip(many, fits, strict=True):
        thirds = thirds_of(rated, len(here))
        each += [
            pair
            for made, third in zip(here, thirds.tolist(), strict=True)
            for pair in _moved(rated, made, third)
        ]
    wanted = np.array([moments for _, moments in each]).reshape(-1, 3)
    each_rater = iter(fit_raters([made for made, _ in each], wanted))
    apart: list[list[list[Floats] | None]] = []
    for rated, here in zip(many, fits, strict=True):
        number = 0 if rated.crew is None else len(rated.crew.moments)
        chances = [[next(each_rater) for _ in range(number)] for _ in here]
        known = [[c for c in of_raters if c is not None] for of_raters in chances]
        apart.append([c if number and len(c) == number else None for c in known])
    return apart


def _moved(rated: Rated, made: Latent, third: Sequence[float]) -> Iterator[tuple[Latent, Moments]]:
    """What each rater's ratings are like where the true scores are these."""
    crew = rated.crew
    if crew is None:
        return
    usual = crew.share @ np.array([moments[2] for moments in crew.moments]) / crew.share.sum()
    mean, variance, error = made.moments().tolist()
    by, spread = mean - rated.mean, variance / rated.variance
    more = (third[2] - rated.third[2]) / 2 if len(third) > 2 else 0.0
    for (m, v, e), its in zip(crew.moments, chain((more, -more), repeat(0.0)), strict=False):
        yield made, (m + by, (v + its) * spread, (e + its) * error / usual)
