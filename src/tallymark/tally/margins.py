"""Margins: of a table of two scores no more than chance-corrected coefficients need."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.tally.pairs import PairCounts
from tallymark.tally.rounding import nearest

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PairMargins:
    """``sums[..., :]`` of responses at each point of the first score, of the second, and distances.

    It stands in for :class:`PairCounts` where a formula asks for shares and mean distances only,
    with far fewer sums on a long scale.
    """

    sums: Any
    points: Floats
    distances: tuple[Floats, ...]

    @cached_property
    def n(self) -> Any:
        """Responses in each tally."""
        return self.sums[..., : self.points.size].sum(axis=-1)

    @cached_property
    def margins(self) -> tuple[Any, Any]:
        """The share of each point for the first and for the second score."""
        k = self.points.size
        with np.errstate(invalid="ignore"):  # no responses, no shares
            shares = self.sums[..., : 2 * k] / self.n[..., None]
        return shares[..., :k], shares[..., k:]

    @cached_property
    def shares(self) -> Any:
        """The share of each point over both scores."""
        first, second = self.margins
        return (first + second) / 2

    def disagreement(self, distance: Floats) -> Any:
        """Mean distance between the two scores of a response."""
        place = next(i for i, own in enumerate(self.distances) if np.array_equal(own, distance))
        with np.errstate(invalid="ignore"):  # no responses, no mean
            return self.sums[..., 2 * self.points.size + place] / self.n


@dataclass(frozen=True)
class _Asked(PairCounts):
    """A table that notes which distances a formula asks for."""

    distances: list[Floats] = field(default_factory=list)

    def disagreement(self, distance: Floats) -> Floats:
        self.distances.append(distance)
        return PairCounts.disagreement(self, distance)


def distances_of(formula: Callable[[Any], Any], points: Floats) -> tuple[Floats, ...]:
    """The distances between points that a formula of a table asks for."""
    table = _Asked(np.ones((points.size, points.size)), points)
    formula(table)
    return tuple(table.distances)


def margin_rows(scores: Floats, points: Floats, distances: tuple[Floats, ...]) -> Floats:
    """What each response, a row of two scores, adds to the sums of :class:`PairMargins`."""
    first, second = nearest(scores[:, 0], points), nearest(scores[:, 1], points)
    every = np.arange(points.size)
    columns = [first[:, None] == every, second[:, None] == every]
    columns += [distance[first, second][:, None] for distance in distances]
    return np.concatenate(columns, axis=1).astype(np.float64)
