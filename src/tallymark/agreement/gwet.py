"""Gwet's AC: chance agreement from the responses that are hard to score."""

import numpy as np

from tallymark.agreement.chance import Disagreement, Floats, Ratings, corrected
from tallymark.agreement.weights import Weights, distance


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
