"""Sentences whose numbers stay numbers until a screen writes them."""

import math
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import NamedTuple, Union

from tallymark.render.limits import Beside, End
from tallymark.render.literal import literal
from tallymark.render.numbers import (
    coefficient_text,
    counted_up,
    in_percent,
    p_after,
    p_text,
    percent,
    plain_number,
    responses,
    roughly,
    rounded,
    rounded_up,
    value_text,
    with_interval,
)
from tallymark.results import Estimate, Evaluation, Finding

Said = Union[str, float, Estimate, Beside, End, "Sentence", Sequence["Words"]]
"""A name of the user's, a number, an estimate, a clause, or clauses that commas join."""
Words = Union[str, "Sentence"]
MINUS = "−"
"""Before negative numbers, where a screen is not plain text."""
_ESTIMATE = {"": with_interval, "value": value_text, "percent": percent, "up": counted_up}
_NUMBER: dict[str, Callable[[float], str]] = {
    "": plain_number,
    "percent": lambda share: f"{in_percent(share)} %",
    "tenths": lambda share: "undefined" if math.isnan(share) else f"{in_percent(share, 1)} %",
    "share": lambda share: rounded(share, 3, coefficient=True),
    "hundredths": lambda number: rounded(number, 2),
    "responses": lambda n: responses(int(n)),
    "roughly": roughly,
    "p": p_text,
    "after_p": p_after,
    "g": lambda number: f"{number:g}",
    "coefficient": coefficient_text,
    "goal": lambda share: rounded(share, 2, coefficient=True),
    "about": lambda number: plain_number(rounded_up(number)),
    "level": lambda level: f"{100 * level:g} %",
    "exact": lambda number: f"{number:.12g}",
}

_FIELDS = {
    "a second --human column": "second_human_score_column in the configuration",
    "--human COLUMN": "second_human_score_column",
    "--group gender": "subgroups",
    "--group COLUMN": "subgroups",
    "--group": "subgroups",
    "--error-variance": "rater_error_variance",
    "--repeat": "tallymark evaluate and --repeat",
    "--confidence": "tallymark evaluate and --confidence",
}
"""What a configuration has in place of an option, the longer words first."""


class Sentence:
    """A template of ours and the values that stand in it: text of the user is always a value.

    ``{kappa}`` writes an estimate with its interval, ``{kappa:value}`` alone, ``{share:percent}``
    in percent, ``{share:tenths}`` with one decimal, ``{share:share}`` as .123, ``{goal:goal}`` as
    .80, ``{smd:hundredths}`` as 0.80, ``{kappa:coefficient}`` as .695 or .70, ``{needed:up}`` rounded up, ``{level:level}`` a level; ``{n}`` a number,
    ``{n:responses}`` a count of responses, ``{n:about}`` rounded up to two digits, ``{cut:g}`` as
    given, ``{tau:exact}`` with all its digits, ``p {p:after_p}`` a p-value; ``{names}`` a list with
    commas, ``{names:and}`` with "and" before the last.

    >>> str(Sentence("{who}: {share:percent} of {n:responses}.", who="bot", share=0.5, n=1200))
    'bot: 50 % of 1,200 responses.'
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, /, **values: Said) -> None:
        self.template = template
        self.values = values

    def __str__(self) -> str:
        """Write it on one line; each screen escapes the whole of it."""
        return self.write()

    def write(self, minus: str = "-") -> str:
        """Write it with this sign before negative numbers; names keep their hyphens."""
        return "".join(
            text if name is None else text + _written(self.values[name], spec or "", minus)
            for text, name, spec, _ in Formatter().parse(self.template)
        )

    def __repr__(self) -> str:
        """Show what it says."""
        return f"Sentence({str(self)!r})"


class FindingWords(NamedTuple):
    """A finding in words: full sentences, what to do about it, and a heading of two or three words.

    Without a title the finding's name is the heading. ``state`` is what the sentences turn on, such
    as a direction: findings of several parts are said as one only where it is the same.
    """

    words: Words
    advice: Words = ""
    title: str = ""
    state: tuple[object, ...] = ()


Tellers = Mapping[str, Callable[[Finding, Evaluation], FindingWords]]
"""What a question says of each of its findings, by their names."""


def joined(clauses: Sequence[Words], by: str) -> Sentence:
    """Join clauses by other than commas.

    >>> str(joined([Sentence("{n} left", n=2), "none right"], "; "))
    '2 left; none right'
    """
    named = {f"clause{i}": clause for i, clause in enumerate(clauses)}
    return Sentence(by.join(f"{{{name}}}" for name in named), **named)


def some(names: Sequence[Words], most: int) -> Sentence:
    """The first of some names, and how many more there are.

    >>> str(some(["a", "b", "c"], 5)), str(some(["a", "b", "c"], 1))
    ('a, b and c', 'a and 2 more')
    """
    left = len(names) - most
    template = "{names} and {left} more" if left > 0 else "{names:and}"
    return Sentence(template, names=names[:most], left=left)


def written(words: Words, minus: str = "-") -> str:
    """Write a sentence, or a text, on one line and without characters that a screen obeys."""
    return words.write(minus) if isinstance(words, Sentence) else literal(words)


def number_text(number: float, style: str) -> str:
    """Write a number as a sentence does."""
    return _NUMBER[style](number)


def _written(value: Said, spec: str, minus: str) -> str:
    if isinstance(value, Sentence | str):
        return written(value, minus)
    if isinstance(value, Beside | End):
        return value.written(spec).replace("-", minus)
    if isinstance(value, Estimate):
        return _ESTIMATE[spec](value).replace("-", minus)
    if isinstance(value, int | float):
        return _NUMBER[spec](value).replace("-", minus)
    texts = [written(each, minus) for each in value]
    if spec == "and" and len(texts) > 1:
        return f"{', '.join(texts[:-1])} and {texts[-1]}"
    return ", ".join(texts)


def asked_by(evaluation: Evaluation, words: str) -> str:
    """Words that name options, in the way of who asked for this evaluation."""
    if evaluation.kind == "rsmeval":
        for option, field in _FIELDS.items():
            words = words.replace(option, field)
    return words
