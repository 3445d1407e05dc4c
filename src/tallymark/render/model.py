"""What a page is made of: sections of blocks, which the templates write as markup."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: words, or a number with its interval.

    ``index`` is the place of the estimate among those that the page holds; ``raw`` the value to
    sort by and to write as CSV where there is no estimate; ``tone`` how the cell is coloured;
    ``key`` the statistic whose definition the cell links to; ``low`` and ``high`` the raw ends.
    """

    text: str
    ends: str = ""
    index: int | None = None
    raw: float | None = None
    tone: str = ""
    key: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its title, what it says in a few words, and the statistic it links to."""

    title: str
    words: str = ""
    key: str = ""
    numeric: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with a caption; ``note`` stands below, ``left`` is how many rows are not shown."""

    kind: ClassVar[str] = "table"
    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    left: int = 0
    folded: bool = False

    @property
    def words(self) -> list[tuple[str, str]]:
        """What the columns say, for the line below the table."""
        return [(column.title, column.words) for column in self.columns if column.words]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawing, whose ``svg`` is markup of our own making, with a caption that tells its message."""

    kind: ClassVar[str] = "figure"
    id: str
    caption: str
    svg: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """One number of one system as a small interval plot."""

    system: str
    number: Cell
    svg: str
    series: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Strips:
    """The numbers that carry the answer: each statistic with one small plot per system."""

    kind: ClassVar[str] = "strips"
    entries: tuple[tuple[Column, tuple[Strip, ...]], ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Figures that stand beside each other where there is room."""

    kind: ClassVar[str] = "pair"
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; ``tone`` is empty, lead, lesser or warning."""

    kind: ClassVar[str] = "text"
    words: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Says:
    """Sentences of equal rank, one below the other; ``left`` is how many are not shown."""

    kind: ClassVar[str] = "says"
    sentences: tuple[str, ...]
    left: int = 0


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section."""

    kind: ClassVar[str] = "heading"
    words: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Terms:
    """Words and what they mean, one below the other."""

    kind: ClassVar[str] = "terms"
    entries: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Text to be copied: a command, a file of options."""

    kind: ClassVar[str] = "listing"
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that a coefficient hides, with advice and the numbers that show it."""

    kind: ClassVar[str] = "finding"
    title: str
    words: str
    advice: str = ""
    numbers: tuple[tuple[str, str], ...] = ()
    loud: bool = True


@dataclass(frozen=True, slots=True)
class Meaning:
    """A definition in the method section."""

    id: str
    title: str
    names: tuple[str, ...]
    reading: str
    formula: str
    reference: str


@dataclass(frozen=True, slots=True)
class Meanings:
    """Definitions of every number shown."""

    kind: ClassVar[str] = "meanings"
    entries: tuple[Meaning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider:
    """The curve of a system over thresholds, which the reader can move along.

    ``texts`` are what is read at each point, written out; ``readout``, ``live``, which depends on
    the reader's prices, and ``prices`` are rows of key, title and text.
    """

    kind: ClassVar[str] = "slider"
    id: str
    system: str
    figure: Figure
    coverage: tuple[float, ...]
    rate: tuple[float, ...]
    upper: tuple[float, ...]
    texts: Mapping[str, tuple[str, ...]]
    readout: tuple[tuple[str, str, str], ...]
    live: tuple[tuple[str, str, str], ...]
    prices: tuple[tuple[str, str, str], ...]
    start: int


Block = (
    Table | Figure | Strips | Pair | Text | Says | Heading | Terms | Listing | Finding | Meanings
    | Slider
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the page; without blocks it says in ``needs`` what it would take."""

    id: str
    title: str
    question: str
    blocks: tuple[Block, ...] = ()
    needs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What is said of one system at the top of the page."""

    name: str
    state: str
    words: str
    detail: str = ""
    criteria: tuple["Criterion", ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A limit and what the data say of it."""

    title: str
    state: str
    limit: str
    number: Cell
    words: str
    svg: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """The first screen."""

    title: str
    policy: str
    claims: tuple[Claim, ...]
    words: tuple[tuple[str, str], ...] = ()
    numbers: tuple[Block, ...] = ()
    warnings: tuple[Finding, ...] = ()
    missing: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
