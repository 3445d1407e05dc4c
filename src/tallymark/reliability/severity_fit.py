"""Fit of a rater: are the ratings as close to what is expected as the model says?"""

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats

PREDICTABLE, ERRATIC = 0.5, 1.5
"""Infit or outfit outside these is flagged."""
NOISE = 1e-12
"""A variance below this share of the squares is rounding error: the rater gave one score."""
COMPRESSED = 0.9
"""A rater whose spread is surely below this share of that expected compresses the scale."""


class FitSums(Struct, frozen=True):
    """Sums over one rater's ratings x, expected E with variance V.

    ``sums[..., :]`` holds the ratings, (x - E) squared, V, (x - E) squared over V, x, x squared,
    E and E squared.
    """

    sums: Floats

    @staticmethod
    def rows(score: Floats, mean: Floats, variance: Floats) -> Floats:
        """What each rating adds to the sums."""
        residual = (score - mean) ** 2
        columns = [
            np.ones_like(mean), residual, variance, residual / variance,
            score, score**2, mean, mean**2,
        ]  # fmt: skip
        return np.stack(columns, axis=1)

    def __add__(self, other: "FitSums") -> "FitSums":
        """Tally of the ratings of both."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def n(self) -> Floats:
        """Ratings."""
        return self.sums[..., 0]


def infit(tally: FitSums) -> Floats:
    r"""Squared residuals over their expected size, :math:`\sum (x - E)^2 / \sum V`.

    1 is expected; above 1.5 the rater is erratic, below 0.5 more predictable than the model
    allows. Wright & Masters (1982), Rating scale analysis.

    >>> f"{infit(FitSums(FitSums.rows(np.array([2.0]), np.array([1.0]), np.array([0.5]))[0])):.1f}"
    '2.0'
    """
    with np.errstate(invalid="ignore", divide="ignore"):  # no ratings
        return np.asarray(tally.sums[..., 1] / tally.sums[..., 2])


def outfit(tally: FitSums) -> Floats:
    r"""Mean of squared standardised residuals, :math:`\frac{1}{n} \sum (x - E)^2 / V`.

    As infit, but a few very unexpected ratings weigh more.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(tally.sums[..., 3] / tally.n)


def spread(tally: FitSums) -> Floats:
    r"""Spread of a rater's ratings over that expected, :math:`\sqrt{Var x / (Var E + mean V)}`.

    1 is expected; below 1 the rater compresses the scale, above 1 stretches it or is erratic.
    """
    n, _, variance, _, x, squares, mean, means = np.moveaxis(tally.sums, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        expected = means / n - (mean / n) ** 2 + variance / n
        varies = squares / n - (x / n) ** 2
        variance_of_ratings = np.where(np.real(varies) > NOISE * np.real(squares / n), varies, 0.0)
        return np.asarray(np.sqrt(variance_of_ratings / expected))
