"""The report: every section of an analysis, on one HTML page that needs nothing else."""

from os import PathLike
from pathlib import Path

from tallymark.analyses.findings import remarks
from tallymark.analyses.first import first
from tallymark.analyses.method import method
from tallymark.analyses.sections import sections
from tallymark.defaults import LEVEL
from tallymark.render.embed import embedded
from tallymark.render.files import write_whole
from tallymark.render.html import anchors_of, page
from tallymark.render.placed import placed, remark_text
from tallymark.render.view import View
from tallymark.results import Evaluation


def report(evaluation: Evaluation, path: str | PathLike[str] | None = None) -> str:
    """Return the page, and write it to a path; the same evaluation gives the same bytes."""
    view = View.of(evaluation)
    view.remarks = [*map(remark_text, remarks(evaluation))]
    top = first(view)
    made = [placed(view, section) for section in sections(evaluation)]
    shown = [section for section in made if section.blocks or section.needs]
    shown.append(method(view))
    anchors = anchors_of(shown)
    level = f"{100 * float(evaluation.options.get('level', LEVEL)):g} %"
    text = page(top, shown, anchors, embedded(view, shown, anchors), level)
    if path is not None:
        write_whole(Path(path), text)
    return text
