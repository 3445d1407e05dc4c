"""Data: what was read, what was left out and why, and what scores were given."""

from collections.abc import Iterator

from tallymark.render import figures
from tallymark.render.literal import literal
from tallymark.render.model import Block, Cell, Column, Section, Table, Terms, Text
from tallymark.render.numbers import count
from tallymark.render.report.blocks import MOST_FIGURES, drawn, paired
from tallymark.render.report.view import View, words
from tallymark.render.subsets import whole


def data(view: View) -> Section:
    """Put the section together."""
    return Section(
        id="data",
        title="Data and exclusions",
        question="What was read, and what was left out?",
        blocks=tuple(_blocks(view)),
    )


def _blocks(view: View) -> Iterator[Block]:
    evaluation, found = view.evaluation, view.evaluation.data
    if found.exclusions:
        yield Table(
            id=view.free_id("table data"),
            caption="Responses that were not used",
            columns=(Column("reason"), Column("responses", numeric=True)),
            rows=tuple((words(why), Cell(count(n), raw=float(n))) for why, n in found.exclusions),
            note="Each is counted once; exclusions.csv names the rows.",
        )
    yield Terms(tuple(_terms(view)))
    for note in view.notes:
        yield Text(_upper(note), "warning")
    shown = [
        matrix
        for matrix in evaluation.matrices
        if matrix.name == "distribution" and whole(evaluation.subsets[matrix.subset])
    ]
    if evaluation.kind == "raters" or not shown:
        return
    blocks: list[Block] = []
    for matrix in shown[:MOST_FIGURES]:
        system = evaluation.subsets[matrix.subset].system
        caption = f"How often each score was given, by people and by {literal(system)}"
        series = view.series(system)
        blocks += drawn(
            view, figures.distribution, matrix, caption=caption, small=True, series=series
        )
    yield from paired(blocks)
    if len(shown) > MOST_FIGURES:
        yield Text(f"{len(shown) - MOST_FIGURES} more in tables/distributions.csv.", "lesser")


def _terms(view: View) -> Iterator[tuple[str, str]]:
    found = view.evaluation.data
    yield "read", count(found.read)
    left = "" if found.exclusions else "; nothing was excluded"
    yield "used", f"{count(found.used)}{left}"
    inferred = " (read off the human scores)" if found.scale_inferred else ""
    yield "scale", f"{literal(found.scale)}{inferred}"
    if found.gold and view.evaluation.kind not in ("raters", "ceiling"):
        scale = (
            f", scale {literal(found.gold_scale)}"
            if found.gold_scale not in ("", found.scale)
            else ""
        )
        yield "gold", f"{literal(found.gold)}{scale}: the human score that systems are held against"
    for guess in found.guesses:
        yield "guessed", literal(guess)
    for note in found.notes:
        yield "note", literal(note)
    options = view.evaluation.options
    if options.get("cluster"):
        what = literal(str(options["cluster"]))
        yield "resampled", f"whole {what}s: responses of one {what} depend on each other"


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
