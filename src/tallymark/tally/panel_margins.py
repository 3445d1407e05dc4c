"""Margins of panels: of any number of ratings no more than chance-corrected coefficients need."""

from typing import Any, Self

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole
from tallymark.tally.margins import Distances, place_of
from tallymark.tally.ratings import rating_counts


class _Margins(Struct, frozen=True):
    """Sums, the points of the scale, and the distances between points that are summed.

    The first sums are the responses and, but for pairable ones, those rated at least twice.
    """

    sums: Any
    points: Floats
    distances: Distances

    def __add__(self, other: Self) -> Self:
        """Tally of the responses of both (which share their distances)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Any:
        """Responses with at least one rating."""
        return self.sums[..., 0]

    @property
    def paired(self) -> Any:
        """Responses with two or more ratings."""
        return self.sums[..., 1]


class PanelMargins(_Margins, frozen=True):
    """Sums over responses of what raters who need not be told apart gave them.

    ``sums[..., :]`` holds the responses, those rated at least twice, the share of each point, and
    the mean of each distance over every two ratings of a response.
    """

    @staticmethod
    def rows(chosen: Whole, distances: Distances) -> Floats:
        """What each response adds to the sums; ``chosen[response, k]`` raters chose point k."""
        raters = chosen.sum(axis=1)
        rated = np.maximum(raters, 1)[:, None]
        head = np.stack([raters > 0, raters > 1], axis=1) * 1.0
        return np.concatenate([head, chosen / rated, from_others(chosen, distances) / rated], 1)

    @property
    def shares(self) -> Any:
        """The share of each point, every response counting once."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no responses, no shares
            return self.sums[..., 2 : 2 + self.points.size] / self.n[..., None]

    def disagreement(self, distance: Floats) -> Any:
        """Mean distance between two ratings over responses with two or more."""
        place = 2 + self.points.size + place_of(distance, self.distances)
        with np.errstate(invalid="ignore", divide="ignore"):  # nobody rated twice
            return self.sums[..., place] / self.paired


class PairableMargins(_Margins, frozen=True):
    """Sums over the ratings of responses rated at least twice: Krippendorff's coincidences.

    ``sums[..., :]`` holds the responses, the ratings at each point, and each distance of a rating
    from the others of its response, on average over these.
    """

    @staticmethod
    def rows(chosen: Whole, distances: Distances) -> Floats:
        """What each response adds to the sums; ``chosen[response, k]`` raters chose point k."""
        paired = (chosen.sum(axis=1) > 1)[:, None]
        return np.concatenate([paired, chosen * paired, from_others(chosen, distances)], axis=1)

    @property
    def paired(self) -> Any:
        """Responses with two or more ratings: all of them."""
        return self.n

    @property
    def ratings(self) -> Any:
        """Ratings in all."""
        return self.sums[..., 1 : 1 + self.points.size].sum(axis=-1)

    @property
    def shares(self) -> Any:
        """The share of each point among the ratings."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
            return self.sums[..., 1 : 1 + self.points.size] / self.ratings[..., None]

    def disagreement(self, distance: Floats) -> Any:
        """Mean distance of a rating from the others of its response."""
        place = 1 + self.points.size + place_of(distance, self.distances)
        with np.errstate(invalid="ignore", divide="ignore"):  # no pairable ratings
            return self.sums[..., place] / self.ratings


class RaterMargins(_Margins, frozen=True):
    """Sums over responses that keep the raters apart.

    ``sums[..., :]`` holds the responses, those rated at least twice, the mean of each distance over
    every two ratings of a response, and how often each rater gave each point.
    """

    @staticmethod
    def rows(index: Whole, k: int, distances: Distances) -> Floats:
        """What each response adds; ``index[response, rater]`` among the k points, -1 missing."""
        chosen = index[:, :, None] == np.arange(k)
        panel = PanelMargins.rows(rating_counts(index, k), distances)
        by_rater = chosen.reshape(len(index), index.shape[1] * k)
        return np.concatenate([panel[:, :2], panel[:, 2 + k :], by_rater], axis=1)

    def disagreement(self, distance: Floats) -> Any:
        """Mean distance between two ratings over responses with two or more."""
        place = 2 + place_of(distance, self.distances)
        with np.errstate(invalid="ignore", divide="ignore"):  # nobody rated twice
            return self.sums[..., place] / self.paired

    @property
    def shares_by_rater(self) -> Any:
        """``shares[..., rater, k]`` of each rater's own ratings; 0 where a rater gave none."""
        counts = self.sums[..., 2 + len(self.distances) :]
        counts = counts.reshape(*self.sums.shape[:-1], -1, self.points.size)
        total = counts.sum(axis=-1, keepdims=True)
        return counts / np.where(total == 0, 1, total)

    @property
    def active(self) -> Floats:
        """1 for each rater who gave a rating, else 0."""
        return np.asarray(self.shares_by_rater.sum(axis=-1) != 0, dtype=np.float64)


def from_others(chosen: Whole | Floats, distances: Distances) -> Floats:
    """For each response and distance: its ratings' distances from the others, averaged over these.

    >>> from_others(np.array([[2, 1]]), (np.array([[0.0, 1], [1, 0]]),)).tolist()
    [[2.0]]
    """
    partners = np.maximum(chosen.sum(axis=1) - 1, 1)
    columns = [
        (((chosen @ d) * chosen).sum(axis=1) - chosen @ np.diagonal(d)) / partners
        for d in distances
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(chosen), 0))
