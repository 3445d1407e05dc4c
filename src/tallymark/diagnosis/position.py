"""Position: QWK where the same agreement sits elsewhere on the diagonal of the table."""

import math
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.agreement.kappa import cohen_kappa
from tallymark.agreement.weights import distance
from tallymark.arrays import Floats, Whole
from tallymark.tally import PairCounts, PairMargins
from tallymark.tally.margins import cell_rows

EVERY = 7
"""Up to this many points every placement is tried."""


class Placements(NamedTuple):
    """The placements of the diagonal counts at which QWK is lowest and highest.

    ``bound`` is a value that no placement exceeds; it equals ``highest`` where that is exact.
    """

    lowest: float
    highest: float
    bound: float
    lowest_diagonal: Floats
    highest_diagonal: Floats


def placed(pairs: PairCounts, diagonal: Floats) -> PairCounts:
    """The same table with other counts on its diagonal."""
    counts, k = pairs.counts.astype(np.result_type(pairs.counts, 1.0)), pairs.points.size
    counts[..., np.arange(k), np.arange(k)] = diagonal
    return replace(pairs, counts=counts)


def apart_rows(first: Whole, second: Whole, points: Floats) -> Floats:
    """What responses add at their points where scores differ; squared distances; 1 if they agree."""
    rows = cell_rows(first, second, points, (distance(points, "quadratic"),))
    exact = first == second
    rows[exact, : 2 * points.size] = 0.0
    return np.column_stack([rows, exact])


def spread_evenly(sums: Any, points: Floats) -> PairMargins:
    """The margins if as many agreements were spread evenly over the points, from such sums.

    >>> points, cells = np.arange(3.0), [(0, 0), *[(1, 1)] * 9, *[(2, 2)] * 2, (0, 2), (2, 0)]
    >>> made = spread_evenly(apart_rows(*np.array(cells).T, points).sum(axis=0), points)
    >>> f"{cohen_kappa(made, weights='quadratic'):.2f}"
    '0.60'
    """
    margins = sums[..., : 2 * points.size] + sums[..., -1:] / points.size
    columns = np.concatenate([margins, sums[..., 2 * points.size : -1]], axis=-1)
    return PairMargins(columns, points, (distance(points, "quadratic"),))


def evened(pairs: PairCounts) -> PairCounts:
    """The same table with its agreements spread evenly over the points."""
    diagonal = np.diagonal(pairs.counts, axis1=-2, axis2=-1)
    mean = diagonal.mean(axis=-1)[..., None]
    return placed(pairs, np.broadcast_to(mean, diagonal.shape))


def placements(pairs: PairCounts) -> Placements:
    r"""The range of QWK over all orders in which the diagonal counts can stand.

    The diagonal enters QWK only through :math:`s_1 = \sum d_k x_k` and :math:`s_2 = \sum d_k
    x_k^2`: observed disagreement does not change, and expected disagreement is :math:`2 (s_2 -
    s_1^2 - m s_1)` plus a constant, with m the sum of the off-diagonal means. As :math:`-s_1^2 =
    \min_t (t^2 - 2 t s_1)`, the lowest is exact for any number of points: for each t the largest
    counts belong to the points nearest to :math:`t + m/2`, and their order changes only at
    midpoints of two points. The highest is found by trying every order of up to seven points;
    above, by exchanging pairs of counts, and the same argument with min and max exchanged bounds
    it. The question is that of Doewes, Kurdhi & Saxena (2023), EDM.

    Examples
    --------
    >>> table = PairCounts(np.array([[1, 0, 1], [0, 9, 0], [1, 0, 2]]), np.arange(3.0))
    >>> bounds = placements(table)
    >>> f"{bounds.lowest:.2f} {bounds.highest:.2f}", bounds.highest_diagonal.tolist()
    ('0.19 0.58', [9.0, 1.0, 2.0])
    """
    diagonal = np.diagonal(pairs.counts).astype(np.float64)
    moments = _Moments.of(pairs)
    nearest_bound, farthest = (
        _by_distance(moments, diagonal, nearest=nearest) for nearest in (True, False)
    )
    low = nearest_bound[int(np.argmin(moments.spread(nearest_bound)))]
    if diagonal.size <= EVERY:
        diagonals = diagonal[_orders(diagonal.size)]
        high = diagonals[int(np.argmax(moments.spread(diagonals)))]
        bound = float(moments.spread(high))
    else:
        high = _climbed(moments, farthest[int(np.argmax(moments.spread(farthest)))])
        bound = max(_bound(moments, farthest), float(moments.spread(high)))
    lowest, highest = (
        float(cohen_kappa(placed(pairs, diagonal), weights="quadratic")) for diagonal in (low, high)
    )
    observed = (1 - highest) * float(moments.spread(high))
    return Placements(lowest, highest, 1 - observed / bound if bound else math.nan, low, high)


class _Moments(NamedTuple):
    """What expected disagreement needs beside the diagonal, as shares of n."""

    points: Floats
    n: float
    mean: float
    constant: float

    @classmethod
    def of(cls, pairs: PairCounts) -> "_Moments":
        x, n = pairs.points - pairs.points.mean(), float(pairs.n)
        off = placed(pairs, np.zeros(x.size)).counts / n
        a, b = off.sum(axis=1), off.sum(axis=0)
        constant = (a + b) @ x**2 - 2 * (a @ x) * (b @ x)
        return cls(x, n, float(a @ x + b @ x), float(constant))

    def sums(self, diagonals: Floats) -> tuple[Floats, Floats]:
        shares = diagonals / self.n
        return np.asarray(shares @ self.points), np.asarray(shares @ self.points**2)

    def spread(self, diagonals: Floats) -> Floats:
        """Expected squared difference of two independent scores, for each diagonal."""
        return self.spread_of(*self.sums(diagonals))

    def spread_of(self, s1: Floats, s2: Floats) -> Floats:
        """The same from the two sums."""
        return np.asarray(2 * (s2 - s1 * s1 - self.mean * s1) + self.constant)


@lru_cache(maxsize=EVERY)
def _orders(k: int) -> NDArray[np.intp]:
    return np.array(list(permutations(range(k))), dtype=np.intp)


def _centers(points: Floats) -> tuple[Floats, Floats]:
    """Where the order of the distances to the points changes, and one place between each two."""
    middles = (points[:, None] + points[None, :]) / 2
    breaks = np.unique(middles[np.triu_indices(points.size, 1)].round(12))
    ends = np.concatenate([[breaks[0] - 1], breaks, [breaks[-1] + 1]])
    return breaks, (ends[1:] + ends[:-1]) / 2


def _by_distance(moments: _Moments, diagonal: Floats, *, nearest: bool) -> Floats:
    """For each center, the largest counts at the points nearest to it, or farthest from it."""
    _, centers = _centers(moments.points)
    away = np.abs(moments.points[None, :] - centers[:, None])
    order = np.argsort(away if nearest else -away, axis=1, kind="stable")
    out = np.empty_like(away)
    np.put_along_axis(out, order, np.sort(diagonal)[None, ::-1], axis=1)
    return out


def _bound(moments: _Moments, diagonal: Floats) -> float:
    """A spread that no placement exceeds: min over t of the largest linear function at t."""
    breaks, _ = _centers(moments.points)
    s1, s2 = moments.sums(diagonal)
    low = np.concatenate([[-np.inf], breaks]) - moments.mean / 2
    high = np.concatenate([breaks, [np.inf]]) - moments.mean / 2
    t = np.clip(s1, low, high)
    return float((2 * (s2 - s1 * (2 * t + moments.mean) + t * t) + moments.constant).min())


def _climbed(moments: _Moments, diagonal: Floats) -> Floats:
    """Exchange two counts as long as that raises the spread."""
    x, best = moments.points, diagonal.copy()
    i, j = np.triu_indices(x.size, 1)
    while True:
        s1, s2 = moments.sums(best)
        moved = (best[i] - best[j]) / moments.n
        after = moments.spread_of(s1 + moved * (x[j] - x[i]), s2 + moved * (x[j] ** 2 - x[i] ** 2))
        top = int(np.argmax(after))
        if not after[top] > moments.spread(best) + 1e-12:
            return best
        best[[i[top], j[top]]] = best[[j[top], i[top]]]
