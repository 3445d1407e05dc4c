"""Panels: any number of ratings of the same response, with gaps."""

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import ArrayLike

from tallymark.arrays import Floats, Whole
from tallymark.tally.panel_margins import from_others
from tallymark.tally.patterns import group_rows
from tallymark.tally.ratings import distinct_rating_counts


class PanelPatterns(Struct, frozen=True):
    """Distinct rows ``scores[pattern, rater]``, NaN missing, and how often each occurs.

    Without ``named`` raters the ratings of a row are sorted, since who gave which does not matter.
    """

    scores: Floats
    counts: Whole

    @classmethod
    def of(
        cls, scores: ArrayLike, counts: ArrayLike | None = None, *, named: bool = True
    ) -> "PanelPatterns":
        """Tally responses x raters; responses without any rating are left out."""
        rows = np.asarray(scores, dtype=np.float64)
        times = np.ones(len(rows), dtype=np.int64) if counts is None else np.asarray(counts)
        rated = ~np.isnan(rows).all(axis=1)
        rows, times = rows[rated], times[rated].astype(np.int64)
        rows = rows if named else np.sort(rows, axis=1)
        order, starts = group_rows(list(rows.T))
        total = np.add.reduceat(times[order], starts) if order.size else times
        return cls(rows[order[starts]], total)

    @property
    def n(self) -> int:
        """Responses with at least one rating."""
        return int(self.counts.sum())


class PanelCounts(Struct, frozen=True):
    """``times[..., u]`` responses to which ``chosen[u, k]`` raters gave point k.

    Who the raters are does not matter. Leading axes of ``times`` are subsets or resamples.
    """

    chosen: Floats
    times: Any
    points: Floats

    @classmethod
    def of_index(cls, index: Whole, points: Floats) -> "PanelCounts":
        """Tally the positions of scores on the points, responses x raters, -1 missing."""
        chosen, times = distinct_rating_counts(index, points.size)
        return cls(chosen.astype(np.float64), times, points)

    def __add__(self, other: "PanelCounts") -> "PanelCounts":
        """Tally of the responses of both."""
        times = np.concatenate([self.times, other.times], axis=-1)
        return PanelCounts(np.concatenate([self.chosen, other.chosen]), times, self.points)

    @property
    def n(self) -> Any:
        """Responses with at least one rating."""
        return self.times @ (self._raters > 0) * 1.0

    @property
    def paired(self) -> Any:
        """Responses with two or more ratings."""
        return self.times @ (self._raters > 1) * 1.0

    @property
    def _raters(self) -> Floats:
        return np.asarray(self.chosen.sum(axis=1))

    @property
    def shares(self) -> Any:
        """The share of each point, every response counting once."""
        rated = np.maximum(self._raters, 1)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):  # no responses, no shares
            return self.times @ (self.chosen / rated) / self.n[..., None]

    def disagreement(self, distance: Floats) -> Any:
        """Mean distance between two ratings over responses with two or more."""
        per_response = from_others(self.chosen, (distance,))[:, 0] / np.maximum(self._raters, 1)
        with np.errstate(invalid="ignore", divide="ignore"):  # nobody rated twice
            return self.times @ per_response / self.paired

    @property
    def coincidences(self) -> "Coincidences":
        """The ratings of responses rated twice or more, each counting once."""
        twice = self._raters > 1
        return Coincidences(self.chosen[twice], self.times[..., twice], self.points)


class Coincidences(Struct, frozen=True):
    """``times[..., u]`` responses to which ``chosen[u, k]`` raters, two or more, gave point k.

    Every rating counts once, and as often each of the others of its response beside it.
    """

    chosen: Floats
    times: Any
    points: Floats

    def __add__(self, other: "Coincidences") -> "Coincidences":
        """Tally of the responses of both."""
        times = np.concatenate([self.times, other.times], axis=-1)
        return Coincidences(np.concatenate([self.chosen, other.chosen]), times, self.points)

    @property
    def n(self) -> Any:
        """Responses."""
        return self.times.sum(axis=-1) * 1.0

    @property
    def paired(self) -> Any:
        """Responses with two or more ratings: all of them."""
        return self.n

    @property
    def ratings(self) -> Any:
        """Ratings in all."""
        return self.times @ self.chosen.sum(axis=1)

    @property
    def shares(self) -> Any:
        """The share of each point among the ratings."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
            return self.times @ self.chosen / self.ratings[..., None]

    def disagreement(self, distance: Floats) -> Any:
        """Mean distance of a rating from the others of its response."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
            return self.times @ from_others(self.chosen, (distance,))[:, 0] / self.ratings

    def products(self, values: Floats) -> Any:
        """Mean product of the values at the points of two ratings of a response."""
        total, squares = values @ self.chosen.T, values**2 @ self.chosen.T
        products = (total**2 - squares) / (self.chosen.sum(axis=1) - 1)
        with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
            return (self.times * products).sum(axis=-1) / self.ratings


class PanelMoments(Struct, frozen=True):
    """Sums over complete rows of k ratings: 1, squared totals, squares, and each rater's scores.

    Scores are taken about ``center``.
    """

    sums: Floats
    center: float = 0.0

    @staticmethod
    def rows(scores: Floats) -> Floats:
        """What each response adds to the sums; incomplete responses add nothing."""
        complete = np.asarray(~np.isnan(scores).any(axis=1))
        filled = np.where(complete[:, None], scores, 0.0)
        total, squares = filled.sum(axis=1), (filled * filled).sum(axis=1)
        return np.concatenate(
            [np.stack([complete * 1.0, total * total, squares], axis=1), filled], 1
        )

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


class OneWay(Struct, frozen=True):
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
        present = ~np.isnan(by_rater)
        filled = np.where(present, by_rater, 0.0)
        k, total, squares = present.sum(axis=0) * 1.0, filled.sum(axis=0), (filled**2).sum(axis=0)
        rated = np.maximum(k, 1)
        squared_differences = 2 * (k * squares - total * total) / np.maximum(k - 1, 1)
        any_rating = (k > 0) * 1.0
        columns = [any_rating, k, k * k, total * total / rated, squares, total, any_rating / rated]
        return np.stack([*columns, squared_differences]).T

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


class LocalCoincidences(Struct, frozen=True):
    r"""Coincidences near those of the data, for distances that move with the shares of the points.

    With C the coincidences and m the values of the points, :math:`m' C m = m_0' C m_0 + 2 m_0' C
    (m - m_0) + (m - m_0)' C (m - m_0)`, where the subscript marks the data. The last C is taken
    from the data, which changes the third derivative only. So ``sums[..., :]`` hold the ratings at
    each point, :math:`C m_0` and :math:`m_0' C m_0`.
    """

    sums: Any
    points: Floats
    values: Floats
    coincidences: Floats

    @property
    def n(self) -> Any:
        """Ratings in all."""
        return self.ratings

    @property
    def ratings(self) -> Any:
        """Ratings in all."""
        return self.sums[..., : self.points.size].sum(axis=-1)

    @property
    def shares(self) -> Any:
        """The share of each point among the ratings."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no ratings
            return self.sums[..., : self.points.size] / self.ratings[..., None]

    def products(self, values: Floats) -> Any:
        """Mean product of the values at the points of two ratings of a response."""
        k, moved = self.points.size, values - self.values
        total = self.sums[..., 2 * k] + 2 * (self.sums[..., k : 2 * k] * moved).sum(axis=-1)
        total = total + ((moved @ self.coincidences) * moved).sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):  # no ratings
            return total / self.ratings


def local_rows(chosen: Floats, values: Floats) -> Floats:
    """What each response adds to the sums of :class:`LocalCoincidences`."""
    total, partners = chosen @ values, chosen.sum(axis=1) - 1
    along = chosen * (total[:, None] - values) / partners[:, None]
    return np.concatenate([chosen, along, (along @ values)[:, None]], axis=1)


def coincidences_at(tally: Coincidences) -> Floats:
    """How often each two points were given to one response, each rating counting once."""
    weights = tally.times / (tally.chosen.sum(axis=1) - 1)
    pairs = (tally.chosen * weights[:, None]).T @ tally.chosen
    return np.asarray(pairs - np.diag(weights @ tally.chosen))
