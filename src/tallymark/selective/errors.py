"""Critical errors: machine scores that are off by a declared share of the score range or more."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.errors import DataError, OptionError

TOLERANCE = 1e-9
"""0.07 * 100 is 7.000000000000001 in doubles; a gap of 7 is critical all the same."""


def critical_errors(
    human: ArrayLike, machine: ArrayLike, lam: ArrayLike, score_range: ArrayLike
) -> NDArray[np.bool_]:
    r"""Say of each response whether the machine score is a critical error.

    .. math:: |s - m| \ge \lambda N

    with N the score range, highest minus lowest score. ``lam`` and ``score_range`` may differ by
    response (prompts with other scales).

    References
    ----------
    Funayama et al. (2020), https://aclanthology.org/2020.acl-srw.32.

    Examples
    --------
    >>> critical_errors([4, 10, 16], [4, 13, 12], 0.2, 16).tolist()
    [False, False, True]
    """
    gap = np.abs(_complete(human, "human") - _complete(machine, "machine"))
    return np.asarray(gap >= margin(lam, score_range))


def margin(lam: ArrayLike, score_range: ArrayLike) -> NDArray[np.float64]:
    """The smallest gap that is critical, less a tolerance for rounding in doubles."""
    share, width = np.asarray(lam, np.float64), np.asarray(score_range, np.float64)
    if not (np.all(share > 0) and np.all(width > 0) and np.all(np.isfinite(share * width))):
        raise OptionError(
            f"lambda and the score range must be positive numbers, got lambda {lam!r} and range "
            f"{score_range!r}; a critical error is a gap of lambda times the range or more"
        )
    return np.asarray(share * width - TOLERANCE)


def _complete(scores: ArrayLike, name: str) -> NDArray[np.float64]:
    given = np.asarray(scores, np.float64)
    if np.isnan(given).any():
        raise DataError(
            f"{name} scores: {int(np.isnan(given).sum())} of {given.size} are missing; leave out "
            "responses without both scores"
        )
    return given
