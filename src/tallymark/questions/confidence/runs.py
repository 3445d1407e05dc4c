"""Several runs of one system, and thresholds from development data tried on test data.

The protocol of Funayama et al. (2020): each run has its own scores and confidences; its threshold
is the lowest without a critical error on the development responses of a prompt, and is then tried
on the test responses; results are averaged over the runs.
"""

from collections.abc import Sequence
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.results import Curve, ResultTable
from tallymark.selective.curve import risk_coverage
from tallymark.sources import Scores
from tallymark.study.judged import Judged, confidence_of, judged

Floats = NDArray[np.float64]
Row = tuple[str | int | float | None, ...]
GRID = np.arange(1, 101) / 100
ALL, AVERAGE = "all", "Avg."
RISK, RMSE = "critical errors among the accepted", "RMSE of the accepted, in score points"
DEV, TEST = ("dev", "development", "validation"), ("test",)


def runs_of(scores: Scores, system: str) -> tuple[str, ...]:
    """The systems that are runs of this one, each with a confidence of its own; itself if none."""
    roles = scores.roles
    known = [name for name in roles.repeats.get(system, ()) if name in roles.confidences]
    runs = tuple(dict.fromkeys([system, *known]))
    return runs if system in roles.confidences else (system,)


def judged_runs(scores: Scores, system: str, lambda_: float) -> dict[str, Judged]:
    """Every run by its name, with its confidence and critical errors."""
    runs: dict[str, Judged] = {}
    for run in runs_of(scores, system):
        confidence = confidence_of(scores, run, lambda_)
        cases = None if confidence is None else judged(scores, run, confidence, lambda_)
        runs |= {} if cases is None else {run: cases}
    return runs


def run_curves(
    runs: Sequence[Judged], part: NDArray[np.bool_], test: NDArray[np.bool_] | None, *, points: bool
) -> tuple[Curve, ...]:
    """Mean critical error rate of the runs at each coverage, with the lowest and the highest.

    Likewise the RMSE in score ``points``, where all responses of the part are on the same. On the
    test responses of a part, where there are some; of a single run only there.
    """
    kept = [run.where(part if test is None else part & test) for run in runs]
    if (test is None and len(runs) < 2) or not all(run.n for run in kept):
        return ()
    where = "" if test is None else ", test responses"
    wrong = [_means(run, run.wrong) for run in kept]
    curves = [_over_runs("risk_coverage_runs", RISK, where, wrong)]
    if points:
        roots = [np.sqrt(_means(run, run.gaps**2)) for run in kept]
        curves.append(_over_runs("rmse_coverage_runs", RMSE, where, roots))
    return tuple(curves)


def _means(run: Judged, losses: NDArray[Any]) -> Floats:
    """Mean loss of the accepted responses at each coverage; equal confidences enter together."""
    curve = risk_coverage(run.confidence, run.wrong, run.counts)
    place = np.minimum(np.searchsorted(curve.coverage, GRID - 1e-12), curve.n.size - 1)
    order = np.argsort(-run.confidence, kind="stable")
    running, accepted = (np.cumsum(sums[order]) for sums in (run.counts * losses, run.counts))
    return np.asarray(running[np.searchsorted(accepted, curve.n[place])] / curve.n[place])


def _over_runs(name: str, what: str, where: str, runs: Sequence[Floats]) -> Curve:
    """The mean of the runs; of several also the least and the most."""
    every, several = np.stack(runs), len(runs) > 1
    low, high = (every.min(axis=0), every.max(axis=0)) if several else (np.array([]), np.array([]))
    over = f", mean of {len(runs)} runs (least to most)" if several else ""
    return Curve(
        name=name, subset=-1, x_title="share of responses accepted", y_title=f"{what}{over}{where}",
        x=tuple(GRID.tolist()), y=tuple(every.mean(axis=0).tolist()),
        low=tuple(low.tolist()), high=tuple(high.tolist()),
    )  # fmt: skip


def dev_test(scores: Scores, runs: Sequence[Judged]) -> tuple[ResultTable, ...]:
    """Thresholds from the fold "dev" tried on the fold "test", by prompt, averaged over runs."""
    sides = [fold_of(scores, names) for names in (DEV, TEST)]
    if not runs or any(side is None for side in sides):
        return ()
    dev, test = (side for side in sides if side is not None)
    rows = [
        _tried(name, runs, dev & here, test & here)
        for name, here in _prompts(scores)
        if (dev & here).any() and (test & here).any()
    ]
    prompts = rows[:-1]  # the last is of all together
    if len(prompts) > 1:
        rows.append(_mean(prompts))
    return (
        ResultTable(
            name="dev_test",
            title="Thresholds of the development responses, tried on the test responses",
            columns=(
                "prompt", "runs", "dev responses", "test responses", "threshold", "accepted",
                "critical errors", "CSRate",
            ),
            rows=tuple(rows),
            note="Lowest threshold without a critical error on the development responses, mean over "
            "the runs. Not a guarantee: what it lets pass on test responses is shown beside it."
            + f" {ALL}: one threshold for all prompts; {AVERAGE}: plain mean of the prompts."
            * (len(prompts) > 1),
        ),
    )  # fmt: skip


def fold_of(scores: Scores, names: Sequence[str]) -> NDArray[np.bool_] | None:
    """The responses of the fold with one of these names; None where no response is in it."""
    patterns = scores.patterns
    if "fold" not in patterns.keys:
        return None
    labels = [label.lower() in names for label in patterns.labels["fold"]]
    rows = np.asarray(np.append(labels, False)[patterns.keys["fold"]], dtype=bool)
    return rows if rows.any() else None


def _prompts(scores: Scores) -> list[tuple[str, NDArray[np.bool_]]]:
    patterns = scores.patterns
    whole = [(ALL, np.ones(patterns.counts.size, dtype=bool))]
    labels = patterns.labels.get("prompt", ())
    prompts = [(name, patterns.keys["prompt"] == code) for code, name in enumerate(labels)]
    return [*prompts, *whole] if len(prompts) != 1 else prompts


def _mean(prompts: Sequence[Row]) -> Row:
    """The plain mean of the prompts; none of a number that some prompt does not have."""
    means = [
        None if None in column else float(np.mean(np.asarray(column, dtype=np.float64)))
        for column in list(zip(*prompts, strict=True))[4:]
    ]
    return (AVERAGE, prompts[0][1], None, None, *means)


def _tried(
    name: str, runs: Sequence[Judged], dev: NDArray[np.bool_], test: NDArray[np.bool_]
) -> Row:
    """Mean over the runs of threshold, share accepted, critical errors and their rate."""
    from tallymark.selective.certify import dev_zero

    tried = []
    for run in runs:
        learnt, new = run.where(dev), run.where(test)
        if not (learnt.n and new.n):
            continue
        tau = dev_zero(learnt.confidence, learnt.wrong, counts=learnt.counts).tau
        chosen = np.zeros(new.counts.size, dtype=bool) if np.isnan(tau) else new.confidence >= tau
        n, k = int(new.counts[chosen].sum()), int(new.counts[chosen & new.wrong].sum())
        tried.append((learnt.n, new.n, tau, n / new.n, k, k / n if n else np.nan))
    if not tried:
        return (name, 0, 0, 0, None, None, None, None)
    columns = np.array(tried, dtype=np.float64).T
    given = ~np.isnan(columns)
    means = [
        float(np.mean(list(compress(column, some)))) if some.any() else None
        for column, some in zip(columns, given, strict=True)
    ]
    sizes = int(columns[0][0]), int(columns[1][0])
    return (name, len(tried), *sizes, *means[2:])
