"""Tables of a routing file: its thresholds, and the critical errors that they would accept."""

import numpy as np
from numpy.typing import NDArray

from tallymark.questions.routing.artifact import Routing
from tallymark.questions.routing.calibration import Calibration
from tallymark.results import ResultTable

LISTED = 200
"""So many accepted critical errors are listed at most."""


def thresholds_table(routing: Routing) -> ResultTable:
    """What is accepted of each prompt, and what was seen there."""
    rows = [
        (
            threshold.prompt or "all", "yes" if threshold.certified else "no", threshold.rule, threshold.tau, threshold.coverage,
            threshold.n, threshold.k, threshold.upper, threshold.needed, threshold.statement,
        )
        for threshold in routing.thresholds
    ]  # fmt: skip
    return ResultTable(
        name="routing",
        title="Thresholds",
        columns=(
            "prompt", "certified", "rule", "threshold", "coverage", "accepted", "critical errors",
            "upper bound", "labels needed", "statement",
        ),
        rows=tuple(rows),
        note="A response is accepted when its confidence is above the threshold, or at it where the "
        f"rule is >=. Confidence: {routing.confidence.words}. Counts are of calibration responses.",
    )  # fmt: skip


def errors_table(calibration: Calibration, chosen: NDArray[np.bool_]) -> ResultTable:
    """The accepted critical errors of the calibration, the most confident first."""
    judged, patterns = calibration.judged, calibration.scores.patterns
    which = np.flatnonzero(chosen & judged.wrong)
    gold, given = (
        patterns.scores[name][judged.rows] for name in ("gold", f"system:{calibration.system}")
    )
    prompts, called = calibration.prompts, calibration.scores.gold_scale.called
    ids = (
        calibration.ids
        if calibration.ids is not None
        else np.full(judged.counts.size, "", dtype=object)
    )
    order = np.lexsort((gold[which], ids[which].astype(str), -judged.confidence[which]))
    rows = [
        (
            str(ids[i]) or None, str(prompts[i]) or None, called(float(gold[i])), called(float(given[i])),
            float(judged.confidence[i]),
        )
        for i in which[order][:LISTED]
    ]  # fmt: skip
    more = f" The first {LISTED} of {which.size} are listed." if which.size > LISTED else ""
    without = (
        ""
        if calibration.ids is not None
        else " Name the id column with --id to see which they are."
    )
    return ResultTable(
        name="accepted_errors",
        title="Critical errors that would have been accepted",
        columns=("id", "prompt", "gold", "score", "confidence"),
        rows=tuple(rows),
        note=f"Of the calibration responses.{more}{without}",
    )
