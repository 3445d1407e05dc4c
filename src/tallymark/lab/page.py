"""The page of an experiment, and the files that a run leaves."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from tallymark.errors import OptionError
from tallymark.lab.experiment import Ruling, Statement
from tallymark.lab.outcome import LabRun
from tallymark.lab.view import BEYOND, drawings, figures, numbers, section
from tallymark.render.embed import embedded
from tallymark.render.first_screen import Claim, First
from tallymark.render.folder import write_run
from tallymark.render.html import page
from tallymark.render.latex import section_tables
from tallymark.render.markdown import section_blocks
from tallymark.render.model import Section, Text
from tallymark.render.placed import blocks_placed, placed
from tallymark.render.sentences import written
from tallymark.render.view import View
from tallymark.results import Data, Evaluation

FOOT = (
    "Made by Tallymark; experiment.json and curves.csv beside this page hold its numbers. Bands and "
    "brackets hold 95 % of the replicates."
)
NOTHING = Evaluation(
    kind="lab",
    options={},
    data=Data(read=0, used=0, scale=""),
    definitions={},
    subsets=(),
    estimates=(),
)
"""An experiment has no responses of a user."""


def page_of(done: LabRun) -> str:
    """Write the page: the claims first, then the figures, then the numbers behind them."""
    view, about = View(NOTHING), done.experiment
    shown = figures(done)
    curves = [drawing for figure in shown for drawing in drawings(done, figure)]
    first = First(
        title=about.title,
        policy="",
        facts=(f"{about.source}.", about.question),
        claims=tuple(
            Claim(
                name="",
                state=ruling.state,
                words=said(statement, ruling),
                detail=f"{written(ruling.words)}.",
            )
            for statement, ruling in zip(about.statements, done.rulings, strict=True)
        ),
        numbers=tuple(blocks_placed(view, curves[:1])),
    )
    sections = [
        Section(
            id="curves",
            title="Further curves",
            question="What else moves, and what stays?",
            blocks=tuple(curves[1:]),
        ),
        Section(
            id="numbers",
            title="Numbers",
            question="The values behind the curves",
            blocks=tuple(numbers(done, figure) for figure in shown),
        ),
        Section(id="how", title="How it is made", question="How are the scores drawn?",
                blocks=(Text(done.how), Text(done.drawn), Text(done.command))),
    ]  # fmt: skip
    made = [placed(view, figure) for figure in sections if figure.blocks]
    return page(first, made, {}, embedded(view, made, {}), FOOT)


def said(statement: Statement, ruling: Ruling) -> str:
    """A claim beside its badge, which says whether it holds; for what, where that is not all."""
    scope = f": {ruling.verdict}" if ruling.scope else ""
    return f"{BEYOND * statement.ours}{statement.says}{scope}."


def files_of(done: LabRun) -> dict[str, str]:
    """All files of a run by name."""
    shown = section(done)
    return {
        "experiment.json": done.to_json() + "\n",
        "curves.csv": done.to_csv(),
        "claims.csv": done.claims_csv(),
        "report.html": page_of(done),
        "summary.md": "\n\n".join(section_blocks([shown])) + "\n",
        "tables/experiment.tex": section_tables(shown),
    }


def write_files(
    files: Mapping[str, str], folder: Path, *, reads: Iterable[Path] = (), force: bool = False
) -> list[Path]:
    """Write all files of a run to a folder; nothing of an earlier run stays."""
    try:
        return write_run(folder, files, "lab", reads=reads, force=force)
    except OSError as problem:
        raise OptionError(
            f"cannot write to --out {folder}: {problem.strerror or problem}; name another folder"
        ) from None
