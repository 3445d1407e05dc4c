"""The raters on their own: the panel, each rater, every two raters, each part of the data."""

import math
from collections.abc import Sequence

from tallymark.render.gstudy import gstudy_lines
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown
from tallymark.render.literal import literal
from tallymark.render.numbers import value_text, with_interval
from tallymark.render.rows import (
    MOST_ROWS,
    counted,
    few,
    more,
    reasons,
)
from tallymark.render.severity import drift_lines, severity_lines
from tallymark.render.subsets import (
    single_raters,
)
from tallymark.results import Estimate, Evaluation, Numbers, Subset

RATER: tuple[Shown, ...] = (
    Shown("rater_mean", "mean", "mean score of the rater"),
    Shown("rater_sd", "SD", "spread of the rater's scores"),
    Shown("modal_share", "most used", "share of the rater's most used score"),
    Shown("pearson", "r", "correlation with the mean of the other raters"),
    Shown("bias", "difference", "rater less that mean, on the same responses"),
)


def raters_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return the lines on the panel, the raters, their pairs and the parts of the data."""
    lines = [*_raters(evaluation, width), *severity_lines(evaluation, width)]
    return [*lines, *drift_lines(evaluation, width), *gstudy_lines(evaluation, width)]


def severity(numbers: Numbers) -> str:
    """Say severe or lenient where the interval of the difference from the others excludes 0."""
    difference = numbers["bias"]
    if difference.why:  # an interval without width excludes nothing
        return ""
    if difference.low > 0:
        return "lenient"
    return "severe" if difference.high < 0 else ""


def rater_statistics(evaluation: Evaluation) -> tuple[Shown, ...]:
    """Return the statistics to show of each rater."""
    return tuple(one for one in RATER if one.text in evaluation.definitions)


def by_severity(evaluation: Evaluation) -> list[tuple[Subset, Numbers]]:
    """Return the raters from the most severe to the most lenient; of many, those furthest off."""
    found = [(subset, evaluation.of(subset)) for subset in single_raters(evaluation)]
    furthest = sorted(found, key=lambda one: -_size(one[1]["bias"]))[:MOST_ROWS]
    return sorted(furthest, key=lambda one: _undefined_last(one[1]["bias"]))


def _raters(evaluation: Evaluation, width: int) -> list[Line]:
    found, shown = by_severity(evaluation), rater_statistics(evaluation)
    if not found:
        return []
    cells = [
        [literal(subset.system), counted(subset.n), *_rater(shown, own), severity(own)]
        for subset, own in found
    ]
    headings = ["rater", "n", *(one.heading for one in shown), ""]
    left = len(single_raters(evaluation)) - len(found)
    title = f"The {len(found)} raters furthest from the others" if left else "Raters"
    lines = [Line(f"{title}, the most severe first", "heading"), *table(headings, cells, width)]
    lines += reasons(shown, [own for _, own in found], width)
    lines += [*few([subset.n for subset, _ in found]), *more(left)]
    words = "; ".join(f"{one.heading}: {one.words}" for one in shown)
    return [*lines, *paragraph(words, width, weight="lesser"), Line("")]


def _rater(shown: Sequence[Shown], numbers: Numbers) -> list[str]:
    """The numbers of a rater; only the difference has room for its interval."""
    return [
        with_interval(numbers[one.text]) if one.text == "bias" else value_text(numbers[one.text])
        for one in shown
    ]


def _size(found: Estimate) -> float:
    return -1.0 if math.isnan(found.value) else abs(found.value)


def _undefined_last(found: Estimate) -> tuple[bool, float]:
    undefined = math.isnan(found.value)
    return undefined, 0.0 if undefined else found.value
