"""Every screen over the awkward data sets, recorded once per worker and shared by all laws.

``recorded(command, name)`` is what a command finds of a set, with its JSON, its sections, its
terminal lines and its page. A command followed by "of 4" has three more systems.
"""

import re
from functools import cache, cached_property
from html import unescape
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.pages import report
from tallymark.analyses.sections import opening, sections
from tallymark.analyses.summary import markdown, summary
from tallymark.render.grids import laid_out, shown
from tallymark.render.model import Grid, Rank, Section, Table
from tallymark.results import Evaluation
from tests.awkward import SETS, awkward

OF_SYSTEMS = ("systems", "repeats", "confidences", "groups", "statistics")
WITHOUT_A_CERTIFICATE = ("weighted",)
"""Design weights are refused: a certificate counts responses alike."""
COMMANDS = (
    "evaluate", "evaluate of 2", "evaluate of 4", "raters", "ceiling", "compare of 2",
    "compare of 4", "route", "route by prompt",
)  # fmt: skip
ALPHA = 0.2
"""The rate of critical errors that routes are certified for."""


def _can(command: str, name: str) -> bool:
    if command in ("raters", "ceiling"):
        return name != "rated_once"
    if command.startswith("route"):
        by_prompt = "prompt" in awkward(name).roles or command == "route"
        return name not in WITHOUT_A_CERTIFICATE and by_prompt
    return True


def cases(*commands: str) -> list[Any]:
    """Commands, by default all, on every set that they can be run on; a worker has whole sets."""
    return [
        pytest.param(command, name, marks=pytest.mark.xdist_group(f"screens of {name}"))
        for command in commands or COMMANDS
        for name in SETS
        if _can(command, name)
    ]


def sets() -> list[Any]:
    """Every set, in the worker that has its screens."""
    return [
        pytest.param(name, marks=pytest.mark.xdist_group(f"screens of {name}")) for name in SETS
    ]


def with_more_systems(name: str, more: int, seed: int = 3) -> tuple[dict[str, Any], dict[str, Any]]:
    """An awkward set with some copies of its system, each with more errors."""
    columns, roles = awkward(name)
    rng = np.random.default_rng(seed)
    engine = np.asarray(columns["engine"], dtype=float)
    low, high = np.nanmin(engine), np.nanmax(engine)
    copies = dict(columns)
    for i in range(1, more + 1):
        moved = rng.random(engine.size) < 0.15 * i
        copies[f"bot{i}"] = np.clip(engine + moved * rng.integers(-2, 3, engine.size), low, high)
    names = ["engine", *(f"bot{i}" for i in range(1, more + 1))]
    left = {key: value for key, value in roles.items() if key not in ("repeats", "groups")}
    return copies, {**left, "systems": names}


def _certified(name: str, *, by_prompt: bool) -> Evaluation:
    """Certify a threshold on a confidence that is high where system and rater agree."""
    columns, roles = awkward(name)
    engine = np.asarray(columns["engine"], dtype=float)
    first = np.asarray(columns[roles["humans"][0]], dtype=float)
    rng = np.random.default_rng(2)
    sure = 1 / (1 + np.nan_to_num(np.abs(engine - first))) + rng.uniform(0, 0.3, engine.size)
    kept = ("humans", "gold", "prompt", "prompts", "scale")
    by: dict[str, Any] = {"by": "prompt"} if by_prompt else {}
    return tm.route.certify(
        {**columns, "sure_of_it": sure},
        **{key: value for key, value in roles.items() if key in kept},
        system="engine", confidence="sure_of_it", lambda_=0.4, alpha=ALPHA, **by,
    ).evaluation  # fmt: skip


def _evaluated(command: str, name: str) -> Evaluation:
    what, _, systems = command.partition(" of ")
    if what.startswith("route"):
        return _certified(name, by_prompt=what != "route")
    columns, roles = with_more_systems(name, int(systems) - 1) if systems else awkward(name)
    asked: dict[str, Any] = {**roles, "interval": "analytic"}
    if what in ("raters", "ceiling"):
        asked = {key: value for key, value in asked.items() if key not in (*OF_SYSTEMS, "gold")}
    if what == "compare":
        asked["test"] = "t"
    found: Evaluation = getattr(tm, what)(columns, **asked)
    return found


class Recording:
    """What an analysis found, and everything that is shown of it."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation

    @cached_property
    def json(self) -> str:
        """evaluation.json."""
        return self.evaluation.to_json()

    @cached_property
    def sections(self) -> list[Section]:
        """Every section, its numbers still numbers; what opens the page comes first."""
        first = Section(id="", title="", question="", blocks=tuple(opening(self.evaluation)))
        return [first, *sections(self.evaluation)]

    @cached_property
    def tables(self) -> list[Table]:
        """Every table of the page."""
        blocks = [block for section in self.sections for block in section.blocks]
        laid = [laid_out(b, Rank.PAGE) if isinstance(b, Grid) else b for b in blocks]
        return [shown(block, Rank.PAGE) for block in laid if isinstance(block, Table)]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The whole summary, each paragraph and each row of a table on one line."""
        return tuple(line.text for line in summary(self.evaluation, width=10_000, full=True))

    @cached_property
    def first_lines(self) -> tuple[str, ...]:
        """The first screen of the terminal, with paragraphs on one line."""
        return tuple(line.text for line in summary(self.evaluation, width=10_000, full=False))

    @cached_property
    def markdown(self) -> str:
        """summary.md."""
        return markdown(self.evaluation)

    @cached_property
    def html(self) -> str:
        """report.html."""
        return report(self.evaluation)

    @cached_property
    def page(self) -> "Page":
        """The texts and tables of report.html, as a browser reads them."""
        page = Page()
        page.feed(self.html)
        return page

    @cached_property
    def headings(self) -> frozenset[str]:
        """The headings of the tables and, where they name numbers, of their rows."""
        return frozenset(
            title
            for table in self.tables
            for title in (
                *(column.title for column in table.columns),
                *(str(getattr(row[0], "text", "")) for row in table.rows),
            )
            if title
        )


@cache
def recorded(command: str, name: str) -> Recording:
    """A command on an awkward set."""
    return Recording(_evaluated(command, name))


BLOCKS = frozenset(
    [
        "p",
        "li",
        "h1",
        "h2",
        "h3",
        "h4",
        "td",
        "th",
        "caption",
        "figcaption",
        "dt",
        "dd",
        "summary",
        "div",
        "section",
        "header",
        "footer",
    ]
)
SILENT = frozenset(["script", "style", "svg", "template"])


class Page(HTMLParser):
    """The text of a page: ``paragraphs`` outside of tables, ``cells``, and ``findings`` apart."""

    def __init__(self) -> None:
        super().__init__()
        self.paragraphs: list[str] = []
        self.cells: list[str] = []
        self.findings: list[str] = []
        self._text, self._silent, self._in_table, self._finding = "", 0, 0, False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._silent += tag in SILENT
        if tag in BLOCKS or tag == "table":
            self._flush()
        if tag == "div":
            self._finding = (dict(attrs).get("class") or "").startswith("finding")
        self._in_table += tag == "table"

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS or tag == "table":
            self._flush()
        self._silent -= tag in SILENT
        self._in_table -= tag == "table"

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._text += data

    def _flush(self) -> None:
        text = re.sub(r"\s+", " ", unescape(self._text)).strip()
        if text:
            (self.cells if self._in_table else self.paragraphs).append(text)
            if self._finding:
                self.findings.append(text)
                self._finding = False  # what to do about it may be said of several
        self._text = ""
