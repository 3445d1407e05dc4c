"""Ratings beside a system: sums that tell rater error from true differences."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RatedSums:
    """Sums over responses with c ratings of mean h, and a system score m where there is one.

    ``sums[..., :]`` holds the responses, ratings c, c squared, c h, c h squared, c (h - m)
    squared, the squared deviations of ratings within responses, their degrees of freedom c - 1,
    and the responses rated twice or more. Scores are taken about a center.
    """

    sums: Floats

    @staticmethod
    def rows(ratings: Floats, system: Floats) -> Floats:
        """What each response adds to the sums; responses without rating or system add nothing."""
        given = ~np.isnan(ratings)
        c = given.sum(axis=1) * 1.0
        filled = np.where(given, ratings, 0.0)
        mean = filled.sum(axis=1) / np.maximum(c, 1)
        within = np.where(given, (ratings - mean[:, None]) ** 2, 0.0).sum(axis=1)
        columns = [
            np.ones_like(c), c, c * c, c * mean, c * mean**2, c * (mean - system) ** 2,
            within, c - 1, (c > 1) * 1.0,
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
