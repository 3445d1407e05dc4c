"""Bands: the words of Landis and Koch for a kappa."""

import math

BANDS: tuple[tuple[float, str], ...] = (
    (0.20, "slight"),
    (0.40, "fair"),
    (0.60, "moderate"),
    (0.80, "substantial"),
    (1.00, "almost perfect"),
)
"""Each up to and with its number; below 0 is poor."""


def band(kappa: float) -> str:
    """Name the band of a kappa: a habit of speech, not a test of what is good enough.

    Landis & Koch (1977), doi:10.2307/2529310, give the bands in steps of .01; here each begins
    where the one below ends. NaN has none.

    >>> band(0.79), band(0.8001)
    ('substantial', 'almost perfect')
    """
    if math.isnan(kappa):
        return ""
    if kappa < 0:
        return "poor"
    return next((name for top, name in BANDS if kappa <= top), "almost perfect")
