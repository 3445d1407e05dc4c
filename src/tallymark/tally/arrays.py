"""Arrays: values as they come from Python, with one meaning of missing."""

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray


def unmasked(values: NDArray[Any]) -> NDArray[Any]:
    """The array itself, or a masked one with NaN, else None, where it is masked.

    >>> unmasked(np.ma.array([1, 2], mask=[False, True])).tolist()
    [1.0, nan]
    """
    if not isinstance(values, np.ma.MaskedArray):
        return values
    numbers = values.dtype.kind in "iuf"
    plain = np.asarray(values.data).astype(np.float64 if numbers else object)
    plain[np.ma.getmaskarray(values)] = np.nan if numbers else None
    return plain


def is_missing(value: object) -> bool:
    """Whether a value stands for none: None, NaN, masked, or the marks of pandas.

    >>> [is_missing(value) for value in (None, float("nan"), np.ma.masked, 0, "", np.float64(2))]
    [True, True, True, False, False, False]
    """
    if value is None or value is np.ma.masked:
        return True
    if isinstance(value, float | np.floating):
        return bool(np.isnan(value))
    if isinstance(value, Decimal):
        return value.is_nan()
    return type(value).__name__ in {"NAType", "NaTType"}
