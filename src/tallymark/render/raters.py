"""The raters on their own: the panel, each rater, every two raters, each part of the data."""

import math
from collections.abc import Sequence

from tallymark.defaults import MANY_RATERS
from tallymark.render.facts import intervals, responses
from tallymark.render.gstudy import gstudy_lines
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import CONTINUOUS, LEADING, Shown, panel, panel_brief
from tallymark.render.literal import literal
from tallymark.render.numbers import value_text, with_interval
from tallymark.render.rows import (
    MOST_ROWS,
    Row,
    cell,
    counted,
    few,
    more,
    reasons,
    rows,
    worded,
)
from tallymark.render.severity import drift_lines, severity_lines
from tallymark.render.subsets import (
    by_kind_of_part,
    panels,
    place,
    rater_pairs,
    single_raters,
    whole,
)
from tallymark.results import Estimate, Evaluation, Numbers, Subset

RATER: tuple[Shown, ...] = (
    Shown("rater_mean", "mean", "mean score of the rater"),
    Shown("rater_sd", "SD", "spread of the rater's scores"),
    Shown("modal_share", "most used", "share of the rater's most used score"),
    Shown("pearson", "r", "correlation with the mean of the other raters"),
    Shown("bias", "difference", "rater less that mean, on the same responses"),
)
ALPHA = "krippendorff_alpha[interval]"
_NOBODY_TWICE = "Agreement of people is undefined, because no response was rated twice."


def raters_lines(evaluation: Evaluation, width: int) -> list[Line]:
    """Return the lines on the panel, the raters, their pairs and the parts of the data."""
    if not panels(evaluation):
        return [*paragraph(_NOBODY_TWICE, width), *gstudy_lines(evaluation, width)]
    lines = [*_panel(evaluation, width), *_raters(evaluation, width)]
    lines += [*severity_lines(evaluation, width), *drift_lines(evaluation, width)]
    lines += [*_pairs(evaluation, width), *gstudy_lines(evaluation, width)]
    for title, subsets in by_kind_of_part(panels(evaluation)):
        lines += _part(evaluation, title, subsets, width)
    return lines


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


def _panel(evaluation: Evaluation, width: int) -> list[Line]:
    """The panel: averaged over traits, else over prompts, where there are several."""
    everyone = [subset for subset in panels(evaluation) if whole(subset)]
    means = [s for key in ("trait", "prompt") for s in panels(evaluation) if s.average == key]
    if not (means or everyone):
        return [Line("Prompts differ in their scales: there is no panel of all."), Line("")]
    first = [*means, *everyone][0]
    numbers, shown = evaluation.of(first), panel(evaluation)
    raters = len(single_raters(evaluation))  # none are told where prompts differ in their scales
    title = f"{raters} raters as a panel: " if raters else "Raters as a panel: "
    title += f"mean over {first.average}s, " if first.average else ""
    title += f"{responses(numbers[ALPHA].n)} rated twice or more, {intervals(evaluation)}"
    lines = [*paragraph(title, width, weight="heading"), *worded(shown, numbers, width)]
    lines += reasons(shown, [numbers], width)
    if first.average and everyone:
        pooled = evaluation.of(everyone[0])
        told = ", ".join(f"{one.heading} {with_interval(pooled[one.text])}"
                         for one in panel_brief(evaluation) if one.text in pooled)  # fmt: skip
        text = f"Pooled over {first.average}s, which also reflects differences between them: {told}"
        lines += paragraph(text, width, weight="lesser")
    return [*lines, Line("")]


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


def _pairs(evaluation: Evaluation, width: int) -> list[Line]:
    """Every two raters, those who agree least first."""
    found = [(s, evaluation.of(s)) for s in rater_pairs(evaluation) if whole(s)]
    if not found:
        many = len(single_raters(evaluation)) > MANY_RATERS
        text = f"Pairs are not told one by one, for there are more than {MANY_RATERS} raters."
        return [*paragraph(text, width, weight="lesser"), Line("")] if many else []
    shown = _of_pairs(found[0][1])
    found.sort(key=lambda one: _undefined_last(one[1][shown[0].text]))
    cells = [
        [
            literal(str(s.against)),
            literal(s.system),
            counted(s.n),
            *(cell(one, own) for one in shown),
        ]
        for s, own in found[:MOST_ROWS]
    ]
    headings = ["rater", "and", "n", *(one.heading for one in shown)]
    title = "Pairs of raters, those who agree least first"
    lines = [Line(title, "heading"), *table(headings, cells, width, names=2)]
    lines += reasons(shown, [own for _, own in found[:MOST_ROWS]], width)
    lines += few([subset.n for subset, _ in found[:MOST_ROWS]])
    return [*lines, *more(len(found) - MOST_ROWS), Line("")]


def _of_pairs(numbers: Numbers) -> list[Shown]:
    """Quadratic weighted kappa and exact agreement; of continuous scores concordance and r."""
    known = {one.text: one for one in (*LEADING, CONTINUOUS)}
    points = ["cohen_kappa[quadratic]", "percent_agreement"]
    wanted = points if points[0] in numbers else [CONTINUOUS.text, "pearson"]
    return [known[text] for text in wanted if text in numbers]


def _part(evaluation: Evaluation, title: str, subsets: Sequence[Subset], width: int) -> list[Line]:
    """The panel in each part of the data."""
    named: list[Row] = []
    for subset in subsets[:MOST_ROWS]:
        numbers = evaluation.of(subset)
        named.append((", ".join(place(subset).values()), numbers[ALPHA].n, numbers))
    lines = [Line(title, "heading"), *rows("", named, panel_brief(evaluation), width)]
    lines += few([n for _, n, _ in named])
    return [*lines, *more(len(subsets) - MOST_ROWS), Line("")]


def _size(found: Estimate) -> float:
    return -1.0 if math.isnan(found.value) else abs(found.value)


def _undefined_last(found: Estimate) -> tuple[bool, float]:
    undefined = math.isnan(found.value)
    return undefined, 0.0 if undefined else found.value
