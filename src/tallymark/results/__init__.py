"""What an analysis returns: frozen records at full precision, with a JSON round trip."""

from tallymark.results.records import (
    Data,
    Definition,
    Estimate,
    Evaluation,
    Matrix,
    Subset,
    named,
)

__all__ = ["Data", "Definition", "Estimate", "Evaluation", "Matrix", "Subset", "named"]
