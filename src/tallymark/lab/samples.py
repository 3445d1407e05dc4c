"""Samples: tables of many replicates, raters with a known truth, scores that correlate, and Doewes' tables."""

import math
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.reliability.ceiling import human_like, theoretical
from tallymark.tally import PairCounts, PairMoments

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Rng = np.random.Generator


def counted(gold: Whole, system: Whole, points: Floats) -> PairCounts:
    """Count positions among the points, ``[replicate, response]``: ``counts[replicate, i, j]``."""
    replicates, k = len(gold), points.size
    cell = (np.arange(replicates)[:, None] * k + gold) * k + system
    counts = np.bincount(cell.ravel(), minlength=replicates * k * k)
    return PairCounts(counts.reshape(replicates, k, k), points)


def normal_points(
    k: int, sd: float, size: tuple[int, int], rng: Rng, mean: float | None = None
) -> Whole:
    """Rounded normal scores on 0 to k - 1, drawn again where they fall off the scale."""
    middle = (k - 1) / 2 if mean is None else mean
    edges = (np.arange(k + 1) - 0.5 - middle) / sd
    below = np.array([math.erfc(-edge / math.sqrt(2)) / 2 for edge in edges])
    # on the upper side tails keep more digits, which scores far from the scale need
    above = np.array([math.erfc(edge / math.sqrt(2)) / 2 for edge in edges])
    chances = np.where(edges[:-1] > 0, above[:-1] - above[1:], below[1:] - below[:-1])
    return np.searchsorted(np.cumsum(chances / chances.sum())[:-1], rng.random(size), side="right")


def moved(gold: Whole, share: float, by: int, k: int, rng: Rng) -> Whole:
    """Move exactly a share of each replicate's scores by so many points, where the scale allows.

    An error goes upwards as often as downwards; where the scale forbids it, another response is
    chosen.
    """
    draws = rng.random((2, *gold.shape))
    draws[0][gold + by > k - 1] = np.inf
    draws[1][gold - by < 0] = np.inf
    order = draws.min(axis=0)
    wanted = round(share * gold.shape[1])
    chosen = np.argpartition(order, wanted - 1, axis=1)[:, :wanted]
    away = np.zeros(gold.shape, dtype=np.int64)
    step = np.where(draws[0] < draws[1], by, -by)
    np.put_along_axis(away, chosen, np.take_along_axis(step, chosen, axis=1), axis=1)
    return gold + away


def replaced(gold: Whole, scores: Whole, total: int) -> Whole:
    """Replace gold by scores, response after response, until the errors sum to the total.

    A response whose error would exceed what is left is passed over, so that the sum is met exactly.
    """
    errors = np.abs(scores - gold)
    taken = np.cumsum(errors, axis=1) <= total
    while True:
        left = total - (errors * taken).sum(axis=1)
        fits = ~taken & (errors > 0) & (errors <= left[:, None])
        rows = np.flatnonzero((left > 0) & fits.any(axis=1))
        if not rows.size:
            return np.where(taken, scores, gold)
        taken[rows, fits[rows].argmax(axis=1)] = True


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
        whole = [scores.astype(np.int64) for scores in (first, second)]
        return counted(whole[0], whole[1], np.arange(self.top + 1.0))

    def ceilings(self) -> TwoCeilings:
        """The ceilings that one-way analysis of variance of the two ratings gives."""
        n = self.truth.shape[1]
        grand = self.mean.mean(axis=1, keepdims=True)
        between = 2 * ((self.mean - grand) ** 2).sum(axis=1) / (n - 1)
        within = ((self.ratings[0] - self.ratings[1]) ** 2).sum(axis=1) / 2 / n
        single = (between - within) / (between + within)
        mean = (between - within) / between
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
    whole: bool = True,
) -> RatedTwice:
    """Normal true scores cut off at the ends of the scale, and two ratings with noise, rounded.

    ``shared`` is the correlation of the two raters' errors; what is not ``whole`` is neither
    rounded nor cut off.
    """
    truth = rng.normal(top / 2 if mean is None else mean, spread, size)
    truth = truth.clip(0, top) if whole else truth
    level = np.rint(truth) if round_first else truth
    independent = rng.standard_normal((2, *size))
    errors = np.sqrt(1 - shared) * independent + np.sqrt(shared) * rng.standard_normal(size)
    ratings = level + noise * errors
    return RatedTwice(truth, np.rint(ratings).clip(0, top) if whole else ratings, top, noise)


LEVELS, RESPONSES, CORRELATION = 40, 1238, 0.78
SPREAD = 5.5
"""Standard deviation on the long scale."""


def scored(
    replicates: int, rng: Rng, *, lift: float = 0.0, shrink: float = 1.0
) -> tuple[Whole, Whole]:
    """Gold and system scores from 0 to 39 that correlate by .78.

    ``lift`` raises the system's scores, ``shrink`` draws them towards the middle.
    """
    common = rng.standard_normal((replicates, RESPONSES))
    independent = rng.standard_normal((replicates, RESPONSES))
    middle = (LEVELS - 1) / 2
    gold = middle + SPREAD * common
    mixed = CORRELATION * common + math.sqrt(1 - CORRELATION**2) * independent
    system = middle + lift + shrink * SPREAD * mixed
    on_scale = [np.rint(scores).clip(0, LEVELS - 1).astype(np.int64) for scores in (gold, system)]
    return on_scale[0], on_scale[1]


POINTS = np.arange(4.0)
OFF = np.array([[0, 51, 5, 0], [166, 0, 92, 0], [14, 98, 0, 102], [0, 4, 70, 0]])
"""Disagreements of two raters of ASAP prompt 4, common to all tables; one of several solutions."""
TABLE_1, TABLE_6, TABLE_7 = (139, 476, 404, 149), (151, 900, 82, 35), (151, 1000, 12, 5)
"""Agreements at 0, 1, 2, 3."""
REBUILT = (
    "Tables are rebuilt from printed figures, which they all meet; they are not the authors' data and "
    "not the only solution."
)


def with_diagonal(diagonal: NDArray[np.float64], replicates: int) -> PairCounts:
    """The table with these agreements, rounded so that their sum stays."""
    whole = np.floor(diagonal + 1e-9).astype(np.int64)
    left = round(float(diagonal.sum())) - int(whole.sum())
    whole[np.argsort(whole - diagonal, kind="stable")[:left]] += 1
    table = OFF + np.diag(whole)
    return PairCounts(np.stack([table] * replicates), POINTS)


def between(start: tuple[int, ...], end: tuple[int, ...], share: float) -> NDArray[np.float64]:
    """Agreements a share of the way from one table to another."""
    first, last = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    return np.asarray(first + share * (last - first))
