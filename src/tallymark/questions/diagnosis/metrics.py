"""Which metric to trust on_part: what coefficients should do, and what they do on these data."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tallymark.agreement.chance import brennan_prediger, gwet_ac
from tallymark.agreement.correlation import kendall_tau_b, pearson
from tallymark.agreement.kappa import cohen_kappa
from tallymark.agreement.krippendorff import krippendorff_alpha
from tallymark.agreement.percent import percent_agreement
from tallymark.arrays import Floats
from tallymark.diagnosis.position import Placements, evened, placed
from tallymark.diagnosis.trivial import always_most_common
from tallymark.questions.diagnosis.part import (
    AC,
    QWK,
    Cell,
    SystemOnPart,
    finding,
    most_common,
    result_table,
    value_of,
)
from tallymark.results import Finding, ResultTable
from tallymark.tally import PairCounts, PairMoments, PairPatterns
from tallymark.tally.moments import features

TAU = "kendall_tau_b"
PROPERTIES = (
    "robust_to_prevalence",
    "robust_to_marginals",
    "robust_to_scale",
    "penalises_distance",
    "detects_order_errors",
    "corrects_for_chance",
    "needs_double_scores",
)
COLUMNS = (
    "statistic", "title", *PROPERTIES, "value", "low", "high", "distance_to_agreement",
    "if_even", "where_qwk_is_lowest", "where_qwk_is_highest", "always_most_common",
)  # fmt: skip
NOTE = (
    "Distance to agreement: value less the observed agreement that it corrects. If even, and where: "
    "the value with the same agreements at other scores. Always most common: of a scorer that "
    "always gives the gold's most common score."
)


class Coefficient(NamedTuple):
    """A coefficient: its title, its properties in their order, and its value on tables."""

    text: str
    title: str
    properties: tuple[str, ...]
    value: Callable[[PairCounts], Floats] | None


def _weighted(formula: Callable[..., Any], weights: str) -> Callable[[PairCounts], Floats]:
    return lambda tables: np.asarray(formula(tables, weights=weights))


def _r(tables: PairCounts) -> Floats:
    first, second = _grid(tables)
    cells = tables.counts.reshape(*tables.counts.shape[:-2], -1)
    return pearson(PairMoments(np.asarray(cells @ features(first, second))))


def _tau(tables: PairCounts) -> Floats:
    cells = tables.counts.reshape(*tables.counts.shape[:-2], -1)
    return kendall_tau_b(PairPatterns(*_grid(tables), cells))


def _grid(tables: PairCounts) -> tuple[Floats, Floats]:
    k, centred = tables.points.size, tables.points - tables.points.mean()
    return np.repeat(centred, k), np.tile(centred, k)


COEFFICIENTS = (
    Coefficient(
        QWK,
        "QWK",
        ("no", "no", "no", "yes", "yes", "yes", "no"),
        _weighted(cohen_kappa, "quadratic"),
    ),
    Coefficient(
        "cohen_kappa[linear]",
        "LWK",
        ("no", "no", "yes", "yes", "partly", "yes", "no"),
        _weighted(cohen_kappa, "linear"),
    ),
    Coefficient(
        "cohen_kappa[identity]",
        "kappa",
        ("no", "no", "no", "no", "no", "yes", "no"),
        _weighted(cohen_kappa, "identity"),
    ),
    Coefficient(
        AC,
        "AC2 quadratic",
        ("mostly", "yes", "mostly", "yes", "no", "yes", "no"),
        _weighted(gwet_ac, "quadratic"),
    ),
    Coefficient(
        "brennan_prediger[quadratic]",
        "BP quadratic",
        ("yes", "yes", "partly", "yes", "no", "yes", "no"),
        _weighted(brennan_prediger, "quadratic"),
    ),
    Coefficient(
        "krippendorff_alpha[interval]",
        "alpha interval",
        ("no", "yes", "no", "yes", "yes", "yes", "no"),
        lambda tables: krippendorff_alpha(tables, metric="interval"),
    ),
    Coefficient("pearson", "r", ("no", "no", "no", "no", "yes", "yes", "no"), _r),
    Coefficient("kendall_tau_b", "tau-b", ("partly", "no", "yes", "no", "yes", "yes", "no"), _tau),
    Coefficient(
        "percent_agreement",
        "exact",
        ("yes", "yes", "no", "no", "no", "no", "no"),
        percent_agreement,
    ),
    Coefficient("prmse", "PRMSE", ("no", "partly", "partly", "yes", "yes", "yes", "yes"), None),
)
"""Properties after Yannakoudakis & Cummins (2015); the reasons are in docs/diagnosis.md."""


def metrics_here(on_part: SystemOnPart, table: PairCounts, placements: Placements) -> ResultTable:
    """What each coefficient should do, and what it does on these data and on changed ones.

    Changed: agreement spread evenly, as QWK likes it least and most, and the trivial scorer.
    """
    tables = [
        evened(table).counts,
        placed(table, placements.lowest_diagonal).counts,
        placed(table, placements.highest_diagonal).counts,
        always_most_common(table).counts,
    ]
    changed = PairCounts(np.stack(tables).astype(np.float64), table.points)
    numbers = {**on_part.true, **on_part.numbers}
    rows: list[list[Cell]] = []
    for text, title, properties, value in COEFFICIENTS:
        interval, distance = [math.nan] * 3, math.nan
        if estimate := numbers.get(text):
            interval = [estimate.value, estimate.low, estimate.high]
            distance = estimate.value - estimate.parts.get("pa", math.nan)
        on_changed = [math.nan] * 4 if value is None else value(changed).round(12).tolist()
        rows.append([text, title, *properties, *interval, distance, *on_changed])
    return result_table("metrics_here", "Which metric to trust here", COLUMNS, rows, NOTE)


def metric_to_trust(
    on_part: SystemOnPart, table: PairCounts, metrics: ResultTable
) -> Iterator[Finding]:
    """Yield what a recommendation of a metric rests on; nothing where the data are too few."""
    if any(math.isnan(on_part.numbers[text].low) for text in (AC, QWK, TAU)):
        return
    most_common_ac = next(row[-1] for row in metrics.rows if row[0] == AC)
    numbers = {
        "gwet_ac": on_part.numbers[AC].value,
        "kendall_tau_b": on_part.numbers[TAU].value,
        "qwk": on_part.numbers[QWK].value,
        "prmse": value_of(on_part.true, "prmse"),
        "most_common_ac": most_common_ac if isinstance(most_common_ac, float) else math.nan,
        "ceiling": on_part.ceiling.value if on_part.ceiling else math.nan,
    }
    texts = {"most_common": most_common(on_part, table.counts.sum(axis=1))}
    yield finding(on_part, "metric_to_trust", numbers, texts=texts, loud=False)
