"""Selective scoring: which of a system's scores may stand alone, judged by its confidence?"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.confidence.areas import area_formulas, area_units
from tallymark.questions.confidence.by_prompt import surest_by_prompt
from tallymark.questions.confidence.groups import Accepted, accepted_shares, groups_at, share_of
from tallymark.questions.confidence.runs import TEST, dev_test, fold_of, judged_runs, run_curves
from tallymark.results import (
    CONFIDENCE,
    Curve,
    Estimate,
    Finding,
    Key,
    ResultTable,
    system_called,
)
from tallymark.selective.bounds import interval, upper
from tallymark.selective.confidence import ece, reliability_table
from tallymark.selective.curve import RiskCoverage, coverage_at, most_confident, risk_coverage
from tallymark.sources import Scores
from tallymark.study.asked import Asked
from tallymark.study.formulas import formulas_for
from tallymark.study.judged import LOSSES, RATES, Judged, confidence_of, judged, losses_of
from tallymark.study.measured import (
    SubsetResults,
    estimate_by_tally,
    stream_of,
    subset_of,
    units_by_tally,
)
from tallymark.study.parts import Part
from tallymark.study.rows import Rows, summed

Floats = NDArray[np.float64]
SHARES = (0.25, 0.5, 0.75)
"""Agreement is reported among these shares of the most confident responses, if none are named."""
HALF = 0.5
"""Groups are compared at the threshold that accepts this share of all responses."""
POINTS = 400
"""A curve has at most this many points."""
OPTIMISTIC = (
    "the threshold was chosen on these data, so that this is optimistic; tallymark route certify "
    "finds one with a guarantee"
)
FEW_BINS = (
    "the mean distance in bins is above 0 by chance alone, and no interval is known that holds it"
)


def selective(
    scores: Scores, system: str, parts: Sequence[Part], settings: Settings, asked: Asked
) -> Iterator[SubsetResults]:
    """Yield risk and coverage of a system that says how sure it is, then its groups."""
    confidence = confidence_of(scores, system, asked.lambda_)
    cases = None if confidence is None else judged(scores, system, confidence, asked.lambda_)
    if cases is None:
        return
    half = most_confident(cases.confidence, HALF, cases.counts)
    shares = sorted(set(asked.surest)) or SHARES
    runs, test = judged_runs(scores, system, asked.lambda_), fold_of(scores, TEST)
    each = [*runs.values()]
    accepted = Accepted(cases, half.chosen, {"share": HALF}, half.coverage)
    for part in parts:
        part_cases = cases.where(part.rows)
        if part.many or part_cases.n == 0 or any(key.startswith("group:") for key in part.where):
            continue
        keep = np.asarray(part.rows[cases.rows])
        estimates = areas(part_cases, settings, part.label)
        estimates += accepted_shares(accepted, keep, settings.level)
        estimates += probability_scores(system, part, settings)
        lines, tables = risk_curves(part_cases, settings.level), tuple[ResultTable, ...]()
        if not part.where:
            estimates += _most_confident(system, part, cases, settings, shares)
            more, tables = calibrated(cases, settings.level)
            estimates += more
            tables += dev_test(scores, each) + surest_by_prompt(scores, runs, parts, shares)
        if set(part.where) <= {"prompt"}:
            lines += run_curves(each, part.rows, test, points=part.scales is not None)
        subset = subset_of(part, system_called(system), n=part_cases.n, against=CONFIDENCE)
        findings = _without(cases, system) if not part.where else ()
        yield SubsetResults(subset, estimates, [], curves=lines, tables=tables, findings=findings)
    yield from groups_at(accepted, system, parts, settings.level)


def _without(cases: Judged, system: str) -> tuple[Finding, ...]:
    """How many responses lack a confidence."""
    numbers = {"without": float(cases.without), "with": float(cases.n)}
    missing = Finding(name="confidence_missing", system=system, numbers=numbers, weight="quiet")
    return (missing,) if cases.without else ()


def areas(cases: Judged, settings: Settings, label: str) -> list[Estimate]:
    """Areas under risk and coverage, and the coverage that keeps a rate of critical errors."""
    units = area_units(cases)
    made = estimate_all(area_formulas(), units, settings, key=stream_of(label))
    # a normal interval may reach beyond what a share can be
    bounded = [replace(e, low=max(e.low, 0.0), high=min(e.high, 1.0)) for e in made]
    return [*bounded, *_coverages(units.tally, settings.level)]


def _coverages(curve: RiskCoverage, level: float) -> list[Estimate]:
    estimates = []
    for rate in RATES:
        reached = coverage_at(curve, rate)
        ends = {
            "max": (reached.max_coverage, reached.max_tau),
            "prefix": (reached.prefix_coverage, reached.prefix_tau),
        }
        estimates += [
            Estimate(
                key=Key("coverage_at", rate=rate, kind=kind),
                value=float(covered),
                level=level,
                n=int(curve.total),
                why=OPTIMISTIC,
                parts={"threshold": float(tau)},
            )
            for kind, (covered, tau) in ends.items()
        ]
    return estimates


def risk_curves(cases: Judged, level: float) -> tuple[Curve, ...]:
    """Critical errors among the accepted, their upper bound, and the threshold, by coverage."""
    curve = risk_coverage(cases.confidence, cases.wrong, cases.counts)
    some = _some(np.asarray(curve.n))
    n, k = curve.n[some], curve.k[some]
    low, high = interval(k, n, level)
    x = _numbers(curve.coverage[some])
    title, errors = "share of responses accepted", "critical errors among the accepted"
    bound = f"upper bound of the critical errors, one-sided {100 * level:g} %"
    return (
        Curve(
            name="risk_coverage", subset=-1, x_title=title, y_title=errors,
            x=x, y=_numbers(curve.rate[some]), low=_numbers(low), high=_numbers(high),
        ),
        Curve(
            name="risk_upper", subset=-1, x_title=title, y_title=bound,
            x=x, y=_numbers(upper(k, n, 1 - level)),
        ),
        Curve(
            name="threshold", subset=-1, x_title=title, y_title="confidence",
            x=x, y=_numbers(curve.threshold[some]),
        ),
    )  # fmt: skip


def _some(n: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places of at most this many thresholds, spread over the coverage, the first and last too."""
    if n.size <= POINTS:
        return np.arange(n.size)
    wanted = np.linspace(n[0], n[-1], POINTS)
    return np.unique(np.minimum(np.searchsorted(n, wanted), n.size - 1))


def _numbers(values: Floats) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _most_confident(
    system: str, part: Part, cases: Judged, settings: Settings, shares: Sequence[float]
) -> Iterator[Estimate]:
    """Yield every statistic among the most confident responses, ties kept."""
    scales = part.scales
    if scales is None:
        return
    formulas = formulas_for(
        scales[1], leading=part.many, lambda_=part.lambda_, critical=part.critical
    )
    for share in shares:
        top = most_confident(cases.confidence, share, cases.counts)
        rows = cases.rows.copy()
        rows[cases.rows] = top.chosen
        here = replace(part, rows=rows)
        units = units_by_tally(formulas, here.columns(["gold", f"system:{system}"], scales[1]))
        seen = {"coverage": top.coverage, "threshold": top.threshold}
        for estimate in estimate_by_tally(formulas, units, settings, f"most confident {share:g}"):
            params = {"of": estimate.key, "share": share}
            yield replace(
                estimate, key=Key("most_confident", **params), parts={**estimate.parts, **seen}
            )


def calibrated(cases: Judged, level: float) -> tuple[list[Estimate], tuple[ResultTable, ...]]:
    """How far confidences from 0 to 1 are from the share of scores without a critical error."""
    confidence, right = cases.confidence, ~cases.wrong
    if not ((confidence >= 0) & (confidence <= 1)).all():
        return [], ()
    bins = reliability_table(confidence, right, counts=cases.counts, level=level)
    rows = [tuple(float(x) for x in row) for row in zip(*bins, strict=True)]
    squares = share_of(
        "brier_cse", {}, (confidence - right) ** 2, cases.counts, cases.clusters, level
    )
    error = Estimate(
        key=Key("ece_cse"),
        value=ece(confidence, right, counts=cases.counts),
        level=level,
        n=cases.n,
        why=FEW_BINS,
    )
    table = ResultTable(
        name="reliability",
        title="Is the confidence the share of scores without a critical error?",
        columns=("above", "up to", "responses", "mean confidence", "right", "low", "high"),
        rows=tuple((*row[:2], int(row[2]), *row[3:]) for row in rows),
        note="Right: no critical error. Guarantees do not need it: they use the order alone.",
    )
    return [error, squares], (table,)


def probability_scores(system: str, part: Part, settings: Settings) -> list[Estimate]:
    """What class probabilities lose against the gold, where the system gives some."""
    losses = losses_of(part.scores, system)
    if losses is None:
        return []
    counts = part.scores.patterns.counts[part.rows]
    kept = Rows(losses[part.rows], counts, np.zeros(1), part.clusters).complete()
    if not kept.counts.size:
        return []
    highest = len(part.scores.roles.probabilities[system]) - 1.0
    return mean_losses(kept, highest, settings, key=stream_of(part.label))


def mean_losses(kept: Rows, highest: float, settings: Settings, *, key: int = 0) -> list[Estimate]:
    """The mean of each loss, given those of each response."""
    units = summed(kept, np.column_stack([np.ones(len(kept.scores)), kept.scores]), np.asarray)
    formulas = [
        Formula(name=name, value=partial(_mean, place=i), range=(0.0, high))
        for i, (name, high) in enumerate(zip(LOSSES, (2.0, highest), strict=True), start=1)
    ]
    return estimate_all(formulas, units, settings, key=key)


def _mean(sums: NDArray[Any], place: int) -> NDArray[Any]:
    return np.asarray(sums[..., place] / sums[..., 0])
