"""Is a confidence the share of scores without a critical error?"""

from tallymark.questions.confidence.groups import share_of
from tallymark.results import Estimate, Key, ResultTable
from tallymark.selective.calibration import ece, reliability_table
from tallymark.study.judged import Judged

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
