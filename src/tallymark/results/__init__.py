"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

from tallymark.results.records import (
    Curve,
    Data,
    Definition,
    Estimate,
    Evaluation,
    Matrix,
    Subset,
    named,
)

__all__ = ["Curve", "Data", "Definition", "Estimate", "Evaluation", "Matrix", "Subset", "named"]
