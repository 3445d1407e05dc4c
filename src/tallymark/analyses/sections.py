"""The questions that an analysis answers, each as one section for every screen."""

from collections.abc import Callable

from tallymark.analyses.findings import notes
from tallymark.questions.agreement.view import errors, parts
from tallymark.questions.agreement.view import section as agreement
from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.comparison.view import section as comparison
from tallymark.questions.cuts.view import section as cuts
from tallymark.questions.data.view import section as data
from tallymark.questions.fairness.view import section as fairness
from tallymark.questions.generalizability.view import section as generalizability
from tallymark.questions.people.view import section as people
from tallymark.questions.raters.view import section as raters
from tallymark.questions.repeats.view import section as repeats
from tallymark.questions.severity.view import section as severity
from tallymark.questions.true_scores.view import section as true_scores
from tallymark.render.model import Section
from tallymark.results import Evaluation

Maker = Callable[[Evaluation], Section]


def what_was_read(evaluation: Evaluation) -> Section:
    """Show what was read, with the notes of every question."""
    return data(evaluation, notes(evaluation))


QUESTIONS: tuple[Maker, ...] = (
    what_was_read, agreement, errors, people, ceilings, severity, true_scores, repeats, cuts,
    fairness, generalizability, parts, comparison,
)  # fmt: skip
OTHER_KINDS: dict[str, tuple[Maker, ...]] = {
    "raters": (what_was_read, people, raters, severity, generalizability, ceilings),
    "ceiling": (what_was_read, ceilings, people),
    "compare": (what_was_read, comparison),
    "rsmcompare": (what_was_read, comparison),
    "rsmsummarize": (what_was_read, comparison),
    "route": (what_was_read,),
}
"""Analyses with one question of their own leave out what they never look at."""


def sections(evaluation: Evaluation) -> list[Section]:
    """Return what is shown of each question, in the order of the screens."""
    return [section(evaluation) for section in OTHER_KINDS.get(evaluation.kind, QUESTIONS)]
