"""Strata: responses that were drawn stratum by stratum vary within strata only.

Influences are therefore centred within each stratum. What is drawn speaks for the population that
all responses, drawn or not, come from; so the means of strata still vary as much as those of all
responses do (double sampling for stratification: Cochran (1977), Sampling Techniques, 12.2).
"""

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole

ALIKE = 2.0
"""Weights of which none is more than so many times another are of one order."""


def orders_of_weight(weights: Floats) -> Whole:
    """The order of each weight; those of one order do not differ by more than a factor of 2.

    >>> orders_of_weight(np.array([20.0, 180.0, 25.0, 100.0])).tolist()
    [0, 1, 0, 1]
    """
    least: list[float] = []
    for weight in np.sort(weights).tolist():
        if not least or weight > ALIKE * least[-1]:
            least.append(weight)
    return np.asarray(np.searchsorted(least, weights, side="right") - 1, np.int64)


class Strata(Struct, frozen=True, eq=False):
    """The stratum of each unit; the responses ``drawn`` from each stratum, and out of how many.

    Those of the whole sample count, so that a part of the data is a domain of the design.
    """

    codes: Whole
    drawn: Floats
    size: Floats

    @classmethod
    def of(cls, codes: Whole, number: int, drawn: NDArray[Any], size: Floats) -> "Strata":
        """Add up the responses that were drawn, and for how many they stand."""
        sums = (np.bincount(codes, values, number).astype(np.float64) for values in (drawn, size))
        return cls(codes, *sums)

    def where(self, keep: NDArray[np.generic]) -> "Strata":
        """The strata of some units."""
        return replace(self, codes=self.codes[keep])

    def added(self, values: Floats) -> Floats:
        """Add up ``values[unit, ...]`` within strata."""
        sums = np.zeros((self.drawn.size, *values.shape[1:]))
        np.add.at(sums, self.codes, values)
        return sums

    def heaviest(self, times: Whole) -> float:
        """How many times the units weigh what a response of the heaviest stratum does."""
        filled = self.drawn > 0
        weight = np.where(filled, self.size / np.where(filled, self.drawn, 1.0), 0.0)
        return float(times @ weight[self.codes] / weight.max())

    def spread(self, values: Floats, times: Whole) -> Floats:
        """Shorten ``values[unit, ...]`` to what the design lets vary; their squares add to a variance.

        With moves z of the d units of a stratum that are in this part of the data, m their sum, n
        responses drawn out of N: the variance is n / (n - 1) (sum z^2 - m^2 / n) + m^2 / N. Around
        the mean of the stratum moves are raised by n / (n - 1), the mean itself is lowered.

        >>> two = Strata(np.array([0, 0, 1, 1]), np.array([2.0, 2.0]), np.array([2e9, 2e9]))
        >>> two.spread(np.array([1.0, 3.0, 5.0, 5.0]), np.ones(4, np.int64)).round(3).tolist()
        [-1.414, 1.414, 0.0, 0.0]
        """
        times_drawn = self.added(times.astype(np.float64))
        drawn, size = np.maximum(self.drawn, 1.0), np.maximum(self.size, 1e-9)
        shape = (-1,) + (1,) * (values.ndim - 1)
        many = times.reshape(shape)
        means = self.added(values * many) / np.maximum(times_drawn, 1.0).reshape(shape)
        raised = drawn / np.maximum(drawn - 1, 1.0)
        lowered = raised * (1 - times_drawn / drawn) + np.minimum(times_drawn / size, 1.0)
        of_units = means[self.codes]
        centred = np.sqrt(raised)[self.codes].reshape(shape) * (values - of_units)
        return np.asarray(centred + np.sqrt(lowered)[self.codes].reshape(shape) * of_units)
