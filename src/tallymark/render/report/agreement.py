"""Agreement: how well systems agree with the gold, on all responses and on each part."""

from collections.abc import Iterator

from tallymark.catalogue import BY_NAME
from tallymark.render import figures
from tallymark.render.leading import brief, leading
from tallymark.render.literal import literal
from tallymark.render.model import Block, Column, Heading, Section, Table, Text
from tallymark.render.report.blocks import MOST_FIGURES, by_part, drawn, paired, statistics_table
from tallymark.render.report.view import View, words
from tallymark.render.subsets import (
    against_gold,
    by_kind_of_part,
    headline_subsets,
    whole,
    whole_subsets,
)
from tallymark.results import Numbers, Subset

MOST_COLUMNS = 6
"""Every statistic of so many systems fits beside each other."""


def agreement(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="agreement",
        title="Agreement",
        question="How well do systems agree with the gold?",
        blocks=tuple(_blocks(view)),
        needs="a system's scores beside those of people: --system.",
    )


def _blocks(view: View) -> Iterator[Block]:
    evaluation = view.evaluation
    column, subsets = headline_subsets(evaluation)
    if not subsets:
        return
    shown = leading(evaluation)
    over = f", mean over {column}s" if column else ""
    rows = [(words(s.system), s.n, _numbers(view, s)) for s in subsets]
    yield statistics_table(view, "systems", f"Systems against the gold{over}", rows, shown)
    if column and whole_subsets(evaluation):
        rows = [(words(s.system), s.n, _numbers(view, s)) for s in whole_subsets(evaluation)]
        caption = f"All responses together; differences between {column}s are in these numbers too"
        yield statistics_table(view, "pooled", caption, rows, brief(evaluation))
    yield from _matrices(view)
    yield from _every(view, subsets, over)
    for title, parts in by_kind_of_part(against_gold(evaluation)):
        if not all(s.group_column for s in parts):  # groups stand under fairness
            own = [(evaluation.subsets.index(s), s) for s in parts]
            yield by_part(view, f"agreement {title}", f"{title}", own, brief(evaluation))


def _numbers(view: View, subset: Subset) -> Numbers:
    return view.numbers[view.evaluation.subsets.index(subset)]


def _matrices(view: View) -> Iterator[Block]:
    """The confusion matrix of each system, and what it gives at each gold score."""
    evaluation = view.evaluation
    found = [
        matrix
        for matrix in evaluation.matrices
        if matrix.name == "confusion" and whole(evaluation.subsets[matrix.subset])
    ]
    if not found:
        return
    yield Heading("Which scores are confused")
    for matrix in found[:MOST_FIGURES]:
        series = view.series(evaluation.subsets[matrix.subset].system)
        system = literal(evaluation.subsets[matrix.subset].system)
        caption = f"Responses by gold (rows) and {system} (columns)"
        blocks = drawn(view, figures.confusion, matrix, caption=caption, small=True)
        caption = f"What {system} gives, on average, at each gold score"
        blocks += drawn(
            view, figures.calibration, matrix, caption=caption, small=True, series=series
        )
        yield from paired(blocks)
    if len(found) > MOST_FIGURES:
        left = len(found) - MOST_FIGURES
        yield Text(f"The matrices of {left} more systems are in tables/confusion_*.csv.", "lesser")


def _every(view: View, subsets: list[Subset], over: str) -> Iterator[Block]:
    """Every coefficient of every system, folded."""
    known = view.evaluation.definitions
    texts = [
        text
        for text in dict.fromkeys(t for s in subsets for t in _numbers(view, s))
        if BY_NAME[known[text].name].value is not None
    ]
    if len(subsets) > MOST_COLUMNS:
        text = f"All {len(texts)} statistics of every system are in tables/estimates.csv."
        yield Text(text, "lesser")
        return
    yield Table(
        id=view.free_id("every"),
        caption=f"Every statistic of agreement and accuracy{over}",
        columns=(
            Column("statistic"),
            Column("name"),
            *(Column(literal(s.system), numeric=True) for s in subsets),
        ),
        rows=tuple(
            (
                words(known[text].title),
                words(text),
                *(view.cell(_numbers(view, s).get(text)) for s in subsets),
            )
            for text in texts
        ),
        folded=True,
    )
