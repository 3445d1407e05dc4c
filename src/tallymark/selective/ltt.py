"""Learn then test: thresholds are tested from the strictest on, and the first failure stops.

Angelopoulos et al. (2021), https://arxiv.org/abs/2110.01052.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tallymark.selective.bounds import binomial_cdf, n_min
from tallymark.selective.curve import RiskCoverage

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
START_ERRORS = (0, 2, 8)
"""Chains begin where so many critical errors are allowed; decided before any label is seen."""
ROOM = 0.9
"""A start beyond this share of the calibration responses is not worth its part of delta."""
BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Candidates:
    """Thresholds from the strictest on; accepted responses and critical errors at each.

    ``n`` and ``k`` are prompts x thresholds: a threshold must do for every prompt.
    """

    tau: Floats
    n: Ints
    k: Ints
    inclusive: bool


def rank_candidates(curves: Sequence[RiskCoverage]) -> Candidates:
    """The calibration confidences as thresholds: accept what lies strictly above.

    What is accepted above a threshold does not include the response that set it, so that the
    responses above are a sample of what will be accepted. Equal confidences stand or fall together.
    """
    values = curves[0].threshold
    if len(curves) > 1:
        values = np.unique(np.concatenate([curve.threshold for curve in curves]))[::-1]
    reached = fixed_candidates(curves, values)
    return Candidates(np.append(values[1:], -np.inf), reached.n, reached.k, inclusive=False)


def fixed_candidates(curves: Sequence[RiskCoverage], grid: Floats) -> Candidates:
    """Thresholds that were fixed without the calibration labels: accept what reaches them."""
    tau = np.unique(grid)[::-1]
    places = [np.searchsorted(-curve.threshold, -tau, side="right") for curve in curves]
    pairs = list(zip(curves, places, strict=True))
    n = np.stack([np.append(0, curve.n)[place] for curve, place in pairs])
    k = np.stack([np.append(0, curve.k)[place] for curve, place in pairs])
    return Candidates(tau, n, k, inclusive=True)


def start_sizes(
    alpha: float, delta: float, n: int, errors: Sequence[int] = START_ERRORS
) -> tuple[Ints, float]:
    """Accepted responses at which chains begin, and the level of each; from n alone.

    The largest start is dropped while it lies beyond nine tenths of n.

    >>> start_sizes(0.02, 0.05, 1000)[0].tolist()
    [203, 385, 821]
    """
    for size in range(len(errors), 0, -1):
        sizes = n_min(alpha, delta / size, np.sort(errors)[:size])
        if sizes[-1] <= ROOM * n:
            break
    return sizes, delta / size


def pool_starts(grid: Floats, pool: Floats, n: int, sizes: Ints) -> tuple[int, ...]:
    """Where on a grid so many of n responses will be accepted, judged by an unlabelled pool alone.

    Two standard deviations more than enough are expected there, so that chance seldom leaves the
    first test of a chain with too few responses.
    """
    share = 1 - np.searchsorted(np.sort(pool), grid, side="left") / pool.size
    expected = n * share - 2 * np.sqrt(n * share * (1 - share))
    return tuple(np.searchsorted(np.maximum.accumulate(expected), sizes).tolist())


def count_starts(found: Candidates, sizes: Ints) -> tuple[int, ...]:
    """Where so many calibration responses are accepted (of each prompt, where there are several)."""
    return tuple(np.searchsorted(found.n.min(axis=0), sizes).tolist())


def last_passed(found: Candidates, starts: Sequence[int], alpha: float, delta_each: float) -> int:
    """The loosest threshold that a chain reaches; -1 if every chain fails at its start."""
    return max(_passed(found.n, found.k, start, alpha, delta_each) for start in starts)


def labels_needed(
    found: Candidates, starts: Sequence[int], alpha: float, delta_each: float
) -> Ints:
    """Further accepted labels, none a critical error, that would let a chain begin; by prompt."""
    n, k = found.n, found.k
    within = [start for start in starts if start < n.shape[1]]
    if not within:  # fewer than any start: more than a few errors never need fewer labels
        grew = np.append(np.any(k[:, 1:] > k[:, :-1], axis=0), True)
        within = np.flatnonzero(grew)[:64].tolist()
    short = np.maximum(n_min(alpha, delta_each, k[:, within]) - n[:, within], 0)
    return np.asarray(short[:, int(np.argmin(short.sum(axis=0)))])


def top_labels_needed(found: Candidates, alpha: float, delta: float, errors: Sequence[int]) -> int:
    """As :func:`labels_needed` of one prompt whose chains begin at set counts.

    New labels above all others push the old ones down, so that a chain which may begin with k
    critical errors lacks what its start exceeds the responses above the error after the k-th. How
    many chains there are depends on all responses, old and new.
    """
    n, k, allowed = found.n[0], found.k[0], np.sort(errors)
    reached = np.append(0, n)[np.searchsorted(k, allowed, side="right")]
    best, ceiling = 0, np.inf
    for size in range(allowed.size, 0, -1):
        sizes = n_min(alpha, delta / size, allowed[:size])
        floor = int(np.ceil(sizes[-1] / ROOM)) - int(n[-1]) if size > 1 else 1
        least = max(1, floor, int((sizes - reached[:size]).min()))
        if least < ceiling:
            best = least
        ceiling = min(ceiling, floor)
    return best


def _passed(n: Ints, k: Ints, start: int, alpha: float, delta: float) -> int:
    """The last threshold before the first failure of a chain, -1 if it fails at its start.

    While k stays the same a larger n only lowers p, so that tests are needed only where k grew.
    """
    size = int(n.shape[-1])
    if start >= size:
        return -1
    grew = np.any(k[:, 1:] > k[:, :-1], axis=0)
    tests = np.append(start, np.flatnonzero(grew[start:]) + start + 1)
    block, at = BLOCK, 0
    while at < tests.size:
        some = tests[at : at + block]
        failed = (binomial_cdf(k[:, some], n[:, some], alpha) > delta).any(axis=0)
        if failed.any():
            end = int(some[int(np.argmax(failed))]) - 1
            return end if end >= start else -1
        at, block = at + block, 2 * block
    return size - 1
