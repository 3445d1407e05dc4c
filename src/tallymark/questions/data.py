"""What was read, as a section; on the page with the scores that were given."""

from collections.abc import Iterator, Sequence

from tallymark.defaults import FEW_SYSTEMS, MOST_SYSTEMS
from tallymark.render.model import Block, Column, Drawing, Heading, Rank, Says, Section, Table, Text
from tallymark.render.sentences import Sentence, joined
from tallymark.render.subsets import scale_called, series_of, whole
from tallymark.results import Data, DesignWeights, Evaluation

FROM_NAMES = " (from the column names)"
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
    words = Sentence("{used} {scale}", used=used(data), scale=_scale_and_gold(evaluation))
    yield Text(words, rank=Rank.FIRST)
    guesses = [guessed(data.guesses)] if data.guesses else []
    weights = [] if data.weights is None else [_weighted(data.weights)]
    of_data = [Sentence("Note: {text}.", text=text) for text in data.notes]
    most = MOST_NOTES - min(len(notes), FEW_NOTES)
    yield Says((*guesses, *weights, *of_data[:most]), rank=Rank.FIRST)
    yield Says(tuple(of_data[most:]))
    room = MOST_NOTES - min(len(of_data), most)
    for i, note in enumerate([*notes, *pooled]):
        rank = Rank.FIRST if i < min(room, len(notes)) else Rank.FULL
        yield Text(Sentence("Note: {words}", words=note), "warning", rank=rank)
    if cluster := evaluation.options.get("cluster"):
        words = Sentence(
            "Intervals count each {cluster} as one, because its responses depend on each other.",
            cluster=str(cluster),
        )
        yield Text(words, rank=Rank.PAGE)
    if data.exclusions:
        yield Table(
            id="data",
            caption="Responses that were not used",
            columns=(Column("reason"), Column("n", numeric=True)),
            rows=data.exclusions,
            note="Each is counted once; exclusions.csv names the rows.",
            rank=Rank.PAGE,
        )
    if evaluation.kind != "raters":
        yield from _distributions(evaluation)


def used(data: Data) -> Sentence:
    """Say how many responses were read and used, and why others were not."""
    counts = {"read": data.read, "used": data.used}
    if not data.exclusions:
        return Sentence("{read:responses} read, {used} used.", **counts)
    several = len(data.exclusions) > 1  # the count of one reason is that of all
    reasons = [
        Sentence("{why} ({n})" if several else "{why}", why=why, n=n) for why, n in data.exclusions
    ]
    return Sentence(
        "{read:responses} read, {used} used; {out} excluded: {reasons}.",
        out=data.read - data.used,
        reasons=joined(reasons, "; "),
        **counts,
    )


def guessed(guesses: Sequence[str]) -> Sentence:
    """Say what was taken from the names of columns."""
    names = [guess.removesuffix(FROM_NAMES) for guess in guesses]
    return Sentence("Guessed: {names}.", names="; ".join(names))


def _scale_and_gold(evaluation: Evaluation) -> Sentence:
    """Say on which scale scores are, and which human score systems are held against."""
    data, name = evaluation.data, scale_called(evaluation)
    gold = evaluation.kind not in WITHOUT_GOLD
    inferred = " (inferred)" if data.scale_inferred else ""
    scale = Sentence(f"Scale: {{scale}}{inferred}.", scale=name)
    if data.view == "nominal":
        scale = Sentence("Labels without order: {scale}.", scale=data.scale)
    if data.view == "binary" and gold:
        positive = (data.gold_scale or data.scale).rpartition(",")[2]
        template = "Scale: {scale}{inferred}; positive: {positive}."
        scale = Sentence(template, scale=name, inferred=inferred, positive=positive)
    if not gold:
        return scale
    if data.gold_scale in ("", data.scale) or name != data.scale:
        return Sentence("{scale} Gold: {gold}.", scale=scale, gold=data.gold)
    template = "{scale} Gold: {gold}, scale {gold_scale}."
    return Sentence(template, scale=scale, gold=data.gold, gold_scale=data.gold_scale)


def _weighted(weights: DesignWeights) -> Sentence:
    """Say what the weights of responses are worth."""
    words = "weighted by {column}: {n:responses}, as exact as {worth} of equal weight (Kish)."
    if weights.worth == weights.n:
        words = "all weights in {column} are equal: the same as none."
    return Sentence(f"Note: {words}", column=weights.column, n=weights.n, worth=weights.worth)


def _distributions(evaluation: Evaluation) -> Iterator[Block]:
    """How often people and each system gave each score."""
    matrices = [
        (matrix, evaluation.subsets[matrix.subset].system)
        for matrix in evaluation.matrices
        if matrix.name == "distribution" and whole(evaluation.subsets[matrix.subset])
    ]
    if len(matrices) > FEW_SYSTEMS:
        yield Heading("How often each score was given", rank=Rank.PAGE, folded=True)
    for matrix, system in matrices[:MOST_SYSTEMS]:
        caption = Sentence(
            "How often each score was given, by people and by {system}", system=system
        )
        options = {"series": series_of(evaluation, system)}
        yield Drawing("distribution", (matrix,), caption, True, options)
    if len(matrices) > MOST_SYSTEMS:
        left = Sentence("{n} more in tables/distributions.csv.", n=len(matrices) - MOST_SYSTEMS)
        yield Text(left, "lesser", rank=Rank.PAGE)
