"""Systems as raters: how severe they are, and what rescaling their scores would gain."""

from collections.abc import Iterator
from functools import partial

from tallymark.render.model import Block, Heading, Section, Text
from tallymark.render.report.blocks import (
    any_table,
    few_systems,
    said,
)
from tallymark.render.report.view import View
from tallymark.render.severity import as_rater_sentence
from tallymark.render.subsets import headline_subsets
from tallymark.results import SEVERITY, Comparison, Subset

TABLES = ("decisions",)


def accuracy(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="as-raters",
        title="Severity and recalibration",
        question="How severe are systems beside people, and what would rescaling gain?",
        blocks=tuple(_blocks(view)),
    )


def _blocks(view: View) -> Iterator[Block]:
    evaluation = view.evaluation
    if not headline_subsets(evaluation)[1]:
        return
    fitted = _with(view, SEVERITY, "fair_difference")
    if fitted:
        yield Heading("Systems as one more rater")
        yield said(fitted, partial(as_rater_sentence, evaluation))
        yield Text(
            "Severity is in logits of a Rasch model: above 0 is more severe than the average "
            "rater. Infit and outfit near 1 say that the scores are as regular as expected; above "
            "1.5 they are erratic.",
            "lesser",
        )
    for table in view.tables(*TABLES):
        if few_systems(view, table.subset):
            yield any_table(view, table)


def _with(view: View, against: Comparison, text: str) -> list[Subset]:
    """The systems of which a statistic is known; another system may be called as ``against``."""
    found = view.whole(against)
    return [s for i, s in found if s.subject.is_system and text in view.numbers[i]]
