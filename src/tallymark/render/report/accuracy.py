"""Accuracy and true scores: how far off systems are, and what rater error hides."""

from collections.abc import Iterator
from functools import partial

from tallymark.render.fairness import true_score_sentences
from tallymark.render.leading import Shown
from tallymark.render.model import Block, Heading, Says, Section, Text
from tallymark.render.report.blocks import (
    MOST_SAID,
    any_table,
    by_part,
    few_systems,
    said,
    statistics_table,
)
from tallymark.render.report.view import View, words
from tallymark.render.severity import as_rater_sentence
from tallymark.render.subsets import headline_subsets, whole
from tallymark.results import SEVERITY, TRUE_SCORES, Comparison, Subset

_TRUE = (
    Shown("prmse", "PRMSE", "share of the variance of true scores that is predicted"),
    Shown("mse_true", "MSE", "mean squared distance from the true score"),
    Shown("true_score_variance", "true variance", "variance of scores free of rater error"),
    Shown("error_variance", "error variance", "variance of a rater's error"),
)
TABLES = ("recalibration", "decisions")


def accuracy(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="rater-error",
        title="True scores",
        question="What would be left without rater error?",
        blocks=tuple(_blocks(view)),
        needs="a system's scores beside those of people: --system.",
    )


def _blocks(view: View) -> Iterator[Block]:
    evaluation = view.evaluation
    if not headline_subsets(evaluation)[1]:
        return
    yield from _true_scores(view)
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


def _true_scores(view: View) -> Iterator[Block]:
    found = [
        (i, s) for i, s in view.subsets(TRUE_SCORES) if s.subject.is_system and view.numbers[i]
    ]
    if not found:
        yield Text(
            "responses that were rated twice, or the variance of a rater's error: "
            "--error-variance.",
            "needs",
        )
        return
    yield Text(
        "A true score is the mean of very many ratings of the same response. People err, so that a "
        "system can be better than its agreement with them looks."
    )
    if len(view.systems) <= MOST_SAID:
        yield Says(tuple(true_score_sentences(view.evaluation)))
    everyone = [(i, s) for i, s in found if whole(s)]
    parts = [(i, s) for i, s in found if not whole(s)]
    if everyone:
        rows = [(words(s.system), s.n, view.numbers[i]) for i, s in everyone]
        yield statistics_table(view, "true scores", "Prediction of true scores", rows, _TRUE)
    if parts:
        yield by_part(view, "true scores by part", "True scores by prompt", parts, _TRUE[:1])
