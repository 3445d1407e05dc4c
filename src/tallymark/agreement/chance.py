"""Chance correction: one minus observed over expected disagreement."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Ratings(Protocol):
    """What a chance-corrected coefficient needs of a tally of two or of many raters."""

    @property
    def points(self) -> Floats:
        """The score points."""

    @property
    def n(self) -> Floats:
        """Responses."""

    @property
    def shares(self) -> Floats:
        """The share of each point over all raters."""

    def disagreement(self, distance: Floats) -> Floats:
        """Mean distance between two ratings of the same response."""


class PairRatings(Ratings, Protocol):
    """What it needs of a tally of two raters who are told apart."""

    @property
    def margins(self) -> tuple[Floats, Floats]:
        """The share of each point for the first and for the second rater."""


class Disagreement(NamedTuple):
    """Mean distance between two ratings: as observed, and as chance alone would give."""

    observed: Floats
    expected: Floats


def corrected(disagreement: Disagreement) -> Floats:
    """Return 1 - observed / expected; NaN where chance leaves nothing to disagree about."""
    observed, expected = disagreement
    none = expected == 0
    with np.errstate(invalid="ignore"):
        return np.where(none, np.nan, 1 - observed / (expected + none))


def between(distance: Floats, first: Floats, second: Floats) -> Floats:
    """Mean distance of two independent ratings with these shares of the points."""
    return np.asarray(((first @ distance) * second).sum(axis=-1))
