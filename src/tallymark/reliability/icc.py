"""Intraclass correlation: the share of variance that lies between responses."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.tally import PanelMoments

Floats = NDArray[np.float64]
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
    n, totals, squares = np.moveaxis(panel.sums[..., :3], -1, 0)
    by_rater, k = panel.sums[..., 3:], panel.k
    with np.errstate(invalid="ignore", divide="ignore"):  # fewer than two responses
        grand = by_rater.sum(axis=-1) ** 2 / (n * k)
        between = totals / k - grand
        raters = (by_rater**2).sum(axis=-1) / n - grand
        within = squares - totals / k
        return MeanSquares(
            between / (n - 1),
            within / (n * (k - 1)),
            raters / (k - 1),
            (within - raters) / ((n - 1) * (k - 1)),
        )


def icc(panel: PanelMoments, *, type: Type = "2,1") -> Floats:  # noqa: A002 - the field's word
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
    between, within, raters, residual = mean_squares(panel)
    n, k = panel.n, panel.k
    error = within if type[0] == "1" else residual
    one = 0.0 if type[2] == "k" else (k - 1) * error
    severity: Floats | float = 0.0
    if type[0] == "2":
        with np.errstate(invalid="ignore", divide="ignore"):
            severity = (raters - residual) / n * (1 if type[2] == "k" else k)
    below = between + one + severity
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(below == 0, np.nan, (between - error) / below)


def icc_interval(panel: PanelMoments, *, type: Type, level: float) -> tuple[float, float]:  # noqa: A002
    """F-based interval; limits of ``2,k`` follow from those of ``2,1`` by Spearman-Brown."""
    from scipy.special import fdtri

    mean = mean_squares(panel)
    n, k, upper = float(panel.n), panel.k, (1 + level) / 2
    if n < 2 or k < 2:
        return float("nan"), float("nan")
    if type[0] == "2":
        low, high = _random_raters(mean, float(icc(panel, type="2,1")), n, k, upper)
        return (_stepped_up(low, k), _stepped_up(high, k)) if type[2] == "k" else (low, high)
    error, df = (mean.within, n * (k - 1)) if type[0] == "1" else (mean.residual, (n - 1) * (k - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = float(mean.responses / error)
    limits = ratio / fdtri(n - 1, df, upper), ratio * fdtri(df, n - 1, upper)
    low, high = (1 - 1 / f if type[2] == "k" else (f - 1) / (f + k - 1) for f in limits)
    return float(low), float(high)


def _stepped_up(reliability: float, k: int) -> float:
    return k * reliability / (1 + (k - 1) * reliability)


def _random_raters(
    mean: MeanSquares, r: float, n: float, k: int, upper: float
) -> tuple[float, float]:
    """McGraw & Wong (1996), doi:10.1037/1082-989X.1.1.30: Satterthwaite's degrees of freedom."""
    from scipy.special import fdtri

    between, _, raters, residual = (float(part) for part in mean)
    if not r < 1:
        return float("nan"), float("nan")
    a, b = k * r / (n * (1 - r)), 1 + k * r * (n - 1) / (n * (1 - r))
    v = (a * raters + b * residual) ** 2 / (
        (a * raters) ** 2 / (k - 1) + (b * residual) ** 2 / ((n - 1) * (k - 1))
    )
    down, up = fdtri(n - 1, v, upper), fdtri(v, n - 1, upper)
    rest = k * raters + (k * n - k - n) * residual
    low = n * (between - down * residual) / (down * rest + n * between)
    high = n * (up * between - residual) / (rest + n * up * between)
    return float(low), float(high)
