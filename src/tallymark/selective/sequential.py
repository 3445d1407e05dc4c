"""From tests to certificates: what was asked, which chains ran, and what may be said."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tallymark.errors import DataError, OptionError
from tallymark.selective import certificate as words
from tallymark.selective.bounds import binomial_cdf, upper
from tallymark.selective.certificate import Certificate
from tallymark.selective.curve import RiskCoverage
from tallymark.selective.ltt import (
    Candidates,
    count_starts,
    fixed_candidates,
    labels_needed,
    loosest,
    pool_starts,
    rank_candidates,
    starts_of,
    top_labels_needed,
)

Floats = NDArray[np.float64]
QUANTILES = 200
"""Thresholds taken from a pool of unlabelled responses."""


class AskedLabels(NamedTuple):
    """What is to be certified, and with which thresholds."""

    alpha: float
    delta: float
    starts: tuple[int, ...] | None
    grid: Floats | None
    pool: Floats | None

    @classmethod
    def of(
        cls,
        alpha: float,
        delta: float,
        starts: Sequence[int] | None,
        grid: ArrayLike | None,
        pool: ArrayLike | None,
    ) -> "AskedLabels":
        """Refuse starts and thresholds that cannot be used."""
        if starts is not None and (not starts or min(starts) < 0):
            raise OptionError(f"starts must be numbers of errors, 0 or more, got {starts!r}")
        chosen = None if starts is None else tuple(starts)
        return cls(alpha, delta, chosen, _numbers(grid, "grid"), _numbers(pool, "pool"))

    @property
    def thresholds(self) -> Floats | None:
        """The fixed grid; None if the calibration confidences are the thresholds."""
        if self.grid is not None or self.pool is None:
            return self.grid
        return np.quantile(self.pool, np.linspace(0, 1, QUANTILES + 1), method="higher")


def run_chains(
    curves: Sequence[RiskCoverage], asked: AskedLabels, delta: float, prompts: int = 1
) -> list[Certificate]:
    """Certificates of the prompts that share a threshold, tested at ``delta`` together."""
    candidates, grid = _candidates(curves, asked)
    totals = [int(curve.total) for curve in curves]
    sizes, parts = starts_of(asked.alpha, delta, min(totals), asked.starts)
    most = candidates.tau.size - 1
    if asked.pool is None:
        starts = count_starts(candidates, sizes)
    else:
        starts = pool_starts(candidates.tau, asked.pool, min(totals), sizes)
    if asked.starts is None:  # the last chain is of the loosest threshold
        starts = np.append(np.minimum(starts[:-1], most), most)
    last, level = loosest(candidates, starts.tolist(), parts.tolist(), asked.alpha)
    seen = Certificate(
        "ltt",
        asked.alpha,
        asked.delta,
        False,
        "",
        delta_each=level,
        grid=grid,
        starts=tuple(sizes.tolist()),
        tied=grid == "rank" and candidates.tau.size < sum(totals),
    )
    each = [replace(seen, total=total) for total in totals]
    if last >= 0:
        return [_reached(seen, candidates, i, last, prompts) for i, seen in enumerate(each)]
    if len(curves) == 1 and asked.pool is None:
        needed = [top_labels_needed(candidates, asked.alpha, delta, asked.starts)]
    else:
        short = labels_needed(candidates, starts.tolist(), parts.tolist(), asked.alpha)
        needed = short.tolist()
    first = min(int(starts[0]), most)
    return [
        _missing(seen, least, candidates, i, first)
        for i, (seen, least) in enumerate(zip(each, needed, strict=True))
    ]


def _candidates(curves: Sequence[RiskCoverage], asked: AskedLabels) -> tuple[Candidates, str]:
    """The thresholds to try, and where they come from."""
    thresholds = asked.thresholds
    if thresholds is None:
        return rank_candidates(curves), "rank"
    return fixed_candidates(curves, thresholds), "fixed" if asked.pool is None else "pool"


def _missing(
    seen: Certificate, needed: int, candidates: Candidates, prompt: int, first: int
) -> Certificate:
    if needed:
        labels = "label" if needed == 1 else "labels"
        why = f"at least {needed} more accepted calibration {labels} without a critical error "
        why += "is needed" if needed == 1 else "are needed"
    else:  # with a threshold shared by prompts
        why = "another prompt needs more calibration labels"
    n, k = int(candidates.n[prompt, first]), int(candidates.k[prompt, first])
    if k > seen.alpha * n:
        why += f", and more labels alone may not do: {k} of the {n} most confident are errors"
    return replace(seen, statement=words.NOTHING.format(why=why), why=why, needed=needed)


def _reached(
    seen: Certificate, candidates: Candidates, prompt: int, last: int, prompts: int
) -> Certificate:
    n, k = int(candidates.n[prompt, last]), int(candidates.k[prompt, last])
    said = words.HIGH_PROBABILITY.format(sure=100 * (1 - seen.delta), alpha=100 * seen.alpha)
    return replace(
        seen,
        certified=True,
        statement=said + (words.EACH_PROMPT.format(prompts=prompts) if prompts > 1 else ""),
        tau=float(candidates.tau[last]),
        inclusive=candidates.inclusive,
        coverage=n / seen.total,
        n=n,
        k=k,
        p=float(binomial_cdf(k, n, seen.alpha)),
        upper=float(upper(k, n, seen.delta_each)),
    )


def _numbers(values: ArrayLike | None, name: str) -> Floats | None:
    if values is None:
        return None
    given = np.asarray(values, np.float64).ravel()
    if given.size == 0 or not np.isfinite(given).all():
        raise DataError(f"{name} must be a list of numbers without gaps, got {given.size} of them")
    return given
