"""Which questions an analysis answers, in the order of every screen."""

from collections.abc import Callable
from dataclasses import replace

from tallymark.analyses.findings import hidden, notes
from tallymark.questions.agreement.view import errors, parts
from tallymark.questions.agreement.view import section as agreement
from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.comparison.view import section as comparison
from tallymark.questions.confidence.view import section as confidence
from tallymark.questions.cuts.view import section as cuts
from tallymark.questions.data.view import section as data
from tallymark.questions.fairness.view import section as fairness
from tallymark.questions.generalizability.view import section as generalizability
from tallymark.questions.people.view import section as people
from tallymark.questions.raters.view import section as raters
from tallymark.questions.repeats.view import section as repeats
from tallymark.questions.routing.view import section as routing
from tallymark.questions.scale.view import section as scale
from tallymark.questions.severity.view import section as severity
from tallymark.questions.true_scores.view import section as true_scores
from tallymark.render.model import Section
from tallymark.results import Evaluation

Maker = Callable[[Evaluation], Section]


def what_was_read(evaluation: Evaluation) -> Section:
    """Show what was read, with the notes of every question."""
    return data(evaluation, notes(evaluation))


def _on_page(*makers: Maker) -> tuple[Maker, ...]:
    """Show these questions on the page alone."""

    def on_page(make: Maker) -> Maker:
        return lambda evaluation: make(evaluation).on_page()

    return tuple(map(on_page, makers))


def _hidden_on_page(evaluation: Evaluation) -> Section:
    """Show on the page what the numbers hide, if they do."""
    return replace(hidden(evaluation).on_page(), needs="")


_SYSTEMS: tuple[Maker, ...] = (agreement, errors, true_scores, repeats, cuts)
_EVALUATE: tuple[Maker, ...] = (
    what_was_read, agreement, errors, hidden, people, ceilings, severity, repeats, true_scores, cuts,
    fairness, *_on_page(raters, generalizability, scale), confidence, parts, comparison,
)  # fmt: skip
_OTHERS: dict[str, tuple[Maker, ...]] = {
    "raters": (
        what_was_read, people, raters, severity, generalizability,
        *_on_page(ceilings, _hidden_on_page),
    ),
    "ceiling": (
        what_was_read, ceilings,
        *_on_page(people, raters, severity, generalizability, _hidden_on_page),
    ),
    "compare": (
        what_was_read, comparison, *_on_page(*_SYSTEMS, fairness, parts, _hidden_on_page),
    ),
    "route": (what_was_read, routing, hidden, *_on_page(confidence)),
    "rsmcompare": (what_was_read, comparison, *_on_page(*_SYSTEMS, parts, _hidden_on_page)),
    "rsmsummarize": (what_was_read, comparison, *_on_page(*_SYSTEMS, parts, _hidden_on_page)),
}  # fmt: skip
"""Analyses with a question of their own leave out what they never look at."""


def sections(evaluation: Evaluation) -> list[Section]:
    """Return what is shown of each question, in the order of the screens."""
    return [section(evaluation) for section in _OTHERS.get(evaluation.kind, _EVALUATE)]
