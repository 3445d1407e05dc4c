"""Confidences compared: whose knows its critical errors better, on the same responses?"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Settings
from tallymark.inference.bootstrap import resamples
from tallymark.inference.distributions import t_tail
from tallymark.inference.few_clusters import leverage
from tallymark.inference.interval import ROUNDING, percentile, student
from tallymark.questions.comparison.entrants import Contest
from tallymark.results import Key, ResultTable
from tallymark.selective.curve import RiskCoverage, aurc, aurc_influence, coverage_at, risk_coverage
from tallymark.study.judged import LOSSES, RATES, Judged, confidence_of, judged, losses_of
from tallymark.study.measured import stream_of
from tallymark.study.parts import Part
from tallymark.study.rows import Grouping, grouped
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
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
    lambda_, by_system = contest.asked.lambda_, dict[str, Judged]()
    for system in contest.systems:
        given = confidence_of(contest.scores, system, lambda_)
        judged_system = None if given is None else judged(contest.scores, system, given, lambda_)
        if judged_system is not None:
            by_system[system] = judged_system
    losses = {system: losses_of(contest.scores, system) for system in by_system}
    rows: list[Cells] = []
    for a, b in combinations(by_system if not contest.many else (), 2):
        rows += _pair(a, b, *_shared(by_system[a], by_system[b]), settings)
        rows += _lost(a, b, losses[a], losses[b], contest, settings)
    if not rows:
        return ()
    title = "Confidences compared"
    return (
        ResultTable(name="confidences", title=title, columns=COLUMNS, rows=tuple(rows), note=NOTE),
    )


def _shared(first: Judged, second: Judged) -> tuple[Judged, Judged]:
    """Both on the responses for which both have a confidence."""
    both = first.rows & second.rows
    return first.where(both), second.where(both)


def _pair(a: str, b: str, first: Judged, second: Judged, settings: Settings) -> Iterator[Cells]:
    if not first.n:
        return
    rows = Rows(first.confidence[:, None], first.counts, np.zeros(1), first.clusters)
    group = grouped(rows)
    yield _aurc(a, b, first, second, group, settings)
    for rate in RATES:
        yield _coverage(a, b, rate, first, second, group, settings)


def _aurc(
    a: str, b: str, first: Judged, second: Judged, group: Grouping, settings: Settings
) -> Cells:
    """The difference of the areas."""
    curves = [
        risk_coverage(of_system.confidence, of_system.wrong, of_system.counts)
        for of_system in (first, second)
    ]
    values = [float(aurc(curve)) for curve in curves]
    apart = _influence(first, curves[0]) - _influence(second, curves[1])
    return _paired(("aurc", a, b, *values, values[0] - values[1]), apart, group, 1.0, settings)


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
    whole = Part.whole(contest.scores)
    counts = contest.scores.patterns.counts
    kept = Rows(np.hstack([first, second]), counts, np.zeros(1), whole.clusters).complete()
    if not kept.counts.size:
        return
    group, means = grouped(kept), kept.counts @ kept.scores / kept.counts.sum()
    for i, name in enumerate(LOSSES):
        j = i + len(LOSSES)
        values = float(means[i]), float(means[j])
        apart = kept.scores[:, i] - kept.scores[:, j] - (values[0] - values[1])
        head = (name, a, b, *values, values[0] - values[1])
        yield _paired(head, apart, group, np.inf, settings)


def _paired(head: Cells, apart: Floats, group: Grouping, most: float, settings: Settings) -> Cells:
    """A difference with a t interval from the influence of each response, and its p-value."""
    value, n = float(head[-1] or 0), group.n
    weight = 1 if group.weight is None else group.weight
    summed = np.bincount(group.unit, weights=apart[group.row] * weight, minlength=group.times.size)
    by_unit = np.asarray(summed * (group.times.sum() / n), dtype=np.float64)
    sizes = np.ones(group.times.size) if group.sizes is None else group.sizes
    sizes = sizes.reshape(-1, 1)
    pull = leverage(sizes, group.times)
    df = pull.df
    se = pull.standard_error(by_unit) if df >= 1 - ROUNDING else float("nan")
    if not se > ROUNDING:
        return (*head, None, None, None, n, "")
    low, high = (
        min(max(end, -most), most) for end in student(value, se, max(df, 1.0), settings.level)
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
    both = [_at(of_system, of_system.counts[None], rate)[0] for of_system in (first, second)]
    head: Cells = (Key("coverage_at", rate=rate), a, b, *map(float, both), float(both[0] - both[1]))
    if first.counts.size > MOST:
        return (*head, None, None, None, first.n, "")
    key = (settings.seed, stream_of(f"confidences:{a}:{b}"))
    drawn = []
    for weights in resamples(group.times, settings.replicates, np.random.default_rng(key)):
        drawn_rows = _of_rows(weights, group, first.counts)
        drawn.append(_at(first, drawn_rows, rate) - _at(second, drawn_rows, rate))
    apart = np.concatenate(drawn)
    if np.ptp(apart) <= ROUNDING:
        return (*head, None, None, None, first.n, "")
    low, high = percentile(apart, settings.level)
    method = (
        f"percentile bootstrap over {group.kind}, {apart.size} replicates, seed {settings.seed}"
    )
    low, high = min(low, float(both[0] - both[1])), max(high, float(both[0] - both[1]))
    return (*head, low, high, None, first.n, method)


def _of_rows(weights: NDArray[np.int64], group: Grouping, counts: NDArray[np.int64]) -> Floats:
    """How often each distinct response is drawn, from how often its unit is."""
    times = np.zeros((len(weights), counts.size))
    factor = 1 if group.weight is None else group.weight
    for start in range(len(weights)):
        entries = weights[start][group.unit] * factor
        times[start] = np.bincount(group.row, weights=entries, minlength=counts.size)
    return times


def _at(cases: Judged, weights: NDArray[Any], rate: float) -> Floats:
    """Coverage at a rate of critical errors, for each resample of the responses."""
    order = np.argsort(-cases.confidence, kind="stable")
    last = np.flatnonzero(np.append(np.diff(cases.confidence[order]) != 0, True))
    times = np.asarray(weights, dtype=np.float64)[:, order]
    n = np.cumsum(times, axis=1)[:, last]
    k = np.cumsum(times * cases.wrong[order], axis=1)[:, last]
    curve = RiskCoverage(cases.confidence[order][last], n, k)
    return np.asarray(coverage_at(curve, rate).max_coverage, dtype=np.float64)
