"""Groups at one threshold: whose responses are accepted, and whose errors pass?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import interval as ends
from tallymark.inference.distributions import t_quantile, t_tail
from tallymark.inference.few_clusters import leverage
from tallymark.inference.kinds import ONE_CLUSTER
from tallymark.inference.multiplicity import holm
from tallymark.results import CONFIDENCE, Estimate, Finding, Key, system_called
from tallymark.study.judged import Judged
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part

LEAST = 0.8
"""A group whose coverage is below this share of the others' is reported: the four-fifths rule."""
MORE_ERRORS = 0.02
"""And one whose accepted scores hold this many more critical errors."""
SMALL = 10
"""Groups of fewer responses are shown but not tested."""


class Accepted(NamedTuple):
    """Which responses are accepted at a threshold.

    ``coverage`` is the share of all that sets the threshold, None where it was chosen otherwise.
    """

    judged: Judged
    chosen: NDArray[np.bool_]
    params: Mapping[str, Any]
    coverage: float | None = None


def accepted_shares(
    accepted: Accepted, keep: NDArray[np.bool_], level: float
) -> tuple[Estimate, Estimate]:
    """Coverage and critical errors among the accepted, of some of the responses."""
    cases, chosen = accepted.judged, keep & accepted.chosen
    return (
        _share("accepted", accepted, accepted.chosen, keep, level),
        _share("accepted_csrate", accepted, cases.wrong, chosen, level),
    )


def _share(
    name: str, accepted: Accepted, hit: NDArray[np.bool_], rows: NDArray[np.bool_], level: float
) -> Estimate:
    """The share of some rows that are hit."""
    cases = accepted.judged
    clusters = None if cases.clusters is None else cases.clusters[rows]
    return share_of(name, accepted.params, hit[rows], cases.counts[rows], clusters, level)


def share_of(
    name: str,
    params: Mapping[str, Any],
    hit: NDArray[Any],
    counts: Whole,
    clusters: Whole | None,
    level: float,
) -> Estimate:
    """A mean of shares with its Wilson interval, whose n is reduced where responses are clustered.

    ``hit`` is 0 or 1 of each response, or a share between them.
    """
    n = int(counts.sum())
    if n == 0:
        why = "no response is accepted" if name == "accepted_csrate" else "no response"
        return Estimate(key=Key(name, **params), value=math.nan, level=level, n=0, why=why)
    value = float(counts @ hit) / n
    se = math.sqrt(float(counts @ (hit - value) ** 2)) / n
    method, units, reach = "Wilson score interval", float(n), se
    if clusters is not None:
        method += ", n reduced for clusters"
        se, reach, units = _clustered(se, (hit - value) * counts / n, counts, clusters, level)
    size = value * (1 - value) / reach**2 if se > 0 else units
    low, high = ends.wilson(value, size, level)
    return Estimate(
        key=Key(name, **params), value=value, se=se, low=low, high=high, level=level, n=n,
        method=method, why=ONE_CLUSTER if math.isnan(low) else "",
    )  # fmt: skip


def _clustered(
    se: float, parts: Floats, counts: Whole, clusters: Whole, level: float
) -> tuple[float, float, float]:
    """The CR2 standard error, the same raised as t is wider, and the number of clusters.

    Clusters that differ less than chance alone would have it leave the error of the responses, ``se``.
    """
    codes = np.unique(clusters, return_inverse=True)[1]
    sums, sizes = (np.bincount(codes, w).astype(np.float64) for w in (parts, counts))
    pull = leverage(sizes[:, None])
    if pull.df < 1 - ends.ROUNDING:
        return math.nan, math.nan, math.nan
    se = max(se, pull.standard_error(sums * sums.size))
    return se, se * t_quantile(level, max(pull.df, 1.0)) / ends.quantile(level), sums.size


def groups_at(
    accepted: Accepted, system: str, parts: Sequence[Part], level: float
) -> Iterator[SubsetResults]:
    """Yield coverage and critical errors of each group at the common threshold."""
    by_column: dict[str, list[tuple[Part, NDArray[np.bool_]]]] = {}
    for part in parts:
        keys = [key for key in part.where if key.startswith("group:")]
        if len(keys) == 1 and len(part.where) == 1:
            rows = np.asarray(part.rows[accepted.judged.rows])
            if rows.any():
                by_column.setdefault(keys[0], []).append((part, rows))
    for key, groups in by_column.items():
        findings = _findings(accepted, system, key, groups)
        for part, rows in groups:
            estimates = accepted_shares(accepted, rows, level)
            n = int(accepted.judged.counts[rows].sum())
            subset = subset_of(part, system_called(system), n=n, against=CONFIDENCE)
            of_group = tuple(findings.get(part.where[key], ()))
            yield SubsetResults(subset, list(estimates), [], findings=of_group)


def _findings(
    accepted: Accepted, system: str, key: str, groups: Sequence[tuple[Part, NDArray[np.bool_]]]
) -> dict[str, list[Finding]]:
    """The groups that are left to people, or have their errors pass, more than the others."""
    cases, chosen = accepted.judged, accepted.chosen
    everyone = np.logical_or.reduce([rows for _, rows in groups])
    tested = {part.where[key]: rows for part, rows in groups if cases.counts[rows].sum() >= SMALL}
    if len(tested) < 2:
        return {}
    coverage = [_contrast(cases, chosen, rows, everyone) for rows in tested.values()]
    errors = [
        _contrast(cases, cases.wrong, rows & chosen, everyone & chosen) for rows in tested.values()
    ]
    findings: dict[str, list[Finding]] = {}
    for group, contrast, p in zip(tested, coverage, holm([c.p for c in coverage]), strict=True):
        if p < 0.05 and contrast.share < LEAST * contrast.others:
            finding = _finding("uneven_coverage", system, key, group, contrast, accepted)
            findings.setdefault(group, []).append(finding)
    for group, contrast, p in zip(tested, errors, holm([c.p for c in errors]), strict=True):
        if p < 0.05 and contrast.share - contrast.others > MORE_ERRORS:
            finding = _finding("uneven_errors", system, key, group, contrast, accepted)
            findings.setdefault(group, []).append(finding)
    return findings


class _Contrast(NamedTuple):
    """A share in a group and among the others, and the p-value of their difference."""

    share: float
    others: float
    p: float


def _contrast(
    cases: Judged,
    hit: NDArray[np.bool_],
    group: NDArray[np.bool_],
    everyone: NDArray[np.bool_],
) -> _Contrast:
    """Compare the share of a group that is hit with that of the others."""
    others, counts, clusters = everyone & ~group, cases.counts, cases.clusters
    n, n_others = float(counts[group].sum()), float(counts[others].sum())
    if not (n and n_others):
        return _Contrast(math.nan, math.nan, 1.0)
    share, of_others = (
        float(counts[group & hit].sum()) / n,
        float(counts[others & hit].sum()) / n_others,
    )
    influence = np.where(group, (hit - share) / n, -(hit - of_others) / n_others) * everyone
    if clusters is None:  # equal responses told once are as many units
        units, influence = np.arange(hit.size), influence * np.sqrt(counts)
    else:
        units, influence = np.unique(clusters, return_inverse=True)[1], influence * counts
    sums = np.bincount(units, weights=influence)
    se = math.sqrt(float(sums @ sums) * (sums.size / max(sums.size - 1, 1)))
    z = abs(share - of_others) / se if se > 0 else 0.0
    if clusters is None:
        return _Contrast(share, of_others, math.erfc(z / math.sqrt(2)))
    return _Contrast(share, of_others, 2 * t_tail(z, max(sums.size - 1, 1)))


def _finding(
    name: str, system: str, key: str, group: str, contrast: _Contrast, accepted: Accepted
) -> Finding:
    numbers = {"here": contrast.share, "others": contrast.others, "p": contrast.p}
    if accepted.coverage is not None:
        numbers["coverage"] = accepted.coverage
    texts = {"column": key.removeprefix("group:"), "group": group}
    return Finding(name=name, system=system, numbers=numbers, texts=texts)
