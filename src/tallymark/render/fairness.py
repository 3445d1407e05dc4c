"""True scores in words: what raters' errors hide."""

import math

from tallymark.render.layout import Line, paragraph
from tallymark.render.literal import literal
from tallymark.render.numbers import value_text, with_interval
from tallymark.render.subsets import system_against
from tallymark.results import TRUE_SCORES, Evaluation


def true_score_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Say how well each system predicts true scores."""
    lines = []
    for sentence in true_score_sentences(evaluation):
        lines += paragraph(sentence, width, indent="  ")
    if not lines:
        return []
    return [Line("True scores: as if raters made no errors", "heading"), *lines, Line("")]


def true_score_sentences(evaluation: Evaluation) -> list[str]:
    """Say of each system how well it predicts true scores, where that is known."""
    sentences = []
    for subset in system_against(evaluation, TRUE_SCORES):
        found = evaluation.of(subset)
        prmse = next((e for e in found.values() if e.name == "prmse"), None)
        if prmse is None or math.isnan(prmse.value):
            continue
        error = found["error_variance"]
        known = f"variance of rater errors {value_text(error)}" if error.value > 0 else ""
        caution = f" {literal(prmse.why)[:1].upper()}{literal(prmse.why)[1:]}." if prmse.why else ""
        text = f"{literal(subset.system)} predicts true scores with PRMSE {with_interval(prmse)}"
        sentences.append(f"{text}{f' ({known})' if known else ''}.{caution}")
    return sentences
