"""Keys: how a number is addressed, whose it is, and with what it was compared."""

from enum import StrEnum
from typing import Any, Self

from msgspec import Struct

SPELLED_OUT = {("krippendorff_alpha", "weights"), ("csrate", "points")}
"""Parameters written with their name, because another of the statistic takes the same words."""


class Key(str):
    """The address of a number: a name and its parameters, in their order.

    A key is also its text, so a mapping by keys is read with a key or with the text. A parameter
    may be a key itself.

    >>> Key("degradation", of=Key("cohen_kappa", weights="quadratic"))
    'degradation[cohen_kappa[quadratic]]'
    >>> Key("cohen_kappa", weights="quadratic").params
    {'weights': 'quadratic'}
    """

    __slots__ = ("name", "params", "text")
    name: str
    params: dict[str, Any]
    text: str

    def __new__(cls, name: str, /, **params: Any) -> Self:
        """Write the text, once."""
        inside = ",".join(_word(name, key, value) for key, value in params.items())
        text = f"{name}[{inside}]" if params else name
        made = super().__new__(cls, text)
        made.name, made.params, made.text = name, params, text
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by name and parameters."""
        return _made, (self.name, self.params)

    def having(self, **params: Any) -> "Key":
        """Return the key with parameters added or changed."""
        return Key(self.name, **{**self.params, **params})


def split_key(text: str) -> tuple[str, str]:
    """Take the text of a key apart: the name, and what stands inside the brackets.

    >>> split_key("icc[1,1]"), split_key("degradation[smd[pooled]]"), split_key("bias")
    (('icc', '1,1'), ('degradation', 'smd[pooled]'), ('bias', ''))
    """
    name, _, inside = text.partition("[")
    return name, inside.removesuffix("]")


def _made(name: str, params: dict[str, Any]) -> Key:
    return Key(name, **params)


def _word(name: str, key: str, value: object) -> str:
    spelled = f"{key}=" if (name, key) in SPELLED_OUT else ""
    if not isinstance(value, str):
        return f"{spelled}{value:g}" if isinstance(value, int | float) else key
    return f"{spelled}{value}"


class Kind(StrEnum):
    """What has scores, or is compared with; users' names stand beside a kind, never for one."""

    GOLD = "gold"
    SYSTEM = "system"
    RATER = "rater"
    PEOPLE = "people"
    BASELINE = "baseline"
    PUBLISHED = "published"
    OTHERS = "the other raters"
    ITSELF = "itself"
    TRUE_SCORES = "true scores"
    OTHER_GROUPS = "other groups"
    CEILING = "ceiling"
    CONFIDENCE = "confidence"
    CRITICAL = "critical errors"
    OTHER_SCALES = "other scales"
    PASS_MARKS = "pass marks"
    CUT_SCORES = "cut scores"
    RECALIBRATED = "recalibrated"
    DIAGNOSIS = "diagnosis"
    SEVERITY = "severity"
    GSTUDY = "generalizability"
    WITHOUT = "people without"
    WHAT_IF = "what if"
    LENGTH = "length"
    PROBE = "probe"


class Scorer(Struct, frozen=True):
    """Whose scores a subset is about: a system, a rater, people together, a baseline."""

    kind: Kind
    name: str = ""

    def __str__(self) -> str:
        """The name, else the word for the kind."""
        return self.name or str(self.kind)

    @property
    def is_system(self) -> bool:
        """Whether a system of the data gave the scores."""
        return self.kind is Kind.SYSTEM


class Comparison(Struct, frozen=True):
    """What a scorer is compared with: the gold, a rater, another system, true scores."""

    kind: Kind
    name: str = ""

    def __str__(self) -> str:
        """The name, else the word for the kind; of people without a rater both."""
        if self.kind is Kind.WITHOUT:
            return f"{self.kind} {self.name}"
        return self.name or str(self.kind)


def system_called(name: str) -> Scorer:
    """Return the system of this name."""
    return Scorer(Kind.SYSTEM, name)


def rater_called(name: str) -> Scorer:
    """Return the rater of this name."""
    return Scorer(Kind.RATER, name)


def without_rater(name: str) -> Comparison:
    """Return the comparison with the other people, this rater left out."""
    return Comparison(Kind.WITHOUT, name)


def published(name: str) -> Scorer:
    """Return the scorer whose number was published under this name."""
    return Scorer(Kind.PUBLISHED, name)


PEOPLE = Scorer(Kind.PEOPLE)
GOLD = Comparison(Kind.GOLD)
AMONG_PEOPLE = Comparison(Kind.PEOPLE)
OTHERS = Comparison(Kind.OTHERS)
ITSELF = Comparison(Kind.ITSELF)
TRUE_SCORES = Comparison(Kind.TRUE_SCORES)
OTHER_GROUPS = Comparison(Kind.OTHER_GROUPS)
CEILING = Comparison(Kind.CEILING)
CONFIDENCE = Comparison(Kind.CONFIDENCE)
CRITICAL = Comparison(Kind.CRITICAL)
OTHER_SCALES = Comparison(Kind.OTHER_SCALES)
PASS_MARKS = Comparison(Kind.PASS_MARKS)
CUT_SCORES = Comparison(Kind.CUT_SCORES)
RECALIBRATED = Comparison(Kind.RECALIBRATED)
DIAGNOSIS = Comparison(Kind.DIAGNOSIS)
SEVERITY = Comparison(Kind.SEVERITY)
GSTUDY = Comparison(Kind.GSTUDY)
WHAT_IF = Comparison(Kind.WHAT_IF)
LENGTH = Comparison(Kind.LENGTH)
