"""Conformal selection from one batch, and conformal risk control per submitted response."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.selective.bounds import TIES
from tallymark.selective.curve import RiskCoverage, checked

Floats = NDArray[np.float64]


class Selection(NamedTuple):
    """A p-value for each response of the batch, and which are accepted."""

    p: Floats
    accepted: NDArray[np.bool_]
    tau: float


def select(
    confidence: ArrayLike,
    errors: ArrayLike,
    batch: ArrayLike,
    alpha: float,
    counts: ArrayLike | None = None,
) -> Selection:
    r"""Accept responses of a batch so that on average at most alpha of them are critical errors.

    .. math:: p_j = (1 + \#\{i : e_i = 1, c_i \ge c_j\}) / (n + 1)

    and the Benjamini-Hochberg procedure at alpha over the batch. ``tau`` is the lowest confidence
    accepted, NaN if none is.

    References
    ----------
    Jin & Candès (2023), https://arxiv.org/abs/2210.01408.

    Examples
    --------
    >>> select([0.9, 0.8, 0.7, 0.2], [0, 0, 1, 1], [0.95, 0.1], 0.5).accepted.tolist()
    [True, False]
    """
    given, wrong, times = checked(confidence, errors, counts)
    new, _, _ = checked(batch, np.zeros(np.shape(batch)))
    bad = np.sort(np.repeat(given, times * wrong))
    at_least = bad.size - np.searchsorted(bad, new, side="left")
    p = (1 + at_least) / (int(times.sum()) + 1)
    ranked = np.sort(p)
    within = ranked <= alpha * np.arange(1, new.size + 1) / new.size * (1 + TIES)
    last = np.flatnonzero(within)
    accepted = p <= ranked[last[-1]] if last.size else np.zeros(new.shape, bool)
    return Selection(p, accepted, float(new[accepted].min()) if last.size else float("nan"))


def allowed_errors(alpha: float, n: int) -> int:
    """How many critical errors may be accepted in a calibration sample of n; -1: none will do.

    >>> [allowed_errors(alpha, 120) for alpha in (0.005, 0.01, 0.02, 0.05)]
    [-1, 0, 1, 5]
    """
    return int(np.floor(alpha * (n + 1) * (1 + TIES) - 1))


def controlled(curve: RiskCoverage, alpha: float) -> tuple[float, int] | None:
    r"""The threshold to lie strictly above, and how many thresholds of the curve lie above it.

    .. math:: \inf\{\tau : (k_\tau + 1) / (n + 1) \le \alpha\}

    The infimum is not attained, so that confidences equal to it are not accepted. None where no
    threshold is strict enough: then alpha (n + 1) < 1.

    References
    ----------
    Angelopoulos et al. (2024), https://arxiv.org/abs/2208.02814.
    """
    allowed = allowed_errors(alpha, int(curve.total))
    if allowed < 0:
        return None
    place = int(np.searchsorted(curve.k, allowed, side="right"))
    if place == curve.threshold.size:
        return float("-inf"), place
    return float(curve.threshold[place]), place
