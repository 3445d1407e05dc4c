"""Numbers of responses, and the level of intervals."""

from tallymark.defaults import LEVEL
from tallymark.render.numbers import count
from tallymark.results import Evaluation


def responses(n: int) -> str:
    """Write a number of responses."""
    return "1 response" if n == 1 else f"{count(n)} responses"


def intervals(evaluation: Evaluation) -> str:
    """Say of which level the intervals are."""
    return f"{100 * float(evaluation.options.get('level', LEVEL)):g} % intervals"
