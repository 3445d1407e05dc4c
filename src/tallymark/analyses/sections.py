"""Which questions an analysis answers, in the order of every screen."""

from collections.abc import Callable, Iterator
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
from tallymark.render.model import Block, Section
from tallymark.render.records import curves_of, drawing, table_block, tables_of
from tallymark.render.sentences import Sentence
from tallymark.results import CONFIDENCE, Evaluation, split_key

Maker = Callable[[Evaluation], Section]
SHOWN_TABLES = frozenset({
    "accepted_errors", "agreement_by_point", "alt_test", "ceiling_model", "confidences", "cost", "critical_errors_by_lambda", "cut_scores",
    "decisions", "groups", "influential", "largest_disagreements", "metrics_here", "pairs",
    "pass_fail", "plan", "ranking", "recalibration", "routing", "scale_effect",
})  # fmt: skip
"""Tables that questions show."""
SHOWN_CURVES = (
    "ceiling_", "dependability", "generalizability", "pass_fail", "risk_", "scale_effect",
    "threshold",
)  # fmt: skip
"""Beginnings of the names of curves that questions show."""


def rest(evaluation: Evaluation) -> Section:
    """Show whatever else an evaluation holds."""
    return Section(
        id="rest",
        title="Further tables",
        question="What else was found?",
        blocks=tuple(_further(evaluation)),
    )


def _further(evaluation: Evaluation) -> Iterator[Block]:
    names = dict.fromkeys(split_key(curve.name)[0] for curve in evaluation.curves)
    for name in names:
        if not name.startswith(SHOWN_CURVES):
            for curves in curves_of(evaluation, name):
                words = Sentence("{name} by {x}", name=name.replace("_", " "), x=curves[0].x_title)
                yield drawing(evaluation, curves, words)
    for name in dict.fromkeys(table.name for table in evaluation.tables):
        if name not in SHOWN_TABLES:
            for table in tables_of(evaluation, name):
                of = evaluation.subsets[table.subset].against if table.subset >= 0 else None
                if of != CONFIDENCE:
                    yield table_block(evaluation, table)


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
    fairness, *_on_page(raters, generalizability, scale), confidence, parts, comparison, rest,
)  # fmt: skip
_OTHERS: dict[str, tuple[Maker, ...]] = {
    "raters": (
        what_was_read, people, raters, severity, generalizability,
        *_on_page(ceilings, _hidden_on_page, rest),
    ),
    "ceiling": (
        what_was_read, ceilings,
        *_on_page(people, raters, severity, generalizability, _hidden_on_page, rest),
    ),
    "compare": (
        what_was_read, comparison, *_on_page(*_SYSTEMS, fairness, parts, _hidden_on_page, rest),
    ),
    "route": (what_was_read, routing, hidden, *_on_page(confidence, rest)),
    "rsmcompare": (what_was_read, comparison, *_on_page(*_SYSTEMS, parts, _hidden_on_page, rest)),
    "rsmsummarize": (what_was_read, comparison, *_on_page(*_SYSTEMS, parts, _hidden_on_page, rest)),
}  # fmt: skip
"""Analyses with a question of their own leave out what they never look at."""


def sections(evaluation: Evaluation) -> list[Section]:
    """Return what is shown of each question, in the order of the screens."""
    return [section(evaluation) for section in _OTHERS.get(evaluation.kind, _EVALUATE)]
