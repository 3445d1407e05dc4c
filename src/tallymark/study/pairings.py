"""Pairings: tallies of several pairs of raters at once, so that they share the resamples."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, Units
from tallymark.inference.units import SHARDS
from tallymark.study.rows import Rows, Whole, grouped
from tallymark.tally import PairMargins, PairMoments, nearest
from tallymark.tally.margins import Distances, cell_rows, distances_of
from tallymark.tally.moments import features

Way = tuple[int, int, int]
"""Columns of the first and the second score of a pair, and of one that must be there too."""
Pairing = Sequence[Way]
"""Ways to draw a pair of scores from a response; the response counts once, over its ways."""


MOST_SUMS = 30_000_000
"""Sums of pairs of raters, over all responses, of which a bootstrap takes some seconds."""


def too_many_pairs(rows: Rows) -> int:
    """How many pairs of raters share a response, where these are too many to resample; else 0."""
    pairs, units = len(_sharing(rows)), min(len(rows.counts), SHARDS)
    return pairs if pairs * 2 * rows.points.size * max(units, 100) > MOST_SUMS else 0


def every_two(rows: Rows, distances: Distances) -> Units[PairMargins]:
    """Tallies of every two raters who share a response."""
    pairings = [[(a, b, a)] for a, b in _sharing(rows).tolist()]
    return _paired("table", rows.distinct(), pairings, distances)


def _sharing(rows: Rows) -> Whole:
    """Every two raters who share a response."""
    given = (~np.isnan(rows.scores)).astype(np.float64)
    return np.argwhere(np.triu(given.T @ given, 1))


def pairs_of(
    kind: str, rows: Rows, pairings: Sequence[Pairing], formulas: Sequence[Formula]
) -> Units[Any]:
    """Return units of the tallies of several pairings, stacked along a leading axis.

    ``kind`` is "table", with the sums that ``formulas`` need, or "moments". A response adds to a
    pairing the mean over those of its ways that it has all scores of.
    """
    distances = distances_of([f.value for f in formulas], rows.points) if kind == "table" else ()
    return _paired(kind, rows, pairings, distances)


def _paired(kind: str, rows: Rows, pairings: Sequence[Pairing], distances: Distances) -> Units[Any]:
    center, k = float(rows.points[0] + rows.points[-1]) / 2, rows.points.size
    each = 2 * k + len(distances) if kind == "table" else 8
    group = grouped(rows, width=len(pairings) * each)
    given = ~np.isnan(rows.scores)
    index = nearest(rows.scores, rows.points)
    blocks = [np.zeros((group.times.size, 0))]
    for ways in pairings:
        weight = 1 / np.maximum(sum(given[:, list(way)].all(axis=1) for way in ways), 1)
        total = np.zeros((len(weight), each))
        for first, second, beside in ways:
            all_three = given[:, first] & given[:, second] & given[:, beside]
            share = np.where(all_three, weight, 0.0)[:, None]
            if kind == "table":
                i, j = (np.where(all_three, index[:, c], 0) for c in (first, second))
                total += cell_rows(i, j, rows.points, distances) * share
            else:
                a, b = (
                    np.where(all_three, rows.scores[:, c] - center, 0.0) for c in (first, second)
                )
                total += features(a, b) * share
        blocks.append(group.sums(total))

    def build(sums: NDArray[Any]) -> Any:
        stacked = sums.reshape(*sums.shape[:-1], len(pairings), each)
        if kind == "table":
            return PairMargins(stacked, rows.points, distances)
        return PairMoments(stacked, center)

    return group.units(np.concatenate(blocks, axis=1), build)
