"""Which questions an analysis answers, in the order of every screen, and which figures lead."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from tallymark.analyses.findings import first_notes, hidden, pooled_notes
from tallymark.questions.agreement import errors, parts
from tallymark.questions.agreement import section as agreement
from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.checklist import section as checklist
from tallymark.questions.comparison.view import chart as ranking
from tallymark.questions.comparison.view import section as comparison
from tallymark.questions.confidence.view import chart as curve
from tallymark.questions.confidence.view import section as confidence
from tallymark.questions.cuts import section as cuts
from tallymark.questions.data import section as data
from tallymark.questions.fairness.view import section as fairness
from tallymark.questions.generalizability import section as generalizability
from tallymark.questions.length import section as length
from tallymark.questions.people.view import chart as pairs
from tallymark.questions.people.view import section as people
from tallymark.questions.probes import section as probes
from tallymark.questions.raters import section as raters
from tallymark.questions.repeats import section as repeats
from tallymark.questions.routing.view import section as routing
from tallymark.questions.scale.section import section as scale
from tallymark.questions.severity.view import chart as severities
from tallymark.questions.severity.view import section as severity
from tallymark.questions.true_scores import section as true_scores
from tallymark.questions.verdict.benchmark import section as benchmark
from tallymark.questions.verdict.carrying import carrying
from tallymark.questions.verdict.matrix import section as matrix
from tallymark.questions.whatif.section import section as whatif
from tallymark.render.model import Block, Section
from tallymark.render.subsets import FEWEST_RATERS, single_raters
from tallymark.results import Evaluation

Maker = Callable[[Evaluation], Section]


def what_was_read(evaluation: Evaluation) -> Section:
    """Show what was read, with the notes of every question."""
    return data(evaluation, first_notes(evaluation), pooled_notes(evaluation))


def _on_page(*makers: Maker) -> tuple[Maker, ...]:
    """Show these questions on the page alone."""

    def on_page(make: Maker) -> Maker:
        return lambda evaluation: make(evaluation).on_page()

    return tuple(map(on_page, makers))


def _findings(evaluation: Evaluation) -> Section:
    """Show the findings of other questions, where nothing is diagnosed."""
    return replace(hidden(evaluation), id="findings")


def _not_compared(evaluation: Evaluation) -> Section:
    """Point to the comparison, which is another analysis."""
    return replace(comparison(evaluation).on_page(), id="compare")


_EXPERIMENTS = (what_was_read, comparison, *_on_page(agreement, errors, true_scores))
_SECTIONS: dict[str, tuple[Maker, ...]] = {
    "evaluate": (
        what_was_read, agreement, errors, hidden, people, ceilings, severity, repeats, true_scores,
        cuts, length, probes, fairness, *_on_page(generalizability, scale), confidence, parts, benchmark, _not_compared, checklist,
    ),
    "rsmeval": (
        what_was_read, agreement, errors, people, true_scores, fairness, parts, *_on_page(_findings),
        checklist,
    ),
    "raters": (what_was_read, people, raters, severity, generalizability, *_on_page(_findings)),
    "ceiling": (what_was_read, ceilings, *_on_page(_findings)),
    "whatif": (whatif, what_was_read, *_on_page(agreement, errors, _findings)),
    "compare": (what_was_read, comparison, probes, *_on_page(agreement, errors, parts, benchmark, _findings)),
    "route": (what_was_read, routing, _findings, *_on_page(confidence)),
    "rsmcompare": _EXPERIMENTS,
    "rsmsummarize": _EXPERIMENTS,
}  # fmt: skip
"""An analysis has sections for the questions that it answers."""
COMMANDS = tuple(_SECTIONS)


def sections(evaluation: Evaluation) -> list[Section]:
    """Return what is shown of each question, in the order of the screens."""
    return [
        section(evaluation) for section in _SECTIONS.get(evaluation.kind, _SECTIONS["evaluate"])
    ]


def opening(evaluation: Evaluation) -> Iterator[Block]:
    """Yield the blocks that carry the answer of an analysis, each of them on this screen alone."""
    if evaluation.kind == "compare":
        yield from ranking(evaluation)
        yield from matrix(evaluation).blocks
    elif evaluation.kind == "route":
        yield from curve(evaluation)
    elif evaluation.kind == "raters" and len(single_raters(evaluation)) >= FEWEST_RATERS:
        yield from severities(evaluation)
        yield from pairs(evaluation)
    else:
        yield from carrying(evaluation)
