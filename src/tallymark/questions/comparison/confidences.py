"""Confidences compared: whose knows its critical errors better, on the same responses?"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import Settings
from tallymark.inference.bootstrap import resamples
from tallymark.inference.distributions import t_tail
from tallymark.inference.few_clusters import leverage
from tallymark.inference.interval import ROUNDING, percentile, student
from tallymark.questions.comparison.contest import Contest
from tallymark.results import Key, ResultTable
from tallymark.selective.curve import RiskCoverage, aurc, aurc_influence, coverage_at, risk_coverage
from tallymark.study.judged import LOSSES, RATES, Judged, confidence_of, judged, losses_of
from tallymark.study.measured import stream_of
from tallymark.study.parts import Part
from tallymark.study.rows import Grouping, grouped
from tallymark.study.units import Rows

Cells = tuple[str | int | float | None, ...]
COLUMNS = (
    "statistic", "system", "against", "value", "value_against", "difference", "low", "high", "p",
    "responses", "method",
)  # fmt: skip
MOST = 20_000
"""Beyond this many distinct responses, coverage has no interval."""
NOTE = (
    "difference: system less against, on the responses for which both have a confidence. AURC, Brier "
    "and ranked probability score (RPS, of --probabilities): lower is better. coverage_at: the largest share that can be accepted with this many critical errors "
    "among them, higher is better; each threshold is found on these data, so that both coverages are "
    "optimistic."
)


def confidence_table(contest: Contest, settings: Settings) -> tuple[ResultTable, ...]:
    """Paired differences of AURC and coverage for every two systems that say how sure they are."""
    lambda_, by_system = contest.request.lambda_, dict[str, Judged]()
    for system in contest.systems:
        confidence = confidence_of(contest.scores, system, lambda_)
        if confidence is not None:
            judged_system = judged(contest.scores, system, confidence, lambda_)
            if judged_system is not None:
                by_system[system] = judged_system
    losses = {system: losses_of(contest.scores, system) for system in by_system}
    rows: list[Cells] = []
    for a, b in combinations(by_system if not contest.many else (), 2):
        common = by_system[a].rows & by_system[b].rows
        rows += _pair(a, b, by_system[a].where(common), by_system[b].where(common), settings)
        rows += _lost(a, b, losses[a], losses[b], contest, settings)
    if not rows:
        return ()
    table = ResultTable(
        name="confidences",
        title="Confidences compared",
        columns=COLUMNS,
        rows=tuple(rows),
        note=NOTE,
    )
    return (table,)


def _pair(a: str, b: str, first: Judged, second: Judged, settings: Settings) -> Iterator[Cells]:
    """The difference of the areas, and of the coverages at each rate, on common responses."""
    if not first.n:
        return
    rows = Rows(first.confidence[:, None], first.counts, np.zeros(1), first.clusters)
    group = grouped(rows)
    curves = [risk_coverage(j.confidence, j.wrong, j.counts) for j in (first, second)]
    areas = [float(aurc(curve)) for curve in curves]
    influence = _influence(first, curves[0]) - _influence(second, curves[1])
    head: Cells = ("aurc", a, b, *areas, areas[0] - areas[1])
    yield _paired(head, influence, group, 1.0, settings)
    for rate in RATES:
        yield _coverage(a, b, rate, first, second, group, settings)


def _lost(
    a: str,
    b: str,
    first: Floats | None,
    second: Floats | None,
    contest: Contest,
    settings: Settings,
) -> Iterator[Cells]:
    """The differences of what class probabilities lose, where both systems give some."""
    if first is None or second is None:
        return
    counts, clusters = contest.scores.patterns.counts, Part.whole(contest.scores).clusters
    rows = Rows(np.hstack([first, second]), counts, np.zeros(1), clusters).complete()
    if not rows.counts.size:
        return
    group, means = grouped(rows), rows.counts @ rows.scores / rows.counts.sum()
    for i, name in enumerate(LOSSES):
        j = i + len(LOSSES)
        values = float(means[i]), float(means[j])
        influence = rows.scores[:, i] - rows.scores[:, j] - (values[0] - values[1])
        head = (name, a, b, *values, values[0] - values[1])
        yield _paired(head, influence, group, np.inf, settings)


def _paired(
    head: Cells, influence: Floats, group: Grouping, limit: float, settings: Settings
) -> Cells:
    """A difference with a t interval from the influence of each response, and its p-value."""
    value, n = float(head[-1] or 0), group.n
    weight = 1 if group.weight is None else group.weight
    summed = np.bincount(
        group.unit, weights=influence[group.row] * weight, minlength=group.times.size
    )
    by_unit = np.asarray(summed * (group.times.sum() / n), dtype=np.float64)
    sizes = np.ones(group.times.size) if group.sizes is None else group.sizes
    sizes = sizes.reshape(-1, 1)
    pull = leverage(sizes, group.times)
    df = pull.df
    se = pull.standard_error(by_unit) if df >= 1 - ROUNDING else float("nan")
    if not se > ROUNDING:
        return (*head, None, None, None, n, "")
    low, high = (
        min(max(end, -limit), limit) for end in student(value, se, max(df, 1.0), settings.level)
    )
    p = 2 * t_tail(abs(value) / se, df)
    method = f"t interval over {group.kind}, paired influence standard error, {df:.1f} df"
    return (*head, low, high, p, n, method)


def _influence(cases: Judged, curve: RiskCoverage) -> Floats:
    """The influence of each response on the area under its system's curve."""
    place = np.searchsorted(-curve.threshold, -cases.confidence)
    return np.asarray(aurc_influence(curve)[2 * place + cases.wrong])


def _coverage(
    a: str, b: str, rate: float, first: Judged, second: Judged, group: Grouping, settings: Settings
) -> Cells:
    """The difference of the coverages at one rate, with a percentile bootstrap interval."""
    shares = [float(_coverages(j, j.counts[None], rate)[0]) for j in (first, second)]
    difference = shares[0] - shares[1]
    head: Cells = (Key("coverage_at", rate=rate), a, b, *shares, difference)
    if first.counts.size > MOST:
        return (*head, None, None, None, first.n, "")
    key = (settings.seed, stream_of(f"confidences:{a}:{b}"))
    drawn = []
    for weights in resamples(group.times, settings.replicates, np.random.default_rng(key)):
        drawn_rows = _of_rows(weights, group, first.counts)
        drawn.append(_coverages(first, drawn_rows, rate) - _coverages(second, drawn_rows, rate))
    replicates = np.concatenate(drawn)
    if np.ptp(replicates) <= ROUNDING:
        return (*head, None, None, None, first.n, "")
    low, high = percentile(replicates, settings.level)
    method = (
        f"percentile bootstrap over {group.kind}, {replicates.size} replicates, "
        f"seed {settings.seed}"
    )
    return (*head, min(low, difference), max(high, difference), None, first.n, method)


def _of_rows(weights: Whole, group: Grouping, counts: Whole) -> Floats:
    """How often each distinct response is drawn, from how often its unit is."""
    times = np.zeros((len(weights), counts.size))
    factor = 1 if group.weight is None else group.weight
    for start in range(len(weights)):
        entries = weights[start][group.unit] * factor
        times[start] = np.bincount(group.row, weights=entries, minlength=counts.size)
    return times


def _coverages(cases: Judged, weights: NDArray[Any], rate: float) -> Floats:
    """Coverage at a rate of critical errors, for each resample of the responses."""
    order = np.argsort(-cases.confidence, kind="stable")
    last = np.flatnonzero(np.append(np.diff(cases.confidence[order]) != 0, True))
    times = np.asarray(weights, dtype=np.float64)[:, order]
    n = np.cumsum(times, axis=1)[:, last]
    k = np.cumsum(times * cases.wrong[order], axis=1)[:, last]
    curve = RiskCoverage(cases.confidence[order][last], n, k)
    return np.asarray(coverage_at(curve, rate).max_coverage, dtype=np.float64)
