"""Calibration: does a confidence of 0.9 mean right nine times in ten?

The guarantees do not need it: they use the order of the confidences only.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.defaults import LEVEL
from tallymark.errors import DataError
from tallymark.selective.bounds import interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bins = Literal["width", "mass"]


class Reliability(NamedTuple):
    """Mean confidence and share right in each bin (low, high], with an exact interval."""

    low: Floats
    high: Floats
    n: Ints
    confidence: Floats
    right: Floats
    right_low: Floats
    right_high: Floats


def reliability_table(
    confidence: ArrayLike,
    right: ArrayLike,
    *,
    bins: int = 10,
    kind: Bins = "width",
    counts: ArrayLike | None = None,
    level: float = LEVEL,
) -> Reliability:
    """Tell confidence and share right by bin; empty bins are left out.

    ``width``: bins of equal width from 0 to 1, the first with its lower end. ``mass``: bins of
    about equal numbers of responses; equal confidences share a bin.
    """
    c, hit, times = _checked(confidence, right, counts)
    if kind == "width":
        edges = np.linspace(0, 1, bins + 1)
    else:
        order = np.argsort(c, kind="stable")
        share = np.cumsum(times[order]) / times.sum()
        inner = np.searchsorted(share, np.arange(1, bins) / bins - 1e-12)
        edges = np.unique(np.concatenate([[0.0], c[order][inner], [1.0]]))
    # doubles such as 0.1 + 0.2 must not fall out of the bin they name
    place = np.clip(np.searchsorted(edges, c - 1e-12, side="left") - 1, 0, edges.size - 2)
    n = np.bincount(place, times, edges.size - 1)
    filled = n > 0
    k = np.bincount(place, times * hit, edges.size - 1)[filled]
    total = np.bincount(place, times * c, edges.size - 1)[filled]
    n = n[filled]
    low, high = interval(k, n, level)
    ends = edges[:-1][filled], edges[1:][filled]
    return Reliability(*ends, n.astype(np.int64), total / n, k / n, low, high)


def ece(
    confidence: ArrayLike,
    right: ArrayLike,
    *,
    bins: int = 10,
    kind: Bins = "width",
    counts: ArrayLike | None = None,
) -> float:
    """Expected calibration error: mean distance of confidence and share right over the bins.

    Naeini, Cooper & Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602.

    >>> round(ece([0.95, 0.95, 0.65, 0.65], [1, 1, 1, 0]), 3)
    0.1
    """
    table = reliability_table(confidence, right, bins=bins, kind=kind, counts=counts)
    return float(table.n @ np.abs(table.confidence - table.right) / table.n.sum())


def brier(probs: ArrayLike, label: ArrayLike) -> Floats:
    r"""Brier score of each response, from its class probabilities; their mean is the Brier score.

    .. math:: \sum_j (p_j - o_j)^2, \quad o_j = 1 \text{ at the gold score, else } 0

    0 is best, 2 worst. Every wrong score costs alike, near or far. Brier (1950), Monthly Weather
    Review 78, 1-3.

    >>> brier([[0.7, 0.2, 0.1]], [0]).round(3).tolist()
    [0.14]
    """
    p, hit = _classes(probs, label)
    return np.asarray(((p - hit) ** 2).sum(axis=1))


def rps(probs: ArrayLike, label: ArrayLike) -> Floats:
    r"""Ranked probability score of each response: the same of cumulated probabilities.

    .. math:: \sum_j (F_j - O_j)^2

    For ordered scores: a near miss costs less than a far one. 0 is best, the points less one worst.
    Epstein (1969), doi:10.1175/1520-0450(1969)008<0985:ASSFPF>2.0.CO;2.

    >>> rps([[0.7, 0.2, 0.1]], [0]).round(3).tolist()
    [0.1]
    """
    p, hit = _classes(probs, label)
    apart = np.cumsum(p - hit, axis=1)[:, :-1]
    return np.asarray((apart**2).sum(axis=1))


def _checked(
    confidence: ArrayLike, right: ArrayLike, counts: ArrayLike | None
) -> tuple[Floats, Floats, Ints]:
    c, hit = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    times = np.ones(c.size, np.int64) if counts is None else np.asarray(counts, np.int64)
    if c.shape != hit.shape or c.shape != times.shape or not times.sum():
        raise DataError(f"one right or wrong for each confidence is needed, got {hit.shape}")
    if not ((c >= 0) & (c <= 1)).all():
        raise DataError(
            "calibration needs confidences from 0 to 1 (probabilities of being right), got values "
            f"from {np.min(c):g} to {np.max(c):g}"
        )
    return c, hit, times


def _classes(probs: ArrayLike, label: ArrayLike) -> tuple[Floats, Floats]:
    p, at = np.asarray(probs, np.float64), np.asarray(label, np.int64)
    if p.ndim != 2 or at.shape != p.shape[:1] or not len(p):
        raise DataError(f"probabilities are responses x classes with one label each, got {p.shape}")
    if at.min() < 0 or at.max() >= p.shape[1]:
        raise DataError(f"labels must be places from 0 to {p.shape[1] - 1}, got {at.max()}")
    return p, np.eye(p.shape[1])[at]
