"""Reference scorers on a terminal: who beats them, the comparison, and the commands to go on with."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from tallymark.analyses.summary import summary
from tallymark.render.layout import Line
from tallymark.render.literal import literal
from tallymark.render.model import Rank, Says, Section, Text
from tallymark.render.terminal import section_lines
from tallymark.scorers.baseline import Baseline, BaselineRun
from tallymark.scorers.predictions import DEV_TEST
from tallymark.scorers.say import PURPOSE, beaten, under
from tallymark.study.again import command

PREDICTIONS = "predictions.csv"


def lines(made: Baseline, out: Path | None, width: int) -> Iterator[Line]:
    """What was learned under each rule, and where it was written."""
    intro = Section(
        id="baseline",
        title="Reference scorers",
        question="What do simple models reach on these texts?",
        blocks=(Text(PURPOSE, rank=Rank.FIRST), Says(made.notes, rank=Rank.FIRST)),
    )
    yield from section_lines([intro], width)
    for run in made.runs:
        if len(made.runs) > 1:
            yield Line(str(under(run.rule)), "heading")
        said = tuple(beaten(run.evaluation, run.systems))
        answer = Section(
            id="beaten",
            title="Against the reference scorers",
            question="Who beats them?",
            blocks=(Says(said, rank=Rank.FIRST),),
        )
        yield from section_lines([answer] if said else [], width)
        yield from summary(run.evaluation, width=width, full=True)
        yield Line("")
        yield from _next(run, _folder(made, run, out))


def _folder(made: Baseline, run: BaselineRun, out: Path | None) -> Path | None:
    return out / run.rule if out is not None and len(made.runs) > 1 else out


def _next(run: BaselineRun, folder: Path | None) -> Iterator[Line]:
    """The commands that read the predictions."""
    if folder is None:
        yield Line("--out DIR writes the predictions, to be read by evaluate, compare and route.")
        return
    path = folder / PREDICTIONS
    yield Line(f"Written: {literal(str(path))}", "heading")
    again = command(run.evaluation).replace(" FILE ", f" {quote(str(path))} ", 1)
    yield from (Line(f"  {literal(line)}") for line in again.splitlines())
    if run.confident:
        name = run.confident[-1]
        people = [word for human in run.people for word in ("--human", quote(human))]
        words = ["tallymark evaluate", quote(str(path)), *people, "--system", name]
        words += ["--confidence", f"{name}={run.predictions.confidences[name]}", "--fold", DEV_TEST]
        yield Line(f"  {literal(' '.join(words))}")
