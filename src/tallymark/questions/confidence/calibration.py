"""Is a confidence the share of scores without a critical error, are probabilities right?"""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, Settings, estimate_all
from tallymark.questions.confidence.groups import share_of
from tallymark.results import Estimate, Key, ResultTable
from tallymark.selective.calibration import ece, reliability_table
from tallymark.study.judged import LOSSES, Judged, losses_of
from tallymark.study.measured import stream_of
from tallymark.study.parts import Part
from tallymark.study.rows import Rows, summed

FEW_BINS = (
    "the mean distance in bins is above 0 by chance alone, and no interval is known that holds it"
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
    units = summed(kept, np.column_stack([np.ones(len(kept.scores)), kept.scores]), np.asarray)
    highest = len(part.scores.roles.probabilities[system]) - 1.0
    formulas = [
        Formula(name=name, value=partial(_mean, place=i), range=(0.0, high))
        for i, (name, high) in enumerate(zip(LOSSES, (2.0, highest), strict=True), start=1)
    ]
    return estimate_all(formulas, units, settings, key=stream_of(part.label))


def _mean(sums: NDArray[Any], place: int) -> NDArray[Any]:
    return np.asarray(sums[..., place] / sums[..., 0])
