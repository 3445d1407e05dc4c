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
from numpy.typing import ArrayLike

from tallymark.defaults import DELTA
from tallymark.errors import DataError, OptionError
from tallymark.selective import certificate as words
from tallymark.selective.bounds import TIES, check_rates, upper
from tallymark.selective.certificate import Certificate
from tallymark.selective.conformal import controlled, select
from tallymark.selective.curve import RiskCoverage, checked, coverage_at, risk_coverage
from tallymark.selective.sequential import AskedLabels, run_chains

Family = Literal["bonferroni", "sidak", "common"]
FAMILIES: tuple[Family, ...] = ("bonferroni", "sidak", "common")


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
    check_rates(alpha, delta)
    if method == "batch":
        return _of_batch(confidence, errors, counts, batch, alpha)
    curve = risk_coverage(confidence, errors, counts)
    if method == "crc":
        return _of_submitted(curve, alpha)
    if method != "ltt":
        raise OptionError(f"method must be ltt, batch or crc, got {method!r}")
    return run_chains([curve], AskedLabels.of(alpha, delta, starts, grid, pool), delta)[0]


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
    given, wrong, times = checked(confidence, errors, counts)
    labels = np.asarray(prompts)
    if labels.shape != given.shape:
        raise DataError(
            f"prompts must name one prompt for each of {given.size} responses, got {labels.shape}"
        )
    names, codes = np.unique(labels, return_inverse=True)
    rows = [np.flatnonzero(codes == i) for i in range(names.size)]
    curves = [
        risk_coverage(given[part_rows], wrong[part_rows], times[part_rows]) for part_rows in rows
    ]
    asked = AskedLabels.of(alpha, delta, starts, grid, pool)
    if family == "common":
        certificates = run_chains(curves, asked, delta, prompts=names.size)
    else:
        part = part_of(delta, names.size, family)
        certificates = [
            run_chains([part_rows], asked, part, prompts=names.size)[0] for part_rows in curves
        ]
    return dict(zip((str(name) for name in names), certificates, strict=True))


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
    seen = Certificate("dev_zero", 0.0, delta, False, words.NO_ZERO, total=total)
    if np.isnan(tau):
        return replace(seen, why="the most confident response is a critical error")
    n = int(curve.n[curve.threshold == tau][0])
    bound = float(upper(0, n, delta))
    return replace(
        seen,
        statement=words.NOT_A_GUARANTEE.format(upper=100 * bound, sure=100 * (1 - delta)),
        tau=tau,
        inclusive=True,
        coverage=n / total,
        n=n,
        upper=bound,
        why="the threshold was chosen on the responses that judge it",
    )


def _of_batch(
    confidence: ArrayLike,
    errors: ArrayLike,
    counts: ArrayLike | None,
    batch: ArrayLike | None,
    alpha: float,
) -> Certificate:
    if batch is None:
        raise OptionError(
            'method "batch" is for one batch: give the confidences of its responses as batch='
        )
    chosen = select(confidence, errors, batch, alpha, counts)
    given, wrong, times = checked(confidence, errors, counts)
    seen = Certificate("batch", alpha, np.nan, False, "", total=int(times.sum()))
    if not chosen.accepted.any():
        why = "no response of the batch is confident enough"
        return replace(seen, statement=words.NOTHING.format(why=why), why=why, coverage=0.0)
    above = given >= chosen.tau
    return replace(
        seen,
        certified=True,
        statement=words.BATCH.format(alpha=100 * alpha),
        tau=chosen.tau,
        inclusive=True,
        coverage=float(chosen.accepted.mean()),
        n=int(times[above].sum()),
        k=int((times * wrong)[above].sum()),
    )


def _of_submitted(curve: RiskCoverage, alpha: float) -> Certificate:
    total = int(curve.total)
    seen = Certificate("crc", alpha, np.nan, False, "", total=total, coverage=0.0)
    reached = controlled(curve, alpha)
    if reached is None:
        needed = int(np.ceil(1 / alpha * (1 - TIES))) - 1 - total
        plural = "label is" if needed == 1 else "labels are"
        why = f"{needed} more calibration {plural} needed"
        return replace(seen, statement=words.NOTHING.format(why=why), why=why, needed=needed)
    tau, place = reached
    n, k = (int(curve.n[place - 1]), int(curve.k[place - 1])) if place else (0, 0)
    return replace(
        seen,
        certified=True,
        statement=words.SUBMITTED.format(alpha=100 * alpha),
        tau=tau,
        coverage=n / total,
        n=n,
        k=k,
    )
