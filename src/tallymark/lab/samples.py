"""Samples: tables of many replicates, raters with a known truth, scores that correlate, and Doewes' tables."""

from typing import NamedTuple

import numpy as np
from msgspec import Struct

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.arrays import Floats, Whole
from tallymark.reliability.ceiling import human_like, theoretical
from tallymark.tally import PairCounts, PairMoments

Rng = np.random.Generator


def counted(gold: Whole, system: Whole, points: Floats) -> PairCounts:
    """Count positions among the points, ``[replicate, response]``: ``counts[replicate, i, j]``."""
    replicates, k = len(gold), points.size
    cell = (np.arange(replicates)[:, None] * k + gold) * k + system
    counts = np.bincount(cell.ravel(), minlength=replicates * k * k)
    return PairCounts(counts.reshape(replicates, k, k), points)


class TwoCeilings(NamedTuple):
    """The ceilings of each replicate; NaN where responses do not differ reliably."""

    theoretical: Floats
    human_like: Floats


class RatedTwice(Struct, frozen=True):
    """``truth[replicate, response]`` and ``ratings[rater, replicate, response]`` on 0 to ``top``."""

    truth: Floats
    ratings: Floats
    top: int
    noise: float

    @property
    def mean(self) -> Floats:
        """The mean of the two ratings."""
        return np.asarray(self.ratings.mean(axis=0))

    def agreement(self, first: Floats, second: Floats) -> Floats:
        """QWK of two scores of each replicate, which need not be whole."""
        return lin_ccc(self._moments(first, second))

    def correlation(self, first: Floats, second: Floats) -> Floats:
        """Pearson's r of two scores of each replicate."""
        return pearson(self._moments(first, second))

    def tables(self, first: Floats, second: Floats) -> PairCounts:
        """Count two scores that lie on the points."""
        positions = [scores.astype(np.int64) for scores in (first, second)]
        return counted(positions[0], positions[1], np.arange(self.top + 1.0))

    def ceilings(self) -> TwoCeilings:
        """The ceilings that one-way analysis of variance of the two ratings gives."""
        n = self.truth.shape[1]
        grand = self.mean.mean(axis=1, keepdims=True)
        between = 2 * ((self.mean - grand) ** 2).sum(axis=1) / (n - 1)
        error = ((self.ratings[0] - self.ratings[1]) ** 2).sum(axis=1) / 2 / n
        single = (between - error) / (between + error)
        mean = (between - error) / between
        return TwoCeilings(theoretical(mean), human_like(single, mean))

    def _moments(self, first: Floats, second: Floats) -> PairMoments:
        a, b = first - self.top / 2, second - self.top / 2
        d = b - a
        sums = [np.ones_like(a), a, b, a * a, b * b, a * b, np.abs(d), d * d]
        return PairMoments(np.stack([column.sum(axis=1) for column in sums], axis=-1), self.top / 2)


def rated(
    size: tuple[int, int],
    top: int,
    spread: float,
    noise: float,
    rng: Rng,
    *,
    mean: float | None = None,
    round_first: bool = False,
    shared: float = 0.0,
    on_points: bool = True,
) -> RatedTwice:
    """Normal true scores cut off at the ends of the scale, and two ratings with noise, rounded.

    ``shared`` is the correlation of the two raters' errors; what is not ``on_points`` is neither
    rounded nor cut off.
    """
    truth = rng.normal(top / 2 if mean is None else mean, spread, size)
    truth = truth.clip(0, top) if on_points else truth
    level = np.rint(truth) if round_first else truth
    independent = rng.standard_normal((2, *size))
    errors = np.sqrt(1 - shared) * independent + np.sqrt(shared) * rng.standard_normal(size)
    ratings = level + noise * errors
    return RatedTwice(truth, np.rint(ratings).clip(0, top) if on_points else ratings, top, noise)
