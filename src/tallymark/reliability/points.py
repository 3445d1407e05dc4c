"""Ratings on points: a true score and normal error, whose sum is moved to the nearest point."""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats

REACH, FINE = 8, 256
"""The table of the normal distribution: how far it reaches, and its steps per unit."""
AT_ONCE = 20_000
"""Chances worked out in one go: few enough to stay in a processor's own memory."""


def rated(expected: Floats, points: Floats, noise: Floats | float) -> Floats:
    """Chances of each point, by true score.

    ``expected`` is ``[..., true score]``, and ``noise`` has its leading axes.

    >>> rated(np.array([0.5]), np.arange(3.0), 1.0).round(3).tolist()
    [[0.5, 0.341, 0.159]]
    """
    edges, width = np.zeros((*expected.shape, 1)), np.asarray(noise)[..., None, None]
    below = _normal_cdf(((points[:-1] + points[1:]) / 2 - expected[..., None]) / width)
    return np.diff(np.concatenate([edges, below, edges + 1], axis=-1), axis=-1)


class OnPoints(NamedTuple):
    """A scale of points, as the mean and the mean square of ratings on it need it.

    >>> scale = OnPoints.of(np.arange(3.0))
    >>> [round(float(part[0]), 3) for part in scale.mean_and_square(np.array([0.5]), np.array(1))]
    [0.659, 0.976]
    """

    middles: Floats
    steps: Floats
    top: Floats

    @classmethod
    def of(cls, points: Floats) -> "OnPoints":
        """Between which points ratings turn, and by how much they and their squares rise there."""
        both = np.stack([points, points**2], axis=1)
        return cls((points[:-1] + points[1:]) / 2, np.diff(both, axis=0), both[-1])

    def mean_and_square(self, expected: Floats, noise: Floats) -> Floats:
        """Mean and mean square of a rating, by true score; sooner than from the chances.

        ``expected`` is ``[..., true score]``, and ``noise`` has its leading axes.
        """
        shape, size = expected.shape, expected.shape[-1]
        away, width = expected.reshape(-1, 1, size), noise.reshape(-1, 1, 1)
        both = np.empty((len(away), 2, size))
        some = max(1, AT_ONCE // (size * self.middles.size))
        for start in range(0, len(away), some):
            here = slice(start, start + some)
            below = _normal_cdf((self.middles[:, None] - away[here]) / width[here])
            both[here] = self.top[:, None] - self.steps.T @ below
        return np.moveaxis(both.reshape(*shape[:-1], 2, size), -2, 0)


def moments_over(weights: Floats, expected: Floats, square: Floats) -> Floats:
    """Mean, variance and error variance of a rating over all true scores, on the last axis."""
    mean, total = expected @ weights, square @ weights
    return np.stack([mean, total - mean**2, total - expected**2 @ weights], axis=-1)


def _normal_cdf(z: Floats) -> Floats:
    """Chances below z, to twelve digits from a table: SciPy's takes longer to import than this."""
    place = np.asarray(z * FINE + REACH * FINE)
    np.clip(place, 0.0, 2 * REACH * FINE - 1e-6, out=place)
    i = place.astype(np.intp)
    place -= i
    highest, *others = _table()
    chance = highest.take(i, mode="clip")
    for coefficient in others:  # in place: large arrays are dear to make
        chance *= place
        chance += coefficient.take(i, mode="clip")
    return np.asarray(chance)


@cache
def _table() -> tuple[Floats, ...]:
    """Between two places a cubic has the values and slopes of the normal distribution at both.

    Its coefficients, the highest first.
    """
    z = np.arange(-REACH, REACH + 1 / FINE, 1 / FINE)
    chance = np.array([math.erfc(-at / math.sqrt(2)) / 2 for at in z.tolist()])
    slope = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi) / FINE
    rise, first, second = np.diff(chance), slope[:-1], slope[1:]
    bend = 3 * rise - 2 * first - second
    return first + second - 2 * rise, bend, first, chance[:-1]
