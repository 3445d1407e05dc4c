"""Chance correction: one minus observed over expected disagreement; Gwet's AC, Brennan-Prediger."""

from typing import NamedTuple, Protocol

import numpy as np

from tallymark.agreement.weights import Weights, distance
from tallymark.arrays import Floats


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
    """What it needs of a tally of two distinct raters."""

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


def gwet_ac(tally: Ratings, *, weights: Weights = "identity") -> Floats:
    r"""Agreement beyond chance that stays high when one score dominates (AC1; AC2 if weighted).

    .. math::

        \frac{p_a - p_e}{1 - p_e}, \qquad
        p_e = \frac{\sum_{kl} w_{kl}}{K (K - 1)} \sum_k \pi_k (1 - \pi_k)

    1 is perfect, 0 is chance. It depends on K, the number of declared points. Because it stays
    high under skew, read it beside a correlation: a system that gives everyone the same score can
    reach a high AC. NaN on a scale of one point.

    References
    ----------
    Gwet (2008), doi:10.1348/000711006X126600.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> f"{gwet_ac(PairCounts(np.array([[64, 4], [16, 16]]), np.arange(2.0))):.3f}"
    '0.675'
    """
    return corrected(gwet_disagreement(tally, weights=weights))


def gwet_disagreement(tally: Ratings, *, weights: Weights = "identity") -> Disagreement:
    """Observed disagreement, and Gwet's chance disagreement."""
    d = distance(tally.points, weights)
    k = tally.points.size
    spread = (tally.shares * (1 - tally.shares)).sum(axis=-1)
    by_chance = 1 - (1 - d).sum() / (k * max(k - 1, 1)) * spread
    return Disagreement(tally.disagreement(d), by_chance if k > 1 else np.zeros_like(spread))


def brennan_prediger(tally: Ratings, *, weights: Weights = "identity") -> Floats:
    r"""Agreement beyond what uniform guessing on the declared scale would give.

    .. math:: \frac{p_a - p_e}{1 - p_e}, \qquad p_e = \sum_{kl} w_{kl} / K^2

    1 is perfect, 0 is uniform guessing. It does not depend on the score distribution but on K,
    the number of declared points: unused points raise it. NaN on a scale of one point.

    References
    ----------
    Brennan & Prediger (1981), doi:10.1177/001316448104100307.

    Examples
    --------
    >>> from tallymark.tally import PairCounts
    >>> f"{brennan_prediger(PairCounts(np.array([[64, 4], [16, 16]]), np.arange(2.0))):.3f}"
    '0.600'
    """
    return corrected(brennan_prediger_disagreement(tally, weights=weights))


def brennan_prediger_disagreement(tally: Ratings, *, weights: Weights = "identity") -> Disagreement:
    """Observed disagreement, and the mean distance of two points drawn evenly."""
    d = distance(tally.points, weights)
    observed = tally.disagreement(d)
    return Disagreement(observed, np.broadcast_to(d.mean(), observed.shape))
