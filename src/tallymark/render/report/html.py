"""The way in: an evaluation becomes one HTML file that needs nothing else."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from tallymark.render.report.accuracy import accuracy
from tallymark.render.report.agreement import agreement
from tallymark.render.report.ceilings import ceilings
from tallymark.render.report.comparison import comparison
from tallymark.render.report.data import data
from tallymark.render.report.diagnosis import diagnosis
from tallymark.render.report.embed import embedded
from tallymark.render.report.fairness import fairness
from tallymark.render.report.first import first
from tallymark.render.report.method import method
from tallymark.render.report.model import Meanings, Section
from tallymark.render.report.people import people
from tallymark.render.report.selective import selective
from tallymark.render.report.view import View
from tallymark.results import Evaluation

SECTIONS = (
    data, agreement, accuracy, ceilings, people, fairness, diagnosis, selective, comparison,
)  # fmt: skip
OTHER_KINDS = {
    "raters": (data, people, ceilings),
    "ceiling": (data, ceilings, people),
    "compare": (data, comparison, agreement, accuracy, fairness),
    "route": (data, selective),
    "rsmcompare": (data, comparison, agreement, accuracy),
    "rsmsummarize": (data, agreement, accuracy),
}
"""Analyses with one question of their own leave out what they never look at."""


def report(evaluation: Evaluation) -> str:
    """Return the page; the same evaluation gives the same bytes."""
    from tallymark.render.figures import DARK, STYLE

    view = View.of(evaluation)
    top = first(view)
    sections = [make(view) for make in OTHER_KINDS.get(evaluation.kind, SECTIONS)]
    if evaluation.kind in OTHER_KINDS:
        sections += [section for section in (diagnosis(view),) if section.blocks]
    sections.append(method(view))
    anchors = _anchors(sections)
    script = _own("report.js")
    page: str = (
        environment()
        .get_template("report.html")
        .render(
            first=top,
            sections=sections,
            anchors=anchors,
            embedded=embedded(view, sections, anchors),
            style=_own("report.css").replace("/* DARK */", DARK),
            figure_style=STYLE,
            script=script,
            allowed=_allowed(script),
            level=f"{100 * float(evaluation.options.get('level', 0.95)):g} %",
        )
    )
    return page


def _anchors(sections: list[Section]) -> dict[str, str]:
    """Where the definition of each statistic stands, by its text and by its name alone."""
    found: dict[str, str] = {}
    for section in sections:
        for block in section.blocks:
            for entry in block.entries if isinstance(block, Meanings) else ():
                for name in entry.names:
                    found[name] = entry.id
                    found.setdefault(name.partition("[")[0], entry.id)
    return found


def _allowed(script: str) -> str:
    """The page's security policy: its own script, by its digest, and nothing from anywhere."""
    digest = b64encode(sha256(f"\n{script}".encode()).digest()).decode()
    rules = ("default-src 'none'", f"script-src 'sha256-{digest}'", "style-src 'unsafe-inline'",
             "img-src data:", "base-uri 'none'", "form-action 'none'")  # fmt: skip
    return "; ".join(rules)


@cache
def _own(name: str) -> str:
    """A file of the page, without the spaces at the start of its lines."""
    text = files("tallymark.render").joinpath("templates", name).read_text("utf-8")
    return "".join(f"{line.lstrip()}\n" for line in text.splitlines())


@cache
def environment() -> Any:
    """The templates: what is not marked as markup is escaped, what is misspelt is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("tallymark.render", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["short"] = lambda number: f"{number:.9g}"
    return made
