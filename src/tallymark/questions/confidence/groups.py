"""Groups at one threshold: whose responses are accepted, and whose errors pass?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import interval as ends
from tallymark.inference.distributions import t_quantile, t_tail
from tallymark.inference.few_clusters import leverage
from tallymark.inference.making import ONE_CLUSTER
from tallymark.inference.multiplicity import holm
from tallymark.results import CONFIDENCE, Estimate, Finding, Key, system_called
from tallymark.study.judged import Judged
from tallymark.study.measured import SubsetResults, subset_of
from tallymark.study.parts import Part

Floats = NDArray[np.float64]
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
    cases = accepted.judged
    clusters = None if cases.clusters is None else cases.clusters[keep]
    covered = share_of(
        "accepted", accepted.params, accepted.chosen[keep], cases.counts[keep], clusters, level
    )
    inside = keep & accepted.chosen
    clusters = None if cases.clusters is None else cases.clusters[inside]
    wrong = share_of(
        "accepted_csrate", accepted.params, cases.wrong[inside], cases.counts[inside], clusters,
        level,
    )  # fmt: skip
    return covered, wrong


def share_of(
    name: str,
    params: Mapping[str, Any],
    hit: NDArray[Any],
    counts: NDArray[np.int64],
    clusters: NDArray[np.int64] | None,
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
    method, alone, reach = "Wilson score interval", float(n), se
    if clusters is not None:
        method += ", n reduced for clusters"
        se, reach, alone = _clustered(se, (hit - value) * counts / n, counts, clusters, level)
    size = value * (1 - value) / reach**2 if se > 0 else alone
    low, high = ends.wilson(value, size, level)
    return Estimate(
        key=Key(name, **params), value=value, se=se, low=low, high=high, level=level, n=n,
        method=method, why=ONE_CLUSTER if math.isnan(low) else "",
    )  # fmt: skip


def _clustered(
    se: float, parts: Floats, counts: NDArray[np.int64], clusters: NDArray[np.int64], level: float
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


def _clustered_se(parts: Floats, clusters: NDArray[np.int64]) -> float:
    codes = np.unique(clusters, return_inverse=True)[1]
    sums = np.bincount(codes, weights=parts)
    few = sums.size / max(sums.size - 1, 1)
    return math.sqrt(float(sums @ sums) * few)


def groups_at(
    accepted: Accepted, system: str, parts: Sequence[Part], level: float
) -> Iterator[SubsetResults]:
    """Yield coverage and critical errors of each group at the common threshold."""
    by_column: dict[str, list[tuple[Part, NDArray[np.bool_]]]] = {}
    for part in parts:
        keys = [key for key in part.where if key.startswith("group:")]
        if len(keys) == 1 and len(part.where) == 1:
            keep = np.asarray(part.rows[accepted.judged.rows])
            if keep.any():
                by_column.setdefault(keys[0], []).append((part, keep))
    for key, groups in by_column.items():
        findings = dict(_findings(accepted, system, key, groups))
        for i, (part, keep) in enumerate(groups):
            estimates = accepted_shares(accepted, keep, level)
            n = int(accepted.judged.counts[keep].sum())
            subset = subset_of(part, system_called(system), n=n, against=CONFIDENCE)
            yield SubsetResults(subset, list(estimates), [], findings=tuple(findings.get(i, ())))


def _findings(
    accepted: Accepted,
    system: str,
    key: str,
    groups: Sequence[tuple[Part, NDArray[np.bool_]]],
) -> Iterator[tuple[int, list[Finding]]]:
    """Say which groups are left to people, or have their errors pass, more than the others."""
    cases, everyone = accepted.judged, np.zeros(accepted.judged.counts.size, dtype=bool)
    for _, keep in groups:
        everyone |= keep
    tested = [i for i, (_, keep) in enumerate(groups) if cases.counts[keep].sum() >= SMALL]
    if len(tested) < 2:
        return
    covered = {i: _contrast(cases, accepted.chosen, groups[i][1], everyone) for i in tested}
    wrong = {
        i: _contrast(cases, cases.wrong, groups[i][1] & accepted.chosen, everyone & accepted.chosen)
        for i in tested
    }
    adjusted = [
        dict(zip(tested, holm([c[i].p for i in tested]), strict=True)) for c in (covered, wrong)
    ]
    for i in tested:
        findings = []
        group = groups[i][0].where[key]
        here, there = covered[i].here, covered[i].there
        if adjusted[0][i] < 0.05 and here < LEAST * there:
            findings.append(_finding("uneven_coverage", system, key, group, covered[i], accepted))
        if adjusted[1][i] < 0.05 and wrong[i].here - wrong[i].there > MORE_ERRORS:
            findings.append(_finding("uneven_errors", system, key, group, wrong[i], accepted))
        if findings:
            yield i, findings


class _Contrast(NamedTuple):
    here: float
    there: float
    p: float


def _contrast(
    cases: Judged,
    hit: NDArray[np.bool_],
    group: NDArray[np.bool_],
    everyone: NDArray[np.bool_],
) -> _Contrast:
    """A share in a group and among the others, and the p-value of their difference."""
    others = everyone & ~group
    n_here, n_there = (float(cases.counts[rows].sum()) for rows in (group, others))
    if not (n_here and n_there):
        return _Contrast(math.nan, math.nan, 1.0)
    here, there = (
        float(cases.counts[rows & hit].sum()) / n
        for rows, n in ((group, n_here), (others, n_there))
    )
    clusters = np.arange(hit.size) if cases.clusters is None else cases.clusters
    pull = np.where(group, (hit - here) / n_here, -(hit - there) / n_there) * everyone
    # equal responses told once are as many units
    weight = cases.counts if cases.clusters is not None else np.sqrt(cases.counts)
    se = _clustered_se(pull * weight, clusters)
    z = (here - there) / se if se > 0 else 0.0
    if cases.clusters is None:
        return _Contrast(here, there, math.erfc(abs(z) / math.sqrt(2)))
    free = max(np.unique(clusters).size - 1, 1)
    return _Contrast(here, there, 2 * t_tail(abs(z), free))


def _finding(
    name: str, system: str, key: str, group: str, contrast: _Contrast, accepted: Accepted
) -> Finding:
    at = {} if accepted.coverage is None else {"coverage": accepted.coverage}
    numbers = {"here": contrast.here, "others": contrast.there, "p": contrast.p, **at}
    texts = {"column": key.removeprefix("group:"), "group": group}
    return Finding(name=name, system=system, numbers=numbers, texts=texts)
