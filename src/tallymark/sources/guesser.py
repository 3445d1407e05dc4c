"""Guesser: the columns that no role has yet, and what was guessed so far."""

import math
import re
from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from tallymark.sources import words
from tallymark.sources.profiles import Profiles
from tallymark.sources.roles import Roles, listed, slots

FROM_NAMES = "from the column names"


class Guesser(Struct, eq=False):
    """The columns not yet spoken for, and what was guessed so far."""

    source: str
    columns: Profiles
    roles: Roles
    taken: set[str] = field(default_factory=set)
    said: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def named(self, pattern: re.Pattern[str]) -> list[str]:
        """Columns whose name fits."""
        return [name for name in self.columns.names if pattern.fullmatch(words.plain(name))]

    def free(self, pattern: re.Pattern[str], *, numeric: bool = False) -> list[str]:
        """Columns that no role has yet and whose name fits."""
        fitting = [name for name in self.named(pattern) if name not in self.taken]
        return self.numeric(fitting) if numeric else fitting

    def numeric(self, names: Sequence[str]) -> list[str]:
        """Those of the columns that hold numbers; true and false only if people's scores are such.

        Beside scores of other points they are a flag, not a score.
        """
        self.columns.look(names)
        held = [name for name in names if self.columns[name].numeric]
        low, high = self.range_of_people()
        if low >= 0 and high <= 1:
            return held
        others = [name for name in held if not self.columns[name].truths]
        return others or (held if math.isnan(low) else [])

    def range_of_people(self) -> tuple[float, float]:
        """The lowest and the highest score of the people known so far, NaN if nobody is."""
        people = [slot.score for slot in slots(self.roles.humans, self.columns.names)]
        people += [self.roles.gold] if self.roles.gold else []
        columns = [self.columns[name] for name in people]
        if not columns:
            return math.nan, math.nan
        return min(column.low for column in columns), max(column.high for column in columns)

    def take(self, role: str, names: Iterable[str], why: str = FROM_NAMES) -> tuple[str, ...]:
        """Note that the columns have this role."""
        columns = tuple(names)
        if columns:
            self.taken.update(columns)
            self.said.append(f"{role}: {listed(columns)} ({why})")
        return columns

    def give_back(self, role: str, name: str | None) -> None:
        """Take back a guess that turned out to be wrong."""
        self.taken.discard(name or "")
        self.said = [said for said in self.said if not said.startswith(f"{role}: ")]
