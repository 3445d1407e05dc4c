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
from msgspec.structs import replace
from numpy.typing import ArrayLike

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError, OptionError
from tallymark.selective.bounds import binomial_cdf, check_rates, n_min, upper
from tallymark.selective.curve import RiskCoverage, risk_coverage
from tallymark.selective.guarantees import (
    EACH_PROMPT,
    HIGH_PROBABILITY,
    NOTHING,
    Certificate,
    Labelled,
)

BLOCK = 1024
QUANTILES = 200
"""Thresholds taken from a pool of unlabelled responses."""


class Candidates(Struct, frozen=True):
    """Thresholds from the strictest on; accepted responses and critical errors at each.

    ``n`` and ``k`` are prompts x thresholds: a threshold must do for every prompt.
    """

    tau: Floats
    n: Whole
    k: Whole
    inclusive: bool


def certificate(labelled: Labelled) -> Certificate:
    """With probability 1 - delta, at most alpha of the accepted responses are critical errors."""
    check_rates(labelled.alpha, labelled.delta)
    curve = risk_coverage(labelled.confidence, labelled.errors, labelled.counts)
    return run_chains([curve], labelled, labelled.delta)[0]


def run_chains(
    curves: Sequence[RiskCoverage], labelled: Labelled, delta: float, prompts: int = 1
) -> list[Certificate]:
    """Certificates of the prompts that share a threshold, tested at ``delta`` together."""
    alpha, errors = labelled.alpha, labelled.starts
    if errors is not None and (not errors or min(errors) < 0):
        raise OptionError(f"starts must be numbers of errors, 0 or more, got {errors!r}")
    grid, pool = _numbers(labelled.grid, "grid"), _numbers(labelled.pool, "pool")
    if grid is None and pool is not None:
        grid = np.quantile(pool, np.linspace(0, 1, QUANTILES + 1), method="higher")
    candidates = rank_candidates(curves) if grid is None else fixed_candidates(curves, grid)
    totals = [int(curve.total) for curve in curves]
    sizes, parts = starts_of(alpha, delta, min(totals), errors)
    loosest_place = candidates.tau.size - 1
    if pool is None:
        starts = count_starts(candidates, sizes)
    else:
        starts = pool_starts(candidates.tau, pool, min(totals), sizes)
    if errors is None:  # the last chain is of the loosest threshold
        starts = np.append(np.minimum(starts[:-1], loosest_place), loosest_place)
    last, level = loosest(candidates, starts.tolist(), parts.tolist(), alpha)
    origin = "rank" if grid is None else "fixed"
    refusal = Certificate(
        "ltt",
        alpha,
        labelled.delta,
        False,
        "",
        delta_each=level,
        grid=origin if pool is None else "pool",
        starts=tuple(sizes.tolist()),
        tied=grid is None and candidates.tau.size < sum(totals),
    )
    refusals = [replace(refusal, total=total) for total in totals]
    if last >= 0:
        return [_certified(c, candidates, i, last, prompts) for i, c in enumerate(refusals)]
    if len(curves) == 1 and pool is None:
        needed = [top_labels_needed(candidates, alpha, delta, errors)]
    else:
        needed = labels_needed(candidates, starts.tolist(), parts.tolist(), alpha).tolist()
    first = min(int(starts[0]), loosest_place)
    return [
        _refused(c, labels, int(candidates.n[i, first]), int(candidates.k[i, first]))
        for i, (c, labels) in enumerate(zip(refusals, needed, strict=True))
    ]


def _certified(
    refusal: Certificate, candidates: Candidates, prompt: int, place: int, prompts: int
) -> Certificate:
    """The certificate of a prompt for a threshold that passed its tests."""
    n, k = int(candidates.n[prompt, place]), int(candidates.k[prompt, place])
    statement = HIGH_PROBABILITY.format(sure=100 * (1 - refusal.delta), alpha=100 * refusal.alpha)
    return replace(
        refusal,
        certified=True,
        statement=statement + (EACH_PROMPT.format(prompts=prompts) if prompts > 1 else ""),
        tau=float(candidates.tau[place]),
        inclusive=candidates.inclusive,
        coverage=n / refusal.total,
        n=n,
        k=k,
        p=float(binomial_cdf(k, n, refusal.alpha)),
        upper=float(upper(k, n, refusal.delta_each)),
    )


def _refused(refusal: Certificate, needed: int, n: int, k: int) -> Certificate:
    """The refusal with what is missing; k of the n most confident responses are errors."""
    if needed:
        labels, verb = ("label", "is") if needed == 1 else ("labels", "are")
        why = f"at least {needed} more accepted calibration {labels} without a critical error "
        why += f"{verb} needed"
    else:  # with a threshold shared by prompts
        why = "another prompt needs more calibration labels"
    if k > refusal.alpha * n:
        why += f", and more labels alone may not do: {k} of the {n} most confident are errors"
    return replace(refusal, statement=NOTHING.format(why=why), why=why, needed=needed)


def _numbers(values: ArrayLike | None, name: str) -> Floats | None:
    if values is None:
        return None
    numbers = np.asarray(values, np.float64).ravel()
    if numbers.size == 0 or not np.isfinite(numbers).all():
        raise DataError(
            f"{name} must be a list of numbers without gaps, got {numbers.size} of them"
        )
    return numbers


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

    sizes: Whole
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


def pool_starts(grid: Floats, pool: Floats, n: int, sizes: Whole) -> Whole:
    """Where on a grid this many of n responses will be accepted, judged by an unlabelled pool alone.

    Two standard deviations more than enough are expected there, so that chance seldom leaves the
    first test of a chain with too few responses.
    """
    share = 1 - np.searchsorted(np.sort(pool), grid, side="left") / pool.size
    expected = n * share - 2 * np.sqrt(n * share * (1 - share))
    return np.asarray(np.searchsorted(np.maximum.accumulate(expected), sizes), np.int64)


def count_starts(candidates: Candidates, sizes: Whole) -> Whole:
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
    chains = sorted(pair for pair in zip(starts, parts, strict=True) if pair[0] < size)
    ends = [start for start, _ in chains[1:]] + [size]
    best, level = Passed(-1, np.nan), 0.0
    for (start, part), end in zip(chains, ends, strict=True):
        level += part
        if start == end:  # two chains begin at one threshold
            continue
        reached = _passed(candidates, start, end, alpha, level)
        if reached >= start:
            best = Passed(reached, level)
        if reached < end - 1:
            level = 0.0
    return best


def _passed(candidates: Candidates, start: int, end: int, alpha: float, level: float) -> int:
    """The last threshold before ``end`` and before the first failure; start - 1 if it fails there.

    While k stays the same a larger n only lowers p, so that tests are needed only where k grew.
    """
    n, k = candidates.n, candidates.k
    grew = np.any(k[:, start + 1 : end] > k[:, start : end - 1], axis=0)
    tests = np.append(start, np.flatnonzero(grew) + start + 1)
    block, tested = BLOCK, 0
    while tested < tests.size:
        places = tests[tested : tested + block]
        failed = (binomial_cdf(k[:, places], n[:, places], alpha) > level).any(axis=0)
        if failed.any():
            return int(places[int(np.argmax(failed))]) - 1
        tested += block
        block *= 2
    return end - 1


def labels_needed(
    candidates: Candidates, starts: Sequence[int], parts: Sequence[float], alpha: float
) -> Whole:
    """Further accepted labels, none a critical error, that would let a chain begin; by prompt."""
    n, k = candidates.n, candidates.k
    chains = [pair for pair in zip(starts, parts, strict=True) if pair[0] < n.shape[1]]
    if not chains:  # fewer than any start: more than a few errors never need fewer labels
        grew = np.append(np.any(k[:, 1:] > k[:, :-1], axis=0), True)
        chains = [(int(place), max(parts)) for place in np.flatnonzero(grew)[:64]]
    short = np.stack(
        [np.maximum(n_min(alpha, part, k[:, start]) - n[:, start], 0) for start, part in chains],
        axis=1,
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
    total, critical = int(n[-1]), int(k[-1])
    reach = 2 * (total + int(n_min(alpha, delta, critical)))
    if errors is None:
        sizes, parts = doubling(alpha, delta, reach)
        allowed = 2 ** np.arange(sizes.size) - 1
    else:
        sizes, parts = starts_of(alpha, delta, total, errors)
        allowed = np.sort(errors)
    reached = np.append(0, n)[np.searchsorted(k, allowed, side="right")]
    needed = (sizes - reached).tolist()
    if errors is None:  # all responses, at what the starts below leave of delta
        left = delta - np.append(0.0, np.cumsum(parts))
        below, until = np.append(0, sizes), np.append(sizes, reach)
        accepted = np.array([int(n_min(alpha, part, critical)) for part in left])
        accepted = np.maximum(accepted, np.maximum(below, total) + 1)  # labels are only ever added
        needed += (accepted[accepted <= until] - total).tolist()
    return max(1, int(min(needed)))
