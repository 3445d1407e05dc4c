"""Ratings and errors beside a system: sums over all responses, and by group."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats


class GroupErrors(Struct, frozen=True, eq=False):
    """``sums[..., group, score, :]`` of 1, e, e squared and e to the fourth; e is system - gold."""

    sums: Floats

    @staticmethod
    def rows(error: Floats) -> Floats:
        """What each response adds at its place, group and gold score."""
        return np.stack([np.ones_like(error), error, error**2, error**4], axis=-1)

    def __add__(self, other: "GroupErrors") -> "GroupErrors":
        """Tally of the responses of both."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses."""
        return np.asarray(self.sums[..., 0].sum(axis=(-2, -1)))


class GroupRatings(Struct, frozen=True):
    """``sums[..., group, :]`` of 1, m, h, hh, mh, 1/c, rater deviations and their freedom.

    m is the system's score, h the mean of a response's c ratings; both about a center.
    """

    sums: Floats

    @staticmethod
    def rows(ratings: Floats, system: Floats) -> Floats:
        """What each response adds to its group; without rating or system score it adds nothing."""
        present = ~np.isnan(ratings)
        c = present.sum(axis=1) * 1.0
        used = (c > 0) & ~np.isnan(system)
        m = np.where(used, system, 0.0)
        h = np.where(present, ratings, 0.0).sum(axis=1) / np.maximum(c, 1)
        squares_within = np.where(present, (ratings - h[:, None]) ** 2, 0.0).sum(axis=1)
        columns = [np.ones_like(c), m, h, h * h, m * h, 1 / np.maximum(c, 1), squares_within, c - 1]
        return np.where(used[:, None], np.stack(columns, axis=-1), 0.0)

    def __add__(self, other: "GroupRatings") -> "GroupRatings":
        """Tally of the responses of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses."""
        return np.asarray(self.sums[..., 0].sum(axis=-1))


class RatedSums(Struct, frozen=True):
    """Sums over responses with c ratings of mean h, and a system score m where there is one.

    ``sums[..., :]`` holds the responses, ratings c, c squared, c h, c h squared, c (h - m)
    squared, the squared deviations of ratings within responses, their degrees of freedom c - 1,
    and the responses rated twice or more. Scores are taken about a center.
    """

    sums: Floats

    @staticmethod
    def rows(ratings: Floats, system: Floats) -> Floats:
        """What each response adds to the sums; responses without rating or system add nothing."""
        present = ~np.isnan(ratings)
        c = present.sum(axis=1) * 1.0
        filled = np.where(present, ratings, 0.0)
        mean = filled.sum(axis=1) / np.maximum(c, 1)
        squares_within = np.where(present, (ratings - mean[:, None]) ** 2, 0.0).sum(axis=1)
        columns = [
            np.ones_like(c), c, c * c, c * mean, c * mean**2, c * (mean - system) ** 2,
            squares_within, c - 1, (c > 1) * 1.0,
        ]  # fmt: skip
        used = (c > 0) & ~np.isnan(system)
        return np.where(used[:, None], np.stack(columns, axis=1), 0.0)

    def __add__(self, other: "RatedSums") -> "RatedSums":
        """Tally of the responses of both (which share their center)."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Responses."""
        return self.sums[..., 0]
