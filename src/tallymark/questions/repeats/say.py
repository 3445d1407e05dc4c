"""Sentences on how steady a system is that ran several times."""

from collections.abc import Mapping

from tallymark.render.sentences import Sentence
from tallymark.results import Estimate

_CLAUSES = {
    "exact": "the same score in {estimate:percent} of pairs of runs",
    "changed": "{estimate:percent} of responses change",
    "sd": "SD {estimate} points",
    "icc": "ICC of one run {estimate}",
}


def steadiness(
    system: str, n: int, numbers: Mapping[str, Estimate], of: Sentence | None
) -> Sentence:
    """Say how often runs agree, how far they spread, how reliable one run is, and on which data."""
    clauses = [
        Sentence(clause, estimate=numbers[kind])
        for kind, clause in _CLAUSES.items()
        if kind in numbers
    ]
    return Sentence(
        "{system} repeated: {clauses}; {n:responses}{of}.",
        system=system,
        clauses=clauses,
        n=n,
        of="" if of is None else Sentence(", {of}", of=of),
    )
