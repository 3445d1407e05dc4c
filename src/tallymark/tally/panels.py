"""Panels: any number of ratings of the same response, with gaps."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tallymark.tally.patterns import group_rows
from tallymark.tally.rounding import nearest

Counts = NDArray[np.int64] | NDArray[np.float64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PanelCounts:
    """``ratings[pattern, k]`` raters who chose point k; ``counts[..., pattern]`` such responses.

    Who gave which rating is not kept. Every pattern has at least one rating.
    """

    ratings: NDArray[np.int64]
    points: Floats
    counts: Counts

    @classmethod
    def of(
        cls, ratings: ArrayLike, points: ArrayLike, counts: ArrayLike | None = None
    ) -> "PanelCounts":
        """Tally responses x points, the number of raters who chose each point."""
        rows = np.asarray(ratings, dtype=np.int64)
        times = np.ones(len(rows), dtype=np.int64) if counts is None else np.asarray(counts)
        kept = rows.sum(axis=1) > 0
        rows, times = rows[kept], times[kept].astype(np.int64)
        order, starts = group_rows(list(rows.T))
        total = np.add.reduceat(times[order], starts) if order.size else times
        return cls(rows[order[starts]], np.asarray(points, dtype=np.float64), total)

    @classmethod
    def of_scores(
        cls, scores: ArrayLike, points: ArrayLike, counts: ArrayLike | None = None
    ) -> "PanelCounts":
        """Tally responses x raters; NaN is a missing rating."""
        values, grid = np.asarray(scores, dtype=np.float64), np.asarray(points, dtype=np.float64)
        index = nearest(values, grid)
        rows = np.stack([(index == k).sum(axis=1) for k in range(grid.size)], axis=1)
        return cls.of(rows, grid, counts)

    @property
    def n(self) -> Floats:
        """Responses with at least one rating."""
        return self.counts.sum(axis=-1).astype(np.float64)

    @property
    def raters(self) -> Floats:
        """Ratings per response, one number a pattern."""
        return self.ratings.sum(axis=1).astype(np.float64)

    @property
    def shares(self) -> Floats:
        """The share of each point, every response counting once."""
        with np.errstate(invalid="ignore", divide="ignore"):  # no responses, no shares
            return (self.counts @ (self.ratings / self.raters[:, None])) / self.n[..., None]

    def agreement(self, weights: Floats) -> Floats:
        """Weighted share of agreeing pairs of ratings, per pattern; 0 with one rating."""
        r = self.raters
        agreeing = (self.ratings * (self.ratings @ weights.T - 1)).sum(axis=1)
        return agreeing / np.maximum(r * (r - 1), 1)

    def observed(self, weights: Floats) -> Floats:
        """Weighted observed agreement over responses with two or more ratings."""
        paired = self.raters >= 2
        with np.errstate(invalid="ignore", divide="ignore"):  # nobody rated twice
            return (self.counts @ (self.agreement(weights) * paired)) / (self.counts @ paired)

    def weighted(self, counts: Counts) -> "PanelCounts":
        """The same patterns with other counts: a resample, a subset."""
        return replace(self, counts=counts)

    def __add__(self, other: "PanelCounts") -> "PanelCounts":
        """Tally of the responses of both."""
        return PanelCounts.of(
            np.concatenate([self.ratings, other.ratings]),
            self.points,
            np.concatenate([self.counts, other.counts]),
        )


@dataclass(frozen=True, slots=True)
class PanelMoments:
    """Who rated what is kept: ``scores[pattern, rater]``, NaN missing, ``counts[..., pattern]``."""

    scores: Floats
    counts: Counts

    @classmethod
    def of(cls, scores: ArrayLike, counts: ArrayLike | None = None) -> "PanelMoments":
        """Tally responses x raters; responses without any rating are left out."""
        rows = np.asarray(scores, dtype=np.float64)
        times = np.ones(len(rows), dtype=np.int64) if counts is None else np.asarray(counts)
        kept = ~np.isnan(rows).all(axis=1)
        rows, times = rows[kept], times[kept].astype(np.int64)
        order, starts = group_rows(list(rows.T))
        total = np.add.reduceat(times[order], starts) if order.size else times
        return cls(rows[order[starts]], total)

    @property
    def n(self) -> Floats:
        """Responses with at least one rating."""
        return self.counts.sum(axis=-1).astype(np.float64)

    def weighted(self, counts: Counts) -> "PanelMoments":
        """The same patterns with other counts: a resample, a subset."""
        return replace(self, counts=counts)
