"""Panels: any number of ratings of the same response, with gaps."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.tally.patterns import group_rows
from tallymark.tally.ratings import distinct_rating_counts, rating_counts
from tallymark.tally.rounding import nearest

Counts = NDArray[np.int64] | NDArray[np.float64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PanelPatterns:
    """Distinct rows ``scores[pattern, rater]``, NaN missing, and how often each occurs.

    Without ``named`` raters the ratings of a row are sorted, since who gave which does not matter.
    """

    scores: Floats
    counts: NDArray[np.int64]

    @classmethod
    def of(
        cls, scores: ArrayLike, counts: ArrayLike | None = None, *, named: bool = True
    ) -> "PanelPatterns":
        """Tally responses x raters; responses without any rating are left out."""
        rows = np.asarray(scores, dtype=np.float64)
        times = np.ones(len(rows), dtype=np.int64) if counts is None else np.asarray(counts)
        kept = ~np.isnan(rows).all(axis=1)
        rows, times = rows[kept], times[kept].astype(np.int64)
        rows = rows if named else np.sort(rows, axis=1)
        order, starts = group_rows(list(rows.T))
        total = np.add.reduceat(times[order], starts) if order.size else times
        return cls(rows[order[starts]], total)

    @property
    def n(self) -> int:
        """Responses with at least one rating."""
        return int(self.counts.sum())


@dataclass(frozen=True, slots=True)
class PanelCounts:
    """Sums over responses of what raters who need not be told apart gave them.

    ``sums[..., :]`` holds the responses, those rated at least twice, the share of each point, the
    share of each ordered pair of ratings, and the same pairs weighing as many as there are
    ratings (Krippendorff's coincidences).
    """

    sums: Floats
    points: Floats

    @classmethod
    def of(
        cls, ratings: ArrayLike, points: ArrayLike, counts: ArrayLike | None = None
    ) -> "PanelCounts":
        """Tally responses x points, the number of raters who chose each point."""
        rows = cls.rows(np.asarray(ratings, dtype=np.int64))
        times = np.ones(len(rows)) if counts is None else np.asarray(counts)
        return cls(times @ rows, np.asarray(points, dtype=np.float64))

    @classmethod
    def of_index(cls, index: NDArray[np.int64], points: Floats) -> "PanelCounts":
        """Tally the positions of scores on the points, responses x raters, -1 missing."""
        vectors, times = distinct_rating_counts(index, points.size)
        return cls.of(vectors, points, times)

    @staticmethod
    def rows(ratings: NDArray[np.int64]) -> Floats:
        """What each response adds to the sums; ``ratings[response, k]`` raters chose point k."""
        raters, k = ratings.sum(axis=1), ratings.shape[1]
        pairs = (ratings[:, :, None] * ratings[:, None, :]).astype(np.float64)
        pairs[:, np.arange(k), np.arange(k)] -= ratings
        pairs = pairs.reshape(-1, k * k) / np.maximum(raters - 1, 1)[:, None]
        rated = np.maximum(raters, 1)[:, None]
        head = np.stack([raters > 0, raters > 1], axis=1) * 1.0
        return np.concatenate([head, ratings / rated, pairs / rated, pairs], axis=1)

    def __add__(self, other: "PanelCounts") -> "PanelCounts":
        """Tally of the responses of both."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses with at least one rating."""
        return self.sums[..., 0]

    @property
    def paired(self) -> Floats:
        """Responses with two or more ratings."""
        return self.sums[..., 1]

    @property
    def shares(self) -> Floats:
        """The share of each point, every response counting once."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no responses, no shares
            return self.sums[..., 2 : 2 + self.points.size] / self.n[..., None]

    def _pairs(self, block: int) -> Floats:
        k = self.points.size
        start = 2 + k + block * k * k
        return self.sums[..., start : start + k * k].reshape(*self.sums.shape[:-1], k, k)

    @property
    def coincidences(self) -> Floats:
        """Pairs of ratings of one response, each response weighing as many pairs as ratings."""
        return self._pairs(1)

    def disagreement(self, distance: Floats) -> Floats:
        """Mean distance between two ratings over responses with two or more."""
        with np.errstate(invalid="ignore", divide="ignore"):  # nobody rated twice
            return np.asarray((self._pairs(0) * distance).sum(axis=(-2, -1)) / self.paired)


@dataclass(frozen=True, slots=True)
class RaterCounts:
    """Sums over responses that keep the raters apart.

    ``sums[..., :]`` holds the responses, those rated at least twice, the share of each ordered
    pair of ratings, and how often each rater gave each point.
    """

    sums: Floats
    points: Floats

    @staticmethod
    def rows(scores: Floats, points: Floats) -> Floats:
        """What each response adds to the sums; ``scores[response, rater]``, NaN missing."""
        k, index = points.size, nearest(scores, points)
        chosen = index[:, :, None] == np.arange(k)
        panel = PanelCounts.rows(rating_counts(index, k))
        head = np.concatenate([panel[:, :2], panel[:, 2 + k : 2 + k + k * k]], axis=1)
        return np.concatenate([head, chosen.reshape(len(scores), scores.shape[1] * k)], axis=1)

    @classmethod
    def of_index(cls, index: NDArray[np.int64], points: Floats) -> "RaterCounts":
        """Tally the positions of scores on the points, responses x raters, -1 missing."""
        k, panel = points.size, PanelCounts.of_index(index, points).sums
        pairs, by_rater = panel[2 + k : 2 + k + k * k], rating_counts(index.T, k).ravel()
        return cls(np.concatenate([panel[:2], pairs, by_rater]), points)

    def __add__(self, other: "RaterCounts") -> "RaterCounts":
        """Tally of the responses of both."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses with at least one rating."""
        return self.sums[..., 0]

    @property
    def paired(self) -> Floats:
        """Responses with two or more ratings."""
        return self.sums[..., 1]

    def disagreement(self, distance: Floats) -> Floats:
        """Mean distance between two ratings over responses with two or more."""
        k = self.points.size
        pairs = self.sums[..., 2 : 2 + k * k].reshape(*self.sums.shape[:-1], k, k)
        with np.errstate(invalid="ignore", divide="ignore"):  # nobody rated twice
            return np.asarray((pairs * distance).sum(axis=(-2, -1)) / self.paired)

    @property
    def shares_by_rater(self) -> Floats:
        """``shares[..., rater, k]`` of each rater's own ratings; 0 where a rater gave none."""
        k = self.points.size
        given = self.sums[..., 2 + k * k :].reshape(*self.sums.shape[:-1], -1, k)
        total = given.sum(axis=-1, keepdims=True)
        return given / np.where(total == 0, 1, total)

    @property
    def active(self) -> Floats:
        """1 for each rater who gave a rating, else 0."""
        return np.asarray(self.shares_by_rater.sum(axis=-1) != 0, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class PanelMoments:
    """Sums over complete rows of k ratings: 1, squared totals, squares, and each rater's scores.

    Scores are taken about ``center``.
    """

    sums: Floats
    center: float = 0.0

    @staticmethod
    def rows(scores: Floats) -> Floats:
        """What each response adds to the sums; incomplete responses add nothing."""
        complete = np.asarray(~np.isnan(scores).any(axis=1))
        full = np.where(complete[:, None], scores, 0.0)
        total, squares = full.sum(axis=1), (full * full).sum(axis=1)
        return np.concatenate([np.stack([complete * 1.0, total * total, squares], axis=1), full], 1)

    def __add__(self, other: "PanelMoments") -> "PanelMoments":
        """Tally of the responses of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses with every rating."""
        return self.sums[..., 0]

    @property
    def k(self) -> int:
        """Raters."""
        return int(self.sums.shape[-1]) - 3


@dataclass(frozen=True, slots=True)
class OneWay:
    """Sums over responses with any number of ratings, for variance between and within responses.

    ``sums[..., :]`` holds the responses, ratings, squared numbers of ratings, squared totals per
    rating, squares, totals, inverse numbers of ratings, and pairwise squared differences, each
    response weighing as many pairs as ratings. Scores are taken about a center.
    """

    sums: Floats

    @staticmethod
    def rows(scores: Floats) -> Floats:
        """What each response adds to the sums; ``scores[response, rater]``, NaN missing."""
        by_rater = np.ascontiguousarray(scores.T)  # adds up faster
        given = ~np.isnan(by_rater)
        filled = np.where(given, by_rater, 0.0)
        k, total, squares = given.sum(axis=0) * 1.0, filled.sum(axis=0), (filled**2).sum(axis=0)
        rated = np.maximum(k, 1)
        apart = 2 * (k * squares - total * total) / np.maximum(k - 1, 1)
        any_rating = (k > 0) * 1.0
        columns = [any_rating, k, k * k, total * total / rated, squares, total, any_rating / rated]
        return np.stack([*columns, apart]).T

    def __add__(self, other: "OneWay") -> "OneWay":
        """Tally of the responses of both (which share their center)."""
        return OneWay(self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses with at least one rating."""
        return self.sums[..., 0]

    @property
    def ratings(self) -> Floats:
        """Ratings in all."""
        return self.sums[..., 1]
