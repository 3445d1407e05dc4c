"""Adjusted effects: are responses of the same true score, or length, scored alike in every group?"""

from typing import Any

import numpy as np

from tallymark.arrays import Floats
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

    def pool(sums: Any) -> Any:
        """Within a group: products with the system's score, squares, 1/c, and the errors of raters."""
        n, m, h, hh, mh, shared, error, free = np.moveaxis(sums, -1, 0)
        size = np.where(n == 0, 1.0, n)
        parts = [mh - m * h / size, hh - h * h / size, shared * (n - 1) / size, error, free]
        return np.stack(parts, axis=-1)

    def difference(group: Any, first: Any, pooled: Any) -> Any:
        products, squares, shared, error, free = np.moveaxis(pooled, -1, 0)
        with np.errstate(invalid="ignore", divide="ignore"):  # nothing was rated twice
            spread = squares - error / free * shared
            slope = np.where(np.real(spread) > 0, products / spread, np.nan)[..., None]
        return _adjusted_mean(group, slope) - _adjusted_mean(first, slope)

    return contrast(difference, cells, "first", pool)


def length_rows(error: Floats, length: Floats) -> Floats:
    """What each response adds to its group: 1, e, l, ll and el."""
    return np.stack([np.ones_like(error), error, length, length**2, error * length], axis=1)


def length_effect_contrast(cells: GroupCells) -> GroupContrast:
    r"""Error of each group less that of the first, at the same length.

    .. math::

        (\bar e_g - \bar e_1) - \beta (\bar\ell_g - \bar\ell_1), \quad
        \beta = \frac{\sum_g S_{e\ell}}{\sum_g S_{\ell\ell}}

    The analysis of covariance of errors with length. In score points; 0 is fair. NaN where the
    length does not vary within groups. The cells hold rows of :func:`length_rows`.

    References
    ----------
    Cochran (1957), doi:10.2307/2527916.

    Examples
    --------
    >>> error, length = np.array([1.0, 2, 2.5, 3.5]), np.array([1.0, 2, 2, 3])
    >>> at, ones = np.arange(4), np.ones(4, dtype=np.int64)
    >>> cells = GroupCells.of(at, at // 2, ones, length_rows(error, length), ones, groups=2)
    >>> length_effect_contrast(cells).values.tolist()
    [0.0, 0.5]
    """

    def pool(sums: Any) -> Any:
        """Within a group: products of error and length, and squares of the length."""
        n, e, x, xx, ex = np.moveaxis(sums, -1, 0)
        size = np.where(n == 0, 1.0, n)
        return np.stack([ex - e * x / size, xx - x * x / size], axis=-1)

    def difference(group: Any, first: Any, pooled: Any) -> Any:
        products, squares = np.moveaxis(pooled, -1, 0)
        varies = np.real(squares) > 1e-12
        slope = np.where(varies, products / np.where(varies, squares, 1.0), np.nan)[..., None]
        return _adjusted_mean(group, slope) - _adjusted_mean(first, slope)

    return contrast(difference, cells, "first", pool)


def _adjusted_mean(sums: Any, slope: Any) -> Any:
    """Mean of a group less what the slope on its mean rating, or length, predicts: y - beta x."""
    n, y, x = sums[..., 0], sums[..., 1], sums[..., 2]
    size = np.where(n == 0, 1.0, n)
    return np.where(n == 0, np.nan, y / size - slope * x / size)
