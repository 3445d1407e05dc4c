"""Which threshold comes with a guarantee? Three guarantees, never merged, or how much is missing.

ltt    with high probability, few of the accepted responses are critical errors
batch  on average, few of the accepted responses of one batch are
crc    on average, few of the submitted responses are accepted critical errors

The calibration responses must be a random sample of those to come, and must not have trained the
system, tuned its prompt, fitted the confidence or chosen lambda.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tallymark.defaults import DELTA, SEED
from tallymark.errors import DataError, OptionError
from tallymark.selective.bounds import check_rates, upper
from tallymark.selective.curve import checked, coverage_at, risk_coverage
from tallymark.selective.guarantees import (
    GUARANTEES,
    NO_ZERO,
    NOT_A_GUARANTEE,
    Certificate,
    Labelled,
)
from tallymark.selective.ltt import run_chains

Family = Literal["bonferroni", "sidak", "common"]
FAMILIES: tuple[Family, ...] = ("bonferroni", "sidak", "common")
Weigh = Literal["responses", "clusters"]


def certify(
    confidence: ArrayLike,
    errors: ArrayLike,
    *,
    alpha: float,
    delta: float = DELTA,
    method: Literal["ltt", "batch", "crc"] = "ltt",
    counts: ArrayLike | None = None,
    grid: ArrayLike | None = None,
    pool: ArrayLike | None = None,
    starts: Sequence[int] | None = None,
    batch: ArrayLike | None = None,
) -> Certificate:
    """Find the loosest threshold that comes with a guarantee, or say how many labels are missing.

    Without ``grid`` and ``pool`` the calibration confidences themselves are the thresholds (rank
    grid: proved for confidences without ties, simulated with them). ``grid`` are thresholds fixed
    beforehand; ``pool`` are confidences of other, unlabelled responses, whose quantiles become the
    grid.
    ``starts`` are the critical errors allowed where chains begin, which then share delta equally
    (default: see ``ltt.starts_of``). ``batch`` are the confidences of
    the one batch that method "batch" is for.

    Examples
    --------
    >>> certificate = certify(np.arange(100) / 100, np.arange(100) < 10, alpha=0.05)
    >>> certificate.certified, certificate.tau, certificate.n, certificate.k
    (True, 0.09, 90, 0)
    >>> certify([0.9, 0.8], [0, 0], alpha=0.05).why
    'at least 57 more accepted calibration labels without a critical error are needed'
    """
    if method not in GUARANTEES:
        raise OptionError(f"method must be ltt, batch or crc, got {method!r}")
    return GUARANTEES[method].find(
        Labelled(confidence, errors, alpha, delta, counts, grid, pool, starts, batch)
    )


def certify_each(
    confidence: ArrayLike,
    errors: ArrayLike,
    prompts: ArrayLike,
    *,
    alpha: float,
    delta: float = DELTA,
    family: Family = "bonferroni",
    counts: ArrayLike | None = None,
    grid: ArrayLike | None = None,
    pool: ArrayLike | None = None,
    starts: Sequence[int] | None = None,
) -> dict[str, Certificate]:
    """Certify every prompt (ltt), so that all guarantees hold together with probability 1 - delta.

    ``bonferroni``: a threshold for each prompt, tested at delta / prompts. ``sidak``: at
    1 - (1 - delta)^(1 / prompts), for prompts whose calibration responses are independent.
    ``common``: one threshold for all, which every prompt must pass; no correction is needed.
    """
    check_rates(alpha, delta)
    confidences, critical, times = checked(confidence, errors, counts)
    labels = np.asarray(prompts)
    if labels.shape != confidences.shape:
        raise DataError(
            f"prompts must name one prompt for each of {confidences.size} responses, "
            f"got {labels.shape}"
        )
    names = np.unique(labels)
    curves = [
        risk_coverage(confidences[rows], critical[rows], times[rows])
        for rows in (labels == name for name in names)
    ]
    labelled = Labelled(confidences, critical, alpha, delta, times, grid, pool, starts)
    level, n = part_of(delta, names.size, family), names.size
    if family == "common":
        certificates = run_chains(curves, labelled, level, prompts=n)
    else:
        certificates = [run_chains([curve], labelled, level, prompts=n)[0] for curve in curves]
    return dict(zip(map(str, names), certificates, strict=True))


def part_of(delta: float, prompts: int, family: Family) -> float:
    """The level at which each prompt is tested.

    >>> part_of(0.05, 5, "bonferroni"), part_of(0.05, 5, "common")
    (0.01, 0.05)
    """
    if family not in FAMILIES:
        raise OptionError(f"family must be one of {', '.join(FAMILIES)}, got {family!r}")
    if family == "common":
        return delta
    return delta / prompts if family == "bonferroni" else 1 - (1 - delta) ** (1 / prompts)


def dev_zero(
    confidence: ArrayLike,
    errors: ArrayLike,
    *,
    delta: float = DELTA,
    counts: ArrayLike | None = None,
) -> Certificate:
    """The lowest threshold without a critical error among the accepted: no guarantee.

    The rule of Funayama et al. (2020). ``upper`` is the bound that would hold if the threshold had
    been fixed beforehand; it was not, so that nothing is certified.
    """
    curve = risk_coverage(confidence, errors, counts)
    tau = float(coverage_at(curve, 0.0).prefix_tau)
    total = int(curve.total)
    refusal = Certificate("dev_zero", 0.0, delta, False, NO_ZERO, total=total)
    if np.isnan(tau):
        return replace(refusal, why="the most confident response is a critical error")
    n = int(curve.n[curve.threshold == tau][0])
    bound = float(upper(0, n, delta))
    return replace(
        refusal,
        statement=NOT_A_GUARANTEE.format(upper=100 * bound, sure=100 * (1 - delta)),
        tau=tau,
        inclusive=True,
        coverage=n / total,
        n=n,
        upper=bound,
        why="the threshold was chosen on the responses that judge it",
    )


def one_per_cluster(
    clusters: ArrayLike,
    confidence: ArrayLike,
    errors: ArrayLike,
    seed: int = SEED,
    weigh: Weigh = "responses",
) -> NDArray[np.int64]:
    """Positions of one response of a cluster, drawn at random; the same for any row order.

    Several responses of one candidate are not independent, and the tests need responses that are.
    With ``weigh`` "responses" a cluster is kept with a probability in proportion to its size, the
    largest for sure. What is drawn is then distributed as a response of the population, so that
    rates are of responses. With "clusters" each is kept and counts alike, whatever its size: rates
    are of one response of a cluster, which is another thing where large clusters err more often.

    A draw sees which responses a cluster has, not where they stand in the file: they are put in
    order of confidence and error first.

    >>> clusters, confidence = ["a", "a", "b", "b"], [0.5, 0.9, 0.7, 0.2]
    >>> sorted(np.array(clusters)[one_per_cluster(clusters, confidence, [0, 0, 1, 0])].tolist())
    ['a', 'b']
    """
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    order = np.lexsort((np.asarray(errors), np.asarray(confidence), codes))
    sizes = np.bincount(codes)
    first = np.cumsum(sizes) - sizes
    rng = np.random.default_rng(seed)
    drawn = np.asarray(order[first + rng.integers(0, sizes)], np.int64)
    in_proportion = rng.random(sizes.size) * sizes.max() < sizes
    return drawn if weigh == "clusters" else drawn[in_proportion]
