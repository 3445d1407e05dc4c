"""An experiment on every screen: what the source says, whether it holds, the curves, and the files of a run."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from tallymark.catalogue import BY_NAME
from tallymark.errors import OptionError
from tallymark.lab.experiment import LabFigure, Ruling, Statement, Trace
from tallymark.lab.rulings import label
from tallymark.lab.runs import LabRun
from tallymark.render.embed import embedded
from tallymark.render.folder import write_run
from tallymark.render.html import page
from tallymark.render.latex import section_tables
from tallymark.render.markdown import section_blocks
from tallymark.render.model import (
    Bare,
    Block,
    Claim,
    Column,
    Drawing,
    First,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.placed import blocks_placed, placed
from tallymark.render.sentences import Sentence, written
from tallymark.render.view import View
from tallymark.results import Curve, Data, Estimate, Evaluation, Key, split_key

MOST_LINES = 3
"""With more lines on a figure their bands would overlap."""
YOURS = "Your statistics"
BEYOND = "Beyond the source: "


def section(done: LabRun) -> Section:
    """Show an experiment."""
    return Section(
        id="experiment",
        title=done.experiment.title,
        question=done.experiment.question,
        blocks=tuple(_blocks(done)),
    )


def _blocks(done: LabRun) -> Iterator[Block]:
    about = done.experiment
    yield Text(
        Sentence("{source}. {question}", source=about.source, question=about.question),
        rank=Rank.FIRST,
    )
    yield Says(tuple(sentences(done)), rank=Rank.FIRST)
    for figure in figures(done):
        yield from drawings(done, figure)
    for figure in figures(done):
        yield numbers(done, figure)
    yield Text(done.how, rank=Rank.FIRST)
    yield Text(done.drawn, "lesser", rank=Rank.FIRST)


def sentences(done: LabRun) -> Iterator[Sentence]:
    """Each claim with its verdict and the numbers that decide it."""
    for statement, ruling in zip(done.experiment.statements, done.rulings, strict=True):
        yield Sentence(
            "{beyond}{says}: {verdict}. {evidence}.",
            beyond=BEYOND * statement.ours,
            says=statement.says,
            verdict=ruling.verdict,
            evidence=ruling.words,
        )


def figures(done: LabRun) -> list[LabFigure]:
    """The figures of the experiment, and those of the statistics that join it."""
    listed = [*done.experiment.figures]
    for sweep in done.sweeps:
        caption = ", ".join(filter(None, [YOURS, sweep.title]))
        for i in range(0, len(done.joining), MOST_LINES):
            names = done.joining[i : i + MOST_LINES]
            listed.append(LabFigure(caption, tuple((sweep.name, name) for name in names)))
    return listed


def drawings(done: LabRun, figure: LabFigure) -> Iterator[Drawing]:
    """The lines of a figure with their bands."""
    pairs = figure.pairs(done.sweeps[0].name)
    lines = [done.traces.by_name[pair] for pair in pairs]
    yield Drawing(
        "lines.curves",
        ([_curve(done, trace) for trace in lines], labels(done, lines)),
        figure.caption,
    )


def labels(done: LabRun, lines: Sequence[Trace]) -> list[str]:
    """What tells the lines of a figure apart: the statistic, the sweep, or both."""
    statistics, sweeps = {t.name for t in lines}, {t.sweep for t in lines}
    titles = {sweep.name: sweep.title or sweep.name for sweep in done.sweeps}
    if len(sweeps) == 1:
        return [label(trace.name) for trace in lines]
    if len(statistics) == 1:
        return [titles[trace.sweep] for trace in lines]
    return [f"{label(trace.name)}, {titles[trace.sweep]}" for trace in lines]


def _curve(done: LabRun, trace: Trace) -> Curve:
    sweep = next(sweep for sweep in done.sweeps if sweep.name == trace.sweep)
    low, high = trace.band if done.replicates > 1 else ((), ())
    return Curve(
        name=trace.name,
        subset=-1,
        x_title=sweep.axis,
        y_title=done.experiment.y_title or label(trace.name),
        x=tuple(trace.x.tolist()),
        y=tuple(trace.mean.tolist()),
        low=tuple(float(end) for end in low),
        high=tuple(float(end) for end in high),
    )


def numbers(done: LabRun, figure: LabFigure) -> Table:
    """The means along the axis; their bands show on the page."""
    lines = [done.traces.by_name[pair] for pair in figure.pairs(done.sweeps[0].name)]
    sweep = next(sweep for sweep in done.sweeps if sweep.name == lines[0].sweep)
    xs = sorted({float(x) for trace in lines for x in trace.x})
    return Table(
        id=f"numbers-{'-'.join(filter(str.isalnum, figure.caption.lower().split()))[:30]}",
        caption=figure.caption,
        columns=(
            Column(sweep.x_title, numeric=not sweep.names),
            *(Column(text, numeric=True) for text in labels(done, lines)),
        ),
        rows=tuple(
            (
                sweep.names[int(x) - 1] if sweep.names else Sentence("{x:g}", x=round(x, 3)),
                *(_at(trace, x, done) for trace in lines),
            )
            for x in xs
        ),
        rank=Rank.FIRST,
    )


def _at(trace: Trace, x: float, done: LabRun) -> Value:
    places = [i for i, place in enumerate(trace.x) if place == x]
    if not places:
        return None
    mean, (low, high) = trace.mean[places[0]], trace.band
    if math.isnan(mean):
        return "undefined"
    ends = (low[places[0]], high[places[0]]) if done.replicates > 1 else (math.nan, math.nan)
    key, n = _styled(trace), done.replicates
    return Bare(Estimate(key=key, value=float(mean), low=float(ends[0]), high=float(ends[1]), n=n))


def _styled(trace: Trace) -> Key:
    """The key by which a number is written; one of no row that lies within -1 and 1 is as r is."""
    listed = split_key(trace.name)[0] in BY_NAME
    bounded = bool((np.abs(trace.mean[~np.isnan(trace.mean)]) <= 1).all())
    return Key("pearson") if bounded and not listed else Key(trace.name)


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
    listed = figures(done)
    curves = [drawing for figure in listed for drawing in drawings(done, figure)]
    first = First(
        title=about.title,
        policy="",
        facts=(f"{about.source}.", about.question),
        claims=tuple(
            Claim(
                name="",
                state=ruling.state,
                words=claim_text(statement, ruling),
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
            blocks=tuple(numbers(done, figure) for figure in listed),
        ),
        Section(id="how", title="How it is made", question="How are the scores drawn?",
                blocks=(Text(done.how), Text(done.drawn), Text(done.command))),
    ]  # fmt: skip
    blocks = [placed(view, figure) for figure in sections if figure.blocks]
    return page(first, blocks, {}, embedded(view, blocks, {}), FOOT)


def claim_text(statement: Statement, ruling: Ruling) -> str:
    """A claim beside its badge, which says whether it holds; for what, where that is not all."""
    scope = f": {ruling.verdict}" if ruling.scope else ""
    return f"{BEYOND * statement.ours}{statement.says}{scope}."


def files_of(done: LabRun) -> dict[str, str]:
    """All files of a run by name."""
    experiment = section(done)
    return {
        "experiment.json": done.to_json() + "\n",
        "curves.csv": done.to_csv(),
        "claims.csv": done.claims_csv(),
        "report.html": page_of(done),
        "summary.md": "\n\n".join(section_blocks([experiment])) + "\n",
        "tables/experiment.tex": section_tables(experiment),
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
