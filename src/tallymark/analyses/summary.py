"""The summary for a terminal: what was read, the leading numbers, then each part of the data."""

from collections.abc import Mapping, Sequence

from tallymark.analyses.findings import hidden, notes
from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.confidence.view import section as confidence
from tallymark.questions.cuts.view import section as cuts
from tallymark.questions.fairness.view import section as fairness
from tallymark.questions.repeats.view import section as repeats
from tallymark.questions.routing.view import section as routing
from tallymark.questions.verdict.view import section as verdict
from tallymark.render.compare import compare_lines
from tallymark.render.diagnosis import trust_lines
from tallymark.render.facts import data_lines, intervals, responses
from tallymark.render.fairness import true_score_lines
from tallymark.render.layout import Line, paragraph, table
from tallymark.render.leading import Shown, brief, leading
from tallymark.render.literal import literal
from tallymark.render.numbers import count
from tallymark.render.people import people_lines
from tallymark.render.raters import raters_lines
from tallymark.render.rows import MOST_ROWS, cell, few, more, reasons, rows, worded
from tallymark.render.severity import system_severity_lines
from tallymark.render.subsets import (
    against_gold,
    by_kind_of_part,
    headline_subsets,
    place,
    whole_subsets,
)
from tallymark.render.terminal import section_lines
from tallymark.results import Estimate, Evaluation, Subset

_OTHERS = {"raters": raters_lines}
"""What is told of other kinds than an evaluation of systems."""
_IN_FULL = {"ceiling": (ceilings,), "route": (routing, hidden)}
"""Kinds of which these sections are shown in full."""
_MORE = (
    "Where the data hold more (true scores, severity, confidence, prompts, groups), --full prints "
    "it; --out DIR writes all as report.html."
)
SIDE_BY_SIDE = 3
"""So many systems stand beside each other; more stand below each other."""


def summary(evaluation: Evaluation, *, width: int = 80, full: bool = True) -> list[Line]:
    """Return the lines of the summary; all text of the user is shown literally.

    What is not ``full`` leaves out, of systems, what a first reading can do without.
    """
    if evaluation.kind == "compare":
        return compare_lines(evaluation, width)
    lines = section_lines([verdict(evaluation)], width, full=full)
    lines += [*data_lines(evaluation, width, notes(evaluation)), Line("")]
    if evaluation.kind in _OTHERS:
        lines += _OTHERS[evaluation.kind](evaluation, width)
    elif evaluation.kind in _IN_FULL:
        shown = [section(evaluation) for section in _IN_FULL[evaluation.kind]]
        lines += section_lines(shown, width, full=True)
    else:
        lines += _systems(evaluation, width) if full else _systems_in_short(evaluation, width)
    while lines and not lines[-1].text:
        lines.pop()
    return lines


def _systems_in_short(evaluation: Evaluation, width: int) -> list[Line]:
    lines = [*_headline(evaluation, width), *section_lines([hidden(evaluation)], width)]
    lines += people_lines(evaluation, width)
    shown = [section(evaluation) for section in (ceilings, repeats, cuts, fairness)]
    lines += section_lines(shown, width)
    return lines + paragraph(_MORE, width, weight="lesser")


def _systems(evaluation: Evaluation, width: int) -> list[Line]:
    lines = [*_headline(evaluation, width), *section_lines([hidden(evaluation)], width)]
    lines += people_lines(evaluation, width)
    lines += section_lines([ceilings(evaluation)], width, full=True)
    lines += system_severity_lines(evaluation, width)
    lines += section_lines([repeats(evaluation)], width, full=True)
    lines += true_score_lines(evaluation, width)
    lines += section_lines([cuts(evaluation), fairness(evaluation)], width, full=True)
    lines += _pooled(evaluation, width)
    lines += trust_lines(evaluation, width)
    lines += section_lines([confidence(evaluation)], width, full=True)
    for title, subsets in by_kind_of_part(against_gold(evaluation)):
        lines += _part(evaluation, title, subsets, width)
    return lines


def _headline(evaluation: Evaluation, width: int) -> list[Line]:
    column, subsets = headline_subsets(evaluation)
    if not subsets:
        return [Line("No system could be evaluated on all responses together.")]
    parts = len({place(s).get(column) for s in evaluation.subsets if set(place(s)) == {column}})
    over = f"mean of {parts} {column}s, " if column else ""
    shown = leading(evaluation)
    numbers = [evaluation.of(subset) for subset in subsets]
    if len(subsets) == 1:
        title = f"{literal(subsets[0].system)} against the gold: {over}"
        title += f"{responses(subsets[0].n)}, {intervals(evaluation)}"
        lines = [*paragraph(title, width, weight="heading"), *worded(shown, numbers[0], width)]
    else:
        title = f"{len(subsets)} systems against the gold: {over}{intervals(evaluation)}"
        lines = [*paragraph(title, width, weight="heading")]
        lines += _compared(shown, subsets, numbers, width)
        words = "; ".join(f"{one.heading}: {one.words}" for one in shown)
        lines += [Line(""), *paragraph(words, width, weight="lesser")]
    return [*lines, *reasons(shown, numbers, width), Line("")]


def _compared(
    shown: Sequence[Shown],
    subsets: Sequence[Subset],
    numbers: Sequence[Mapping[str, Estimate]],
    width: int,
) -> list[Line]:
    """A table of systems by statistics, turned when the systems are few."""
    headings = ["", "n", *(one.heading for one in shown)]
    cells = [
        [literal(subset.system), count(subset.n), *(cell(one, found) for one in shown)]
        for subset, found in zip(subsets, numbers, strict=True)
    ]
    if len(cells) > SIDE_BY_SIDE:
        return [*table(headings, cells[:MOST_ROWS], width), *more(len(cells) - MOST_ROWS)]
    turned = [list(column) for column in zip(headings, *cells, strict=True)]
    return table(turned[0], turned[1:], width)


def _pooled(evaluation: Evaluation, width: int) -> list[Line]:
    """The value over all responses, where the headline is an average."""
    column, _ = headline_subsets(evaluation)
    subsets = whole_subsets(evaluation)
    if not column or not subsets:
        return []
    title = f"Pooled over {column}s: also reflects differences between {column}s"
    named = [(literal(s.system), s.n, evaluation.of(s)) for s in subsets[:MOST_ROWS]]
    lines = paragraph(title, width, weight="heading")
    lines += rows("", named, brief(evaluation), width)
    return [*lines, *more(len(subsets) - MOST_ROWS), Line("")]


def _part(evaluation: Evaluation, title: str, subsets: Sequence[Subset], width: int) -> list[Line]:
    """One table per system, together at most so many rows."""
    lines, left = [Line(title, "heading")], MOST_ROWS
    for system in dict.fromkeys(subset.system for subset in subsets):
        own = [s for s in subsets if s.system == system][:left]
        if not own:
            break
        left -= len(own)
        lines += [Line("")] if len(lines) > 1 else []
        named = [(", ".join(place(s).values()), s.n, evaluation.of(s)) for s in own]
        lines += rows(literal(system), named, brief(evaluation), width)
    lines += few([subset.n for subset in subsets[:MOST_ROWS]])
    return [*lines, *more(len(subsets) - MOST_ROWS), Line("")]
