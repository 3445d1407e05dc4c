"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

from tallymark.results.records import (
    Curve,
    Data,
    Definition,
    Diagnosis,
    Estimate,
    Evaluation,
    Matrix,
    Subset,
    Table,
    named,
)
from tallymark.results.verdicts import Criterion, Judgement, State, Verdict

__all__ = [
    "Criterion",
    "Curve",
    "Data",
    "Definition",
    "Diagnosis",
    "Estimate",
    "Evaluation",
    "Judgement",
    "Matrix",
    "State",
    "Subset",
    "Table",
    "Verdict",
    "named",
]
