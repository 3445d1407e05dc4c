"""Selective scoring: which of a system's scores may stand alone, judged by its confidence?"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.questions.confidence.groups import Accepted, accepted_shares, groups_at, share_of
from tallymark.questions.confidence.runs import (
    TEST,
    dev_test,
    fold_of,
    judged_runs,
    run_curves,
    surest_by_prompt,
)
from tallymark.results import (
    CONFIDENCE,
    Curve,
    Estimate,
    Finding,
    Key,
    ResultTable,
    system_called,
)
from tallymark.selective import curve as curves
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
from tallymark.study.rows import Rows, grouped, summed

SHARES = (0.25, 0.5, 0.75)
"""Agreement is reported among these shares of the most confident responses, if none are named."""
HALF = 0.5
"""Groups are compared at the threshold that accepts this share of all responses."""
POINTS = 400
"""A curve has at most this many points."""
FEWEST_ERRORS = 5
TOO_FEW = f"no interval: it needs {FEWEST_ERRORS} critical errors and as many other scores"
"""Coverage of fewer, as measured: docs/coverage.md."""
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
    accepted = Accepted(cases, half.chosen, {"share": HALF}, half.coverage)
    for part in parts:
        part_cases = cases.where(part.rows)
        if part.many or part_cases.n == 0 or any(key.startswith("group:") for key in part.where):
            continue
        estimates = areas(part_cases, settings, part.label)
        estimates += accepted_shares(accepted, part.rows[cases.rows], settings.level)
        estimates += probability_scores(system, part, settings)
        lines, tables = risk_curves(part_cases, settings.level), tuple[ResultTable, ...]()
        if set(part.where) <= {"prompt"}:
            points = part.scales is not None
            lines += run_curves([*runs.values()], part.rows, test, points=points)
        if not part.where:
            estimates += _most_confident(system, part, cases, settings, shares)
            calibration, tables = calibrated(cases, settings.level)
            estimates += calibration
            tables += dev_test(scores, [*runs.values()])
            tables += surest_by_prompt(scores, runs, parts, shares)
        subset = subset_of(part, system_called(system), n=part_cases.n, against=CONFIDENCE)
        findings = () if part.where else _without(cases, system)
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
    estimates = estimate_all(area_formulas(), units, settings, key=stream_of(label))
    # a normal interval may reach beyond what a share can be
    bounded = [replace(e, low=max(e.low, 0.0), high=min(e.high, 1.0)) for e in estimates]
    return [*bounded, *_coverages(units.tally, settings.level)]


def area_units(cases: Judged) -> Units[RiskCoverage]:
    """Units whose sums are responses and critical errors at each distinct confidence."""
    levels, place = np.unique(-cases.confidence, return_inverse=True)
    cells, cell = 2 * levels.size, place * 2 + cases.wrong.astype(np.int64)
    if cases.clusters is None:
        counts = np.bincount(cell, weights=cases.counts, minlength=cells).astype(np.int64)
        return Units(counts, partial(_curve, -levels), int(counts.sum()))
    rows = Rows(cases.confidence[:, None], cases.counts, np.zeros(1), cases.clusters)
    group = grouped(rows)
    from scipy.sparse import csr_array

    entries = (cases.counts.astype(np.float64), (group.unit, cell))
    matrix = csr_array(entries, shape=(group.times.size, cells))
    dense = matrix.toarray() if matrix.shape[0] * matrix.shape[1] <= 200_000 else matrix
    return group.units(dense, partial(_curve, -levels))


def _curve(thresholds: Floats, sums: NDArray[Any]) -> RiskCoverage:
    by_level = sums.reshape(*sums.shape[:-1], thresholds.size, 2)
    running = np.cumsum(by_level, axis=-2)
    return RiskCoverage(thresholds, running.sum(axis=-1), running[..., 1])


def area_formulas() -> list[Formula]:
    """Areas and the power of the confidence to tell critical errors, each with its influence."""
    area = partial(Formula, analytic="logit", ranks=True, undefined="no response")
    return [
        area(name="aurc", value=curves.aurc, influence=curves.aurc_influence),
        area(name="e_aurc", value=curves.e_aurc, influence=curves.e_aurc_influence),
        area(name="augrc", value=curves.augrc, influence=curves.augrc_influence),
        area(
            name="auroc_cse",
            value=curves.auroc,
            influence=curves.auroc_influence,
            undefined="there are no critical errors, or nothing else",
            thin=_too_few,
        ),
    ]


def _too_few(curve: RiskCoverage) -> str:
    """Why so few critical errors, or so few others, leave no interval of how they are told apart."""
    errors = float(curve.k[-1])
    fewer = min(errors, float(curve.n[-1]) - errors)
    return "" if fewer >= FEWEST_ERRORS else TOO_FEW


def _coverages(curve: RiskCoverage, level: float) -> Iterator[Estimate]:
    """Yield the coverage that keeps each rate: the largest, and that all stricter ones keep too."""
    for rate in RATES:
        reached = coverage_at(curve, rate)
        ends = {
            "max": (reached.max_coverage, reached.max_tau),
            "prefix": (reached.prefix_coverage, reached.prefix_tau),
        }
        for kind, (coverage, tau) in ends.items():
            yield Estimate(
                key=Key("coverage_at", rate=rate, kind=kind),
                value=float(coverage),
                level=level,
                n=int(curve.total),
                why=OPTIMISTIC,
                parts={"threshold": float(tau)},
            )


def risk_curves(cases: Judged, level: float) -> tuple[Curve, ...]:
    """Critical errors among the accepted, their upper bound, and the threshold, by coverage."""
    curve = risk_coverage(cases.confidence, cases.wrong, cases.counts)
    places = _spread(np.asarray(curve.n))
    n, k = curve.n[places], curve.k[places]
    low, high = interval(k, n, level)
    title, errors = "share of responses accepted", "critical errors among the accepted"
    line = partial(Curve, subset=-1, x_title=title, x=tuple(curve.coverage[places].tolist()))
    return (
        line(
            name="risk_coverage",
            y_title=errors,
            y=tuple(curve.rate[places].tolist()),
            low=tuple(low.tolist()),
            high=tuple(high.tolist()),
        ),
        line(
            name="risk_upper",
            y_title=f"upper bound of the critical errors, one-sided {100 * level:g} %",
            y=tuple(upper(k, n, 1 - level).tolist()),
        ),
        line(
            name="threshold",
            y_title="confidence",
            y=tuple(curve.threshold[places].tolist()),
        ),
    )


def _spread(n: Whole) -> Whole:
    """Places of at most this many thresholds, spread over the coverage, the first and last too."""
    if n.size <= POINTS:
        return np.arange(n.size)
    wanted = np.linspace(n[0], n[-1], POINTS)
    return np.unique(np.minimum(np.searchsorted(n, wanted), n.size - 1))


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
        surest = replace(part, rows=rows).columns(["gold", f"system:{system}"], scales[1])
        units = units_by_tally(formulas, surest)
        parts = {"coverage": top.coverage, "threshold": top.threshold}
        for estimate in estimate_by_tally(formulas, units, settings, f"most confident {share:g}"):
            key = Key("most_confident", of=estimate.key, share=share)
            yield replace(estimate, key=key, parts={**estimate.parts, **parts})


def calibrated(cases: Judged, level: float) -> tuple[list[Estimate], tuple[ResultTable, ...]]:
    """How far confidences from 0 to 1 are from the share of scores without a critical error."""
    confidence, sound = cases.confidence, ~cases.wrong
    if not ((confidence >= 0) & (confidence <= 1)).all():
        return [], ()
    bins = reliability_table(confidence, sound, counts=cases.counts, level=level)
    squares = share_of(
        "brier_cse", {}, (confidence - sound) ** 2, cases.counts, cases.clusters, level
    )
    error = Estimate(
        key=Key("ece_cse"),
        value=ece(confidence, sound, counts=cases.counts),
        level=level,
        n=cases.n,
        why=FEW_BINS,
    )
    table = ResultTable(
        name="reliability",
        title="Is the confidence the share of scores without a critical error?",
        columns=("above", "up to", "responses", "mean confidence", "right", "low", "high"),
        rows=tuple(zip(*(column.tolist() for column in bins), strict=True)),
        note="Right: no critical error. Guarantees do not need it: they use the order alone.",
    )
    return [error, squares], (table,)


def probability_scores(system: str, part: Part, settings: Settings) -> list[Estimate]:
    """What class probabilities lose against the gold, where the system gives some."""
    losses = losses_of(part.scores, system)
    if losses is None:
        return []
    counts = part.scores.patterns.counts[part.rows]
    rows = Rows(losses[part.rows], counts, np.zeros(1), part.clusters).complete()
    if not rows.counts.size:
        return []
    highest = len(part.scores.roles.probabilities[system]) - 1.0
    return mean_losses(rows, highest, settings, key=stream_of(part.label))


def mean_losses(rows: Rows, highest: float, settings: Settings, *, key: int = 0) -> list[Estimate]:
    """The mean of each loss, given those of each response."""
    units = summed(rows, np.column_stack([np.ones(len(rows.scores)), rows.scores]), np.asarray)
    formulas = [
        Formula(name=name, value=partial(_mean, place=i), range=(0.0, high))
        for i, (name, high) in enumerate(zip(LOSSES, (2.0, highest), strict=True), start=1)
    ]
    return estimate_all(formulas, units, settings, key=key)


def _mean(sums: NDArray[Any], place: int) -> NDArray[Any]:
    return np.asarray(sums[..., place] / sums[..., 0])
