"""Bent slopes: of two raters, the one with the larger error is held back more by the ends of a scale."""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.reliability.points import OnPoints, rated
from tallymark.reliability.quantised import COARSE, COARSE_WEIGHTS
from tallymark.reliability.solving import Problems, solve

Floats = NDArray[np.float64]
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


def bent_slopes(points: Floats, tables: Sequence[Floats]) -> list[Bent | None]:
    """Find how the ends of the scale bend two raters' slopes; None where nothing fits.

    ``tables[part][i, j]`` counts the responses that the first rater gave point i and the second
    point j. Of two raters who follow the same true scores the one with the larger error is held
    back more often by the ends of the scale, so that his ratings rise less with the truth than the
    other's. Normal true scores, cut off at the ends or not, whichever gives the table the higher
    likelihood, are fitted to means, variances and covariance, those of all parts side by side.

    >>> even = np.array([[30.0, 5, 0], [5, 20, 5], [0, 5, 30]])
    >>> bent_slopes(np.arange(3.0), [even])[0].factors.round(3).tolist()
    [1.0, 1.0]
    """
    shares = np.stack([table / table.sum() for table in tables])
    fits = [_PairFits(points, shares, cut_off=kind) for kind in (True, False)]
    best: list[tuple[float, Bent] | None] = [None] * len(tables)
    for fit in fits:
        for part, known in fit.solved().items():
            held = best[part]
            if held is None or known[0] > held[0]:
                best[part] = known
    return [
        None if known is None else _with_certainty(known[1], points, table)
        for known, table in zip(best, tables, strict=True)
    ]


def _with_certainty(bent: Bent, points: Floats, table: Floats) -> Bent:
    """The same, with whether it is more than chance."""
    ratio = math.log(bent.factors[0] / bent.factors[1])
    return bent._replace(certain=abs(ratio) > CERTAIN * _error_of_ratio(bent, points, table))


def _error_of_ratio(bent: Bent, points: Floats, table: Floats) -> float:
    """Standard error of the logarithm of the ratio of two slopes, by what each cell moves."""
    a, b = np.meshgrid(points - bent.moments[0], points - bent.moments[1], indexing="ij")
    moved = np.stack([a, b, a * a, b * b, a * b], axis=-1) - [0.0, 0.0, *bent.moments[2:]]
    influence = moved @ (bent.slopes[0] - bent.slopes[1])
    return math.sqrt(float((table * influence**2).sum())) / float(table.sum())


class _PairFits(Struct, frozen=True, dict=True):
    """True scores and errors of two raters, given by mean, other mean, and log SDs, of each part."""

    points: Floats
    shares: Floats
    cut_off: bool

    @cached_property
    def scale(self) -> OnPoints:
        return OnPoints.of(self.points)

    def truth(self, at: Floats) -> Floats:
        made = at[..., :1] + np.exp(at[..., 2:3]) * COARSE
        return np.asarray(np.clip(made, *self.points[[0, -1]]) if self.cut_off else made)

    def joint(self, at: Floats) -> Floats:
        truth, noise = self.truth(at), np.exp(at[..., 3:])
        first = rated(truth, self.points, noise[..., 0])
        second = rated(truth + (at[..., 1:2] - at[..., :1]), self.points, noise[..., 1])
        return np.asarray(np.swapaxes(first * COARSE_WEIGHTS[:, None], -1, -2) @ second)

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

    def solved(self) -> dict[int, tuple[float, Bent]]:
        """The likelihood and the bend of each part that such true scores fit."""
        wanted = np.stack([_pair_moments(self.points, share) for share in self.shares])
        parts = np.flatnonzero(wanted[:, 4] > 0)
        fits = dict(zip(parts.tolist(), self._fits(wanted[parts]), strict=True))
        known = {part: at for part, at in fits.items() if at is not None}
        if not known:
            return {}
        at, these = np.stack([*known.values()]), [*known]
        chances = np.log(np.maximum(self.joint(at), LEAST))
        likelihood = (self.shares[these] * chances).sum(axis=(1, 2)).tolist()
        return dict(
            zip(known, zip(likelihood, self._bent(at, wanted[these]), strict=True), strict=True)
        )

    def _fits(self, wanted: Floats) -> list[Floats | None]:
        a, b, first, second, both = wanted.T
        size = np.stack([first**0.5, second**0.5, first, second, (first * second) ** 0.5], axis=-1)
        step, width = float(np.diff(self.points).min()), float(np.ptp(self.points))
        ones = np.ones((len(wanted), 3))
        low = np.column_stack([a - width, b - width, math.log(step / 50) * ones])
        high = np.column_stack([a + width, b + width, math.log(3 * width) * ones])
        left = [np.maximum(variance - both, 0.05 * variance) for variance in (first, second)]
        logs = [0.5 * np.log(part) for part in (both, *left)]
        start = np.clip(np.stack([a, b, *logs], axis=-1), low + 1e-6, high - 1e-6)

        def off(at: Floats, which: Problems) -> Floats:
            return np.asarray((self.moments(at) - wanted[which]) / size[which])

        made = solve(off, start, low, high, near=NEAR)
        return [None if fit is None else fit.at for fit in made]

    def _bent(self, at: Floats, wanted: Floats) -> list[Bent]:
        """The factors and, by the implicit function, how they follow the moments."""
        steps, here = 1e-5 * np.eye(at.shape[1]), at[:, None]
        up, down = self.moments_and_factors(here + steps), self.moments_and_factors(here - steps)
        moves, logs = (
            np.swapaxes(after - before, 1, 2) for after, before in zip(up, down, strict=True)
        )
        factors, slopes = np.exp(self.moments_and_factors(at)[1]), np.zeros((len(at), 2, 5))
        known = np.linalg.cond(moves) < SINGULAR
        slopes[known] = logs[known] @ np.linalg.inv(moves[known])
        return [Bent(*each) for each in zip(factors, slopes, wanted, strict=True)]


def _pair_moments(points: Floats, share: Floats) -> Floats:
    """Means, variances and covariance of two raters."""
    first, second = share.sum(axis=1), share.sum(axis=0)
    a, b = first @ points, second @ points
    spread = first @ points**2 - a**2, second @ points**2 - b**2
    return np.array([a, b, *spread, points @ share @ points - a * b])
