"""Brennan-Prediger: chance agreement if every score point were equally likely."""

import numpy as np

from tallymark.agreement.chance import Disagreement, Floats, Ratings, corrected
from tallymark.agreement.weights import Weights, distance


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
