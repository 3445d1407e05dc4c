"""The summary for a terminal: what was read, the leading numbers, then each part of the data."""

from tallymark.analyses.findings import hidden
from tallymark.analyses.sections import what_was_read
from tallymark.questions.agreement.view import parts
from tallymark.questions.agreement.view import section as agreement
from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.comparison.say import answers
from tallymark.questions.comparison.view import section as comparison
from tallymark.questions.confidence.view import section as confidence
from tallymark.questions.cuts.view import section as cuts
from tallymark.questions.fairness.view import section as fairness
from tallymark.questions.generalizability.view import section as generalizability
from tallymark.questions.people.view import section as people
from tallymark.questions.raters.view import section as raters
from tallymark.questions.repeats.view import section as repeats
from tallymark.questions.routing.view import section as routing
from tallymark.questions.severity.view import section as severity
from tallymark.questions.true_scores.view import section as true_scores
from tallymark.questions.verdict.view import section as verdict
from tallymark.render.layout import Line, paragraph
from tallymark.render.terminal import section_lines
from tallymark.results import Evaluation

_IN_FULL = {
    "raters": (people, raters, severity, generalizability),
    "ceiling": (ceilings,),
    "route": (routing, hidden),
}
"""Kinds of which these sections are shown in full."""
_COMPARING = ("compare", "rsmcompare", "rsmsummarize")
_MORE = (
    "Where the data hold more (true scores, severity, confidence, prompts, groups), --full prints "
    "it; --out DIR writes all as report.html."
)


def summary(evaluation: Evaluation, *, width: int = 80, full: bool = True) -> list[Line]:
    """Return the lines of the summary; all text of the user is shown literally.

    What is not ``full`` leaves out, of systems, what a first reading can do without.
    """
    lines = [
        line
        for answer in answers(evaluation)
        for line in paragraph(str(answer), width, indent="  ", weight="heading")
    ]
    lines += [Line("")] if lines else []
    lines += section_lines([verdict(evaluation)], width, full=full)
    lines += section_lines([what_was_read(evaluation)], width, full=full)
    if evaluation.kind in _COMPARING:
        lines += section_lines([comparison(evaluation)], width)
    elif evaluation.kind in _IN_FULL:
        shown = [section(evaluation) for section in _IN_FULL[evaluation.kind]]
        lines += section_lines(shown, width, full=True)
    else:
        lines += _systems(evaluation, width) if full else _systems_in_short(evaluation, width)
    while lines and not lines[-1].text:
        lines.pop()
    return lines


def _systems_in_short(evaluation: Evaluation, width: int) -> list[Line]:
    first = (agreement, hidden, people, ceilings, repeats, cuts, fairness)
    lines = section_lines([section(evaluation) for section in first], width)
    return lines + paragraph(_MORE, width, weight="lesser")


def _systems(evaluation: Evaluation, width: int) -> list[Line]:
    every = (
        agreement, hidden, people, ceilings, severity, repeats, true_scores, cuts, fairness,
        confidence, parts,
    )  # fmt: skip
    return section_lines([section(evaluation) for section in every], width, full=True)
