"""An experiment as a section: what the source says, whether it holds, and the curves."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from tallymark.catalogue import BY_NAME
from tallymark.lab.experiment import Shown, Trace
from tallymark.lab.outcome import LabRun
from tallymark.lab.rulings import label
from tallymark.render.model import (
    Bare,
    Block,
    Column,
    Drawing,
    Rank,
    Says,
    Section,
    Table,
    Text,
    Value,
)
from tallymark.render.sentences import Sentence
from tallymark.results import Curve, Estimate, Key, split_key

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
    for shown in figures(done):
        yield from drawings(done, shown)
    for shown in figures(done):
        yield numbers(done, shown)
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


def figures(done: LabRun) -> list[Shown]:
    """The figures of the experiment, and those of the statistics that join it."""
    shown = [*done.experiment.figures]
    for sweep in done.sweeps:
        caption = ", ".join(filter(None, [YOURS, sweep.title]))
        for i in range(0, len(done.joining), MOST_LINES):
            some = done.joining[i : i + MOST_LINES]
            shown.append(Shown(caption, tuple((sweep.name, name) for name in some)))
    return shown


def drawings(done: LabRun, shown: Shown) -> Iterator[Drawing]:
    """The lines of a figure with their bands."""
    pairs = shown.pairs(done.sweeps[0].name)
    lines = [done.traces.by_name[pair] for pair in pairs]
    yield Drawing(
        "lines.curves",
        ([_curve(done, trace) for trace in lines], labels(done, lines)),
        shown.caption,
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


def numbers(done: LabRun, shown: Shown) -> Table:
    """The means along the axis; their bands show on the page."""
    lines = [done.traces.by_name[pair] for pair in shown.pairs(done.sweeps[0].name)]
    sweep = next(sweep for sweep in done.sweeps if sweep.name == lines[0].sweep)
    xs = sorted({float(x) for trace in lines for x in trace.x})
    return Table(
        id=f"numbers-{'-'.join(filter(str.isalnum, shown.caption.lower().split()))[:30]}",
        caption=shown.caption,
        columns=(
            Column(sweep.x_title, numeric=not sweep.names),
            *(Column(text, numeric=True) for text in labels(done, lines)),
        ),
        rows=tuple((_x(x, sweep.names), *(_at(trace, x, done) for trace in lines)) for x in xs),
        rank=Rank.FIRST,
    )


def _x(x: float, names: Sequence[str]) -> Value:
    return names[int(x) - 1] if names else Sentence("{x:g}", x=round(x, 3))


def _at(trace: Trace, x: float, done: LabRun) -> Value:
    places = [i for i, at in enumerate(trace.x) if at == x]
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
    known = split_key(trace.name)[0] in BY_NAME
    bounded = bool((np.abs(trace.mean[~np.isnan(trace.mean)]) <= 1).all())
    return Key("pearson") if bounded and not known else Key(trace.name)
