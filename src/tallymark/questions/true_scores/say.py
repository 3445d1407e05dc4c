"""Sentences on true scores."""

import math

from tallymark.render.sentences import Sentence
from tallymark.results import Estimate, Numbers

MEANING = (
    "A true score is the mean of very many ratings of the same response. People err, so a system "
    "can be better than its agreement with them looks."
)


def prediction(system: str, numbers: Numbers) -> Sentence | None:
    """Say how well a system predicts true scores; nothing where that is not known."""
    prmse = number(numbers, "prmse")
    if prmse is None or math.isnan(prmse.value):
        return None
    error = numbers["error_variance"]
    known = Sentence(" (variance of rater errors {error:value})", error=error)
    caution = Sentence(" {why}.", why=f"{prmse.why[:1].upper()}{prmse.why[1:]}")
    return Sentence(
        "{system} predicts true scores with PRMSE {prmse}{error}.{caution}",
        system=system,
        prmse=prmse,
        error=known if error.value > 0 else "",
        caution=caution if prmse.why else "",
    )


def number(numbers: Numbers, name: str) -> Estimate | None:
    """A number by its name, whether the variance of rater errors was found or given."""
    return next((estimate for estimate in numbers.values() if estimate.name == name), None)
