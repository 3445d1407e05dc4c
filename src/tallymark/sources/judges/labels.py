"""Columns: what the columns of people and judges are called, and which of them can be compared."""

from collections.abc import Iterable

from msgspec import Struct

from tallymark.sources.judges.ratings import Rating, number_of

_PERSON, _JUDGE = "person", "judge"


class RatingLabels(Struct, frozen=True):
    """The names that both people and judges scored, and those that one judge, or people, scored.

    Names of which both gave words are ``worded``, and not shared, where others hold numbers.
    """

    shared: tuple[str, ...]
    alone: frozenset[str]
    people: tuple[str, ...]
    worded: frozenset[str]

    @classmethod
    def among(cls, ratings: Iterable[Rating]) -> "RatingLabels":
        """Look at who scored what; names that hold words do not stand beside those that hold numbers."""
        named: dict[bool, dict[str, set[str]]] = {True: {}, False: {}}
        worded = set()
        for given in ratings:
            if given.value is not None and number_of(given.value) is None:
                worded.add(given.name)
            named[given.person].setdefault(given.name, set()).add(given.rater)
        people, judges = named[True], named[False]
        both = [name for name in judges if name in people]
        alone = [name for name, raters in judges.items() if len(raters) == 1]
        shared = tuple(name for name in both if name not in worded) or tuple(both)
        left = frozenset(name for name in both if name not in shared)
        return cls(shared, frozenset(alone), tuple(people), left)

    @property
    def traits(self) -> bool:
        """Whether names are traits: people and judges share several."""
        return len(self.shared) > 1

    def clear(self, given: Rating) -> bool:
        """Whether the file tells what a rating is to be compared with."""
        if self.shared:
            return given.name in self.shared
        return not given.person or len(self.people) == 1

    def of(self, given: Rating) -> str:
        """The name of the column in which a rating stands."""
        if given.person:
            rater = given.rater or _PERSON
            return rater if self.clear(given) else f"{given.name}:{rater}"
        if given.name in self.shared:
            return given.rater or (_JUDGE if self.traits else given.name) or _JUDGE
        if not given.name or given.name in self.alone:
            return given.name or given.rater or _JUDGE
        return f"{given.name}:{given.rater}"
