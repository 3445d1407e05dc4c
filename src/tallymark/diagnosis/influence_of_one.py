"""Influence of one: what QWK and the correlation would be without a response."""

from typing import NamedTuple

import numpy as np

from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.arrays import Floats, Whole
from tallymark.tally import PairMoments
from tallymark.tally.moments import features

CANDIDATES = 1000
"""Responses to leave out together come from this many of the most influential."""


EXACT = 1e-12
"""A smaller standard error is the last binary digits of none: the others agree exactly."""


class Handful(NamedTuple):
    """Some responses, their positions among the pairs, and concordance without them.

    ``se`` is the standard error of the concordance of the others, 0 where they agree exactly.
    """

    taken: tuple[int, ...]
    without: float
    se: float


class Pairs(NamedTuple):
    """Distinct pairs of scores and how often each occurs."""

    first: Floats
    second: Floats
    counts: Whole

    @property
    def rows(self) -> Floats:
        """What a response of each pair adds to the moments."""
        center = float(self.first.min() + self.first.max()) / 2 if self.first.size else 0.0
        return features(self.first - center, self.second - center)


def without_one(pairs: Pairs) -> tuple[Floats, Floats]:
    """Lin's concordance and the correlation with one response of each pair left out.

    Exact, not linearised. On scores that lie on score points the concordance is QWK.

    >>> scores = np.array([1.0, 2.0, 3.0, 9.0]), np.array([1.0, 3.0, 2.0, 9.0])
    >>> ccc, r = without_one(Pairs(*scores, np.ones(4, dtype=np.int64)))
    >>> f"{ccc[3]:.2f} {r[3]:.2f}"
    '0.50 0.50'
    """
    rows = pairs.rows
    left = PairMoments(pairs.counts @ rows - rows)
    return lin_ccc(left), pearson(left)


def with_all(pairs: Pairs) -> tuple[float, float]:
    """Lin's concordance and the correlation of all responses."""
    tally = PairMoments(pairs.counts @ pairs.rows)
    return float(lin_ccc(tally)), float(pearson(tally))


def handful(pairs: Pairs, size: int, *, upwards: bool) -> Handful:
    """Leave out this many responses, one after the other, each the one that moves QWK most."""
    rows, counts = pairs.rows, pairs.counts.copy()
    sums = counts @ rows
    sign = 1.0 if upwards else -1.0
    first = sign * lin_ccc(PairMoments(sums - rows))
    ahead = np.argsort(-np.where(np.isnan(first), -np.inf, first), kind="stable")[:CANDIDATES]
    taken: list[int] = []
    value = float(lin_ccc(PairMoments(sums)))
    for _ in range(size):
        left = lin_ccc(PairMoments(sums - rows[ahead]))
        usable = (counts[ahead] > 0) & ~np.isnan(left)
        if not usable.any():
            break
        best = int(np.argmax(np.where(usable, sign * left, -np.inf)))
        if not sign * (left[best] - value) > 0:
            break
        value, position = float(left[best]), int(ahead[best])
        taken.append(position)
        counts[position] -= 1
        sums = sums - rows[position]
    return Handful(tuple(taken), value, _standard_error(sums, rows, counts))


def _standard_error(sums: Floats, rows: Floats, counts: Whole) -> float:
    """Influence standard error of Lin's concordance (spread of what each response moves it by)."""
    tally = PairMoments(sums)
    n, (var_a, var_b) = float(tally.n), tally.variances
    denominator = float(var_a + var_b + tally.mean_difference**2)
    if not (n > 1 and denominator > 0):
        return float("nan")
    numerator = 2 * float(tally.covariance)
    a, b = rows[:, 1] - sums[1] / n, rows[:, 2] - sums[2] / n
    above = 2 * a * b - numerator
    below = rows[:, 7] + 2 * a * b - denominator
    influence = above / denominator - numerator * below / denominator**2
    se = float(np.sqrt(counts @ influence**2) / n)
    return se if se > EXACT else 0.0
