"""What was read, as a section; on the page with the scores that were given."""

from collections.abc import Iterator, Sequence

from tallymark.questions.data.say import (
    as_one,
    before_the_numbers,
    guessed,
    note,
    scale_and_gold,
    used,
    weighted,
)
from tallymark.render.drawing import FEW_FIGURES, MOST_FIGURES
from tallymark.render.model import Block, Column, Drawing, Heading, Rank, Says, Section, Table, Text
from tallymark.render.scope import scale_called
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import series_of, whole
from tallymark.results import Evaluation

MOST_NOTES, FEW_NOTES = 4, 2
"""So many notes are on a first screen, so many of them on what was found where both are many."""
WITHOUT_GOLD = ("raters", "ceiling")
"""Analyses of people alone."""


def section(
    evaluation: Evaluation, notes: Sequence[str] = (), pooled: Sequence[str] = ()
) -> Section:
    """Show what was read, excluded and guessed, and on which scale, and what to note of it.

    Notes on ``pooled`` numbers are on no first screen.
    """
    return Section(
        id="data",
        title="Data and exclusions",
        question="What was read, and what was left out?",
        blocks=tuple(_blocks(evaluation, notes, pooled)),
        titled=False,
    )


def notes_left(evaluation: Evaluation, notes: Sequence[str], pooled: Sequence[str]) -> int:
    """How many notes a first screen leaves out."""
    return max(len(evaluation.data.notes) + len(notes) - MOST_NOTES, 0) + len(pooled)


def _blocks(evaluation: Evaluation, notes: Sequence[str], pooled: Sequence[str]) -> Iterator[Block]:
    data = evaluation.data
    gold = evaluation.kind not in WITHOUT_GOLD
    scale = scale_and_gold(data, scale_called(evaluation), gold=gold)
    yield Text(Sentence("{used} {scale}", used=used(data), scale=scale), rank=Rank.FIRST)
    guesses = [guessed(data.guesses)] if data.guesses else []
    weights = [] if data.weights is None else [weighted(data.weights)]
    of_data = [*map(note, data.notes)]
    most = MOST_NOTES - min(len(notes), FEW_NOTES)
    yield Says((*guesses, *weights, *of_data[:most]), rank=Rank.FIRST)
    yield Says(tuple(of_data[most:]))
    room = MOST_NOTES - min(len(of_data), most)
    for i, words in enumerate([*notes, *pooled]):
        rank = Rank.FIRST if i < min(room, len(notes)) else Rank.FULL
        yield Text(before_the_numbers(words), "warning", rank=rank)
    if evaluation.options.get("cluster"):
        yield Text(as_one(str(evaluation.options["cluster"])), rank=Rank.PAGE)
    if data.exclusions:
        yield Table(
            id="data",
            caption="Responses that were not used",
            columns=(Column("reason"), Column("n", numeric=True)),
            rows=data.exclusions,
            note="Each is counted once; exclusions.csv names the rows.",
            rank=Rank.PAGE,
        )
    yield from _distributions(evaluation)


def _distributions(evaluation: Evaluation) -> Iterator[Block]:
    """How often people and each system gave each score."""
    matrices = [
        (matrix, evaluation.subsets[matrix.subset].system)
        for matrix in evaluation.matrices
        if matrix.name == "distribution" and whole(evaluation.subsets[matrix.subset])
    ]
    if evaluation.kind == "raters":
        return
    if len(matrices) > FEW_FIGURES:
        yield Heading("How often each score was given", rank=Rank.PAGE, folded=True)
    for matrix, system in matrices[:MOST_FIGURES]:
        caption = Sentence(
            "How often each score was given, by people and by {system}", system=system
        )
        options = {"series": series_of(evaluation, system)}
        yield Drawing("distribution", (matrix,), caption, True, options)
    if len(matrices) > MOST_FIGURES:
        left = Sentence("{n} more in tables/distributions.csv.", n=len(matrices) - MOST_FIGURES)
        yield Text(left, "lesser", rank=Rank.PAGE)
