"""Profiles: what a glance at a column tells, for guessing what it means."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from tallymark.sources.brief import MANY, SAMPLE, TIMES, Brief, differ_mostly, make_brief
from tallymark.sources.sql import DATA, as_number, as_text, how_many, is_finite
from tallymark.sources.tables import SqlColumn, SqlTable
from tallymark.sources.values import MissingWords, as_double
from tallymark.sources.vocabulary import as_known
from tallymark.sources.words import RATER, names_a_key, names_a_role, only_names_an_id, plain

MOST_CLUSTERS = 0.9
"""A column of clusters has at most this many values a row; else clusters are responses."""
_AT_ONCE = 200
"""Columns examined in one query; a query grows faster than its columns."""
_AT_FIRST = 8
"""The same of few rows, where preparing the query takes the time: it grows with the square."""
_LONG = 200
"""Texts longer than this are not kept."""


class Profile(Struct, frozen=True):
    """How many values a column has, how many are numbers, their range, how many differ (about).

    ``text`` is one of the values that are no numbers. A column named like a key is only counted; any
    other is only looked at as numbers, ``truths`` if words of a known scale, which are 0 and 1, are
    among them and no number but 0 to 1.
    """

    values: int
    distinct: int = 0
    numbers: int = 0
    low: float = float("nan")
    high: float = float("nan")
    truths: bool = False
    text: str = ""

    @property
    def numeric(self) -> bool:
        """Mostly numbers: a few ``n/a`` do not turn scores into text. Words must be nearly all known."""
        known = 0.9 if self.truths else 0.5
        return self.numbers > 0 and self.numbers >= known * self.values


class Profiles(Struct, eq=False):
    """The columns of a table, each looked at when it is first asked for.

    The ``first`` rows are looked at to learn what to keep, then all rows, so that their order does not
    matter to what is guessed. Where the scale has words, these are the numbers to look for.
    """

    table: SqlTable
    missing: MissingWords
    words: Mapping[str, float] = field(default_factory=dict)
    rows: int = 0
    known: dict[str, Profile] = field(default_factory=dict)
    seen: dict[str, Profile] = field(default_factory=dict)
    brief: Brief | None = None
    first: bool = True

    @property
    def names(self) -> list[str]:
        """All columns, looked at or not."""
        return [*self.table.columns]

    @property
    def maybe_long(self) -> bool:
        """Whether the table may have one row per rating: a column is named like the rater's."""
        return any(RATER.fullmatch(plain(name)) for name in self.names)

    def __getitem__(self, name: str) -> Profile:
        self.look([name])
        return self.known[name]

    @property
    def _first(self) -> str:
        return f"(SELECT * FROM {DATA} LIMIT {SAMPLE})"

    def start(self, named: Iterable[str]) -> None:
        """Look at the first rows of the columns that the user named or that are named like a role."""
        likely = [name for name in self.names if names_a_role(name)] or self.names[:1]
        self.look(dict.fromkeys([*likely, *named]))

    @property
    def large(self) -> bool:
        """Whether there are more than the first rows; to keep fewer takes longer than to read again."""
        return self.rows >= SAMPLE

    def keep(
        self, named: Collection[str], guessed: Collection[str], ids: Sequence[str], *, wide: bool
    ) -> None:
        """Read the table once: keep its distinct rows where they are few, else all rows with their ids.

        Whatever is asked later is asked of these, or was measured in the same scan. Needed are the
        columns that the user ``named`` and those ``guessed`` as far as the first rows tell. A table
        that is not ``wide`` has no use for distinct rows.
        """
        self.first = False
        needed = [*dict.fromkeys([*named, *guessed])]
        self.seen, self.known = self.known, {}
        asked = [name for name in self.seen if name in named or not only_names_an_id(name)]
        others = [name for name in asked if name not in needed][:_AT_ONCE]
        wide = wide or self.table.elsewhere
        if not (wide and self._keep_distinct(needed, named, others)):
            every = dict.fromkeys([*needed, *others, *ids])
            self.table = self.table.with_rows(self._short([*every]))
        self.look(asked or [*self.seen][:1])

    def _keep_distinct(
        self, needed: Sequence[str], named: Collection[str], others: Sequence[str]
    ) -> bool:
        """Keep the distinct rows of needed columns and measure the others; tell whether it pays."""
        unnamed = [name for name in (*needed, *others) if name not in named]
        many = [name for name in unnamed if self.seen[name].distinct > MANY]
        chosen = [name for name in needed if name not in many]
        far = self.table.elsewhere
        if not far and (
            self._repeated(self.seen, many, SAMPLE) or differ_mostly(self.table, chosen)
        ):
            return False
        measured = [self.table.columns[n] for n in dict.fromkeys([*others, *many])]
        grouped = [f"{self.table.columns[name].sql} AS b{i}" for i, name in enumerate(chosen)]
        read, measures = self._measured(measured, DATA, ["1 AS n", *grouped])
        brief, (rows, *values) = make_brief(self.table, chosen, read, measures)
        self.rows, rest = int(rows), iter(values)
        self.known = {column.name: _profile(column, rest) for column in measured}
        if not far and self._repeated(self.known, many, self.rows):
            return False
        self.brief = brief
        return True

    def cover(self, names: Iterable[str]) -> None:
        """Keep the distinct rows of these columns, unless they are among those kept already."""
        wanted = [*dict.fromkeys(names)]
        if self.brief is None or not self.brief.covers(wanted):
            columns = (self.table.columns[name].sql for name in wanted)
            read = ", ".join(f"{column} AS b{i}" for i, column in enumerate(columns))
            self.brief, _ = make_brief(self.table, wanted, f"SELECT {read} FROM {DATA}", ())

    @staticmethod
    def _repeated(profiles: Mapping[str, Profile], names: Iterable[str], rows: int) -> bool:
        """Whether values of a column recur, as those of a cluster do."""
        return any(profiles[name].distinct <= MOST_CLUSTERS * rows for name in names)

    def _short(self, names: Sequence[str]) -> list[str]:
        """Those of the columns that hold no long texts, as far as the first rows tell."""
        texts = [name for name in names if not self.table.columns[name].numeric]
        long: set[str] = set()
        for start in range(0, len(texts), _AT_ONCE):
            some = texts[start : start + _AT_ONCE]
            lengths = ", ".join(
                f"max(length({as_text(self.table.columns[name].sql)}))" for name in some
            )
            [lengths_of] = self.table.rows(f"SELECT {lengths} FROM {self._first}")
            long |= {n for n, length in zip(some, lengths_of, strict=True) if (length or 0) > _LONG}
        return [name for name in names if name not in long]

    def look(self, names: Iterable[str]) -> None:
        """Look at columns that are not known yet, at many with few queries."""
        new = [name for name in names if name not in self.known]
        if self.first:
            self.known |= self._look(new, self._first, exact=True)
            return
        kept = [name for name in new if self.brief and self.brief.covers([name])]
        if self.brief and kept:
            columns = [self.table.columns[name].sql for name in kept]
            self.known |= self._look(kept, f"({self.brief.rows(columns)})", TIMES, exact=True)
        here = [name for name in new if name in self.table.kept]
        rest = [name for name in new if name not in kept and name not in here]
        for some in (here, rest):
            self.known |= self._look(some, self.table.data(some))

    def distinct_of_rows(self, name: str) -> tuple[int, int]:
        """How many values differ, whatever the column is called, and among how many rows."""
        if name in self.known and names_a_key(name):
            return max(self.known[name].distinct, 1), self.rows
        rows = min(self.rows, SAMPLE)
        if name in self.seen and names_a_key(name):
            return max(self.seen[name].distinct, 1), rows
        cell = self.missing.cell(self.table.columns[name], "text")
        cells = f"SELECT {cell} AS v FROM {self._first}"
        [[distinct]] = self.table.rows(f"SELECT {how_many('v', exact=True)} FROM ({cells})")
        return max(int(distinct), 1), rows

    def truths(self, name: str) -> bool:
        """Whether a column of scores holds words of a known scale; the first rows tell, all rows confirm it."""
        glance = self.seen.get(name) or self[name]
        return glance.truths and self[name].truths

    def worded(self, name: str) -> bool:
        """Whether a column holds texts rather than numbers."""
        return not self[name].numeric

    def filled(self, name: str) -> bool:
        """Whether a column has a value."""
        return (name in self.seen and self.seen[name].values > 0) or self[name].values > 0

    def _look(
        self, names: Sequence[str], source: str, times: str = "1", *, exact: bool = False
    ) -> dict[str, Profile]:
        profiles: dict[str, Profile] = {}
        step = _AT_FIRST if exact else _AT_ONCE
        for start in range(0, len(names), step):
            some = [self.table.columns[name] for name in names[start : start + step]]
            read, measures = self._measured(some, source, [f"{times} AS n"], exact=exact)
            total = "CAST(coalesce(sum(n), 0) AS BIGINT)"
            query = f"SELECT {', '.join([total, *measures])} FROM ({read})"
            self.rows, *measured = self.table.rows(query)[0]
            rest = iter(measured)
            profiles |= {column.name: _profile(column, rest) for column in some}
        return profiles

    def _measured(
        self, columns: Sequence[SqlColumn], source: str, more: Sequence[str], *, exact: bool = False
    ) -> tuple[str, list[str]]:
        """Write the rows to measure columns by, with ``more`` of them, and the measures."""
        read, doubles, wanted = [*more], [], []
        for i, column in enumerate(columns):
            key = names_a_key(column.name)
            number = column.numeric and not (key or self.words)
            read.append(f"{self.missing.cell(column, 'number' if number else 'text')} AS v{i}")
            # apart from the cells, because a column of the user may be called v0
            double = f"v{i}" if number else self._double(f"v{i}")
            doubles += [] if key else [f"{double} AS d{i}"]
            words = not number and not self.words
            wanted += _measures(i, key=key, words=words, exact=exact)
        # no aggregate with FILTER: their memory grows with the square of their number
        cells = f"SELECT {', '.join(read)} FROM {source}"
        return f"SELECT {', '.join(['*', *doubles])} FROM ({cells})", wanted

    def _double(self, text: str) -> str:
        """A text as a number: its place on the scale where that has words, else a word that is known."""
        if self.words:
            return as_double(text, self.words)
        return f"coalesce({as_number(text)}, {as_known(text)})"


def _measures(i: int, *, key: bool, words: bool, exact: bool) -> list[str]:
    if key:
        return [f"sum(CASE WHEN v{i} IS NOT NULL THEN n END)", how_many(f"v{i}", exact=exact)]
    # a NaN written as text is a missing number, not a text; NaN is above all other numbers
    finite = f"CASE WHEN {is_finite(f'd{i}')} THEN d{i} END"
    return [
        f"sum(CASE WHEN v{i} IS NOT NULL AND (d{i} IS NULL OR NOT isnan(d{i})) THEN n END)",
        f"sum(CASE WHEN NOT isnan(d{i}) THEN n END)",
        f"min({finite})",
        f"max({finite})",
        f"max(CASE WHEN {as_number(f'v{i}')} IS NULL THEN d{i} END)" if words else "NULL",
        f"min(CASE WHEN d{i} IS NULL THEN v{i} END)",
    ]


def _profile(column: SqlColumn, measured: Iterator[Any]) -> Profile:
    if names_a_key(column.name):
        values, distinct = (int(next(measured) or 0) for _ in range(2))
        return Profile(values, distinct)
    values, numbers = (int(next(measured) or 0) for _ in range(2))
    low, high, truth, text = (next(measured) for _ in range(4))
    if low is None or high is None:
        return Profile(values, numbers=numbers, text=str(text))
    truths = truth is not None and low >= 0 and high <= 1
    return Profile(values, numbers=numbers, low=low, high=high, truths=truths, text=str(text))
