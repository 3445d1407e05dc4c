"""Intraclass correlation: the share of variance that lies between responses."""

import math
from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference.distributions import f_quantile
from tallymark.inference.interval import OtherRaters
from tallymark.reliability.generalizability import severity_limits
from tallymark.tally import OneWay, PanelMoments, each_sum, without_rounding

Type = Literal["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"]
TYPES = ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")


class MeanSquares(NamedTuple):
    """Mean squares of responses x raters: between responses, within, raters, residual."""

    responses: Floats
    within: Floats
    raters: Floats
    residual: Floats


def mean_squares(panel: PanelMoments) -> MeanSquares:
    """Split the variance of complete ratings by response and by rater."""
    n, totals, squares = each_sum(panel.sums[..., :3])
    by_rater, k = panel.sums[..., 3:], panel.k
    with np.errstate(invalid="ignore", divide="ignore"):  # fewer than two responses
        grand = by_rater.sum(axis=-1) ** 2 / (n * k)
        between = without_rounding(totals / k - grand, squares)
        raters = without_rounding((by_rater**2).sum(axis=-1) / n - grand, squares)
        squares_within = without_rounding(squares - totals / k, squares)
        residual = without_rounding(squares_within - raters, squares)
        return MeanSquares(
            between / (n - 1),
            squares_within / (n * (k - 1)),
            raters / (k - 1),
            residual / ((n - 1) * (k - 1)),
        )


def icc(panel: PanelMoments | OneWay, *, type: Type = "2,1") -> Floats:  # noqa: A002 - the field's word
    r"""Reliability of one rating, or of the mean of all k (types ``.,k``).

    .. math:: ICC(1,1) = \frac{MS_b - MS_w}{MS_b + (k - 1) MS_w}

    Type 1: raters differ from response to response; 2: the same raters, seen as a sample, their
    severity counts as error; 3: these very raters, severity does not count. 1 is perfect; it can
    be negative. NaN when ratings do not vary, or fewer than two raters or responses are complete.

    References
    ----------
    Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420.

    Examples
    --------
    >>> scores = np.array([[9.0, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9],
    ...     [6, 2, 4, 7]])
    >>> f"{icc(PanelMoments(PanelMoments.rows(scores).sum(axis=0)), type='2,1'):.2f}"
    '0.29'
    """
    if isinstance(panel, OneWay):
        return _one_way(panel, mean_of_all=type[2] == "k")
    between, mean_within, raters, residual = mean_squares(panel)
    n, k = panel.n, panel.k
    error = mean_within if type[0] == "1" else residual
    of_single = 0.0 if type[2] == "k" else (k - 1) * error
    severity: Floats | float = 0.0
    if type[0] == "2":
        with np.errstate(invalid="ignore", divide="ignore"):
            severity = (raters - residual) / n * (1 if type[2] == "k" else k)
    with np.errstate(invalid="ignore", divide="ignore"):  # a resample without responses
        below = between + of_single + severity
        return _defined((between - error) / below, below, between, error)


def _one_way(ratings: OneWay, *, mean_of_all: bool) -> Floats:
    """Type 1 with any numbers of ratings; the mean is of the harmonic mean number of ratings."""
    n, total, squared, per_rating, squares, scores, inverse, _ = each_sum(ratings.sums)
    with np.errstate(invalid="ignore", divide="ignore"):  # too few responses or ratings
        squares_within = within_responses(ratings)
        between = without_rounding(per_rating - scores**2 / total, squares) / (n - 1)
        mean_ratings = (total - squared / total) / (n - 1)
        true = (between - squares_within) / mean_ratings
        below = true + squares_within * (inverse / n if mean_of_all else 1.0)
        return _defined(true / below, below, between, squares_within)


def _defined(value: Floats, below: Floats, *parts: Floats) -> Floats:
    """Leave out what was divided by the rounding error of its parts."""
    size = sum(np.abs(part) for part in parts)
    return np.asarray(np.where(np.abs(below) <= 1e-12 * size, np.nan, value))


def within_sd(ratings: OneWay) -> Floats:
    r"""Standard deviation of ratings of the same response, :math:`\sqrt{MS_w}`.

    0 when every response gets the same rating each time. NaN when none was rated twice.

    Examples
    --------
    >>> rows = OneWay.rows(np.array([[1.0, 3.0], [2.0, 2.0]]))
    >>> within_sd(OneWay(rows.sum(axis=0))).item()
    1.0
    """
    return np.asarray(np.sqrt(within_responses(ratings)))


def within_responses(ratings: OneWay) -> Floats:
    """Mean square of ratings of one response; 0, not its rounding error, where all agree."""
    n, total, _, per_rating, squares, *_ = each_sum(ratings.sums)
    variation = without_rounding(squares - per_rating, squares)
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing was rated twice
        return np.asarray(variation / (total - n))


def icc_interval(panel: PanelMoments, *, type: Type, level: float) -> tuple[float, float]:  # noqa: A002
    """F-based interval; limits of ``2,k`` follow from those of ``2,1`` by Spearman-Brown.

    NaN where the ratings leave no error, or no difference between responses, to compare.
    """
    n, k, upper = float(panel.n), panel.k, (1 + level) / 2
    if n < 2 or k < 2:
        return float("nan"), float("nan")
    with np.errstate(divide="ignore", invalid="ignore"):
        if type[0] == "2":
            ends = _random_raters(panel, upper)
            ends = tuple(k * r / (1 + (k - 1) * r) for r in ends) if type[2] == "k" else ends
        else:
            ends = _one_error(panel, type, upper)
    low, high = (float(end) if np.isfinite(end) else float("nan") for end in ends)
    return low, high


def _one_error(panel: PanelMoments, type: Type, upper: float) -> tuple[Floats, ...]:  # noqa: A002
    """Shrout & Fleiss (1979): limits of the ratio of responses to error, carried over."""
    mean, n, k = mean_squares(panel), panel.n, panel.k
    error, df = (mean.within, n * (k - 1)) if type[0] == "1" else (mean.residual, (n - 1) * (k - 1))
    ratio = mean.responses / error
    free = float(n - 1), float(df)
    limits = ratio / f_quantile(upper, *free), ratio * f_quantile(upper, *free[::-1])
    return tuple(1 - 1 / f if type[2] == "k" else (f - 1) / (f + k - 1) for f in limits)


def _random_raters(panel: PanelMoments, upper: float) -> tuple[Floats, ...]:
    """McGraw & Wong (1996), doi:10.1037/1082-989X.1.1.30: Satterthwaite's degrees of freedom."""
    between, _, raters, residual = mean_squares(panel)
    n, k, r = panel.n, panel.k, icc(panel, type="2,1")
    a, b = k * r / (n * (1 - r)), 1 + k * r * (n - 1) / (n * (1 - r))
    v = (a * raters + b * residual) ** 2 / (
        (a * raters) ** 2 / (k - 1) + (b * residual) ** 2 / ((n - 1) * (k - 1))
    )
    free = float(n - 1), float(v)
    down, up = f_quantile(upper, *free), f_quantile(upper, *free[::-1])
    rest = k * raters + (k * n - k - n) * residual
    low = n * (between - down * residual) / (down * rest + n * between)
    high = n * (up * between - residual) / (rest + n * up * between)
    return low, high


def other_raters(
    *,
    type: Type,  # noqa: A002
) -> Callable[[PanelMoments, float], OtherRaters] | None:
    """How far types 2 may be off because these raters are a sample; the others are of no sample."""
    return partial(_with_severity, ratings=type[2]) if type[0] == "2" else None


def _with_severity(panel: PanelMoments, level: float, *, ratings: str) -> OtherRaters:
    """The coefficient at the limits of the variance of severity; NaN where variances add up to none."""
    between, _, raters, residual = map(float, mean_squares(panel))
    n, k = float(panel.n), panel.k
    low, high = severity_limits((raters - residual) / n, residual / n, k - 1.0, level)
    true, number = (between - residual) / k, k if ratings == "k" else 1
    totals = [true + (severity + residual) / number for severity in (high, low)]
    if not min(totals) > 0:
        return OtherRaters(math.nan, math.nan, k - 1.0)
    first, last = (true / total for total in totals)
    return OtherRaters(min(first, last), max(first, last), k - 1.0)
