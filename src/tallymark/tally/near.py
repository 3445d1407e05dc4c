"""Near the data: a tally whose value and first two derivatives are those of a larger one."""

from typing import Any

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats
from tallymark.tally.panels import Coincidences


class NearCoincidences(Struct, frozen=True):
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


def near_rows(chosen: Floats, values: Floats) -> Floats:
    """What each response adds to the sums of :class:`NearCoincidences`."""
    total, others = chosen @ values, chosen.sum(axis=1) - 1
    along = chosen * (total[:, None] - values) / others[:, None]
    return np.concatenate([chosen, along, (along @ values)[:, None]], axis=1)


def coincidences_at(tally: Coincidences) -> Floats:
    """How often each two points were given to one response, each rating counting once."""
    each = tally.times / (tally.chosen.sum(axis=1) - 1)
    pairs = (tally.chosen * each[:, None]).T @ tally.chosen
    return np.asarray(pairs - np.diag(each @ tally.chosen))
