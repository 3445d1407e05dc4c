"""Patterns: the distinct rows of a table of scores, and how many responses show each."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole

WEIGHT = "weight"
"""The score that is the design weight of a response."""
STRATUM = "stratum"
"""The key that is the stratum that a response was drawn from."""
MANY = 10_000
"""More rows than this are sorted by one column where that nearly does it."""


class Patterns(Struct, frozen=True):
    """Distinct rows of scores and keys, sorted, and how many responses show each.

    ``scores[column]`` holds one score per pattern (NaN: missing); ``keys[column]`` one code per
    pattern (-1: missing), an index into ``labels[column]``, which is sorted.
    """

    scores: Mapping[str, Floats]
    counts: Whole
    keys: Mapping[str, Whole] = field(default_factory=dict)
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """How many responses there are."""
        return int(self.counts.sum())

    @property
    def weights(self) -> Floats | None:
        """The design weight of each pattern's responses, 1 on average; None without weights."""
        return self.scores.get(WEIGHT)

    def where(self, keep: NDArray[np.bool_]) -> "Patterns":
        """Return the patterns for which ``keep`` holds."""
        return replace(
            self,
            scores={name: values[keep] for name, values in self.scores.items()},
            keys={name: codes[keep] for name, codes in self.keys.items()},
            counts=self.counts[keep],
        )

    def distinct(self, scores: Sequence[str], keys: Sequence[str] = ()) -> "Patterns":
        """Tally again over fewer columns: equal rows become one pattern, their counts add."""
        columns = [self.keys[name] for name in keys] + [self.scores[name] for name in scores]
        order, starts = group_rows(columns)
        first = order[starts]
        return Patterns(
            scores={name: self.scores[name][first] for name in scores},
            keys={name: self.keys[name][first] for name in keys},
            labels={name: self.labels[name] for name in keys},
            counts=np.add.reduceat(self.counts[order], starts) if order.size else self.counts,
        )


def group_rows(columns: Sequence[NDArray[np.generic]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Sort rows, first column first (NaN last and equal to NaN); equal rows keep their order.

    Returns the sorting order and the positions in it at which a new distinct row starts.
    """
    order = _order(columns) if columns[0].size > MANY else np.lexsort(columns[::-1])
    new = np.zeros(order.size, dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= _differ(column[order])
    return order, np.flatnonzero(new)


def _order(columns: Sequence[NDArray[np.generic]]) -> NDArray[np.intp]:
    """By the first column, which is fast, then by all where it ties: few rows if it is continuous."""
    order = np.argsort(columns[0])
    differs = _differ(columns[0][order])
    tied = np.flatnonzero(~(np.append(True, differs) & np.append(differs, True)))
    if tied.size > order.size // 2:
        return np.lexsort(columns[::-1])
    rows = np.sort(order[tied])
    order[tied] = rows[np.lexsort([column[rows] for column in columns[::-1]])]
    return order


def _differ(ordered: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether each value differs from the one before; NaN does not from NaN."""
    differs = ordered[1:] != ordered[:-1]
    if ordered.dtype.kind == "f":
        differs &= ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
    return np.asarray(differs)
