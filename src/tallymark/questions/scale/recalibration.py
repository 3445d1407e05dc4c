"""Recalibration: what a system whose order is right would reach on the gold's mean and spread."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from msgspec.structs import replace

from tallymark.accuracy.standardized import smd
from tallymark.agreement.correlation import kendall_tau_b, lin_ccc, pearson
from tallymark.arrays import Floats, Whole
from tallymark.diagnosis.binning import group_places
from tallymark.diagnosis.recalibration import FOLDS, cross_fitted, fitted_to_all, steps_of
from tallymark.inference import Formula, Settings, Units, estimate_all
from tallymark.questions.scale.compute import where_it_tells
from tallymark.results import RECALIBRATED, Estimate, Finding, ResultTable, system_called
from tallymark.scale import Scale
from tallymark.study.measured import SubsetResults, stream_of, subset_of
from tallymark.study.parts import Part, within
from tallymark.study.rows import Rows, grouped
from tallymark.tally import PairMoments, PairPatterns, nearest, trim
from tallymark.tally.moments import features

FEWEST = 50
"""With fewer responses folds are too small to fit anything to."""
GAIN, SURE_GAIN = 0.05, 0.02
"""Recalibration is advised where it gains this much, and surely more than that."""
ORDER = (0.6, 0.5)
"""And where r, or tau-b, is at least this high: the order of responses is worth keeping."""
MOST_ROWS = 11
"""Rows of the table on a continuous scale."""
WAYS = ("linear", "isotonic")
NOTE = (
    "linear: a straight line, then the nearest point; isotonic: rising steps. Both give the gold's "
    "mean and spread."
)


def recalibrated(system: str, parts: Sequence[Part], settings: Settings) -> Iterator[SubsetResults]:
    """Yield recalibration of all responses, or of each trait or prompt."""
    of = within(parts)
    for part in of:
        for after in recalibration(system, part, settings):
            yield after if len(of) == 1 else where_it_tells(after)


def recalibration(system: str, part: Part, settings: Settings) -> Iterator[SubsetResults]:
    """Yield agreement and SMD after a linear and an isotonic recalibration, cross-fitted."""
    scales = part.scales
    if scales is None or len(scales[1].points) < 2:
        return
    rows = part.columns(["gold", f"system:{system}"], scales[1]).complete().distinct()
    n = int(rows.counts.sum())
    if n < FEWEST or np.ptp(rows.scores, axis=0).min() == 0:
        return
    if rows.clusters is not None and np.unique(rows.clusters).size < FOLDS:
        return
    rows = _sorted(rows)
    units = _units(rows, scales[1])
    name = "lin_ccc" if scales[1].continuous else "cohen_kappa[quadratic]"
    estimates = estimate_all(_formulas(name), units, settings, key=stream_of(part.label))
    score = "trimmed" if scales[1].continuous else "rounded"
    table, line = _table(rows, scales[1])
    lines = {e.text: line for e in estimates if e.name == "recalibrated" and _linear(e)}
    yield SubsetResults(
        subset_of(part, system_called(system), n=n, against=RECALIBRATED),
        [replace(e, score=score, parts={**e.parts, **lines.get(e.text, {})}) for e in estimates],
        [],
        tables=(table,),
        findings=_advice(system, rows, units.tally, estimates),
    )


def _linear(estimate: Estimate) -> bool:
    return bool(estimate.params["by"] == "linear")


def _sorted(rows: Rows) -> Rows:
    """Sort rows of clusters; those of responses are sorted already."""
    if rows.clusters is None:
        return rows
    order = np.lexsort((rows.scores[:, 1], rows.scores[:, 0], rows.clusters))
    return Rows(rows.scores[order], rows.counts[order], rows.points, rows.clusters[order])


def _units(rows: Rows, scale: Scale) -> Units[list[PairMoments]]:
    """Units of three pairs of scores: the gold with the system as it is, and recalibrated."""
    center = (scale.low + scale.high) / 2
    gold, system = rows.scores.T - center
    made = cross_fitted(gold, system, rows.counts, rows.clusters)
    columns = [center + x for x in (gold[made.row], system[made.row], made.linear, made.isotonic)]
    clusters = None if rows.clusters is None else rows.clusters[made.row]
    kept = _on_points(columns, made.counts, clusters, scale)
    group = grouped(kept)
    first = kept.scores[:, 0] - center
    sums = [group.sums(features(first, kept.scores[:, i] - center)) for i in (1, 2, 3)]

    def build(all_sums: Floats) -> list[PairMoments]:
        return [PairMoments(part, center) for part in np.split(all_sums, 3, axis=-1)]

    return group.units(np.concatenate(sums, axis=1), build)


def _on_points(columns: Sequence[Floats], counts: Whole, clusters: Any, scale: Scale) -> Rows:
    """Scores at their nearest points, equal rows once; within the range of a continuous scale."""
    points = np.asarray(scale.points)
    if scale.continuous:
        within = [trim(x, scale.low, scale.high, step=scale.step) for x in columns]
        return Rows(np.stack(within, axis=1), counts, points, clusters)
    places = [nearest(x, points) for x in columns]
    if clusters is not None:
        return Rows(np.stack([points[p] for p in places], axis=1), counts, points, clusters)
    first, group = group_places(places)
    times = np.bincount(group, weights=counts).astype(np.int64)
    return Rows(np.stack([points[p[first]] for p in places], axis=1), times, points)


def _formulas(name: str) -> list[Formula]:
    constant = "a score does not vary"
    formulas = []
    for i, way in enumerate(WAYS, start=1):
        for text, label, value in (
            ("recalibrated", name, partial(_of, lin_ccc, i)),
            ("recalibrated", "smd[unpooled]", partial(_of, smd, i)),
            ("recalibration_gain", name, partial(_gain, i)),
        ):
            params = {"of": label, "by": way}
            formulas.append(Formula(name=text, params=params, value=value, undefined=constant))
    return formulas


def _of(value: Any, way: int, tally: list[PairMoments]) -> Floats:
    return np.asarray(value(tally[way]))


def _gain(way: int, tally: list[PairMoments]) -> Floats:
    return np.asarray(lin_ccc(tally[way]) - lin_ccc(tally[0]))


def _table(rows: Rows, scale: Scale) -> tuple[ResultTable, Mapping[str, float]]:
    """What each score would become, fitted to all responses, and the straight line of it."""
    center = (scale.low + scale.high) / 2
    gold, system = rows.scores.T - center
    bins = steps_of(system, rows.counts)
    fitted = fitted_to_all(gold, system, rows.counts, bins)
    slope = float(fitted.slope[0])
    shift = center + float(fitted.shift[0]) - slope * center
    if scale.continuous:
        shown = center + np.linspace(system.min(), system.max(), MOST_ROWS)
    else:
        shown = np.asarray(scale.points)
    straight = np.clip(shift + slope * shown, scale.low, scale.high)
    order = np.argsort(system, kind="stable")
    # between the scores that were seen, steps are joined by straight lines
    steps = np.interp(shown - center, system[order], fitted.steps[0][bins[order]])
    bent = np.clip(center + steps, scale.low, scale.high)
    table = ResultTable(
        name="recalibration",
        title="What each system score would become",
        columns=("system score", "linear", "isotonic"),
        rows=tuple(
            zip(map(scale.called, shown.tolist()), straight.tolist(), bent.tolist(), strict=True)
        ),
        note=NOTE,
    )
    return table, {"shift": shift, "slope": slope}


def _advice(
    system: str, rows: Rows, tally: list[PairMoments], estimates: Sequence[Estimate]
) -> tuple[Finding, ...]:
    """Advise recalibration where it surely gains, and the order of responses is worth keeping."""
    gains = [e for e in estimates if e.name == "recalibration_gain" and e.value >= GAIN]
    best = max((e for e in gains if e.low > SURE_GAIN), key=lambda e: e.value, default=None)
    if best is None:
        return ()
    gold, given = rows.scores.T
    pairs = PairPatterns.of(gold, given, rows.counts)
    r, tau = pearson(pairs.moments(tally[0].center)).item(), kendall_tau_b(pairs).item()
    before = lin_ccc(tally[0]).item()
    if r < ORDER[0] and tau < ORDER[1]:
        return ()
    way = str(best.params["by"])
    off, still = smd(tally[0]).item(), smd(tally[1 + WAYS.index(way)]).item()
    numbers = {
        "before": before, "after": before + best.value, "r": r, "tau_b": tau,
        "smd_before": off, "smd_after": still,
    }  # fmt: skip
    return (Finding(name="recalibrate", system=system, numbers=numbers, texts={"by": way}),)
