"""The ladder: all that ceilings are computed from, in one tally, so that it is resampled as one."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.agreement.concordance import lin_ccc
from tallymark.agreement.correlation import pearson
from tallymark.evaluation.beside_people import SMALL_PAIR
from tallymark.evaluation.people import MANY_RATERS
from tallymark.evaluation.rows import Rows, grouped
from tallymark.inference import Units
from tallymark.reliability.ceiling import Components, components
from tallymark.tally import OneWay, PairMoments, PanelMoments, nearest
from tallymark.tally.moments import features

Floats = NDArray[np.float64]


class Ladder(NamedTuple):
    """Ratings one by one, of fixed raters, of pairs of raters, and the system beside the gold.

    ``points`` has the system's scores on the points of the gold, ``trimmed`` as they were given.
    """

    ratings: OneWay
    fixed: PanelMoments
    people: PairMoments
    points: PairMoments
    trimmed: PairMoments

    @property
    def own(self) -> Components:
        """Variance components, raters taken as drawn anew for each response."""
        return components(self.ratings)


def qwk_of_people(ladder: Ladder) -> Floats:
    """Quadratic weighted kappa of two raters, mean over pairs."""
    return _over_pairs(lin_ccc(ladder.people), ladder.people)


def r_of_people(ladder: Ladder) -> Floats:
    """Correlation of two raters, mean over pairs."""
    return _over_pairs(pearson(ladder.people), ladder.people)


def _over_pairs(each: Floats, pairs: PairMoments) -> Floats:
    shared = np.real(pairs.n) > 0
    with np.errstate(invalid="ignore", divide="ignore"):  # no pair is left
        return np.asarray(np.where(shared, each, 0).sum(axis=-1) / shared.sum(axis=-1))


def ladder_units(rows: Rows, raters: int, gold_points: Floats | None = None) -> Units[Ladder]:
    """Units of the ladder: ratings in the first columns, then gold and system if there are any."""
    kept = rows.distinct()
    center = float(rows.points[0] + rows.points[-1]) / 2
    ratings = kept.scores[:, :raters] - center
    # each block is added up before the next is made: a million responses stay within memory
    group = grouped(kept)
    pairs = [group.sums(block) for block in pair_features(ratings, kept.counts)]
    blocks = [group.sums(OneWay.rows(ratings)), group.sums(PanelMoments.rows(ratings)), *pairs]
    middle = 0.0
    if gold_points is not None:
        middle = float(gold_points[0] + gold_points[-1]) / 2
        gold, system = kept.scores[:, raters], kept.scores[:, raters + 1]
        on_points = gold_points[nearest(system, gold_points)]
        both = (features(gold - middle, score - middle) for score in (on_points, system))
        blocks.extend(map(group.sums, both))
    edges = np.cumsum([block.shape[1] for block in blocks])
    first, last = int(edges[1]), int(edges[1 + len(pairs)])

    def build(sums: NDArray[np.float64]) -> Ladder:
        people = sums[..., first:last].reshape(*sums.shape[:-1], len(pairs), 8)
        return Ladder(
            OneWay(sums[..., : edges[0]]),
            PanelMoments(sums[..., edges[0] : first]),
            PairMoments(people),
            PairMoments(sums[..., last : last + 8], middle),
            PairMoments(sums[..., last + 8 :], middle),
        )

    return group.units(np.concatenate(blocks, axis=1), build)


def pair_features(ratings: Floats, counts: NDArray[np.int64]) -> Sequence[Floats]:
    """What each response adds to the moments of every two raters, or of a pool as one."""
    given = ~np.isnan(ratings)
    shared = given.astype(np.float64)
    common = (shared * counts[:, None]).T @ shared
    few = common.size == 0 or common.min() < min(SMALL_PAIR, counts.sum())
    if few or ratings.shape[1] > MANY_RATERS:
        return [_pool_features(ratings)]
    blocks = []
    for first, second in combinations(range(ratings.shape[1]), 2):
        both = given[:, first] & given[:, second]
        pair = (np.where(both, ratings[:, rater], 0.0) for rater in (first, second))
        blocks.append(features(*pair) * both[:, None])
    return blocks


def _pool_features(ratings: Floats) -> Floats:
    """Mean over all ordered pairs of ratings of a response, as moments of one pair."""
    given = ~np.isnan(ratings)
    k, filled = given.sum(axis=1) * 1.0, np.where(given, ratings, 0.0)
    total, squares = filled.sum(axis=1), (filled * filled).sum(axis=1)
    twice = k > 1
    many = np.where(twice, k, 2.0)
    mean, square = total / many, squares / many
    product = (total * total - squares) / (many * (many - 1))
    apart = 2 * (square - product)
    # sums of absolute differences are not needed, and stay 0
    columns = [np.ones_like(k), mean, mean, square, square, product, np.zeros_like(k), apart]
    return np.where(twice[:, None], np.stack(columns, axis=1), 0.0)
