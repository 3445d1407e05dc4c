"""Conformal selection: which responses of one batch to accept, so that few are critical errors."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.selective.bounds import TIES
from tallymark.selective.curve import checked

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
