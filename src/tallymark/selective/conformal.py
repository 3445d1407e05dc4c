"""Conformal guarantees, on average over calibrations: for one batch, and per submitted response."""

from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats
from tallymark.errors import OptionError
from tallymark.selective.bounds import TIES, check_rates
from tallymark.selective.curve import checked, risk_coverage
from tallymark.selective.guarantees import BATCH, NOTHING, SUBMITTED, Certificate, Labelled


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
    labelled, critical, times = checked(confidence, errors, counts)
    new, _, _ = checked(batch, np.zeros(np.shape(batch)))
    of_errors = np.sort(np.repeat(labelled, times * critical))
    at_least = of_errors.size - np.searchsorted(of_errors, new, side="left")
    p = (1 + at_least) / (int(times.sum()) + 1)
    ranked = np.sort(p)
    passed = np.flatnonzero(ranked <= alpha * np.arange(1, new.size + 1) / new.size * (1 + TIES))
    if not passed.size:
        return Selection(p, np.zeros(new.shape, bool), float("nan"))
    accepted = p <= ranked[passed[-1]]
    return Selection(p, accepted, float(new[accepted].min()))


def batch_certificate(labelled: Labelled) -> Certificate:
    """On average, at most alpha of the accepted responses of one batch are critical errors."""
    check_rates(labelled.alpha, labelled.delta)
    if labelled.batch is None:
        raise OptionError(
            'method "batch" is for one batch: give the confidences of its responses as batch='
        )
    selection = select(
        labelled.confidence, labelled.errors, labelled.batch, labelled.alpha, labelled.counts
    )
    confidence, critical, times = checked(labelled.confidence, labelled.errors, labelled.counts)
    refusal = Certificate(
        "batch", labelled.alpha, np.nan, False, "", total=int(times.sum()), coverage=0.0
    )
    if not selection.accepted.any():
        why = "no response of the batch is confident enough"
        return replace(refusal, statement=NOTHING.format(why=why), why=why)
    accepted = confidence >= selection.tau
    return replace(
        refusal,
        certified=True,
        statement=BATCH.format(alpha=100 * labelled.alpha),
        tau=selection.tau,
        inclusive=True,
        coverage=float(selection.accepted.mean()),
        n=int(times[accepted].sum()),
        k=int((times * critical)[accepted].sum()),
    )


def allowed_errors(alpha: float, n: int) -> int:
    """How many critical errors may be accepted in a calibration sample of n; -1: none will do.

    >>> [allowed_errors(alpha, 120) for alpha in (0.005, 0.01, 0.02, 0.05)]
    [-1, 0, 1, 5]
    """
    return int(np.floor(alpha * (n + 1) * (1 + TIES) - 1))


def submitted_certificate(labelled: Labelled) -> Certificate:
    r"""On average, at most alpha of the submitted responses are accepted critical errors.

    .. math:: \inf\{\tau : (k_\tau + 1) / (n + 1) \le \alpha\}

    The infimum is not attained, so that confidences equal to it are not accepted. No threshold is
    strict enough where alpha (n + 1) < 1.

    References
    ----------
    Angelopoulos et al. (2024), https://arxiv.org/abs/2208.02814.
    """
    alpha = labelled.alpha
    check_rates(alpha, labelled.delta)
    curve = risk_coverage(labelled.confidence, labelled.errors, labelled.counts)
    total = int(curve.total)
    refusal = Certificate("crc", alpha, np.nan, False, "", total=total, coverage=0.0)
    allowed = allowed_errors(alpha, total)
    if allowed < 0:
        needed = int(np.ceil(1 / alpha * (1 - TIES))) - 1 - total
        labels = "label is" if needed == 1 else "labels are"
        why = f"{needed} more calibration {labels} needed"
        return replace(refusal, statement=NOTHING.format(why=why), why=why, needed=needed)
    place = int(np.searchsorted(curve.k, allowed, side="right"))
    n, k = (int(np.append(0, counts)[place]) for counts in (curve.n, curve.k))
    return replace(
        refusal,
        certified=True,
        statement=SUBMITTED.format(alpha=100 * alpha),
        tau=float(np.append(curve.threshold, -np.inf)[place]),
        coverage=n / total,
        n=n,
        k=k,
    )
