"""Pairings: tallies of several pairs of raters at once, so that they share the resamples."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.evaluation.rows import Floats, Rows, grouped
from tallymark.inference import Units
from tallymark.tally import PairCounts, PairMoments, nearest
from tallymark.tally.moments import features

Way = tuple[int, int, int]
"""Columns of the first and the second score of a pair, and of one that must be there too."""
Pairing = Sequence[Way]
"""Ways to draw a pair of scores from a response; the response counts once, over its ways."""


def every_two(rows: Rows) -> Units[PairCounts]:
    """Tables of every two raters who share a response."""
    given = ~np.isnan(rows.scores)
    shared = given.T.astype(np.int64) @ given
    pairs = [pair for pair in combinations(range(given.shape[1]), 2) if shared[pair]]
    return pairs_of("table", rows.distinct(), [[(a, b, a)] for a, b in pairs])


def pairs_of(kind: str, rows: Rows, pairings: Sequence[Pairing]) -> Units[Any]:
    """Return units of the tallies of several pairings, stacked along a leading axis.

    ``kind`` is "table" or "moments". A response adds to a pairing the mean over those of its ways
    that it has all scores of.
    """
    center, k = float(rows.points[0] + rows.points[-1]) / 2, rows.points.size
    group = grouped(rows, width=len(pairings) * (k * k if kind == "table" else 8))
    given = ~np.isnan(rows.scores)
    index = nearest(rows.scores, rows.points)
    blocks = [np.zeros((group.times.size, 0))]
    for ways in pairings:
        weight = 1 / np.maximum(sum(given[:, list(way)].all(axis=1) for way in ways), 1)
        total: Floats | float = 0.0
        for first, second, beside in ways:
            all_three = given[:, first] & given[:, second] & given[:, beside]
            share = np.where(all_three, weight, 0.0)[:, None]
            if kind == "table":
                cell = np.where(all_three, index[:, first] * k + index[:, second], 0)
                total = total + group.sums(share, cell, k * k)
            else:
                a, b = (
                    np.where(all_three, rows.scores[:, c] - center, 0.0) for c in (first, second)
                )
                total = total + group.sums(features(a, b) * share)
        blocks.append(np.asarray(total))

    def build(sums: NDArray[Any]) -> Any:
        width = sums.shape[-1] // max(len(pairings), 1)
        stacked = sums.reshape(*sums.shape[:-1], len(pairings), width)
        if kind == "table":
            return PairCounts(stacked.reshape(*stacked.shape[:-1], k, k), rows.points)
        return PairMoments(stacked, center)

    return group.units(np.concatenate(blocks, axis=1), build)
