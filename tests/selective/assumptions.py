"""What the guarantees assume, and what happens where it does not hold. All at delta = .05."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.selective.certify import certify, certify_each, one_per_cluster
from tallymark.selective.conformal import select
from tallymark.selective.ltt import Candidates, loosest, starts_of
from tallymark.selective.monitor import e_detector, e_process
from tests.selective.violations import DELTA, scenario

Floats = NDArray[np.float64]
VALUES = np.arange(11) / 10
"""Possible confidences of a system that gives no others."""


def _flat(size: int, rate: float) -> Floats:
    return np.full(size, rate)


def discrete_etas(alpha: float) -> dict[str, Floats]:
    """Rates of critical errors at the eleven values, lowest first."""
    bad_top = _flat(11, alpha * 0.55)
    bad_top[-1], bad_top[:2] = alpha * 6.5, alpha * 4
    return {
        "falling": 0.4 * (1 - VALUES) ** 3,
        "flat, a tenth too high": _flat(11, 1.1 * alpha),
        "most confident wrong": bad_top,
    }


def discrete(n: int, alpha: float, runs: int) -> dict[str, dict[str, float]]:
    """Share of samples with an unsafe threshold, by rates of errors and by rule."""
    rules: dict[str, Callable[[Floats, NDArray[np.bool_]], float]] = {
        "ranks, ties together (default)": lambda c, e: _lowest(c, e, alpha),
        "possible values as a fixed grid": lambda c, e: _lowest(c, e, alpha, grid=VALUES),
        "ties broken by row order (wrong)": lambda c, e: _broken(c, e, alpha),
    }
    out: dict[str, dict[str, float]] = {}
    for name, eta in discrete_etas(alpha).items():
        rng = np.random.default_rng([1, n])
        above = np.cumsum(eta[::-1])[::-1] / np.arange(11, 0, -1)
        unsafe = dict.fromkeys(rules, 0)
        for _ in range(runs):
            place = rng.integers(0, 11, n)
            e = rng.random(n) < eta[place]
            for rule, of in rules.items():
                lowest = of(VALUES[place], e)
                safe = np.isnan(lowest) or above[round(10 * lowest)] <= alpha
                unsafe[rule] += not safe
        out[name] = {rule: count / runs for rule, count in unsafe.items()}
    return out


def _lowest(c: Floats, e: NDArray[np.bool_], alpha: float, grid: Floats | None = None) -> float:
    """The lowest possible value that is accepted, NaN if none is."""
    found = certify(c, e, alpha=alpha, delta=DELTA, grid=grid)
    if not found.certified:
        return np.nan
    accepted = found.tau <= VALUES if found.inclusive else found.tau < VALUES
    return float(VALUES[accepted].min()) if accepted.any() else np.nan


def _broken(c: Floats, e: NDArray[np.bool_], alpha: float) -> float:
    """Each row its own rank although confidences are equal; accept what reaches the last row."""
    order = np.argsort(-c, kind="stable")
    n, k = np.arange(1, c.size + 1)[None], np.cumsum(e[order], dtype=np.int64)[None]
    sizes, parts = starts_of(alpha, DELTA, c.size)
    rows = Candidates(c[order], n, k, inclusive=True)
    last, _ = loosest(rows, (sizes - 1).tolist(), parts.tolist(), alpha)
    return float(c[order][last]) if last >= 0 else np.nan


def clustered(candidates: int, each: int, alpha: float, runs: int) -> dict[str, float]:
    """Unsafe thresholds where a candidate's responses fail together; the rate is 1.1 alpha."""
    rng = np.random.default_rng(2)
    unsafe = {"every response": 0, "one response per candidate": 0}
    clusters = np.repeat(np.arange(candidates), each)
    for seed in range(runs):
        odd = rng.random(candidates) < 1.1 * alpha / 0.9
        c = rng.random(clusters.size)
        e = odd[clusters] & (rng.random(clusters.size) < 0.9)
        own = one_per_cluster(clusters, c, e, seed)
        unsafe["every response"] += certify(c, e, alpha=alpha, delta=DELTA).certified
        unsafe["one response per candidate"] += certify(
            c[own], e[own], alpha=alpha, delta=DELTA
        ).certified
    return {rule: count / runs for rule, count in unsafe.items()}


def stratified(n: int, alpha: float, runs: int) -> dict[str, float]:
    """Unsafe thresholds where strata are sampled in equal numbers, and in proportion.

    Four fifths of the responses belong to a stratum with 1.3 alpha, the others to two with 0.2: the
    rate is 1.08 alpha.
    """
    rng = np.random.default_rng(3)
    rates = alpha * np.array([1.3, 0.2, 0.2])
    shares = {"equal numbers of each stratum": [1 / 3] * 3, "random sample": [0.8, 0.1, 0.1]}
    unsafe = dict.fromkeys(shares, 0)
    for _ in range(runs):
        for rule, share in shares.items():
            e = rng.random(n) < rates[rng.choice(3, n, p=share)]
            unsafe[rule] += certify(rng.random(n), e, alpha=alpha, delta=DELTA).certified
    return {rule: count / runs for rule, count in unsafe.items()}


def looked_again(n: int, alpha: float, runs: int, looks: int = 5) -> dict[str, float]:
    """Unsafe thresholds where labels are added until something is certified; rate 1.01 alpha."""
    rng = np.random.default_rng(4)
    unsafe = {f"{looks} looks at delta": 0, f"{looks} looks at delta / {looks}": 0}
    for _ in range(runs):
        c = rng.random(n * looks)
        e = rng.random(n * looks) < 1.01 * alpha
        for rule, part in zip(unsafe, (DELTA, DELTA / looks), strict=True):
            unsafe[rule] += any(
                certify(c[: n * i], e[: n * i], alpha=alpha, delta=part).certified
                for i in range(1, looks + 1)
            )
    return {rule: count / runs for rule, count in unsafe.items()}


def families(n: int, alpha: float, runs: int, prompts: int = 6) -> dict[str, float]:
    """Samples in which any of six prompts is unsafe; each has n responses at a rate of 1.1 alpha."""
    rng = np.random.default_rng(5)
    unsafe = {"delta for each prompt (wrong)": 0, "bonferroni": 0, "sidak": 0, "common": 0}
    labels = np.repeat(np.arange(prompts), n)
    for _ in range(runs):
        c, e = rng.random(labels.size), rng.random(labels.size) < 1.1 * alpha
        alone = [
            certify(c[labels == i], e[labels == i], alpha=alpha, delta=DELTA).certified
            for i in range(prompts)
        ]
        unsafe["delta for each prompt (wrong)"] += any(alone)
        for family in ("bonferroni", "sidak", "common"):
            found = certify_each(c, e, labels, alpha=alpha, delta=DELTA, family=family)
            unsafe[family] += any(own.certified for own in found.values())
    return {rule: count / runs for rule, count in unsafe.items()}


class Expected(NamedTuple):
    """Means over samples: errors per submitted and per accepted response, and the coverage."""

    submitted: float
    accepted: float
    coverage: float


def on_average(name: str, n: int, alpha: float, runs: int) -> dict[str, Expected]:
    """What the two guarantees on average keep: batches of n / 2 beside n calibration responses."""
    eta, rng = scenario(name, alpha), np.random.default_rng([6, ord(name)])
    sums = {"batch": np.zeros(3), "crc": np.zeros(3)}
    for _ in range(runs):
        c, new = rng.random(n), rng.random(n // 2)
        e, wrong = rng.random(n) < eta(c), rng.random(n // 2) < eta(new)
        controlled = certify(c, e, alpha=alpha, method="crc")
        kept = {
            "batch": select(c, e, new, alpha).accepted,
            "crc": new > controlled.tau if controlled.certified else np.zeros(new.size, bool),
        }
        for rule, accepted in kept.items():
            errors = (accepted & wrong).sum()
            share = errors / max(1, accepted.sum())
            sums[rule] += [errors / new.size, share, accepted.mean()]
    return {rule: Expected(*(total / runs)) for rule, total in sums.items()}


def tied_risk_control(n: int, alpha: float, runs: int) -> dict[str, float]:
    """Mean rate of accepted critical errors with five confidences, accepting > tau or >= tau."""
    rng = np.random.default_rng(7)
    eta = np.array([0.2, 0.1, 0.05, 0.02, 0.004])
    sums = {">": 0.0, ">=": 0.0}
    for _ in range(runs):
        place = rng.integers(0, 5, n)
        found = certify(place, rng.random(n) < eta[place], alpha=alpha, method="crc")
        sums[">"] += eta[np.arange(5) > found.tau].sum() / 5
        sums[">="] += eta[np.arange(5) >= found.tau].sum() / 5
    return {rule: total / runs for rule, total in sums.items()}


class Delay(NamedTuple):
    """Median audits from the change to the alarm, and the share of alarms before the change."""

    median: float
    early: float


def delays(change: int, runs: int, *, after: int = 4000) -> dict[str, Delay]:
    """Audits until the watches of .02 see a rate rise from .01 to .08 after some good audits."""
    rng = np.random.default_rng([8, change])
    seen: dict[str, list[float]] = {"e-process": [], "shiryaev_roberts": [], "cusum": []}
    for _ in range(runs):
        e = rng.random(change + after) < np.where(np.arange(change + after) < change, 0.01, 0.08)
        seen["e-process"].append(e_process(e, 0.02).alarm or np.inf)
        for kind in ("shiryaev_roberts", "cusum"):
            seen[kind].append(e_detector(e, 0.02, kind=kind).alarm or np.inf)
    out = {}
    for name, alarms in seen.items():
        at = np.array(alarms)
        late = at[at > change] - change
        out[name] = Delay(float(np.median(late)), float((at <= change).mean()))
    return out


def run_lengths(runs: int, *, length: int = 20_000) -> dict[str, float]:
    """Mean audits to a false alarm at a stated 1,000 and a rate of exactly alpha."""
    rng = np.random.default_rng(9)
    seen: dict[str, list[int]] = {"shiryaev_roberts": [], "cusum": []}
    for _ in range(runs):
        e = rng.random(length) < 0.02
        for kind, alarms in seen.items():
            alarms.append(e_detector(e, 0.02, kind=kind).alarm or length)  # type: ignore[arg-type]
    return {kind: float(np.mean(alarms)) for kind, alarms in seen.items()}
