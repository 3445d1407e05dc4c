"""What stands in a table: names, numbers and their columns, and where each shows."""

from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from tallymark.render.sentences import Sentence
from tallymark.results import Estimate

if TYPE_CHECKING:
    from tallymark.catalogue import Member


class Rank(IntEnum):
    """Where a block, a column or a measure shows."""

    FIRST = 1
    """In the short summary, in Markdown, and wherever the others show."""
    FULL = 2
    """On the terminal with --full, and on the page."""
    PAGE = 3
    """On the page alone."""


class Cell(Struct, frozen=True):
    """A cell of a table: words, or a number with its interval.

    ``index`` is the place of the estimate among those that the page holds; ``raw`` the value to
    sort by and to write as CSV where there is no estimate; ``tone`` how the cell is coloured;
    ``key`` the statistic whose definition the cell links to; ``low`` and ``high`` the raw ends;
    ``state`` what data say of a limit.
    """

    text: str
    ends: str = ""
    index: int | None = None
    raw: float | None = None
    tone: str = ""
    key: str = ""
    low: float | None = None
    high: float | None = None
    state: str = ""


class Responses(Struct, frozen=True):
    """A number of responses, which has a star where they are few."""

    n: int


class Number(Struct, frozen=True):
    """A number in a style of sentences: percent, share, p, roughly."""

    value: float
    style: str


class Settled(Struct, frozen=True):
    """A number that stands apart from all others: bold where a screen can show it."""

    number: Estimate


class Bare(Struct, frozen=True):
    """A number whose interval shows on the page alone."""

    number: Estimate


class Held(Struct, frozen=True):
    """A number of a matrix: with its state where a limit was held against it, and the limit's ends.

    Screens that are too narrow for intervals leave those of a whole matrix out.
    """

    number: Estimate
    state: str = ""
    ends: tuple[float, ...] = ()


Value = Cell | Estimate | Settled | Bare | Held | Number | Responses | Sentence | str | float | None
"""What may stand in a table: a name, a number, an estimate with its interval, or nothing."""


class Column(Struct, frozen=True):
    """A column: its title, what it says in a few words, and the statistic it links to.

    A ``gloss`` says of each row what it means: beside the row, or where there is no room, below.
    """

    title: str
    words: str = ""
    key: str = ""
    numeric: bool = False
    gloss: bool = False
    rank: Rank = Rank.FIRST


class Measure(Struct, frozen=True):
    """A statistic in a table: its title, what it says in a few words, the number it is."""

    title: str
    words: str = ""
    key: str = ""
    rank: Rank = Rank.FIRST

    @classmethod
    def headed(cls, member: "Member") -> "Measure":
        """A number as the catalogue heads it."""
        return cls(member.heading, member.gloss, member.text)

    def of(self, estimates: Mapping[str, Estimate]) -> Estimate | None:
        """Return the estimate of this number; a parameter that was left open may be any."""
        if self.key in estimates:
            return estimates[self.key]
        return next((e for e in estimates.values() if e.name == self.key), None)
