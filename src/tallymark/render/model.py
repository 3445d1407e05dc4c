"""What every screen is made of: sections of blocks, with numbers that are still numbers.

``terminal``, ``html``, ``markdown`` and ``latex`` write them; a block says by its ``rank`` where it
shows. Words of blocks are texts or sentences; text of the user is escaped by each of these.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from tallymark.render.sentences import Sentence, Words
from tallymark.results import Estimate

if TYPE_CHECKING:
    from tallymark.catalogue import Member
    from tallymark.render.figures.records import Mark


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


Item = TypeVar("Item")
MOST_BESIDE = 4
"""So many numbers have room beside each other with their intervals."""


class Table(Struct, frozen=True, kw_only=True):
    """A table with a caption; ``note`` stands below, ``left`` is how many rows are not shown.

    A table whose numbers are ``Held`` is a matrix: each with the sign of its state, and on the page
    with its colour, the interval below the value.

    The first ``names`` columns say what a row is about; screens cut the rows to what they hold, a
    terminal to ``most`` where that is less. The last ``below`` rows stand below a line where a
    screen draws one.
    """

    kind: ClassVar[str] = "table"
    id: str
    caption: Words
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: Words = ""
    left: int = 0
    folded: bool = False
    names: int = 1
    below: int = 0
    most: int | None = None
    rank: Rank = Rank.FULL

    @property
    def stacked(self) -> bool:
        """Whether intervals stand below their values, since there are many beside each other."""
        return max(map(_with_ends, self.rows), default=0) > MOST_BESIDE

    @property
    def words(self) -> list[tuple[str, str]]:
        """What the columns say, for the line below the table."""
        return [(column.title, column.words) for column in self.columns if column.words]

    def first(self, most: int) -> tuple[tuple[Value, ...], ...]:
        """The first rows, and those below the line, which are never cut."""
        split = len(self.rows) - self.below
        return self.rows[: min(split, max(most - self.below, 1))] + self.rows[split:]

    def only(self, kept: Sequence[int]) -> "Table":
        """The table with some of its columns."""
        rows = tuple(tuple(row[i] for i in kept) for row in self.rows)
        return replace(self, columns=tuple(self.columns[i] for i in kept), rows=rows)


class Entry(Struct, frozen=True):
    """What is measured: its names, a number for each measure, and of how many responses."""

    names: tuple[Words, ...]
    numbers: tuple[Estimate | None, ...]
    n: int | None = None


class Grid(Struct, frozen=True, kw_only=True):
    """Measures of entries, whose ``names`` have titles; each screen chooses which are its rows."""

    kind: ClassVar[str] = "grid"
    id: str
    caption: Words
    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    entries: tuple[Entry, ...]
    note: Words = ""
    rank: Rank = Rank.FULL


def table_by(
    id: str,  # noqa: A002 - as the block calls it
    caption: Words,
    items: Iterable[Item],
    *columns: tuple[Column, Callable[[Item], Value]],
    **more: Any,
) -> Table:
    """A table with a row for each item: every column stands beside what it holds of an item."""
    rows = tuple(tuple(cell(item) for _, cell in columns) for item in items)
    return Table(id=id, caption=caption, columns=tuple(c for c, _ in columns), rows=rows, **more)


def _with_ends(row: tuple[Value, ...]) -> int:
    return sum(isinstance(cell, Cell) and bool(cell.ends) for cell in row)


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


class Requirement(Struct, frozen=True, kw_only=True):
    """A limit, what the data say of it, and the number against it; none where it is undefined."""

    title: Words
    state: str
    limit: Words
    words: Words
    strip: Strip | None = None


class Claim(Struct, frozen=True, kw_only=True):
    """The claim about one system at the top of the page."""

    name: str
    state: str
    words: Words
    detail: Words = ""
    criteria: tuple[Requirement, ...] = ()
    missing: tuple[Words, ...] = ()


class First(Struct, frozen=True, kw_only=True):
    """The first screen, with so many ``more`` findings below; criteria are ``folded`` where a matrix shows them at a glance."""

    title: str
    policy: str
    claims: tuple[Claim, ...]
    words: tuple[tuple[str, str], ...] = ()
    numbers: tuple[Block, ...] = ()
    warnings: tuple[Remark, ...] = ()
    more: int = 0
    missing: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    folded: bool = False
