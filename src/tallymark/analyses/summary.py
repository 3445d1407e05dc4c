"""The summary for a terminal: the verdict, then each question in the order of every screen."""

from tallymark.analyses.sections import sections
from tallymark.questions.comparison.say import answers
from tallymark.questions.verdict.matrix import section as matrix
from tallymark.questions.verdict.view import section as verdict
from tallymark.render.layout import Line, paragraph
from tallymark.render.terminal import section_lines
from tallymark.results import Evaluation

_IN_SHORT = ("compare", "rsmcompare", "rsmsummarize")
"""Kinds of analysis whose page alone shows all."""
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
    shown = [verdict(evaluation), matrix(evaluation), *sections(evaluation)]
    lines += section_lines(shown, width, full=full and evaluation.kind not in _IN_SHORT)
    lines += [] if full else paragraph(_MORE, width, weight="lesser")
    while lines and not lines[-1].text:
        lines.pop()
    return lines
