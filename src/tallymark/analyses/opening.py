"""What the first screen shows below its sentences: the figures and numbers that answer."""

from collections.abc import Iterator

from tallymark.questions.comparison.view import chart as ranking
from tallymark.questions.confidence.view import chart as curve
from tallymark.questions.people.view import chart as pairs
from tallymark.questions.severity.view import chart as severity
from tallymark.questions.verdict.carrying import carrying
from tallymark.questions.verdict.matrix import section as matrix
from tallymark.render.model import Block
from tallymark.render.subsets import single_raters
from tallymark.results import Evaluation

FEWEST_RATERS = 3
"""From so many raters on, figures of each of them lead."""


def opening(evaluation: Evaluation) -> Iterator[Block]:
    """Yield the blocks that carry the answer of an analysis, each of them on this screen alone."""
    if evaluation.kind == "compare":
        yield from ranking(evaluation)
        yield from matrix(evaluation).blocks
    elif evaluation.kind == "route":
        yield from curve(evaluation)
    elif evaluation.kind == "raters" and len(single_raters(evaluation)) >= FEWEST_RATERS:
        yield from severity(evaluation)
        yield from pairs(evaluation)
    else:
        yield from carrying(evaluation)
