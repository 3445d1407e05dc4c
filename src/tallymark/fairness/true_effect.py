"""Effect given the true score: are equally good responses scored alike in every group?"""

import numpy as np
from numpy.typing import NDArray

from tallymark.tally import GroupRatings

Floats = NDArray[np.float64]


def true_effects(groups: GroupRatings) -> Floats:
    r"""System score of each group less that of the first, at the same true score.

    .. math::

        (\bar m_g - \bar m_1) - \beta (\bar h_g - \bar h_1), \quad
        \beta = \frac{\sum_g S_{mh}}{\sum_g (S_{hh} - \sigma_e^2 \sum (1/c)(n_g - 1)/n_g)}

    Group means of ratings are free of rater error, and the slope on true scores is that on
    ratings less what rater error (known from double scores) adds to their spread. So, unlike the
    difference given the human score, it does not flag a fair system where groups differ in
    ability. In score points. NaN without double scores or true variance within groups.

    References
    ----------
    Fuller (1987), Measurement Error Models, section 1.2, doi:10.1002/9780470316665.

    Examples
    --------
    >>> ratings = np.array([[1.0, 2], [3, 3], [2, 2], [4, 5]])
    >>> rows = GroupRatings.rows(ratings, np.array([1.0, 3, 1.5, 4]))
    >>> true_effects(GroupRatings(rows.reshape(2, 2, 8).sum(axis=1))).round(3).tolist()
    [0.0, -0.406]
    """
    n, m, h, hh, mh, shared, within, free = np.moveaxis(groups.sums, -1, 0)
    some = np.where(n == 0, 1.0, n)
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing was rated twice
        error = within.sum(axis=-1) / free.sum(axis=-1)
        spread = hh - h * h / some - error[..., None] * shared * (n - 1) / some
        slope = (mh - m * h / some).sum(axis=-1) / spread.sum(axis=-1)
        slope = np.where(np.real(spread.sum(axis=-1)) > 0, slope, np.nan)[..., None]
    gap = m / some - slope * h / some
    apart = np.where(n == 0, np.nan, gap - gap[..., :1])
    return np.asarray(apart)
