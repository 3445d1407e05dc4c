"""Many-facet Rasch model, rating scale: the model, and ratings as it needs them.

A response of quality t, read by a rater of severity s, gets category k rather than k - 1 with log
odds t - s - tau_k. Categories are the score points that were used, counted from 0.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.reliability.connected import components

DENSE = 1_000_000
"""More cells of panels by raters than this are kept sparse."""
MOST_POINTS = 20
"""More categories than this are too many to have a threshold each."""
FAR = 30.0
"""Logits beyond which an estimate is on its way to infinity."""


class NotFitted(NamedTuple):
    """The reason why there is no fit; no numbers come with it."""

    why: str


class RaschFit(Struct, frozen=True):
    """Severities in logits (they sum to 0), thresholds (too), and how they were found.

    ``covariance`` is that of the severities, robust to misfit, from this many ``units`` (responses
    or clusters): the sum of squares of ``influence``, how far each row of ratings moves each
    severity. ``mean`` and ``sd`` are those of the quality of responses.
    """

    severity: Floats
    covariance: Floats
    thresholds: Floats
    mean: float
    sd: float
    nodes: Floats
    units: int
    method: str
    influence: Floats

    @property
    def se(self) -> Floats:
        """Standard errors of the severities."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    @property
    def spread(self) -> float:
        r"""Standard deviation of the raters' severities, their errors of estimation taken out.

        Severities that sum to 0 are found with errors that sum to 0, so that the expected sum of
        squares is that of the truth plus that of the standard errors:

        .. math:: \sqrt{\frac{\sum \hat\lambda^2}{R - 1} - \frac{R}{R - 1} \overline{se^2}}

        0 where errors explain all of it.
        """
        raters = self.severity.size
        squared = (self.severity**2).sum() - (self.se**2).sum()
        return float(max(0.0, squared / (raters - 1)) ** 0.5)


class Answers(Struct, frozen=True):
    """Ratings, one by one and by kind of response: who rated it, and the total.

    All that the model needs of a response is who rated it and the sum of their categories:
    ``sets`` (kinds of panel x raters, sparse), ``panel``, ``total`` and ``times`` (one per kind of
    response). Rating e was given by ``rater[e]`` to a response of kind ``kind[e]`` in row
    ``row[e]`` of the data: ``score[e]``, ``weight[e]`` times.
    """

    sets: Any
    panel: Whole
    total: Floats
    times: Floats
    row: Whole
    kind: Whole
    rater: Whole
    score: Whole
    weight: Floats
    categories: int

    @property
    def raters(self) -> int:
        """How many raters there are."""
        return int(self.sets.shape[1])

    @property
    def by_rater(self) -> Floats:
        """The sum of the categories each rater gave."""
        score = self.weight * self.score
        return added(self.rater, score, self.raters)

    @property
    def reached(self) -> Floats:
        """How many ratings reach category 1, 2 and so on."""
        used = added(self.score, self.weight, self.categories)
        return np.asarray(np.cumsum(used[::-1])[::-1][1:])

    @property
    def ratings(self) -> Floats:
        """How many ratings a response of each kind has."""
        return np.asarray(self.sets.sum(axis=1)).ravel()[self.panel]

    @property
    def extreme(self) -> NDArray[np.bool_]:
        """Which kinds of response got only the lowest, or only the highest category."""
        return np.asarray((self.total == 0) | (self.total == self.ratings * (self.categories - 1)))


def answers(ratings: Floats, points: Floats, counts: Whole) -> Answers:
    """Sort ratings (responses x raters, NaN missing) by kind of response; ``points`` are used."""
    present = ~np.isnan(ratings)
    rows, rater = np.nonzero(present)
    score = np.searchsorted(points, ratings[rows, rater]).clip(max=points.size - 1)
    total = added(rows, score, len(ratings))
    packed = np.packbits(present, axis=1)
    _, first, panel = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    kinds = panel.ravel() * (points.size * ratings.shape[1] + 1) + total.astype(np.int64)
    _, first_of_kind, kind = np.unique(kinds, return_index=True, return_inverse=True)
    return Answers(
        _stored(present[first].astype(np.float64)),
        panel.ravel()[first_of_kind],
        total[first_of_kind],
        added(kind, counts, first_of_kind.size),
        rows,
        kind[rows],
        rater,
        score,
        counts[rows].astype(np.float64),
        points.size,
    )


def _stored(sets: Floats) -> Any:
    """Keep the panels of raters as they are, or sparse where they are many."""
    if sets.size <= DENSE:
        return sets
    from scipy.sparse import csr_array

    return csr_array(sets)


def added(where: NDArray[Any], what: NDArray[Any], size: int) -> Floats:
    """Add up numbers that belong to the same of ``size`` places."""
    return np.bincount(where, weights=what, minlength=size).astype(np.float64, copy=False)


def unfit(ratings: Floats, names: Sequence[str], points: Floats) -> str:
    """Why severities cannot be compared; empty where they can."""
    if points.size < 2:
        return "all ratings are the same, so nobody can be called severe"
    if points.size > MOST_POINTS:
        return f"{points.size} different scores are too many for the Rasch model ({MOST_POINTS})"
    groups = components(ratings)
    if len(groups) > 1:
        named = "; ".join(", ".join(names[rater] for rater in group) for group in groups)
        return f"raters in different groups share no response ({named})"
    if len(groups[0]) < 2 or not ((~np.isnan(ratings)).sum(axis=1) > 1).any():
        return "no response was rated by two raters"
    return ""


def one_sided(ratings: Floats, points: Floats) -> NDArray[np.bool_]:
    """Which raters gave only the lowest, or only the highest score that was used."""
    present = ~np.isnan(ratings)
    low = (ratings == points[0]) | ~present
    high = (ratings == points[-1]) | ~present
    return np.asarray(present.any(axis=0) & (low.all(axis=0) | high.all(axis=0)))


def probabilities(difference: NDArray[Any], thresholds: NDArray[Any]) -> NDArray[Any]:
    """``[..., k]``: chance of category k where quality exceeds severity by ``difference``."""
    return normalised(difference, thresholds)[0]


def normalised(
    difference: NDArray[Any], thresholds: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The chance of each category, and the log of the sum that makes them chances."""
    steps = np.arange(thresholds.size + 1)
    taken = np.concatenate([np.zeros(1, thresholds.dtype), np.cumsum(thresholds)])
    logits = difference[..., None] * steps - taken
    top = np.real(logits).max(axis=-1, keepdims=True)
    odds = np.exp(logits - top)
    total = odds.sum(axis=-1, keepdims=True)
    return np.asarray(odds / total), np.asarray((np.log(total) + top)[..., 0])


def moments(chance: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Expected category and its variance."""
    steps = np.arange(chance.shape[-1])
    mean = chance @ steps
    return mean, chance @ steps**2 - mean**2


def reaching(chance: NDArray[Any]) -> NDArray[Any]:
    """``[..., k - 1]``: chance to reach category k or more."""
    return np.asarray(np.cumsum(chance[..., ::-1], axis=-1)[..., ::-1][..., 1:])


def with_last(free: NDArray[Any]) -> NDArray[Any]:
    """Numbers that sum to 0, from all but the last of them: ``sum_to_zero(n) @ free``."""
    return np.concatenate([free, -free.sum(keepdims=True)])


def less_last(slopes: NDArray[Any]) -> NDArray[Any]:
    """Slopes by all but the last of numbers that sum to 0: ``sum_to_zero(n).T @ slopes``."""
    return np.asarray(slopes[:-1] - slopes[-1])


def sum_to_zero(size: int) -> Floats:
    """The matrix that makes numbers which sum to 0 out of all but the last of them."""
    return np.concatenate([np.eye(size - 1), -np.ones((1, size - 1))])
