"""Is a certificate still valid? Audited responses for errors, distributions for everything else.

Two questions, two watches. "Has the rate been kept since the start?" is answered by an e-process,
whose false alarm is rare at any time, for ever; but good periods make it slow. "Did it get worse at
some point?" is answered by an e-detector, which starts anew at every audit and gives a false alarm
now and then: on average not before the stated number of audits.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tallymark.arrays import Floats, Whole
from tallymark.defaults import DELTA
from tallymark.errors import DataError, OptionError

Detector = Literal["shiryaev_roberts", "cusum"]
WORSE = 3.0
"""The watch is quickest for a rate this many times alpha; it is valid for every other."""


class Watch(NamedTuple):
    """The log of the evidence after each audit, its limit, and the audit of the first alarm.

    ``alarm`` counts audits from 1, and is 0 where there was none.
    """

    log_evidence: Floats
    log_limit: float
    alarm: int

    @property
    def valid(self) -> bool:
        """Whether there was no alarm."""
        return self.alarm == 0


def e_process(
    errors: ArrayLike, alpha: float, *, delta: float = DELTA, worse: float | None = None
) -> Watch:
    r"""Watch whether accepted responses have kept the rate alpha since the start.

    .. math:: \log E \mathrel{+}= e \ln(a_1 / a_0) + (1 - e) \ln((1 - a_1) / (1 - a_0))

    Alarm when E reaches 1 / delta. If the rate never exceeds alpha, that happens with probability
    delta at most, however long one looks. ``worse`` is the rate a_1 to be found quickest.

    References
    ----------
    Ville (1939); Ramdas et al. (2023), doi:10.1214/23-STS894.

    Examples
    --------
    >>> e_process([1, 1, 1], 0.02).alarm, e_process([0] * 500, 0.02).alarm
    (3, 0)
    """
    gains = _gains(errors, alpha, worse)
    if not 0 < delta < 1:
        raise OptionError(f"delta must lie between 0 and 1, got {delta}")
    return _watch(np.cumsum(gains), -np.log(delta))


def e_detector(
    errors: ArrayLike,
    alpha: float,
    *,
    run_length: float = 1000,
    worse: float | None = None,
    kind: Detector = "shiryaev_roberts",
) -> Watch:
    r"""Watch whether the rate of accepted responses rose above alpha at some point.

    Shiryaev-Roberts adds up the e-processes started at every audit, :math:`M_t = (1 + M_{t-1})
    L_t`; CUSUM takes the best of them, :math:`M_t = \max(1, M_{t-1}) L_t`. Alarm when M reaches
    ``run_length``. While the rate is kept, the average number of audits to a false alarm is at
    least ``run_length``.

    References
    ----------
    Shin, Ramdas & Rinaldo (2023), https://arxiv.org/abs/2203.03532.

    Examples
    --------
    >>> e_detector([0] * 500 + [1, 0, 1, 0, 1, 1, 1], 0.02).alarm
    506
    """
    gains = _gains(errors, alpha, worse)
    if not run_length > 1:
        raise OptionError(f"run_length must be above 1 audit, got {run_length}")
    if kind == "cusum":
        total = np.append(0.0, np.cumsum(gains))
        path = total[1:] - np.minimum.accumulate(total)[:-1]
    elif kind == "shiryaev_roberts":
        path = _added(gains)
    else:
        raise OptionError(f"kind must be shiryaev_roberts or cusum, got {kind!r}")
    return _watch(path, float(np.log(run_length)))


class Shift(NamedTuple):
    """How far two distributions are apart, and the p-value of "they are the same"."""

    value: float
    p: float


def bin_edges(reference: ArrayLike, bins: int = 10, counts: ArrayLike | None = None) -> Floats:
    """Inner edges of bins that hold about equal shares of the reference; few distinct values: each.

    >>> bin_edges([1, 2, 2, 3]).tolist()
    [1.0, 2.0]
    """
    values, times = _distinct(reference, counts, "reference")
    if values.size <= bins:
        return values[:-1]
    share = np.cumsum(times) / times.sum()
    inner = values[np.searchsorted(share, np.arange(1, bins) / bins - 1e-12)]
    return np.unique(inner[inner < values[-1]])


def binned(values: ArrayLike, edges: Floats, counts: ArrayLike | None = None) -> Whole:
    """How many values lie in each bin, a value on an edge in the lower one."""
    distinct, times = _distinct(values, counts, "values")
    place = np.searchsorted(edges, distinct, side="left")
    return np.asarray(np.bincount(place, times, edges.size + 1), np.int64)


def psi(reference: ArrayLike, current: ArrayLike) -> Shift:
    r"""Population stability index of two lists of counts in the same bins.

    .. math:: \sum_i (q_i - p_i) \ln(q_i / p_i)

    Empty bins count as half a response. The p-value is of Pearson's test of homogeneity on the same
    counts: taken from PSI itself it would be too small up to four times as often as it says where
    bins hold few responses. "Above 0.25" is a rule of thumb of large samples.

    References
    ----------
    Yurdakul & Naranjo (2020), doi:10.21314/JRMV.2020.227.

    Examples
    --------
    >>> f"{psi([100, 100], [80, 120]).value:.4f}"
    '0.0405'
    """
    from scipy.special import chdtrc

    old, new = np.asarray(reference, np.float64), np.asarray(current, np.float64)
    if old.shape != new.shape or old.ndim != 1 or not (old.sum() > 0 and new.sum() > 0):
        raise DataError(f"PSI needs counts in the same bins, got {old.shape} and {new.shape}")
    used = old + new > 0
    p, q = (np.maximum(side[used], 0.5) / side.sum() for side in (old, new))
    value = float(((q - p) * np.log(q / p)).sum())
    free = int(used.sum()) - 1
    share = (old + new)[used] / (old.sum() + new.sum())
    chi_squared = sum(
        ((side[used] - side.sum() * share) ** 2 / (side.sum() * share)).sum() for side in (old, new)
    )
    return Shift(value, float(chdtrc(free, chi_squared)) if free else 1.0)


def ks(
    reference: ArrayLike,
    current: ArrayLike,
    reference_counts: ArrayLike | None = None,
    current_counts: ArrayLike | None = None,
) -> Shift:
    """Kolmogorov-Smirnov: the largest distance of two cumulative distributions.

    The p-value is the large-sample one; ties make it too large, never too small.

    >>> shift = ks([1, 2, 3, 4], [3, 4, 5, 6])
    >>> shift.value
    0.5
    """
    from scipy.special import kolmogorov

    old, n = _distinct(reference, reference_counts, "reference")
    new, m = _distinct(current, current_counts, "current")
    values = np.union1d(old, new)
    sides = []
    for side, times in ((old, n), (new, m)):
        share = np.append(0, np.cumsum(times)) / times.sum()
        sides.append(share[np.searchsorted(side, values, side="right")])
    value = float(np.abs(sides[0] - sides[1]).max())
    size = n.sum() * m.sum() / (n.sum() + m.sum())
    return Shift(value, float(kolmogorov(np.sqrt(size) * value)))


def _gains(errors: ArrayLike, alpha: float, worse: float | None) -> Floats:
    """What each audit adds to the log of the likelihood ratio of the worse rate to alpha."""
    critical = np.asarray(errors)
    against = min(WORSE * alpha, (1 + alpha) / 2) if worse is None else worse
    if not 0 < alpha < against < 1:
        raise OptionError(f"0 < alpha < worse < 1 is needed, got alpha {alpha} and worse {against}")
    if critical.ndim != 1 or not np.isin(critical, (0, 1)).all():
        raise DataError("audits must be a list of 0 (no critical error) and 1, in order of time")
    yes, no = math.log(against / alpha), math.log((1 - against) / (1 - alpha))
    return no + (yes - no) * critical.astype(np.float64)


def _added(gains: Floats) -> Floats:
    """Logs of M_t, the Shiryaev-Roberts sum, so that it cannot overflow."""
    path, level = np.empty(gains.size), -math.inf
    for i, gain in enumerate(gains.tolist()):
        level = max(level, 0.0) + math.log1p(math.exp(-abs(level))) + gain
        path[i] = level
    return path


def _watch(path: Floats, limit: float) -> Watch:
    reached = np.flatnonzero(path >= limit)
    return Watch(path, limit, int(reached[0]) + 1 if reached.size else 0)


def _distinct(values: ArrayLike, counts: ArrayLike | None, name: str) -> tuple[Floats, Whole]:
    """Distinct values in order, and how often each occurs."""
    numbers = np.asarray(values, np.float64).ravel()
    times = np.ones(numbers.size, np.int64) if counts is None else np.asarray(counts, np.int64)
    if not times.sum() or np.isnan(numbers).any() or numbers.shape != times.shape:
        raise DataError(f"{name} must be numbers without gaps, one at least")
    distinct, place = np.unique(numbers, return_inverse=True)
    return distinct, np.bincount(place, times, distinct.size).astype(np.int64)
