"""Moments: sums over responses, for scores that need not lie on a scale."""

from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole

Counts = Whole | Floats


class PairMoments(Struct, frozen=True, dict=True):
    """``sums[..., :]`` of 1, a, b, aa, bb, ab, |b - a| and (b - a) squared over responses.

    a and b are the first and second score less ``center``, so that squares do not cancel. Squared
    differences have a sum of their own: those of near-equal scores would drown in aa + bb - 2 ab.
    What many formulas need of one tally is computed once and kept.
    """

    sums: Floats
    center: float = 0.0

    @classmethod
    def of(cls, a: Floats, b: Floats, counts: Counts, center: float) -> "PairMoments":
        """Sum centred scores, weighted by counts."""
        return cls(counts @ features(a, b), center)

    @classmethod
    def of_scores(cls, a: Floats, b: Floats, center: float) -> "PairMoments":
        """Sum two sequences of scores, without a table of what each response adds."""
        a, b = a - center, b - center
        d = b - a
        sums = [a.size, a.sum(), b.sum(), a @ a, b @ b, a @ b, np.abs(d).sum(), d @ d]
        return cls(np.array(sums, dtype=np.float64), center)

    def __add__(self, other: "PairMoments") -> "PairMoments":
        """Tally of the responses of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses."""
        return self.sums[..., 0]

    @cached_property
    def _means(self) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):  # no responses, no mean
            return self.sums[..., 1:] / self.n[..., None]

    @property
    def means(self) -> tuple[Floats, Floats]:
        """Mean of the first and of the second score."""
        means = self._means
        return means[..., 0] + self.center, means[..., 1] + self.center

    @cached_property
    def variances(self) -> tuple[Floats, Floats]:
        """Variance of the first and of the second score, divisor n."""
        a, b, aa, bb, *_ = each_sum(self._means)
        return without_rounding(aa - a * a, aa), without_rounding(bb - b * b, bb)

    @cached_property
    def covariance(self) -> Floats:
        """Covariance of the two scores, divisor n."""
        a, b, _, _, ab, *_ = each_sum(self._means)
        return np.asarray(ab - a * b)

    @property
    def mean_difference(self) -> Floats:
        """Mean of second minus first."""
        means = self._means
        return means[..., 1] - means[..., 0]

    @property
    def mean_squared_difference(self) -> Floats:
        """Mean of (second - first) squared."""
        return self._means[..., 6]

    @property
    def mean_absolute_difference(self) -> Floats:
        """Mean of |second - first|."""
        return self._means[..., 5]


def each_sum(sums: Floats) -> Floats:
    """The last axis first, to give each sum a name: what `np.moveaxis` does in ten times as long."""
    return sums.transpose(-1, *range(sums.ndim - 1))


def features(a: Floats, b: Floats) -> Floats:
    """One row per response: what :class:`PairMoments` sums."""
    d = b - a
    columns = np.empty((8, *a.shape))  # kept by column, which adds up faster
    for place, column in enumerate((1.0, a, b, a * a, b * b, a * b, np.abs(d), d * d)):
        columns[place] = column
    return columns.transpose(*range(1, columns.ndim), 0)


def without_rounding(difference: Floats, square: Floats) -> Floats:
    """A difference of sums of squares, zero where it is only the rounding error of its terms.

    >>> without_rounding(np.array([3e-16, -2.0, -1e-17]), np.array([1.0, 1.0, 1.0])).tolist()
    [0.0, -2.0, 0.0]
    """
    rounding = np.abs(np.real(difference)) <= 1e-12 * np.real(square)
    return np.where(rounding, 0.0, difference)


class PointErrors(Struct, frozen=True):
    """``sums[..., point, :]`` of 1, |error| and error squared, by value of the first score."""

    sums: Floats
    points: Floats

    @classmethod
    def of(cls, first: Floats, second: Floats, counts: Counts) -> "PointErrors":
        """Sum errors of the second score within each value of the first (which is sorted)."""
        points, starts = np.unique(first, return_index=True)
        error = second - first
        rows = np.stack([np.ones_like(error), np.abs(error), error * error], axis=-1)
        weighted = counts[..., None] * rows
        sums = np.add.reduceat(weighted, starts, axis=-2) if first.size else weighted
        return cls(sums, points)

    def __add__(self, other: "PointErrors") -> "PointErrors":
        """Tally of the responses of both (which share their points)."""
        return replace(self, sums=self.sums + other.sums)


class LengthSums(Struct, frozen=True):
    """Sums over responses of length l, system score m, error e and c ratings of mean h.

    ``sums[..., :]`` holds 1, h, m, l, e, hh, mm, ll, hm, hl, ml, el, the squared deviations of
    ratings within responses, their degrees of freedom c - 1, and 1/c. The error e is the system's
    score less the gold. All are taken about a center.
    """

    sums: Floats

    @staticmethod
    def rows(ratings: Floats, system: Floats, error: Floats, length: Floats) -> Floats:
        """What each response adds to the sums; every one has a rating, a score and a length."""
        present = ~np.isnan(ratings)
        c = present.sum(axis=1) * 1.0
        h = np.where(present, ratings, 0.0).sum(axis=1) / np.maximum(c, 1)
        squares_within = np.where(present, (ratings - h[:, None]) ** 2, 0.0).sum(axis=1)
        m, e, x = system, error, length
        columns = [
            np.ones_like(c), h, m, x, e, h * h, m * m, x * x, h * m, h * x, m * x, e * x,
            squares_within, c - 1, 1 / np.maximum(c, 1),
        ]  # fmt: skip
        return np.stack(columns, axis=1)

    def __add__(self, other: "LengthSums") -> "LengthSums":
        """Tally of the responses of both (which share their centers)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses."""
        return self.sums[..., 0]

    @property
    def within(self) -> Floats:
        """Degrees of freedom of ratings within responses; 0 where no response was rated twice."""
        return self.sums[..., 13]
