"""Sentences on what was read and used."""

from collections.abc import Sequence

from tallymark.render.sentences import Sentence, joined
from tallymark.results import Data, DesignWeights

_FROM_NAMES = " (from the column names)"


def used(data: Data) -> Sentence:
    """Say how many responses were read and used, and why others were not."""
    known = {"read": data.read, "used": data.used}
    if not data.exclusions:
        return Sentence("{read:responses} read, {used} used.", **known)
    several = len(data.exclusions) > 1  # the count of one reason is that of all
    reasons = [
        Sentence("{why} ({n})" if several else "{why}", why=why, n=n) for why, n in data.exclusions
    ]
    return Sentence(
        "{read:responses} read, {used} used; {out} excluded: {reasons}.",
        out=data.read - data.used,
        reasons=joined(reasons, "; "),
        **known,
    )


def scale_and_gold(data: Data, scale_words: str, *, gold: bool) -> Sentence:
    """Say on which scale scores are, and which human score systems are held against."""
    inferred = " (inferred)" if data.scale_inferred else ""
    scale = Sentence(f"Scale: {{scale}}{inferred}.", scale=scale_words)
    if data.view == "nominal":
        scale = Sentence("Labels without order: {scale}.", scale=data.scale)
    if data.view == "binary" and gold:
        positive = (data.gold_scale or data.scale).rpartition(",")[2]
        words = "Scale: {scale}{inferred}; positive: {positive}."
        scale = Sentence(words, scale=scale_words, inferred=inferred, positive=positive)
    if not gold:
        return scale
    if data.gold_scale in ("", data.scale) or scale_words != data.scale:
        return Sentence("{scale} Gold: {gold}.", scale=scale, gold=data.gold)
    return Sentence(
        "{scale} Gold: {gold}, scale {gold_scale}.",
        scale=scale,
        gold=data.gold,
        gold_scale=data.gold_scale,
    )


def guessed(guesses: Sequence[str]) -> Sentence:
    """Say what was taken from the names of columns."""
    names = [guess.removesuffix(_FROM_NAMES) for guess in guesses]
    return Sentence("Guessed: {names}.", names="; ".join(names))


def weighted(weights: DesignWeights) -> Sentence:
    """Say what the weights of responses are worth."""
    if weights.worth == weights.n:
        words = "all weights in {column} are equal: the same as none."
    else:
        words = "weighted by {column}: {n:responses}, as exact as {worth} of equal weight (Kish)."
    return Sentence(f"Note: {words}", column=weights.column, n=weights.n, worth=weights.worth)


def note(text: str) -> Sentence:
    """Say what was noted while reading."""
    return Sentence("Note: {text}.", text=text)


def before_the_numbers(words: str) -> Sentence:
    """Say what is to be known before the numbers are read."""
    return Sentence("Note: {words}", words=words)


def as_one(cluster: str) -> Sentence:
    """Say what an interval counts as one."""
    return Sentence(
        "Intervals count each {cluster} as one, because its responses depend on each other.",
        cluster=cluster,
    )
