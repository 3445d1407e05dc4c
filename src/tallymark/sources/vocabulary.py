"""Vocabulary: the words of scales that are known by them."""

from collections.abc import Mapping

from msgspec import Struct

from tallymark.scale import SAME, Scale
from tallymark.sources.sql import texts

_KNOWN = """
false,true
no,yes
n,y
f,t
fail,pass
failed,passed
incorrect,correct
wrong,right
bad,good
reject,accept
rejected,accepted
unacceptable,acceptable
unsafe,safe
unfaithful,faithful
irrelevant,relevant
unhelpful,helpful
ungrounded,grounded
unsupported,supported
disagree,agree
dislike,like
down,up
negative,positive
negative,neutral,positive
low,high
low,medium,high
low,moderate,high
incorrect,partial,correct
incorrect,partially correct,correct
none,partial,full
i|n,p,c
i|n,c
disagree,neutral,agree
disagree,neither agree nor disagree,agree
strongly disagree,disagree,agree,strongly agree
strongly disagree,disagree,neutral,agree,strongly agree
strongly disagree,disagree,neither agree nor disagree,agree,strongly agree
strongly disagree,disagree,undecided,agree,strongly agree
strongly disagree,disagree,somewhat disagree,neutral,somewhat agree,agree,strongly agree
very poor,poor,fair,good,very good
very poor,poor,fair,good,excellent
poor,fair,good
poor,fair,good,excellent
poor,fair,good,very good
poor,fair,good,very good,excellent
very bad,bad,neutral,good,very good
very bad,bad,ok,good,very good
very bad,bad,okay,good,very good
bad,ok,good
bad,okay,good
very dissatisfied,dissatisfied,neutral,satisfied,very satisfied
very unlikely,unlikely,neutral,likely,very likely
never,rarely,sometimes,often,always
not at all,slightly,moderately,very,extremely
"""
"""Words from the lowest point to the highest; a bar stands between words of one point."""


class Vocabulary(Struct, frozen=True):
    """The words of a scale that is known by them, each with its place."""

    labels: tuple[str, ...]

    @property
    def places(self) -> dict[str, int]:
        """The place of every word."""
        return {word: i for i, label in enumerate(self.labels) for word in label.split(SAME)}

    def spelled(self, seen: Mapping[str, Mapping[str, str]]) -> Scale:
        """The scale in the words of the data; those that it lacks in ours."""
        labels = []
        for label in self.labels:
            words = [w for word in label.split(SAME) for w in seen.get(word, {}).values()]
            labels.append(SAME.join(words) or label.split(SAME)[0])
        return Scale.of(labels)


KNOWN = tuple(Vocabulary(tuple(line.split(","))) for line in _KNOWN.split("\n") if line)
WORDS = {word: min(place, 1) for known in KNOWN for word, place in known.places.items()}
"""Every word that is known: 0 where it is the lowest of its scale, else 1."""


def plain_word(text: str) -> str:
    """A word as it is known: in small letters, with blanks.

    >>> plain_word("Strongly_Disagree")
    'strongly disagree'
    """
    return " ".join(text.lower().replace("_", " ").replace("-", " ").split())


def as_known(text: str) -> str:
    """Write a word that is known as 0 or 1, whatever its capitals and hyphens; NULL if it is none."""
    word = f"replace(replace(lower({text}), '_', ' '), '-', ' ')"
    low, other = ([word for word, place in WORDS.items() if place == end] for end in (0, 1))
    return f"CASE WHEN {word} IN {texts(low)} THEN 0e0 WHEN {word} IN {texts(other)} THEN 1e0 END"
