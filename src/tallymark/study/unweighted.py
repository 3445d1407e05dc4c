"""Unweighted: what is left out where responses have design weights, because it cannot use them."""

from tallymark.sources import Scores
from tallymark.study.asked import Asked

LEFT_OUT = {
    "evaluate": "variance components, severity, diagnosis, other scales, recalibration, confidence, "
    "F tests of groups",
    "raters": "variance components, severity",
    "ceiling": "ceilings by other models, F-based limits, limits for raters like these",
    "compare": "permutation tests (paired t tests stand in), the confidence table",
}
"""By command."""


def unweighted_notes(scores: Scores, asked: Asked, kind: str) -> list[str]:
    """Say what does not use weights; nothing where there are none."""
    if not scores.weighted:
        return []
    alone = kind == "evaluate" and asked.statistics
    left = "" if alone or kind not in LEFT_OUT else f"--weight: left out: {LEFT_OUT[kind]}. "
    return [f"{left}Numbers of responses, also in matrices, are not weighted"]
