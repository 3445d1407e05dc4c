"""Profiles: what a glance at a column tells, for guessing what it means."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tallymark.sources.brief import MANY, SAMPLE, TIMES, Brief, make_brief
from tallymark.sources.sql import DATA, as_truth, how_many, is_finite
from tallymark.sources.tables import SqlColumn, SqlTable
from tallymark.sources.values import MissingWords, as_double
from tallymark.sources.words import RATER, names_a_key, names_a_role, only_names_an_id, plain

MOST_CLUSTERS = 0.9
"""A column of clusters has at most this many values a row; else clusters are responses."""
_AT_ONCE = 200
"""Columns examined in one query; a query grows faster than its columns."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How many values a column has, how many are numbers, their range, how many differ (about).

    A column named like a key is only counted; any other is only looked at as numbers, ``truths``
    if true or false are among them and no number but 0 to 1.
    """

    values: int
    distinct: int = 0
    numbers: int = 0
    low: float = float("nan")
    high: float = float("nan")
    truths: bool = False

    @property
    def numeric(self) -> bool:
        """Mostly numbers: a few ``n/a`` do not turn scores into text."""
        return self.numbers > 0 and 2 * self.numbers >= self.values


@dataclass(slots=True)
class Profiles:
    """The columns of a table, each looked at when it is first asked for.

    All rows are looked at, so that their order does not matter to what is guessed. Where the scale
    has words, these are the numbers to look for.
    """

    table: SqlTable
    missing: MissingWords
    labels: Sequence[str] = ()
    rows: int = 0
    known: dict[str, Profile] = field(default_factory=dict)
    seen: dict[str, Profile] = field(default_factory=dict)
    brief: Brief | None = None

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

    def start(self, named: Iterable[str], *, wide: bool) -> None:
        """Look at the columns that the user named or that are named like a role.

        Of a large table this looks at the first rows and then keeps the distinct ones, if they
        are few: whatever is asked later is asked of these. Not so in a long table.
        """
        likely = [name for name in self.names if names_a_role(name)] or self.names[:1]
        first = f"(SELECT * FROM {DATA} LIMIT {SAMPLE})"
        self.seen = self._look([*dict.fromkeys([*likely, *named])], first)
        if self.rows < SAMPLE:
            self.known = self.seen
            return
        asked = [name for name in likely if not only_names_an_id(name)]
        many = [name for name in asked if name not in named and self.seen[name].distinct > MANY]
        if wide and not self._repeated(self.seen, many, SAMPLE):
            self.look(many)
            if not self._repeated(self.known, many, self.rows):
                few = [*dict.fromkeys([*asked, *named])]
                self.brief = make_brief(self.table, [name for name in few if name not in many])
        self.look(asked or likely[:1])

    @staticmethod
    def _repeated(profiles: Mapping[str, Profile], names: Iterable[str], rows: int) -> bool:
        """Whether values of a column recur, as those of a cluster do."""
        return any(profiles[name].distinct <= MOST_CLUSTERS * rows for name in names)

    def look(self, names: Iterable[str]) -> None:
        """Look at columns that are not known yet, at many with few queries."""
        new = [name for name in names if name not in self.known]
        kept = [name for name in new if self.brief and self.brief.covers([name])]
        if self.brief and kept:
            columns = [self.table.columns[name].sql for name in kept]
            self.known |= self._look(kept, f"({self.brief.rows(columns)})", times=TIMES)
        self.known |= self._look([name for name in new if name not in kept], DATA)

    def truths(self, name: str) -> bool:
        """Whether a column of scores holds true and false; the first rows tell, all rows confirm it."""
        glance = self.seen.get(name) or self[name]
        return glance.truths and self[name].truths

    def filled(self, name: str) -> bool:
        """Whether a column has a value."""
        return (name in self.seen and self.seen[name].values > 0) or self[name].values > 0

    def _look(self, names: Sequence[str], source: str, times: str = "1") -> dict[str, Profile]:
        profiles: dict[str, Profile] = {}
        for start in range(0, len(names), _AT_ONCE):
            some = [self.table.columns[name] for name in names[start : start + _AT_ONCE]]
            self.rows, *measured = self.table.rows(self._query(some, source, times))[0]
            rest = iter(measured)
            profiles |= {column.name: _profile(column, rest) for column in some}
        return profiles

    def text_in(self, name: str) -> str:
        """One of the texts that stand where numbers belong."""
        cell = self.missing.text(self.table.columns[name])
        number = as_double("v", self.labels, truths=True)
        rows = self.table.rows(
            f"SELECT min(v) FROM (SELECT {cell} AS v FROM {DATA}) WHERE ({number}) IS NULL"
        )
        return str(rows[0][0])

    def _query(self, columns: Sequence[SqlColumn], source: str, times: str) -> str:
        read, doubles, wanted = [f"{times} AS n"], [], []
        for i, column in enumerate(columns):
            key = names_a_key(column.name)
            number = column.numeric and not key
            read.append(f"{self.missing.cell(column, 'number' if number else 'text')} AS v{i}")
            # apart from the cells, because a column of the user may be called v0
            double = (
                f"v{i}"
                if number and not self.labels
                else as_double(f"v{i}", self.labels, truths=True)
            )
            doubles += [] if key else [f"{double} AS d{i}"]
            words = not number and not self.labels
            wanted += _measures(i, key=key, words=words, exact=source != DATA)
        # no aggregate with FILTER: their memory grows with the square of their number
        return (
            f"SELECT CAST(coalesce(sum(n), 0) AS BIGINT), {', '.join(wanted)} FROM (SELECT "
            f"{', '.join(['*', *doubles])} FROM (SELECT {', '.join(read)} FROM {source}))"
        )


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
        f"max({as_truth(f'v{i}')})" if words else "NULL",
    ]


def _profile(column: SqlColumn, measured: Iterator[float | None]) -> Profile:
    if names_a_key(column.name):
        values, distinct = (int(next(measured) or 0) for _ in range(2))
        return Profile(values, distinct)
    values, numbers = (int(next(measured) or 0) for _ in range(2))
    low, high, truth = (next(measured) for _ in range(3))
    if low is None or high is None:
        return Profile(values, numbers=numbers)
    truths = truth is not None and low >= 0 and high <= 1
    return Profile(values, numbers=numbers, low=low, high=high, truths=truths)
