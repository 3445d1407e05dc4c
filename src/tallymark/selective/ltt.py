"""Learn then test: thresholds are tested from the strictest on, and a failure stops a chain.

Several chains share delta by the fallback procedure: each has a part of its own, and a chain that
comes alive to the start of the next hands its part on. So the level rises along a run of passed
tests, and a failure costs what was spent before it, not what is still to come.

Angelopoulos et al. (2021), https://arxiv.org/abs/2110.01052; Wiens & Dmitrienko (2005),
doi:10.1080/10543400500265660.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.selective.bounds import binomial_cdf, n_min
from tallymark.selective.curve import RiskCoverage

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
BLOCK = 1024


class Candidates(Struct, frozen=True):
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


class Starts(NamedTuple):
    """Accepted responses at which chains begin, and the part of delta that each brings along."""

    sizes: Ints
    parts: Floats


def starts_of(alpha: float, delta: float, n: int, errors: Sequence[int] | None = None) -> Starts:
    """Where the chains of n calibration responses begin; decided before any label is seen.

    Chains begin where 0, 1, 3, 7, 15 ... critical errors are allowed, each with a third of what is
    left of delta; the rest goes to the loosest threshold, where all n are accepted. No start but
    that moves as labels are added, so that more of them take no chance away. ``errors`` are other
    starts, which share delta equally.

    >>> starts_of(0.02, 0.05, 1000).sizes.tolist()
    [203, 324, 519, 853, 1000]
    >>> starts_of(0.02, 0.05, 1000, [0]).sizes.tolist()
    [149]
    """
    if errors is not None:
        allowed = np.sort(np.asarray(errors, np.int64))
        part = delta / allowed.size
        return Starts(n_min(alpha, part, allowed), np.full(allowed.size, part))
    sizes, parts = doubling(alpha, delta, n)
    return Starts(np.append(sizes, n), np.append(parts, delta - parts.sum()))


def doubling(alpha: float, delta: float, below: int) -> Starts:
    """Starts below a size that allow 0, 1, 3, 7 ... critical errors at 1/3, 2/9, 4/27 ... of delta."""
    sizes: list[int] = []
    parts: list[float] = []
    while True:
        part = delta / 3 * (2 / 3) ** len(sizes)
        size = int(n_min(alpha, part, 2 ** len(sizes) - 1))
        if size >= below:
            return Starts(np.array(sizes, np.int64), np.array(parts))
        sizes.append(size)
        parts.append(part)


def pool_starts(grid: Floats, pool: Floats, n: int, sizes: Ints) -> Ints:
    """Where on a grid this many of n responses will be accepted, judged by an unlabelled pool alone.

    Two standard deviations more than enough are expected there, so that chance seldom leaves the
    first test of a chain with too few responses.
    """
    share = 1 - np.searchsorted(np.sort(pool), grid, side="left") / pool.size
    expected = n * share - 2 * np.sqrt(n * share * (1 - share))
    return np.asarray(np.searchsorted(np.maximum.accumulate(expected), sizes), np.int64)


def count_starts(candidates: Candidates, sizes: Ints) -> Ints:
    """Where this many calibration responses are accepted (of each prompt, where there are several)."""
    return np.asarray(np.searchsorted(candidates.n.min(axis=0), sizes), np.int64)


class Passed(NamedTuple):
    """The loosest threshold that a chain reaches and the level it was tested at; -1: none."""

    last: int
    level: float


def loosest(
    candidates: Candidates, starts: Sequence[int], parts: Sequence[float], alpha: float
) -> Passed:
    """The loosest threshold that passes, by the fallback procedure over the chains.

    A chain tests every threshold from its start on at one level. Where it comes alive to the next
    start, that chain's part is added to its own; where it failed, the next begins with its part
    alone. One start is a fixed sequence.
    """
    size = int(candidates.n.shape[-1])
    begun = sorted((at, part) for at, part in zip(starts, parts, strict=True) if at < size)
    ends = [at for at, _ in begun[1:]] + [size]
    best, level = Passed(-1, np.nan), 0.0
    for (start, part), end in zip(begun, ends, strict=True):
        level += part
        if start == end:  # two chains begin at one threshold
            continue
        reached = _passed(candidates, start, end, alpha, level)
        if reached >= start:
            best = Passed(reached, level)
        if reached < end - 1:
            level = 0.0
    return best


def labels_needed(
    candidates: Candidates, starts: Sequence[int], parts: Sequence[float], alpha: float
) -> Ints:
    """Further accepted labels, none a critical error, that would let a chain begin; by prompt."""
    n, k = candidates.n, candidates.k
    within = [(at, part) for at, part in zip(starts, parts, strict=True) if at < n.shape[1]]
    if not within:  # fewer than any start: more than a few errors never need fewer labels
        grew = np.append(np.any(k[:, 1:] > k[:, :-1], axis=0), True)
        within = [(int(at), max(parts)) for at in np.flatnonzero(grew)[:64]]
    short = np.stack(
        [np.maximum(n_min(alpha, part, k[:, at]) - n[:, at], 0) for at, part in within], axis=1
    )
    return np.asarray(short[:, int(np.argmin(short.sum(axis=0)))])


def top_labels_needed(
    candidates: Candidates, alpha: float, delta: float, errors: Sequence[int] | None = None
) -> int:
    """As :func:`labels_needed` of one prompt whose chains begin at set counts.

    New labels above all others push the old ones down, so that a chain which may begin with k
    critical errors lacks what its start exceeds the responses above the error after the k-th.
    """
    n, k = candidates.n[0], candidates.k[0]
    total, wrong = int(n[-1]), int(k[-1])
    reach = 2 * (total + int(n_min(alpha, delta, wrong)))
    sizes, parts = (
        doubling(alpha, delta, reach) if errors is None else starts_of(alpha, delta, total, errors)
    )
    allowed = 2 ** np.arange(sizes.size) - 1 if errors is None else np.sort(errors)
    reached = np.append(0, n)[np.searchsorted(k, allowed, side="right")]
    least = (sizes - reached).tolist()
    if errors is None:  # all responses, at what the starts below leave of delta
        left = delta - np.append(0.0, np.cumsum(parts))
        below, until = np.append(0, sizes), np.append(sizes, reach)
        whole = np.array([int(n_min(alpha, part, wrong)) for part in left])
        whole = np.maximum(whole, np.maximum(below, total) + 1)  # labels are only ever added
        least += (whole[whole <= until] - total).tolist()
    return max(1, int(min(least)))


def _passed(candidates: Candidates, start: int, end: int, alpha: float, level: float) -> int:
    """The last threshold before ``end`` and before the first failure; start - 1 if it fails there.

    While k stays the same a larger n only lowers p, so that tests are needed only where k grew.
    """
    n, k = candidates.n, candidates.k
    grew = np.any(k[:, start + 1 : end] > k[:, start : end - 1], axis=0)
    tests = np.append(start, np.flatnonzero(grew) + start + 1)
    block, at = BLOCK, 0
    while at < tests.size:
        some = tests[at : at + block]
        failed = (binomial_cdf(k[:, some], n[:, some], alpha) > level).any(axis=0)
        if failed.any():
            return int(some[int(np.argmax(failed))]) - 1
        at, block = at + block, 2 * block
    return end - 1
