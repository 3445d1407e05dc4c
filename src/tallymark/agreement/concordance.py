"""Concordance: how close pairs of scores lie to the line of equality."""

import numpy as np

from tallymark.agreement.chance import Floats
from tallymark.tally import PairMoments


def lin_ccc(moments: PairMoments) -> Floats:
    r"""Lin's concordance: quadratic weighted kappa of scores that need not lie on a scale.

    .. math:: \frac{2 s_{ab}}{s_a^2 + s_b^2 + (\bar a - \bar b)^2}

    with divisor n throughout. 1 is identity, 0 is no linear relation; a shift or a different
    spread lowers it below the correlation. NaN when neither score varies and both are equal.

    References
    ----------
    Lin (1989), doi:10.2307/2532051; Haberman (2019), doi:10.1002/ets2.12258.

    Examples
    --------
    >>> from tallymark.tally import PairPatterns
    >>> f"{lin_ccc(PairPatterns.of([1, 2, 4], [2, 1, 4]).moments()):.4f}"
    '0.7857'
    """
    first, second = moments.variances
    apart = first + second + moments.mean_difference**2
    none = apart == 0
    with np.errstate(invalid="ignore"):
        return np.where(none, np.nan, 2 * moments.covariance / (apart + none))
