"""The leading numbers of each system, or rater: what Python and a notebook show of a result."""

from collections.abc import Sequence
from typing import NamedTuple

from tallymark.questions.raters import in_order, ordered, rater_statistics
from tallymark.render.facts import intervals
from tallymark.render.leading import leading
from tallymark.render.literal import literal
from tallymark.render.model import Measure
from tallymark.render.subsets import headline_subsets
from tallymark.results import Estimate, Evaluation

MOST_ROWS = 20


class Named(NamedTuple):
    """A system or rater, how many responses, and its numbers."""

    name: str
    n: int
    numbers: list[Estimate | None]


class Headline(NamedTuple):
    """Whose numbers, which, and what stands above them."""

    caption: str
    of: str
    shown: Sequence[Measure]
    rows: list[Named]


def headline(evaluation: Evaluation) -> Headline:
    """Return the leading numbers of the systems against the gold, or of raters."""
    if evaluation.kind == "raters":
        raters, shown = ordered(evaluation), rater_statistics(evaluation)
        order = in_order(many=len(raters) > MOST_ROWS)
        numbers = [(subset.system, subset.n, known) for subset, known in raters]
        caption, of = f"Raters, {order}", "rater"
    else:
        (column, subsets), shown = headline_subsets(evaluation), leading(evaluation)
        numbers = [(subset.system, subset.n, evaluation.of(subset)) for subset in subsets]
        caption, of = "Systems against the gold", "system"
        caption += f": mean over {column}s" if column else ""
    rows = [Named(literal(name), n, [s.of(known) for s in shown]) for name, n, known in numbers]
    joined = ", " if ":" in caption else ": "
    return Headline(f"{caption}{joined}{intervals(evaluation)}", of, shown, rows)
