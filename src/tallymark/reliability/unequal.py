"""Golds on points of raters who differ: each rater has a severity, a slope and an error of its own."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.reliability.gold_rule import label
from tallymark.reliability.points import OnPoints, moments_over, rated
from tallymark.reliability.quantised import (
    CLOSE,
    COARSE,
    COARSE_WEIGHTS,
    MOST_PATTERNS,
    ROUGH,
    Label,
    Latent,
)
from tallymark.reliability.solving import damped, newton

Floats = NDArray[np.float64]
Moments = tuple[float, float, float]
LEAST = 1e-12
NEAR = 0.05
"""Relative to the variance of ratings: moments that no true scores give are met this nearly."""
FAR, SINGULAR = 0.3, 1e9
CERTAIN = 2.0
"""By how many standard errors two slopes differ that chance has not bent."""


class Bent(NamedTuple):
    """By how much the ends of the scale bend two raters' slopes, and how that changes.

    ``factors`` of each rater over the geometric mean of both, ``slopes`` of their logarithms along
    the moments, and the moments they belong to: means, variances, covariance; leading axes are
    parts of the data. ``certain`` is whether the factors differ by more than chance.
    """

    factors: Floats
    slopes: Floats
    moments: Floats
    certain: bool = False

    def at(self, moments: Floats) -> Floats:
        """The factors at other moments, as those of resamples are; leading axes allowed."""
        moved = (self.slopes @ (moments - self.moments)[..., None])[..., 0]
        # no resample is so far away that slopes of the data themselves say nothing about it
        moved = np.where(np.real(moved) > FAR, FAR, np.where(np.real(moved) < -FAR, -FAR, moved))
        return np.asarray(self.factors * np.exp(moved))


def bent_slopes(points: Floats, table: Floats) -> Bent | None:
    """Find how the ends of the scale bend two raters' slopes; None where nothing fits.

    ``table[i, j]`` counts the responses that the first rater gave point i and the second point j.
    Of two raters who follow the same true scores the one with the larger error is held back more
    often by the ends of the scale, so that his ratings rise less with the truth than the other's.
    Normal true scores, cut off at the ends or not, whichever gives the table the higher likelihood,
    are fitted to means, variances and covariance.

    >>> even = np.array([[30.0, 5, 0], [5, 20, 5], [0, 5, 30]])
    >>> bent_slopes(np.arange(3.0), even).factors.round(3).tolist()
    [1.0, 1.0]
    """
    fits = [_PairFit(points, table / table.sum(), cut_off=kind) for kind in (True, False)]
    solved = [(fit, at) for fit in fits if (at := fit.solved()) is not None]
    if not solved:
        return None
    fit, at = max(solved, key=lambda solution: solution[0].likelihood(solution[1]))
    bent = fit.bent(at)
    ratio = math.log(bent.factors[0] / bent.factors[1])
    return bent._replace(certain=abs(ratio) > CERTAIN * _error_of_ratio(bent, points, table))


def _error_of_ratio(bent: Bent, points: Floats, table: Floats) -> float:
    """Standard error of the logarithm of the ratio of two slopes, by what each cell moves."""
    a, b = np.meshgrid(points - bent.moments[0], points - bent.moments[1], indexing="ij")
    moved = np.stack([a, b, a * a, b * b, a * b], axis=-1) - [0.0, 0.0, *bent.moments[2:]]
    influence = moved @ (bent.slopes[0] - bent.slopes[1])
    return math.sqrt(float((table * influence**2).sum())) / float(table.sum())


@dataclass(frozen=True)
class _PairFit:
    """True scores and errors of two raters, given by mean, other mean, and log SDs."""

    points: Floats
    share: Floats
    cut_off: bool

    @cached_property
    def scale(self) -> OnPoints:
        return OnPoints.of(self.points)

    def truth(self, at: Floats) -> Floats:
        made = at[..., :1] + np.exp(at[..., 2:3]) * COARSE
        return np.asarray(np.clip(made, *self.points[[0, -1]]) if self.cut_off else made)

    def joint(self, at: Floats) -> Floats:
        truth, noise = self.truth(at), np.exp(at[3:]).tolist()
        first = rated(truth, self.points, noise[0])
        second = rated(truth + at[1] - at[0], self.points, noise[1])
        return np.asarray((first * COARSE_WEIGHTS[:, None]).T @ second)

    def moments(self, at: Floats) -> Floats:
        """Means, variances and covariance."""
        return self._spread(at)[0]

    def _spread(self, at: Floats) -> tuple[Floats, Floats]:
        """The moments, and the variance of each rater's expected ratings."""
        truth, noise, w = self.truth(at), np.exp(at[..., 3:]), COARSE_WEIGHTS
        first, square = self.scale.mean_and_square(truth, noise[..., 0])
        apart = at[..., 1:2] - at[..., :1]
        second, squares = self.scale.mean_and_square(truth + apart, noise[..., 1])
        a, b = first @ w, second @ w
        spread = square @ w - a**2, squares @ w - b**2, (first * second) @ w - a * b
        true = [first**2 @ w - a**2, second**2 @ w - b**2]
        return np.stack([a, b, *spread], axis=-1), np.stack(true, axis=-1)

    def moments_and_factors(self, at: Floats) -> tuple[Floats, Floats]:
        """The moments, and the logarithms of the factors."""
        moments, true = self._spread(at)
        return moments, np.log(true / moments[..., 4:]) / 2

    def likelihood(self, at: Floats) -> float:
        return float((self.share * np.log(np.maximum(self.joint(at), LEAST))).sum())

    def solved(self) -> Floats | None:
        wanted = _pair_moments(self.points, self.share)
        a, b, first, second, both = wanted.tolist()
        if both <= 0:
            return None
        size = np.array([first**0.5, second**0.5, first, second, (first * second) ** 0.5])
        step, width = float(np.diff(self.points).min()), float(np.ptp(self.points))
        low = np.array([a - width, b - width, *[math.log(step / 50)] * 3])
        high = np.array([a + width, b + width, *[math.log(3 * width)] * 3])
        left = [max(variance - both, 0.05 * variance) for variance in (first, second)]
        logs = [0.5 * math.log(part) for part in (both, *left)]
        start = np.clip(np.array([a, b, *logs]), low + 1e-6, high - 1e-6)

        def off(at: Floats) -> Floats:
            return np.asarray((self.moments(at) - wanted) / size)

        solved = newton(off, start[None], low, high)[0] or damped(off, start, low, high, near=NEAR)
        return None if solved is None else solved.at

    def bent(self, at: Floats) -> Bent:
        """The factors and, by the implicit function, how they follow the moments."""
        steps = 1e-5 * np.eye(at.size)
        up, down = self.moments_and_factors(at + steps), self.moments_and_factors(at - steps)
        moves, logs = ((after - before).T for after, before in zip(up, down, strict=True))
        known = np.linalg.cond(moves) < SINGULAR
        slopes = logs @ np.linalg.inv(moves) if known else np.zeros((2, at.size))
        wanted = _pair_moments(self.points, self.share)
        return Bent(np.exp(self.moments_and_factors(at)[1]), slopes, wanted)


def _pair_moments(points: Floats, share: Floats) -> Floats:
    """Means, variances and covariance of two raters."""
    first, second = share.sum(axis=1), share.sum(axis=0)
    a, b = first @ points, second @ points
    spread = first @ points**2 - a**2, second @ points**2 - b**2
    return np.array([a, b, *spread, points @ share @ points - a * b])


def fit_raters(made: Sequence[Latent], wanted: Floats) -> list[Floats | None]:
    """Chances of each point, by true score, whose ratings have these means, variances and errors.

    ``wanted[i]`` are those of a rater of the true scores ``made[i]``, all on one scale.

    >>> from tallymark.reliability.quantised import latent
    >>> made = latent(np.arange(5.0), 2, 1, 0.5)
    >>> chances = fit_raters([made], np.array([[1.8, 1.4, 0.6]]))[0]
    >>> [round(value, 3) for value in moments_of(made, chances).tolist()]
    [1.8, 1.4, 0.6]
    """
    possible = (wanted[:, 2] > 0) & (wanted[:, 2] < wanted[:, 1])
    known = [fit for fit, can in zip(made, possible, strict=True) if can]
    fits = iter(_fitted(known, wanted[possible]) if known else [])
    return [next(fits) if can else None for can in possible]


def _fitted(made: Sequence[Latent], wanted: Floats) -> Iterator[Floats | None]:
    points, (mean, variance, error) = made[0].points, np.stack([fit.moments() for fit in made], 1)
    size = np.stack([np.sqrt(wanted[:, 1]), wanted[:, 1], wanted[:, 1]], axis=-1)
    slope = 0.5 * np.log((wanted[:, 1] - wanted[:, 2]) / (variance - error))
    start = np.stack([wanted[:, 0] - mean, slope, 0.5 * np.log(wanted[:, 2])], axis=-1)
    width, scale = float(np.ptp(points)), OnPoints.of(points)
    low = np.array([-width, -5.0, math.log(float(np.diff(points).min()) / 50)])
    high = np.array([width, 3.0, math.log(width) + 1])
    middle = np.array([[fit.weights @ fit.truth] for fit in made])
    away = np.stack([fit.truth for fit in made]) - middle
    rough = away[:, ::ROUGH]

    def off(at: Floats) -> Floats:
        expected = middle + at[..., :1] + np.exp(at[..., 1:2]) * rough
        ratings = scale.mean_and_square(expected, np.exp(at[..., 2]))
        return np.asarray((moments_over(COARSE_WEIGHTS, *ratings) - wanted) / size)

    solved = newton(off, np.clip(start, low, high), low, high)
    for i, fit in enumerate(solved):
        if fit is None:
            yield None
            continue
        expected = middle[i] + fit.at[0] + math.exp(fit.at[1]) * away[i]
        chances = rated(expected, points, math.exp(fit.at[2]))
        missed = np.abs((moments_of(made[i], chances) - wanted[i]) / size[i]).max()
        yield chances if missed <= 10 * CLOSE else None


def moments_of(made: Latent, chances: Floats) -> Floats:
    """Mean, variance and error variance of a rater's ratings."""
    return moments_over(made.weights, chances @ made.points, chances @ made.points**2)


def label_of_raters(
    made: Latent,
    chances: Sequence[Floats],
    rule: str,
    sets: Mapping[tuple[int, ...], float],
    *,
    adjacency: float = 0.0,
) -> Label | None:
    """The gold that a rule makes; ``sets`` gives the share of responses by who rated them.

    A third rating, where a rule calls for it, is given when the first two differ by more than
    ``adjacency``. None where the sets of ratings are too many to list.
    """
    points, expected, square = made.points, np.zeros_like(made.truth), 0.0
    if sum(points.size ** len(raters) for raters in sets) > MOST_PATTERNS:
        return None
    step = float(np.diff(points).min())
    for raters, share in sets.items():
        index = np.array(list(product(range(points.size), repeat=len(raters))), dtype=np.int64)
        chance = np.prod(
            [chances[rater][:, column] for rater, column in zip(raters, index.T, strict=True)],
            axis=0,
        )
        scores = points[index]
        if rule == "parity" or rule.startswith("third_"):
            settled = np.abs(scores[:, 0] - scores[:, 1]) <= adjacency + 1e-9
            scores[settled, 2] = np.nan
        gold = label(rule, scores, low=float(points[0]), step=step)
        expected = expected + share * (chance @ gold)
        square += share * float(made.weights @ (chance @ gold**2))
    return Label(expected, square)


def human_like_of_raters(
    made: Latent, chances: Sequence[Floats], share: Floats, gold: Label
) -> float:
    """Correlation of one more rater like these with the gold: the mean of theirs."""
    mean = float(made.weights @ gold.expected)
    spread = math.sqrt(gold.square - mean**2)
    total = 0.0
    for chances_of_rater, times in zip(chances, share, strict=True):
        centre, variance, _ = moments_of(made, chances_of_rater)
        shared = (
            float(made.weights @ (gold.expected * (chances_of_rater @ made.points))) - mean * centre
        )
        total += float(times) * shared / (spread * math.sqrt(variance))
    return total / float(np.sum(share))
