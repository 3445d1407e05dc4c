"""Reference scorers on a terminal: who beats them, the comparison, and the commands to go on with."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from tallymark.analyses.sections import sections
from tallymark.analyses.summary import DATA, summary
from tallymark.catalogue import texts
from tallymark.questions.comparison.pairs import heading, ranked_by
from tallymark.questions.comparison.papers import systems_table
from tallymark.questions.comparison.say import answers
from tallymark.questions.verdict.matrix import section as matrix
from tallymark.render.facts import intervals
from tallymark.render.layout import Line
from tallymark.render.literal import literal
from tallymark.render.model import Column, Rank, Says, Section, Table, Text
from tallymark.render.sentences import Words
from tallymark.render.subsets import headline_subsets
from tallymark.render.terminal import section_lines
from tallymark.results import Evaluation
from tallymark.scorers.predictions import DEV_TEST
from tallymark.scorers.runs import Baseline, BaselineRun, is_table
from tallymark.scorers.say import PURPOSE, beaten, by_chance, under
from tallymark.sources.resolution import RULES
from tallymark.study.again import command
from tallymark.study.request import fields_of

PREDICTIONS, PROBES = "predictions.csv", "probes.csv"
PROBED = "probes"
MANY_PARTS = 12
"""With more prompts the numbers of each are left to the page."""

ALPHA = "0.1"
"""The rate of critical errors in the command to certify with; it is there to be changed."""


def lines(made: Baseline, out: Path | None, width: int) -> Iterator[Line]:
    """What was learned under each rule, and where it was written."""
    intro = Section(
        id="baseline",
        title="Reference scorers",
        question="What do simple models reach on these texts?",
        blocks=(Text(PURPOSE, rank=Rank.FIRST), Says(made.notes, rank=Rank.FIRST)),
    )
    yield from section_lines([intro], width)
    yield from section_lines([*_by_rule(made)], width)
    for run in made.runs:
        if len(made.runs) > 1:
            yield from [Line("")] if run is not made.run else []
            yield Line(str(under(run.rule)), "heading")
            yield Line("")
        if run.evaluation.kind == "compare":
            yield from section_lines([*_sections(run)], width)
        else:
            yield from summary(run.evaluation, width=width, full=False)
            yield Line("")
        yield from _next(run, _folder(made, run, out))


def _by_rule(made: Baseline) -> Iterator[Section]:
    """The leading number of every scorer under each of several rules, where it is the same."""
    by, *others = {ranked_by(run.evaluation) or texts("preferred")[0] for run in made.runs}
    if others or len(made.runs) < 2:
        return
    known = [
        {s.system: run.evaluation.of(s).get(by) for s in headline_subsets(run.evaluation)[1]}
        for run in made.runs
    ]
    columns = (Column("system"), *(Column(run.rule, numeric=True) for run in made.runs))
    rows = tuple((name, *(of.get(name) for of in known)) for name in known[0])
    over = headline_subsets(made.evaluation)[0]
    mean = f", mean over {over}s" if over else ""
    caption = f"{heading(by)} by rule{mean}, {intervals(made.evaluation)}"
    yield Section(
        id="rules",
        title="Rules of resolution",
        question="How much of the agreement is the rule by which ratings become one gold?",
        blocks=(Table(id="rules", caption=caption, columns=columns, rows=rows, rank=Rank.FIRST),),
    )


def _sections(run: BaselineRun) -> Iterator[Section]:
    """Who beats whom, the scores of all, and of each prompt where they are few."""
    evaluation = run.evaluation
    said: list[Words] = [*beaten(evaluation, run.systems)]
    said = said or [str(answer) for answer in answers(evaluation)]
    yield Section(
        id="beaten",
        title="Against the reference scorers" if run.systems else "Which of them is best?",
        question="Who beats them?",
        blocks=(
            Says(tuple(said), rank=Rank.FIRST),
            *_of_all(evaluation),
            Says(tuple(by_chance(evaluation)), rank=Rank.FIRST),
        ),
    )
    if len(run.lesson.sample.points) <= MANY_PARTS:
        yield matrix(evaluation)
    for section in sections(evaluation):
        if section.id in (DATA, PROBED):
            yield section


def _of_all(evaluation: Evaluation) -> Iterator[Table]:
    """Every scorer from the best to the worst, and what reads nothing."""
    if headline_subsets(evaluation)[1]:
        yield systems_table(evaluation)


def _folder(made: Baseline, run: BaselineRun, out: Path | None) -> Path | None:
    return out / run.rule if out is not None and len(made.runs) > 1 else out


def _next(run: BaselineRun, written: Path | None) -> Iterator[Line]:
    """The commands that read the predictions."""
    if written is None:
        yield Line(
            "--out DIR writes the predictions, for evaluate, compare and route, and the whole"
        )
        yield Line("comparison as report.html.")
        return
    alone = is_table(written)
    path = written if alone else written / PREDICTIONS
    yield Line(f"Written: {literal(str(path))}", "heading")
    again = command(run.evaluation).replace(" FILE ", f" {quote(str(path))} ", 1)
    probes = " --probe-scores PROBES"
    if alone or run.probes is None:
        again = again.replace(probes, "", 1)
    else:
        again = again.replace(probes, f" --probe-scores {quote(str(written / PROBES))}", 1)
    yield from (Line(f"  {literal(line)}") for line in again.splitlines())
    for name in run.confident[-1:]:
        sure = run.predictions.confidences[name]
        shared = [quote(str(path)), *_shared(run.evaluation), "--system", name]
        evaluate = ["evaluate", *shared, "--confidence", f"{name}={sure}", "--fold", DEV_TEST]
        certify = ["route certify", *shared, "--confidence", sure, "--alpha", ALPHA]
        if run.evaluation.options.get("cluster"):
            certify.append("--one-per-cluster")
        for words in (evaluate, certify):
            yield Line(f"  {literal(' '.join(['tallymark', *words]))}")


def _shared(evaluation: Evaluation) -> Iterator[str]:
    """How people's scores are read, as each command asks for it."""
    known = fields_of("route certify")
    for name in ("humans", "gold", "resolve", "prompt", "cluster", "id", "scale"):
        given = evaluation.options.get(name)
        if given and not (name == "resolve" and given not in RULES):
            for text in known[name].texts(given):
                yield from (known[name].flag, quote(text))
