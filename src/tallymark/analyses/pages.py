"""The report: which sections an analysis shows, on one HTML page that needs nothing else."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from tallymark.analyses.findings import hidden, remarks
from tallymark.analyses.first import first
from tallymark.analyses.method import method
from tallymark.analyses.rest import section as rest
from tallymark.analyses.sections import what_was_read
from tallymark.defaults import LEVEL
from tallymark.questions.agreement.view import errors, parts
from tallymark.questions.agreement.view import section as agreement
from tallymark.questions.ceilings.view import section as ceilings
from tallymark.questions.comparison.view import section as comparison
from tallymark.questions.confidence.view import section as confidence
from tallymark.questions.cuts.view import section as cuts
from tallymark.questions.fairness.view import section as fairness
from tallymark.questions.generalizability.view import section as generalizability
from tallymark.questions.people.view import section as people
from tallymark.questions.raters.view import section as raters
from tallymark.questions.repeats.view import section as repeats
from tallymark.questions.routing.view import section as routing
from tallymark.questions.scale.view import section as scale
from tallymark.questions.severity.view import section as severity
from tallymark.questions.true_scores.view import section as true_scores
from tallymark.render.embed import embedded
from tallymark.render.files import write_whole
from tallymark.render.html import anchors_of, page
from tallymark.render.model import Section
from tallymark.render.placed import placed, remark_text
from tallymark.render.view import View
from tallymark.results import Evaluation

Maker = Callable[[View], Section]


def _of(section: Callable[[Evaluation], Section]) -> Maker:
    """Place the section of a question on the page."""
    return lambda view: placed(view, section(view.evaluation))


_AGREEMENT: tuple[Maker, ...] = (
    _of(agreement), _of(errors), _of(true_scores), _of(repeats), _of(cuts),
)  # fmt: skip
_PEOPLE: tuple[Maker, ...] = (
    _of(people), _of(raters), _of(severity), _of(generalizability),
)  # fmt: skip
SECTIONS: tuple[Maker, ...] = (
    _of(what_was_read), *_AGREEMENT, _of(ceilings), *_PEOPLE, _of(fairness), _of(parts), _of(hidden), _of(scale),
    _of(confidence), _of(comparison),
)  # fmt: skip
OTHER_KINDS: dict[str, tuple[Maker, ...]] = {
    "raters": (_of(what_was_read), *_PEOPLE, _of(ceilings)),
    "ceiling": (_of(what_was_read), _of(ceilings), *_PEOPLE),
    "compare": (_of(what_was_read), _of(comparison), *_AGREEMENT, _of(fairness), _of(parts)),
    "route": (_of(routing), _of(what_was_read), _of(confidence)),
    "rsmcompare": (_of(what_was_read), _of(comparison), *_AGREEMENT, _of(parts)),
    "rsmsummarize": (_of(what_was_read), _of(comparison), *_AGREEMENT, _of(parts)),
}
"""Analyses with one question of their own leave out what they never look at."""


def report(evaluation: Evaluation, path: str | PathLike[str] | None = None) -> str:
    """Return the page, and write it to a path; the same evaluation gives the same bytes."""
    view = View.of(evaluation)
    view.remarks = [*map(remark_text, remarks(evaluation))]
    top = first(view)
    made = [make(view) for make in OTHER_KINDS.get(evaluation.kind, SECTIONS)]
    sections = [section for section in made if section.blocks or section.needs]
    if evaluation.kind in OTHER_KINDS:
        sections += [section for section in (_of(hidden)(view),) if section.blocks]
    sections += [section for section in (_of(rest)(view),) if section.blocks]
    sections.append(method(view))
    anchors = anchors_of(sections)
    level = f"{100 * float(evaluation.options.get('level', LEVEL)):g} %"
    text = page(top, sections, anchors, embedded(view, sections, anchors), level)
    if path is not None:
        write_whole(Path(path), text)
    return text
