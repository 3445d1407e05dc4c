"""Length beside scores: the sums that tell what a system makes of it."""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats


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
        given = ~np.isnan(ratings)
        c = given.sum(axis=1) * 1.0
        h = np.where(given, ratings, 0.0).sum(axis=1) / np.maximum(c, 1)
        within = np.where(given, (ratings - h[:, None]) ** 2, 0.0).sum(axis=1)
        m, e, x = system, error, length
        columns = [
            np.ones_like(c), h, m, x, e, h * h, m * m, x * x, h * m, h * x, m * x, e * x,
            within, c - 1, 1 / np.maximum(c, 1),
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
