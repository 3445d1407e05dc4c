"""Effect given the true score: are equally good responses scored alike in every group?"""

from typing import Any

import numpy as np

from tallymark.fairness.contrasts import GroupCells, GroupContrast, contrast


def true_effect_contrast(cells: GroupCells) -> GroupContrast:
    r"""System score of each group less that of the first, at the same true score.

    .. math::

        (\bar m_g - \bar m_1) - \beta (\bar h_g - \bar h_1), \quad
        \beta = \frac{\sum_g S_{mh}}{\sum_g (S_{hh} - \sigma_e^2 \sum (1/c)(n_g - 1)/n_g)}

    Group means of ratings are free of rater error, and the slope on true scores is that on
    ratings less what rater error (known from double scores) adds to their spread. So, unlike the
    difference given the human score, it does not flag a fair system where groups differ in
    ability. In score points. NaN without double scores or true variance within groups. The cells
    hold rows of ``GroupRatings``.

    References
    ----------
    Fuller (1987), Measurement Error Models, section 1.2, doi:10.1002/9780470316665.

    Examples
    --------
    >>> from tallymark.tally import GroupRatings
    >>> ratings = np.array([[1.0, 2], [3, 3], [2, 2], [4, 5]])
    >>> rows = GroupRatings.rows(ratings, np.array([1.0, 3, 1.5, 4]))
    >>> at, ones = np.arange(4), np.ones(4, dtype=np.int64)
    >>> cells = GroupCells.of(at, at // 2, ones, rows, ones, groups=2)
    >>> true_effect_contrast(cells).values.round(3).tolist()
    [0.0, -0.406]
    """
    return contrast(_apart, cells, "first", _pooled)


def _pooled(sums: Any) -> Any:
    """Within a group: products with the system's score, squares, 1/c, and the errors of raters."""
    n, m, h, hh, mh, shared, within, free = np.moveaxis(sums, -1, 0)
    some = np.where(n == 0, 1.0, n)
    parts = [mh - m * h / some, hh - h * h / some, shared * (n - 1) / some, within, free]
    return np.stack(parts, axis=-1)


def _apart(group: Any, first: Any, pooled: Any) -> Any:
    products, squares, shared, within, free = np.moveaxis(pooled, -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing was rated twice
        spread = squares - within / free * shared
        slope = np.where(np.real(spread) > 0, products / spread, np.nan)[..., None]
    return _gap(group, slope) - _gap(first, slope)


def _gap(sums: Any, slope: Any) -> Any:
    """Mean system score less what the mean rating predicts."""
    n, m, h = sums[..., 0], sums[..., 1], sums[..., 2]
    some = np.where(n == 0, 1.0, n)
    return np.where(n == 0, np.nan, m / some - slope * h / some)
