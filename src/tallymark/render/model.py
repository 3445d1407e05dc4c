"""What every screen is made of: sections of blocks, with numbers that are still numbers.

``terminal``, ``html``, ``markdown`` and ``latex`` write them; a block says by its ``rank`` where it
shows. Words of blocks are texts or sentences; text of the user is escaped by each of these.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.render.cells import (
    Bare,
    Cell,
    Column,
    Held,
    Measure,
    Number,
    Rank,
    Responses,
    Settled,
    Value,
)  # fmt: skip
from tallymark.render.sentences import Words
from tallymark.render.tabular import Entry, Grid, Table
from tallymark.results import Estimate

if TYPE_CHECKING:
    from tallymark.render.figures.records import Mark

__all__ = [
    "Bare", "Bench", "Block", "Cell", "Choice", "Column", "Control", "Drawing", "Entry", "Figure", "Grid",
    "Heading", "Held", "Listing", "Meaning", "Meanings", "Measure", "Number", "Pair", "Rank", "Remark", "Responses",
    "Says", "Section", "Settled", "Slider", "Strip", "Strips", "Table", "Terms", "Text", "Value",
]  # fmt: skip


class Figure(Struct, frozen=True, kw_only=True):
    """A drawing, whose ``svg`` is markup of our own making, with a caption that tells its message."""

    kind: ClassVar[str] = "figure"
    rank: ClassVar[Rank] = Rank.PAGE
    id: str
    caption: str
    svg: str
    note: str = ""
    full: bool = False


class Drawing(Struct, frozen=True):
    """A figure still to be drawn, and what it takes.

    ``draw`` is a file of ``render.figures`` that holds a function of its name, or ``file.function``: a
    name, because only the page imports the code that draws. Small ones that follow each other stand side by side; a ``full`` one is as wide as the page.
    """

    kind: ClassVar[str] = "drawing"
    rank: ClassVar[Rank] = Rank.PAGE
    draw: str
    args: tuple[Any, ...]
    caption: Words
    small: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    full: bool = False


class Strip(Struct, frozen=True):
    """One number of one system as a small interval plot, against marks and on a common axis.

    A page writes ``number`` and draws ``svg``.
    """

    system: str
    estimate: Estimate
    series: int
    marks: tuple["Mark", ...] = ()
    domain: tuple[float, float] | None = None
    state: str = ""
    number: Cell | None = None
    svg: str = ""


class Strips(Struct, frozen=True, kw_only=True):
    """The numbers that carry the answer: each statistic with one small plot per system."""

    kind: ClassVar[str] = "strips"
    rank: ClassVar[Rank] = Rank.PAGE
    entries: tuple[tuple[Column, tuple[Strip, ...]], ...]


class Pair(Struct, frozen=True):
    """Figures that stand beside each other where there is room."""

    kind: ClassVar[str] = "pair"
    rank: ClassVar[Rank] = Rank.PAGE
    figures: tuple[Figure, ...]


class Text(Struct, frozen=True):
    """A paragraph; ``tone`` is empty, lead, lesser or warning."""

    kind: ClassVar[str] = "text"
    words: Words
    tone: str = ""
    rank: Rank = Rank.FULL


class Says(Struct, frozen=True):
    """Sentences of equal rank, one below the other; ``left`` is how many are not shown."""

    kind: ClassVar[str] = "says"
    sentences: tuple[Words, ...]
    left: int = 0
    rank: Rank = Rank.FULL


class Heading(Struct, frozen=True):
    """A heading within a section; on the page it may fold what follows, up to the next heading."""

    kind: ClassVar[str] = "heading"
    words: Words
    id: str = ""
    rank: Rank = Rank.FULL
    folded: bool = False


class Terms(Struct, frozen=True):
    """Words and what they mean, one below the other."""

    kind: ClassVar[str] = "terms"
    entries: tuple[tuple[str, str], ...]
    rank: Rank = Rank.FULL


class Listing(Struct, frozen=True):
    """Text to be copied: a command, a file of options."""

    kind: ClassVar[str] = "listing"
    rank: ClassVar[Rank] = Rank.PAGE
    id: str
    title: str
    text: str


class Remark(Struct, frozen=True, kw_only=True):
    """A finding in words: of what kind, about whom, and what to do about it."""

    kind: ClassVar[str] = "remark"
    title: Words
    whose: Words = ""
    words: Words
    advice: Words = ""
    loud: bool = True
    rank: Rank = Rank.FULL


class Meaning(Struct, frozen=True):
    """A definition in the method section."""

    id: str
    title: str
    names: tuple[str, ...]
    reading: str
    formula: str
    reference: str


class Meanings(Struct, frozen=True):
    """Definitions of every number shown."""

    kind: ClassVar[str] = "meanings"
    rank: ClassVar[Rank] = Rank.PAGE
    entries: tuple[Meaning, ...]


class Slider(Struct, frozen=True, kw_only=True):
    """A curve over thresholds, which the reader can move along.

    ``texts`` are what is read at each point, under their ``titles``; ``live`` are keys and titles
    of what depends on the reader's ``prices``: rows of key, title and text.
    """

    kind: ClassVar[str] = "slider"
    rank: ClassVar[Rank] = Rank.PAGE
    label: Words
    figure: Figure | Drawing
    coverage: tuple[float, ...]
    rate: tuple[float, ...]
    upper: tuple[float, ...]
    texts: Mapping[str, tuple[Words, ...]]
    titles: Mapping[str, str]
    live: Mapping[str, str]
    prices: tuple[tuple[str, str, str], ...]
    start: int
    note: str
    id: str = ""


class Control(Struct, frozen=True):
    """A number that the reader of a page can move between two ends."""

    kind: ClassVar[str] = "range"
    key: str
    title: str
    low: float
    high: float
    step: str
    start: float


class Choice(Struct, frozen=True):
    """One of some values, each with its name, that the reader of a page can choose."""

    kind: ClassVar[str] = "choice"
    key: str
    title: str
    values: tuple[tuple[str, str], ...]
    start: str


class Bench(Struct, frozen=True, kw_only=True):
    """A table of counts that the reader of the page can move; its ``script`` computes the ``outputs``.

    Outputs are keys and titles; ``rows`` are the counts as they are, each with its label.
    """

    kind: ClassVar[str] = "bench"
    rank: ClassVar[Rank] = Rank.PAGE
    label: Words
    controls: tuple[Control | Choice, ...]
    outputs: tuple[tuple[str, str], ...]
    corner: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    data: Mapping[str, Any]
    script: str
    note: str
    id: str = ""


Block = (
    Table | Grid | Figure | Drawing | Strips | Pair | Text | Says | Heading | Terms | Listing | Remark | Meanings
    | Slider | Bench
)  # fmt: skip


class Section(Struct, frozen=True, kw_only=True):
    """What is shown of one question; without blocks it says in ``needs`` what it would take.

    A section that has neither is left out: it may say in ``takes`` what it would take. One that is not ``titled`` opens, on a terminal and in
    Markdown, with the caption of its first table in place of its title.
    """

    id: str
    title: str
    question: str
    blocks: tuple[Block, ...] = ()
    needs: str = ""
    takes: str = ""
    titled: bool = True
    page_only: bool = False

    def on_page(self) -> "Section":
        """The section, shown on the page alone."""
        return replace(self, blocks=tuple(map(_on_page, self.blocks)), page_only=True)


def _on_page(block: Any) -> Block:
    ranked = "rank" in block.__struct_fields__
    shown: Block = replace(block, rank=Rank.PAGE) if ranked else block
    return shown
