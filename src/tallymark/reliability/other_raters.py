"""What raters at hand tell of others like them, of whom they are a sample: R - 1 degrees of freedom."""

import math

from tallymark.inference.distributions import ENDLESS, f_quantile


def severity_limits(rater: float, noise: float, df: float, level: float) -> tuple[float, float]:
    r"""Limits of the variance of severity among all raters like these.

    .. math:: \nu (\hat\sigma_r^2 + c) / \chi^2_\nu - c

    ``noise`` c is what rating error adds to the spread of the raters' means: the residual variance
    over n where every rater reads all n responses. Limits below 0 are 0.

    References
    ----------
    Williams (1962), doi:10.1093/biomet/49.1-2.278.

    Examples
    --------
    >>> low, high = severity_limits(0.25, 0.0, 2.0, 0.95)
    >>> f"{low:.3f} {high:.2f}"
    '0.068 9.87'
    """
    if math.isnan(rater) or not df > 0:
        return math.nan, math.nan
    spread, upper = max(rater + noise, 0.0), (1 + level) / 2
    low, high = (spread / f_quantile(at, df, ENDLESS) - noise for at in (upper, 1 - upper))
    return max(low, 0.0), max(high, 0.0)


def severity_df(rater: float, residual: float, information: tuple[float, float, float]) -> float:
    r"""Degrees of freedom of the reduction due to raters, R - 1 where all read the same responses.

    Satterthwaite's, from the eigenvalues c of the raters' ``information`` (their number, sum, and
    sum of squares):

    .. math:: \nu = \frac{(\sum c \sigma_r^2 + \sigma_{pr}^2)^2}{\sum (c \sigma_r^2 + \sigma_{pr}^2)^2}

    >>> severity_df(0.5, 1.0, (2.0, 20.0, 200.0))
    2.0
    """
    number, total, squares = information
    rater = max(rater, 0.0)
    mean = total * rater + number * residual
    spread = squares * rater**2 + 2 * total * rater * residual + number * residual**2
    return mean**2 / spread if spread > 0 else number
