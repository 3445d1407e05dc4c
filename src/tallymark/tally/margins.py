"""Margins: of the scores on points no more than chance-corrected coefficients need.

A coefficient asks a tally for the shares of the points and for mean distances of two scores. So
its tally is a sum for each point and one for each distance, however many cells a table has.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole
from tallymark.tally.rounding import nearest

Distances = tuple[Floats, ...]
UNITY = np.float64(1.0)


class PairMargins(Struct, frozen=True, dict=True):
    """``sums[..., :]`` of responses at each point of the first score, of the second, and distances."""

    sums: Any
    points: Floats
    distances: Distances

    @cached_property
    def n(self) -> Any:
        """Responses in each tally."""
        return self.sums[..., : self.points.size].sum(axis=-1)

    @property
    def paired(self) -> Any:
        """Responses with both scores: all of them."""
        return self.n

    @property
    def ratings(self) -> Any:
        """Scores in all."""
        return 2 * self.n

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
        place = 2 * self.points.size + place_of(distance, self.distances)
        with np.errstate(invalid="ignore"):  # no responses, no mean
            return self.sums[..., place] / self.n

    def __add__(self, other: "PairMargins") -> "PairMargins":
        """Tally of the responses of both (which share their distances)."""
        return replace(self, sums=self.sums + other.sums)


def margin_rows(scores: Floats, points: Floats, distances: Distances) -> Floats:
    """What each response, a row of two scores, adds to the sums of :class:`PairMargins`."""
    return cell_rows(
        nearest(scores[:, 0], points), nearest(scores[:, 1], points), points, distances
    )


def cell_rows(first: Whole, second: Whole, points: Floats, distances: Distances) -> Floats:
    """The same for responses whose two scores have these places among the points."""
    k, responses = points.size, np.arange(first.size)
    rows = np.zeros((first.size, 2 * k + len(distances)))
    rows[responses, first] = 1.0
    rows[responses, k + second] = 1.0
    for place, distance in enumerate(distances):
        rows[:, 2 * k + place] = distance[first, second]
    return rows


def place_of(distance: Floats, distances: Distances) -> int:
    """Where a distance stands among some; matrices are made once, so it is one of them."""
    for place, declared in enumerate(distances):
        if declared is distance:
            return place
    return next(i for i, declared in enumerate(distances) if np.array_equal(declared, distance))


class _Asked(Struct, frozen=True):
    """A tally of two raters who use the points evenly; it notes the distances it is asked for."""

    points: Floats
    distances: list[Floats] = field(default_factory=list)
    n: Any = UNITY
    paired: Any = UNITY
    ratings: Any = UNITY

    @property
    def shares(self) -> Floats:
        return np.full(self.points.size, 1 / self.points.size)

    @property
    def margins(self) -> tuple[Floats, Floats]:
        return self.shares, self.shares

    @property
    def shares_by_rater(self) -> Floats:
        return np.stack(self.margins)

    @property
    def active(self) -> Floats:
        return np.ones(2)

    def disagreement(self, distance: Floats) -> Any:
        if not any(declared is distance for declared in self.distances):
            self.distances.append(distance)
        return np.float64(0.5)


def distances_of(values: Iterable[Callable[[Any], Any]], points: Floats) -> Distances:
    """The distances between points that some formulas ask for, each once."""
    recorder = _Asked(points)
    for value in values:
        value(recorder)
    return tuple(recorder.distances)
