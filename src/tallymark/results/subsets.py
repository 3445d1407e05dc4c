"""Subsets: whose scores some estimates are about, compared with what, on which responses."""

from collections.abc import Iterable

from msgspec import Struct

from tallymark.results.keys import GOLD, Comparison, Scorer


class Subset(Struct, frozen=True, kw_only=True):
    """The responses behind some estimates: whose, compared with what, and which part of the data.

    ``average`` names the column over whose values a macro-average was taken, plainly or, when
    ``fisher_z``, on Fisher's z scale, and ``parts`` is how many of these it was taken of.
    """

    id: str
    subject: Scorer
    against: Comparison = GOLD
    prompt: str | None = None
    trait: str | None = None
    fold: str | None = None
    group_column: str | None = None
    group: str | None = None
    average: str | None = None
    parts: int | None = None
    fisher_z: bool = False
    n: int

    @property
    def system(self) -> str:
        """The subject's name; where it has none, the word for its kind."""
        return str(self.subject)

    @property
    def where(self) -> tuple[object, ...]:
        """What is compared, and on which part of the data; no two subsets share it."""
        part = (self.prompt, self.trait, self.fold, self.group_column, self.group)
        return (self.subject, self.against, *part, self.average, self.fisher_z)

    @property
    def whole(self) -> bool:
        """Whether it holds all responses, and is no average."""
        return self.average is None and self.column is None

    @property
    def column(self) -> str | None:
        """The column by which this subset was taken: prompt, trait, fold or a group column."""
        for key in ("prompt", "trait", "fold"):
            if self.group_column is None and getattr(self, key) is not None:
                return key
        return self.group_column


def parts_of(subsets: Iterable[Subset], mean: Subset) -> list[Subset]:
    """Return those subsets that a mean over prompts, traits or folds was taken of."""
    of = (mean.subject, mean.against, mean.average)
    return [s for s in subsets if (s.subject, s.against, s.column) == of and s.average is None]
