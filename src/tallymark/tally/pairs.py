"""Pairs: two scores of the same response. First = gold or human = rows; second = system."""

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.tally.moments import PairMoments, PointErrors
from tallymark.tally.patterns import group_rows
from tallymark.tally.rounding import nearest

Counts = Whole | Floats
WIDE = 16
"""On longer scales than this sums are faster than the product that gives both margins at once."""
GRID = 1000
"""Scores that take at most this many evenly spaced values are counted without sorting."""


class PairCounts(Struct, frozen=True, dict=True):
    """``counts[..., i, j]`` responses at point i for the first rater and j for the second.

    Leading axes are subsets, clusters or resamples. Tallies of disjoint responses add.
    What many formulas need of one tally is computed once and kept.
    """

    counts: Counts
    points: Floats

    @cached_property
    def _cells(self) -> Any:
        # whole numbers below 2^53 are exact as floats, whose products are far faster
        counts = self.counts if self.counts.dtype.kind == "c" else self.counts.astype(np.float64)
        return counts.reshape(*counts.shape[:-2], self.points.size**2)

    @cached_property
    def _totals(self) -> Floats:
        """Row totals, then column totals."""
        if self.points.size > WIDE:
            margins = [self.counts.sum(axis=-1), self.counts.sum(axis=-2)]
            return np.asarray(np.concatenate(margins, axis=-1) * 1.0)
        k = np.arange(self.points.size)
        row, column = (part.ravel() for part in np.meshgrid(k, k, indexing="ij"))
        both = np.concatenate([row[:, None] == k, column[:, None] == k], axis=1) * 1.0
        return np.asarray(self._cells @ both)

    @cached_property
    def n(self) -> Floats:
        """Responses in each table."""
        return np.asarray(self._totals[..., : self.points.size].sum(axis=-1))

    @property
    def paired(self) -> Floats:
        """Responses with both scores: all of them."""
        return self.n

    @property
    def proportions(self) -> Floats:
        """The table as shares of n; NaN when it is empty."""
        with np.errstate(invalid="ignore"):  # an empty table has no shares
            return self.counts / self.n[..., None, None]

    @cached_property
    def margins(self) -> tuple[Floats, Floats]:
        """The share of each point for the first and for the second rater."""
        k = self.points.size
        with np.errstate(invalid="ignore"):  # an empty table has no shares
            shares = self._totals / self.n[..., None]
        return shares[..., :k], shares[..., k:]

    @property
    def ratings(self) -> Floats:
        """Scores in all."""
        return 2 * self.n

    @cached_property
    def shares(self) -> Floats:
        """The share of each point over both raters."""
        first, second = self.margins
        return (first + second) / 2

    def disagreement(self, distance: Floats) -> Floats:
        """Mean distance between the two scores of a response."""
        with np.errstate(invalid="ignore"):  # an empty table has no mean
            return np.asarray(self._cells @ distance.ravel() / self.n)

    def products(self, values: Floats) -> Floats:
        """Mean product of the values at the points of the two scores of a response."""
        with np.errstate(invalid="ignore"):  # an empty table has no mean
            along = (self.counts @ values[..., None])[..., 0]
            return np.asarray((along * values).sum(axis=-1) / self.n)

    def __add__(self, other: "PairCounts") -> "PairCounts":
        """Tally of the responses of both."""
        return replace(self, counts=self.counts + other.counts)


class PairPatterns(Struct, frozen=True):
    """Distinct pairs of score values and ``counts[..., pattern]``, how often each occurs.

    Sorted by first, then second. Scores need not lie on a scale. ``kept`` is what was worked out
    from the pairs, whatever their counts.
    """

    first: Floats
    second: Floats
    counts: Counts
    kept: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, first: ArrayLike, second: ArrayLike, counts: ArrayLike | None = None
    ) -> "PairPatterns":
        """Tally two sequences of scores; pairs with a missing score are left out."""
        a = np.asarray(first, dtype=np.float64).ravel()
        b = np.asarray(second, dtype=np.float64).ravel()
        if counts is None:
            a, b = _paired(a, b)
            return _counted_on_a_grid(a, b) or cls.of(a, b, np.ones(a.size, dtype=np.int64))
        times = np.asarray(counts)
        paired = ~(np.isnan(a) | np.isnan(b)) & (times > 0)
        a, b, times = a[paired], b[paired], times[paired].astype(np.int64)
        order, starts = group_rows([a, b])
        first_of = order[starts]
        total = np.add.reduceat(times[order], starts) if order.size else times
        return cls(a[first_of], b[first_of], total)

    def __add__(self, other: "PairPatterns") -> "PairPatterns":
        """Tally of the responses of both."""
        parts = zip(self._columns, other._columns, strict=True)
        return PairPatterns.of(*(np.concatenate(pair) for pair in parts))

    @property
    def _columns(self) -> tuple[Floats, Floats, Counts]:
        return self.first, self.second, self.counts

    @property
    def n(self) -> Floats:
        """Responses in each tally."""
        return np.asarray(self.counts.sum(axis=-1) * 1.0)

    def weighted(self, counts: Counts) -> "PairPatterns":
        """The same pairs with other counts: a resample, a subset."""
        return replace(self, counts=counts)

    def table(self, points: Floats) -> PairCounts:
        """Count the pairs on a scale, each score at its nearest point."""
        k = points.size
        cell = nearest(self.first, points) * k + nearest(self.second, points)
        cells = _spread(self.counts, cell, k * k)
        return PairCounts(cells.reshape(*self.counts.shape[:-1], k, k), points)

    def moments(self, center: float = 0.0) -> PairMoments:
        """Sums, squares and products of the scores about a center."""
        return PairMoments.of(self.first - center, self.second - center, self.counts, center)

    def errors(self) -> PointErrors:
        """Errors of the second score by value of the first."""
        return PointErrors.of(self.first, self.second, self.counts)


def _paired(a: Floats, b: Floats) -> tuple[Floats, ...]:
    """Leave out pairs with a missing score; without any the sequences stay as they are."""
    paired = ~(np.isnan(a) | np.isnan(b))
    return (a, b) if paired.all() else (a[paired], b[paired])


def _counted_on_a_grid(a: Floats, b: Floats) -> PairPatterns | None:
    """Count scores that are few multiples of 1, 1/2 or 1/4, which needs no sorting."""
    if not a.size:
        return None
    low, high = min(a.min(), b.min()), max(a.max(), b.max())
    for parts in (1, 2, 4):
        width = (high - low) * parts + 1
        if not width <= GRID:
            return None
        first, second = (((s - low) * parts).astype(np.int64) for s in (a, b))
        if ((low + first / parts == a) & (low + second / parts == b)).all():
            counts = np.bincount(first * int(width) + second)
            cells = np.flatnonzero(counts)
            i, j = np.divmod(cells, int(width))
            return PairPatterns(low + i / parts, low + j / parts, counts[cells])
    return None


def _spread(counts: Counts, cell: Whole, cells: int) -> Counts:
    """Add the counts of patterns that share a cell: ``out[..., cell] += counts[..., pattern]``."""
    order = np.argsort(cell, kind="stable")
    starts = np.flatnonzero(np.diff(cell[order], prepend=-1))
    out = np.zeros((*counts.shape[:-1], cells), dtype=counts.dtype)
    if cell.size:
        out[..., cell[order[starts]]] = np.add.reduceat(counts[..., order], starts, axis=-1)
    return out


PARTS = 1000
"""Gaps are kept to a thousandth of the range, rounded down."""


class GapCounts(Struct, frozen=True, dict=True):
    """``counts[..., t]`` responses whose scores lie t thousandths of the range ``width`` apart."""

    counts: NDArray[Any]
    width: float

    @cached_property
    def n(self) -> Floats:
        """Responses in each tally."""
        return np.asarray(self.counts.sum(axis=-1) * 1.0)

    @property
    def paired(self) -> Floats:
        """Responses with both scores: all of them."""
        return self.n

    def __add__(self, other: "GapCounts") -> "GapCounts":
        """Tally of the responses of both."""
        return replace(self, counts=self.counts + other.counts)


def gap_places(first: Floats, second: Floats, width: float) -> Whole:
    """Whole thousandths of the range that lie between two scores; NaN stands at 0."""
    if not width > 0:
        return np.zeros(first.shape, dtype=np.int64)
    gap = (np.abs(np.nan_to_num(second - first)) + 1e-9) / width
    return np.minimum(np.floor(gap * PARTS + 1e-9), PARTS).astype(np.int64)
