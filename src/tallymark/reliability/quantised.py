"""Ceilings on a scale of points: the best scores that a perfect judge of true scores could give.

Ratings and gold are points, and the gold is made of ratings by some rule. True scores are normal,
cut off at the ends of the scale where such scores fit the ratings and beyond them else; ratings are
true scores plus normal error, moved to the nearest point. All expectations are sums over a grid of true scores, so nothing is drawn at random.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.reliability.gold_rule import POSITIONS, label
from tallymark.reliability.points import OnPoints, moments_over, rated
from tallymark.reliability.solving import Solved, damped, newton
from tallymark.tally import nearest

Floats = NDArray[np.float64]
NODES = np.linspace(-4.5, 4.5, 1501)
"""Grid of standardized true scores."""
ROUGH = 5
"""While a fit is searched for, every fifth place of the grid is enough."""
COARSE = NODES[::ROUGH]
COARSE_WEIGHTS = np.exp(-(COARSE**2) / 2) / np.exp(-(COARSE**2) / 2).sum()
CLOSE = 1e-4
"""Relative to the variance of ratings: how well their mean and variances must be met."""
MOST_PATTERNS = 5_000
"""More distinct sets of ratings than this are not listed."""
_ORDERED = ("parity", "third_mean", "third_sum", "third_higher", "third_first")


@dataclass(frozen=True, slots=True)
class Latent:
    """True scores on a grid with their weights, and ``chances[node, point]`` of a rating.

    ``fit`` is where they were found, from which others are near.
    """

    truth: Floats
    weights: Floats
    chances: Floats
    points: Floats
    cut_off: bool
    fit: Solved | None = None

    @property
    def expected(self) -> Floats:
        """The mean rating at each true score."""
        return self.chances @ self.points

    def moments(self) -> Floats:
        """Mean, variance and error variance of one rating."""
        return moments_over(self.weights, self.expected, self.chances @ self.points**2)


class Label(NamedTuple):
    """The gold under a rule: its mean at each true score, and its mean square."""

    expected: Floats
    square: float


class LabelCeilings(NamedTuple):
    """Against one kind of gold: best correlation, a further rater's, and best QWK on points."""

    theoretical: float
    human_like: float
    quantised: float
    uncalibrated: float


def latent(
    points: Floats,
    mean: float,
    sd: float,
    noise: float,
    *,
    cut_off: bool = True,
    nodes: Floats = NODES,
) -> Latent:
    """Normal true scores, cut off at the ends of the scale or not, rated with normal error."""
    weights = np.exp(-(nodes**2) / 2)
    truth = mean + sd * nodes
    truth = np.clip(truth, points[0], points[-1]) if cut_off else truth
    return Latent(truth, weights / weights.sum(), rated(truth, points, noise), points, cut_off)


def fit_latent(points: Floats, mean: float, variance: float, error: float) -> Latent | None:
    """Find true scores and error whose ratings, on the points, have this mean and variances.

    The error of ratings on points contains the error of rounding, so it is not the latent error.
    True scores are cut off at the ends of the scale unless that takes a spread beyond its range,
    as where most responses get the highest score. None where no such distribution is found.

    >>> made = fit_latent(np.arange(4.0), 1.4, 0.9, 0.3)
    >>> [round(value, 3) for value in made.moments().tolist()]
    [1.4, 0.9, 0.3]
    """
    wanted = np.array([[mean, variance, error]])
    fits = (_fitted(points, wanted, cut_off=kind)[0] for kind in (True, False))
    return next((made for made in fits if made is not None), None)


def fit_near(made: Latent, wanted: Floats) -> list[Latent | None]:
    """The same for ratings that differ little: ``[problem]`` means, variances and errors."""
    return _fitted(made.points, wanted, made.fit, cut_off=made.cut_off)


def _fitted(
    points: Floats, wanted: Floats, near: Solved | None = None, *, cut_off: bool
) -> list[Latent | None]:
    possible = (wanted[:, 2] > 0) & (wanted[:, 2] < wanted[:, 1])
    fits = iter(_solved(points, wanted[possible], near, cut_off=cut_off))
    return [next(fits) if can else None for can in possible]


def _solved(
    points: Floats, wanted: Floats, near: Solved | None, *, cut_off: bool
) -> Iterator[Latent | None]:
    step, width = float(np.diff(points).min()), float(np.ptp(points))
    least, most = math.log(step / 50), math.log(width if cut_off else 10 * width)
    low, high = np.array([-np.inf, least, least]), np.array([np.inf, most, most])
    spread = np.log([wanted[:, 1] - wanted[:, 2], wanted[:, 2]]).T / 2
    start = np.column_stack([wanted[:, 0], np.clip(spread, least + 0.01, most - 0.01)])
    solved: list[Solved | None] = [None] * len(wanted)
    if near is not None:
        at, slopes = (np.stack([part] * len(wanted)) for part in near)
        solved = newton(_off(points, wanted, cut_off=cut_off), at, low, high, slopes)
    for i, known in enumerate(solved):
        off = _off(points, wanted[i], cut_off=cut_off)
        fit = known or newton(off, start[[i]], low, high)[0]
        fit = fit or damped(off, start[i], low, high, near=CLOSE)
        yield None if fit is None else _latent_at(points, fit, cut_off=cut_off)


def _latent_at(points: Floats, fit: Solved, *, cut_off: bool) -> Latent:
    sd, noise = math.exp(fit.at[1]), math.exp(fit.at[2])
    return replace(latent(points, fit.at[0], sd, noise, cut_off=cut_off), fit=fit)


def _off(points: Floats, wanted: Floats, *, cut_off: bool) -> Callable[[Floats], Floats]:
    """By how much ratings of true scores ``[..., problem]`` miss what is wanted."""
    scale, variance = OnPoints.of(points), wanted[..., 1]
    size = np.stack([np.sqrt(variance), variance, variance], axis=-1)

    def off(at: Floats) -> Floats:
        truth = at[..., :1] + np.exp(at[..., 1:2]) * COARSE
        truth = np.clip(truth, points[0], points[-1]) if cut_off else truth
        ratings = scale.mean_and_square(truth, np.exp(at[..., 2]))
        return np.asarray((moments_over(COARSE_WEIGHTS, *ratings) - wanted) / size)

    return off


def label_of(
    made: Latent, rule: str, ratings: Mapping[int, float], *, adjacency: float = 0.0
) -> Label | None:
    """The gold that a rule makes; ``ratings`` gives the share of responses by number of ratings.

    A third rating, where a rule calls for it, is given when the first two differ by more than
    ``adjacency``. None where the sets of ratings are too many to list.
    """
    shares = {1: 1.0} if rule in POSITIONS else ratings
    shares = {3: 1.0} if rule in _ORDERED else shares
    expected, square = np.zeros_like(made.truth), 0.0
    for k, share in shares.items():
        part = _of_equal(made, "first" if rule in POSITIONS else rule, k, adjacency)
        if part is None:
            return None
        expected, square = expected + share * part.expected, square + share * part.square
    return Label(expected, square)


def label_ceilings(made: Latent, gold: Label, points: Floats, *, times: float) -> LabelCeilings:
    """Ceilings of agreement with a gold; predictions lie on ``points``, ``times`` the raters' scale."""
    weights, mean = made.weights, float(made.weights @ gold.expected)
    variance, rating = gold.square - mean**2, made.moments().tolist()
    explained = float(weights @ gold.expected**2) - mean**2
    shared = float(weights @ (gold.expected * made.expected)) - mean * rating[0]
    plain = points[nearest(made.truth * times, points)]
    return LabelCeilings(
        theoretical=math.sqrt(explained / variance),
        human_like=shared / math.sqrt(variance * rating[1]),
        quantised=best_kappa(made, gold, points),
        uncalibrated=_kappa(plain, made, gold),
    )


def best_kappa(made: Latent, gold: Label, points: Floats) -> float:
    r"""The highest quadratic weighted kappa of scores on points with the gold.

    One minus kappa is a ratio of two sums over responses, of squared distances as observed and
    as by chance. Such a ratio is least where each score is the point nearest to
    :math:`m + (E(Y|T) - m) / \kappa`, which rises with T; iterating finds that kappa.

    References
    ----------
    Dinkelbach (1967), doi:10.1287/mnsc.13.7.492.
    """
    mean = float(made.weights @ gold.expected)
    kappa = 1.0
    for _ in range(50):
        stretched = mean + (gold.expected - mean) / kappa
        reached = _kappa(points[nearest(stretched, points)], made, gold)
        if not reached > 0:
            return math.nan
        if abs(reached - kappa) <= 1e-12:
            break
        kappa = reached
    return kappa


def _kappa(scores: Floats, made: Latent, gold: Label) -> float:
    mean, square = float(made.weights @ gold.expected), gold.square
    observed = made.weights @ (scores**2 - 2 * scores * gold.expected) + square
    by_chance = made.weights @ (scores**2 - 2 * scores * mean) + square
    return float(1 - observed / by_chance) if by_chance > 0 else math.nan


def _of_equal(made: Latent, rule: str, k: int, adjacency: float) -> Label | None:
    """The gold when every response has k ratings."""
    expected, square = made.expected, made.chances @ made.points**2
    if rule in ("first", "mean", "sum"):
        share = k if rule == "mean" else 1
        times = k if rule == "sum" else 1
        error = (square - expected**2) * times / share
        return Label(times * expected, float(made.weights @ (error + (times * expected) ** 2)))
    size, ordered = made.points.size, rule in _ORDERED
    number = size**k if ordered else math.comb(size + k - 1, k)
    if number > MOST_PATTERNS:
        return None
    every = range(size)
    listed = product(every, repeat=k) if ordered else combinations_with_replacement(every, k)
    index = np.array(list(listed), dtype=np.int64)
    ways = np.ones(len(index)) if ordered else _orders(index, size)
    chances = ways * np.prod([made.chances[:, column] for column in index.T], axis=0)
    scores = made.points[index]
    if ordered:
        settled = np.abs(scores[:, 0] - scores[:, 1]) <= adjacency + 1e-9
        scores[settled, 2] = np.nan
    step = float(np.diff(made.points).min())
    gold = label(rule, scores, low=float(made.points[0]), step=step)
    return Label(chances @ gold, float(made.weights @ (chances @ gold**2)))


def _orders(index: NDArray[np.int64], size: int) -> Floats:
    """In how many orders the ratings of each set can have been given."""
    times = (index[:, :, None] == np.arange(size)).sum(axis=1)
    ways = np.array([float(math.factorial(i)) for i in range(index.shape[1] + 1)])
    return np.asarray(ways[-1] / ways[times].prod(axis=1))
