"""What an evaluation says in words."""

from collections.abc import Mapping
from typing import NamedTuple

from tallymark.analyses import findings


def notes(evaluation):
    """What is said before the numbers, without the final periods."""
    return tuple(text.removesuffix(".") for text in findings.notes(evaluation))


class Read(NamedTuple):
    """A finding and its words."""

    name: str
    loud: bool
    numbers: Mapping[str, float]
    words: str
    advice: str


def read(evaluation, finding):
    """A finding as a reader gets it."""
    told = findings.words_of(finding, evaluation)
    words, advice = str(told.words), str(told.advice)
    return Read(finding.name, finding.loud, finding.numbers, words, advice)


def words(evaluation, finding):
    """The words of a finding."""
    return read(evaluation, finding).words
