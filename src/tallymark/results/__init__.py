"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

from tallymark.results.keys import Key, split_key
from tallymark.results.records import (
    Curve,
    Data,
    Definition,
    Diagnosis,
    Estimate,
    Evaluation,
    Matrix,
    Numbers,
    Subset,
    Table,
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
    "Key",
    "Matrix",
    "Numbers",
    "State",
    "Subset",
    "Table",
    "Verdict",
    "split_key",
]
