"""Conformal risk control: critical errors that are accepted, per submitted response."""

import numpy as np

from tallymark.selective.bounds import TIES
from tallymark.selective.curve import RiskCoverage


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
