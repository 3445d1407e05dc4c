"""Sentences on true scores."""

import math

from tallymark.render.sentences import Sentence, Words
from tallymark.results import Estimate, Numbers

MEANING = (
    "A true score is the mean of very many ratings of the same response. People err, so a system "
    "can be better than its agreement with them looks."
)


def prediction(system: str, numbers: Numbers, of: Sentence | None) -> Sentence | None:
    """Say how well a system predicts true scores, and on which data; nothing where not known."""
    prmse = _number(numbers, "prmse")
    if prmse is None or math.isnan(prmse.value):
        return None
    error = numbers.get("error_variance")
    known: Words = ""
    if error is not None and error.value > 0:
        known = Sentence(" (variance of rater errors {error:value})", error=error)
    caution = Sentence(" {why}.", why=f"{prmse.why[:1].upper()}{prmse.why[1:]}")
    return Sentence(
        "{system} predicts true scores with PRMSE {prmse}{error}{of}.{caution}",
        system=system,
        prmse=prmse,
        error=known,
        of="" if of is None else Sentence(", {of}", of=of),
        caution=caution if prmse.why else "",
    )


def _number(numbers: Numbers, name: str) -> Estimate | None:
    """A number by its name, whether the variance of rater errors was found or given."""
    return next((estimate for estimate in numbers.values() if estimate.name == name), None)
