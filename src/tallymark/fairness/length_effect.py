"""Effect given length: are responses of the same length scored alike in every group?"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.fairness.contrasts import GroupCells, GroupContrast, contrast

Floats = NDArray[np.float64]


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
    return contrast(_apart, cells, "first", _pooled)


def _pooled(sums: Any) -> Any:
    """Within a group: products of error and length, and squares of the length."""
    n, e, x, xx, ex = np.moveaxis(sums, -1, 0)
    some = np.where(n == 0, 1.0, n)
    return np.stack([ex - e * x / some, xx - x * x / some], axis=-1)


def _apart(group: Any, first: Any, pooled: Any) -> Any:
    products, squares = np.moveaxis(pooled, -1, 0)
    left = np.real(squares) > 1e-12
    slope = np.where(left, products / np.where(left, squares, 1.0), np.nan)[..., None]
    return _gap(group, slope) - _gap(first, slope)


def _gap(sums: Any, slope: Any) -> Any:
    """Mean error less what the mean length predicts."""
    n, e, x = sums[..., 0], sums[..., 1], sums[..., 2]
    some = np.where(n == 0, 1.0, n)
    return np.where(n == 0, np.nan, e / some - slope * x / some)
