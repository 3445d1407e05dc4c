"""Ceilings on a scale of points: the best scores that a perfect judge of true scores could give.

Ratings and gold are points, and the gold is made of ratings by some rule. True scores are normal,
cut off at the ends of the scale where such scores fit the ratings and beyond them else; ratings are
true scores plus normal error, moved to the nearest point. All expectations are sums over a grid of true scores, so nothing is drawn at random.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.reliability.gold_rule import ADJUDICATED, POSITIONS, label
from tallymark.reliability.points import OnPoints, moments_over, rated
from tallymark.reliability.solving import Beside, Problems, Solved, newton, solve
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


class Latent(Struct, frozen=True):
    """True scores on a grid with their weights, and ``chances[..., node, point]`` of a rating.

    ``fit`` is where they were found, from which others are near. Leading axes are several of them.
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


def stacked(many: Sequence[Latent]) -> Latent:
    """Several of them on one leading axis, all on the same points."""
    truth, chances = (
        np.stack(part) for part in zip(*((m.truth, m.chances) for m in many), strict=True)
    )
    return replace(many[0], truth=truth, chances=chances, fit=None)


class Label(NamedTuple):
    """The gold under a rule: its mean at each true score, and its mean square."""

    expected: Floats
    square: Floats


class LabelCeilings(NamedTuple):
    """Against one kind of gold: best correlation, a further rater's, and best QWK on points."""

    theoretical: Floats
    human_like: Floats
    quantised: Floats
    uncalibrated: Floats


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


def fit_latent(points: Floats, wanted: Floats) -> list[Latent | None]:
    """Find true scores and error whose ratings, on the points, have this mean and variances.

    ``wanted`` holds mean, variance and error variance of each of several problems, which are solved
    side by side. The error of ratings on points contains the error of rounding, so it is not the
    latent error. True scores are cut off at the ends of the scale unless that takes a spread beyond
    its range, as where most responses get the highest score. None where no such distribution is found.

    >>> made = fit_latent(np.arange(4.0), np.array([[1.4, 0.9, 0.3]]))[0]
    >>> [round(value, 3) for value in made.moments().tolist()]
    [1.4, 0.9, 0.3]
    """
    made: list[Latent | None] = [None] * len(wanted)
    for kind in (True, False):
        rest = [i for i, fit in enumerate(made) if fit is None]
        for i, fit in zip(rest, _fitted(points, wanted[rest], cut_off=kind), strict=True):
            made[i] = fit
    return made


def fit_near(many: Sequence[Latent], wanted: Floats) -> list[Latent | None]:
    """The same for ratings that differ little from those of true scores that are known of each."""
    made: list[Latent | None] = [None] * len(many)
    for kind in (True, False):
        here = [i for i, known in enumerate(many) if known.cut_off == kind]
        near = [many[i].fit for i in here]
        fits = _fitted(many[0].points, wanted[here], near, cut_off=kind) if here else []
        for i, fit in zip(here, fits, strict=True):
            made[i] = fit
    return made


def _fitted(
    points: Floats, wanted: Floats, near: Sequence[Solved | None] = (), *, cut_off: bool
) -> list[Latent | None]:
    possible = np.flatnonzero((wanted[:, 2] > 0) & (wanted[:, 2] < wanted[:, 1])).tolist()
    known = [near[i] for i in possible] if near else [None] * len(possible)
    made: list[Latent | None] = [None] * len(wanted)
    for i, fit in zip(possible, _solved(points, wanted[possible], known, cut_off), strict=True):
        made[i] = None if fit is None else _latent_at(points, fit, cut_off=cut_off)
    return made


def _solved(
    points: Floats, wanted: Floats, near: Sequence[Solved | None], cut_off: bool
) -> list[Solved | None]:
    step, width = float(np.diff(points).min()), float(np.ptp(points))
    least, most = math.log(step / 50), math.log(width if cut_off else 10 * width)
    low, high = np.array([-np.inf, least, least]), np.array([np.inf, most, most])
    spread = np.log([wanted[:, 1] - wanted[:, 2], wanted[:, 2]]).T / 2
    start = np.column_stack([wanted[:, 0], np.clip(spread, least + 0.01, most - 0.01)])
    off = _off(points, wanted, cut_off=cut_off)
    made: list[Solved | None] = [None] * len(wanted)
    known = [fit for fit in near if fit is not None]
    if known:
        about = np.array([i for i, fit in enumerate(near) if fit is not None])
        at, slopes = (np.stack(part) for part in zip(*known, strict=True))
        fits = newton(lambda x, which: off(x, about[which]), at, low, high, slopes)
        for i, fit in zip(about.tolist(), fits, strict=True):
            made[i] = fit
    rest = np.array([i for i, fit in enumerate(made) if fit is None], dtype=np.int64)
    if rest.size:
        fits = solve(lambda x, which: off(x, rest[which]), start[rest], low, high, near=CLOSE)
        for i, fit in zip(rest.tolist(), fits, strict=True):
            made[i] = fit
    return made


def _latent_at(points: Floats, fit: Solved, *, cut_off: bool) -> Latent:
    sd, noise = math.exp(fit.at[1]), math.exp(fit.at[2])
    return replace(latent(points, fit.at[0], sd, noise, cut_off=cut_off), fit=fit)


def _off(points: Floats, wanted: Floats, *, cut_off: bool) -> Beside:
    """By how much ratings of true scores ``[..., problem]`` miss what is wanted."""
    scale, variance = OnPoints.of(points), wanted[..., 1]
    size = np.stack([np.sqrt(variance), variance, variance], axis=-1)

    def off(at: Floats, which: Problems) -> Floats:
        truth = at[..., :1] + np.exp(at[..., 1:2]) * COARSE
        truth = np.clip(truth, points[0], points[-1]) if cut_off else truth
        ratings = scale.mean_and_square(truth, np.exp(at[..., 2]))
        return np.asarray((moments_over(COARSE_WEIGHTS, *ratings) - wanted[which]) / size[which])

    return off


def label_of(
    made: Latent, rule: str, ratings: Mapping[int, float], *, adjacency: float = 0.0
) -> Label | None:
    """The gold that a rule makes; ``ratings`` gives the share of responses by number of ratings.

    A third rating, where a rule calls for it, is given when the first two differ by more than
    ``adjacency``. None where the sets of ratings are too many to list.
    """
    shares = {1: 1.0} if rule in POSITIONS else ratings
    shares = {3: 1.0} if rule in ADJUDICATED else shares
    expected, square = np.zeros_like(made.truth), np.zeros(made.truth.shape[:-1])
    for k, share in shares.items():
        part = _of_equal(made, "first" if rule in POSITIONS else rule, k, adjacency)
        if part is None:
            return None
        expected, square = expected + share * part.expected, square + share * part.square
    return Label(expected, square)


def label_ceilings(made: Latent, gold: Label, points: Floats, *, times: float) -> LabelCeilings:
    """Ceilings of agreement with a gold; predictions lie on ``points``, ``times`` the raters' scale."""
    weights, mean = made.weights, gold.expected @ made.weights
    variance, rating = gold.square - mean**2, made.moments()
    explained = gold.expected**2 @ weights - mean**2
    shared = (gold.expected * made.expected) @ weights - mean * rating[..., 0]
    plain = points[nearest(made.truth * times, points)]
    return LabelCeilings(
        theoretical=np.sqrt(explained / variance),
        human_like=shared / np.sqrt(variance * rating[..., 1]),
        quantised=best_kappa(made, gold, points),
        uncalibrated=_kappa(plain, made, gold),
    )


def best_kappa(made: Latent, gold: Label, points: Floats) -> Floats:
    r"""The highest quadratic weighted kappa of scores on points with the gold.

    One minus kappa is a ratio of two sums over responses, of squared distances as observed and
    as by chance. Such a ratio is least where each score is the point nearest to
    :math:`m + (E(Y|T) - m) / \kappa`, which rises with T; iterating finds that kappa.

    References
    ----------
    Dinkelbach (1967), doi:10.1287/mnsc.13.7.492.
    """
    mean = (gold.expected @ made.weights)[..., None]
    kappa, going = np.ones(mean.shape[:-1]), np.ones(mean.shape[:-1], dtype=bool)
    for _ in range(50):
        stretched = mean + (gold.expected - mean) / kappa[..., None]
        reached = _kappa(points[nearest(stretched, points)], made, gold)
        reached = np.where(reached > 0, reached, np.nan)
        on = going & (np.abs(reached - kappa) > 1e-12)
        kappa = np.where(on | np.isnan(reached), reached, kappa)
        if not on.any():
            break
        going = on
    return kappa


def _kappa(scores: Floats, made: Latent, gold: Label) -> Floats:
    weights = made.weights
    mean, square = gold.expected @ weights, scores**2 @ weights + gold.square
    observed = square - 2 * ((scores * gold.expected) @ weights)
    by_chance = square - 2 * mean * (scores @ weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(by_chance > 0, 1 - observed / by_chance, np.nan))


def _of_equal(made: Latent, rule: str, k: int, adjacency: float) -> Label | None:
    """The gold when every response has k ratings."""
    expected, square = made.expected, made.chances @ made.points**2
    if rule in ("first", "mean", "sum"):
        share = k if rule == "mean" else 1
        times = k if rule == "sum" else 1
        error = (square - expected**2) * times / share
        return Label(times * expected, (error + (times * expected) ** 2) @ made.weights)
    size, ordered = made.points.size, rule in ADJUDICATED
    number = size**k if ordered else math.comb(size + k - 1, k)
    if number > MOST_PATTERNS:
        return None
    every = range(size)
    listed = product(every, repeat=k) if ordered else combinations_with_replacement(every, k)
    index = np.array(list(listed), dtype=np.int64)
    ways = np.ones(len(index)) if ordered else _orders(index, size)
    chances = ways * np.prod([made.chances[..., column] for column in index.T], axis=0)
    scores = made.points[index]
    if ordered:
        settled = np.abs(scores[:, 0] - scores[:, 1]) <= adjacency + 1e-9
        scores[settled, 2] = np.nan
    step = float(np.diff(made.points).min())
    gold = label(rule, scores, low=float(made.points[0]), step=step)
    return Label(chances @ gold, (chances @ gold**2) @ made.weights)


def _orders(index: NDArray[np.int64], size: int) -> Floats:
    """In how many orders the ratings of each set can have been given."""
    times = (index[:, :, None] == np.arange(size)).sum(axis=1)
    ways = np.array([float(math.factorial(i)) for i in range(index.shape[1] + 1)])
    return np.asarray(ways[-1] / ways[times].prod(axis=1))
