"""What was read, as a section; on the page with the scores that were given."""

from collections.abc import Iterator, Sequence

from tallymark.questions.data.say import (
    before_the_numbers,
    guessed,
    note,
    resampled,
    scale_and_gold,
    used,
    weighted,
)
from tallymark.render.drawing import FEW_FIGURES, MOST_FIGURES
from tallymark.render.model import Block, Column, Drawing, Heading, Rank, Says, Section, Table, Text
from tallymark.render.sentences import Sentence
from tallymark.render.subsets import series_of, whole
from tallymark.results import Evaluation

WITHOUT_GOLD = ("raters", "ceiling")
"""Analyses of people alone."""


def section(evaluation: Evaluation, notes: Sequence[str] = ()) -> Section:
    """Show what was read, excluded and guessed, and on which scale, and what to note of it."""
    return Section(
        id="data",
        title="Data and exclusions",
        question="What was read, and what was left out?",
        blocks=tuple(_blocks(evaluation, notes)),
        titled=False,
    )


def _blocks(evaluation: Evaluation, notes: Sequence[str]) -> Iterator[Block]:
    data = evaluation.data
    scale = scale_and_gold(data, gold=evaluation.kind not in WITHOUT_GOLD)
    yield Text(Sentence("{used} {scale}", used=used(data), scale=scale), rank=Rank.FIRST)
    guesses = [guessed(data.guesses)] if data.guesses else []
    weights = [] if data.weights is None else [weighted(data.weights)]
    said = (*guesses, *weights, *map(note, data.notes))
    if said:
        yield Says(said, rank=Rank.FIRST)
    for words in notes:
        yield Text(before_the_numbers(words), "warning", rank=Rank.FIRST)
    if evaluation.options.get("cluster"):
        yield Text(resampled(str(evaluation.options["cluster"])), rank=Rank.PAGE)
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
