"""Ceilings on a scale of points: the best scores that a perfect judge of true scores could give.

Ratings and gold are points, and the gold is made of ratings by some rule. True scores are normal,
cut off at the ends of the scale where such scores fit the ratings and beyond them else; ratings are
true scores plus normal error, moved to the nearest point. Raters are alike, or each has
a severity, a slope and an error of its own. All expectations are sums over a grid of true scores, so
nothing is drawn at random.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tallymark.arrays import Floats, Whole
from tallymark.reliability.gold_rule import ADJUDICATED, POSITIONS, label
from tallymark.reliability.points import OnPoints, moments_over, rated
from tallymark.reliability.solving import Beside, Problems, Solved, newton, solve
from tallymark.tally import nearest

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

    >>> true_scores = fit_latent(np.arange(4.0), np.array([[1.4, 0.9, 0.3]]))[0]
    >>> [round(value, 3) for value in true_scores.moments().tolist()]
    [1.4, 0.9, 0.3]
    """
    fits: list[Latent | None] = [None] * len(wanted)
    for kind in (True, False):
        rest = [i for i, fit in enumerate(fits) if fit is None]
        for i, fit in zip(rest, _fitted(points, wanted[rest], cut_off=kind), strict=True):
            fits[i] = fit
    return fits


def fit_near(many: Sequence[Latent], wanted: Floats) -> list[Latent | None]:
    """The same for ratings that differ little from those of true scores that are known of each."""
    fits: list[Latent | None] = [None] * len(many)
    for kind in (True, False):
        places = [i for i, start in enumerate(many) if start.cut_off == kind]
        if places:
            starts = [many[i].fit for i in places]
            of_kind = _fitted(many[0].points, wanted[places], starts, cut_off=kind)
            for i, fit in zip(places, of_kind, strict=True):
                fits[i] = fit
    return fits


def _fitted(
    points: Floats, wanted: Floats, starts: Sequence[Solved | None] = (), *, cut_off: bool
) -> list[Latent | None]:
    possible = np.flatnonzero((wanted[:, 2] > 0) & (wanted[:, 2] < wanted[:, 1])).tolist()
    near = [starts[i] for i in possible] if starts else [None] * len(possible)
    solutions = _solved(points, wanted[possible], near, cut_off)
    fits: list[Latent | None] = [None] * len(wanted)
    for i, fit in zip(possible, solutions, strict=True):
        fits[i] = None if fit is None else _latent_at(points, fit, cut_off=cut_off)
    return fits


def _solved(
    points: Floats, wanted: Floats, starts: Sequence[Solved | None], cut_off: bool
) -> list[Solved | None]:
    step, width = float(np.diff(points).min()), float(np.ptp(points))
    least, greatest = math.log(step / 50), math.log(width if cut_off else 10 * width)
    low, high = np.array([-np.inf, least, least]), np.array([np.inf, greatest, greatest])
    spread = np.log([wanted[:, 1] - wanted[:, 2], wanted[:, 2]]).T / 2
    start = np.column_stack([wanted[:, 0], np.clip(spread, least + 0.01, greatest - 0.01)])
    off = _off(points, wanted, cut_off=cut_off)
    solutions: list[Solved | None] = [None] * len(wanted)
    fits_known = [fit for fit in starts if fit is not None]
    if fits_known:
        places = np.array([i for i, fit in enumerate(starts) if fit is not None])
        positions, slopes = (np.stack(part) for part in zip(*fits_known, strict=True))
        fits = newton(lambda x, problems: off(x, places[problems]), positions, low, high, slopes)
        for i, fit in zip(places.tolist(), fits, strict=True):
            solutions[i] = fit
    rest = np.array([i for i, fit in enumerate(solutions) if fit is None], dtype=np.int64)
    if rest.size:
        fits = solve(lambda x, problems: off(x, rest[problems]), start[rest], low, high, near=CLOSE)
        for i, fit in zip(rest.tolist(), fits, strict=True):
            solutions[i] = fit
    return solutions


def _latent_at(points: Floats, fit: Solved, *, cut_off: bool) -> Latent:
    sd, noise = math.exp(fit.at[1]), math.exp(fit.at[2])
    return replace(latent(points, fit.at[0], sd, noise, cut_off=cut_off), fit=fit)


def _off(points: Floats, wanted: Floats, *, cut_off: bool) -> Beside:
    """By how much ratings of true scores ``[..., problem]`` miss what is wanted."""
    scale, variance = OnPoints.of(points), wanted[..., 1]
    size = np.stack([np.sqrt(variance), variance, variance], axis=-1)

    def off(params: Floats, problems: Problems) -> Floats:
        truth = params[..., :1] + np.exp(params[..., 1:2]) * COARSE
        truth = np.clip(truth, points[0], points[-1]) if cut_off else truth
        ratings = scale.mean_and_square(truth, np.exp(params[..., 2]))
        moments = moments_over(COARSE_WEIGHTS, *ratings)
        return np.asarray((moments - wanted[problems]) / size[problems])

    return off


def label_of(
    true_scores: Latent, rule: str, ratings: Mapping[int, float], *, adjacency: float = 0.0
) -> Label | None:
    """The gold that a rule makes; ``ratings`` gives the share of responses by number of ratings.

    A third rating, where a rule calls for it, is given when the first two differ by more than
    ``adjacency``. None where the sets of ratings are too many to list.
    """
    shares = {1: 1.0} if rule in POSITIONS else ratings
    shares = {3: 1.0} if rule in ADJUDICATED else shares
    expected, square = np.zeros_like(true_scores.truth), np.zeros(true_scores.truth.shape[:-1])
    for k, share in shares.items():
        part = _of_equal(true_scores, "first" if rule in POSITIONS else rule, k, adjacency)
        if part is None:
            return None
        expected, square = expected + share * part.expected, square + share * part.square
    return Label(expected, square)


def label_ceilings(
    true_scores: Latent, gold: Label, points: Floats, *, times: float
) -> LabelCeilings:
    """Ceilings of agreement with a gold; predictions lie on ``points``, ``times`` the raters' scale."""
    weights, mean = true_scores.weights, gold.expected @ true_scores.weights
    variance, rating = gold.square - mean**2, true_scores.moments()
    explained = gold.expected**2 @ weights - mean**2
    shared = (gold.expected * true_scores.expected) @ weights - mean * rating[..., 0]
    rounded = points[nearest(true_scores.truth * times, points)]
    return LabelCeilings(
        theoretical=np.sqrt(explained / variance),
        human_like=shared / np.sqrt(variance * rating[..., 1]),
        quantised=best_kappa(true_scores, gold, points),
        uncalibrated=_kappa(rounded, true_scores, gold),
    )


def best_kappa(true_scores: Latent, gold: Label, points: Floats) -> Floats:
    r"""The highest quadratic weighted kappa of scores on points with the gold.

    One minus kappa is a ratio of two sums over responses, of squared distances as observed and
    as by chance. Such a ratio is least where each score is the point nearest to
    :math:`m + (E(Y|T) - m) / \kappa`, which rises with T; iterating finds that kappa.

    References
    ----------
    Dinkelbach (1967), doi:10.1287/mnsc.13.7.492.
    """
    mean = (gold.expected @ true_scores.weights)[..., None]
    kappa, going = np.ones(mean.shape[:-1]), np.ones(mean.shape[:-1], dtype=bool)
    for _ in range(50):
        stretched = mean + (gold.expected - mean) / kappa[..., None]
        reached = _kappa(points[nearest(stretched, points)], true_scores, gold)
        reached = np.where(reached > 0, reached, np.nan)
        on = going & (np.abs(reached - kappa) > 1e-12)
        kappa = np.where(on | np.isnan(reached), reached, kappa)
        if not on.any():
            break
        going = on
    return kappa


def _kappa(scores: Floats, true_scores: Latent, gold: Label) -> Floats:
    weights = true_scores.weights
    mean, square = gold.expected @ weights, scores**2 @ weights + gold.square
    observed = square - 2 * ((scores * gold.expected) @ weights)
    by_chance = square - 2 * mean * (scores @ weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(by_chance > 0, 1 - observed / by_chance, np.nan))


def _of_equal(true_scores: Latent, rule: str, k: int, adjacency: float) -> Label | None:
    """The gold when every response has k ratings."""
    expected, square = true_scores.expected, true_scores.chances @ true_scores.points**2
    if rule in ("first", "mean", "sum"):
        share = k if rule == "mean" else 1
        times = k if rule == "sum" else 1
        error = (square - expected**2) * times / share
        return Label(times * expected, (error + (times * expected) ** 2) @ true_scores.weights)
    size, ordered = true_scores.points.size, rule in ADJUDICATED
    number = size**k if ordered else math.comb(size + k - 1, k)
    if number > MOST_PATTERNS:
        return None
    sets = combinations_with_replacement(range(size), k)
    listed = product(range(size), repeat=k) if ordered else sets
    index = np.array(list(listed), dtype=np.int64)
    ways = np.ones(len(index)) if ordered else _orders(index, size)
    chances = ways * np.prod([true_scores.chances[..., column] for column in index.T], axis=0)
    scores = true_scores.points[index]
    if ordered:
        settled = np.abs(scores[:, 0] - scores[:, 1]) <= adjacency + 1e-9
        scores[settled, 2] = np.nan
    step = float(np.diff(true_scores.points).min())
    gold = label(rule, scores, low=float(true_scores.points[0]), step=step)
    return Label(chances @ gold, (chances @ gold**2) @ true_scores.weights)


def _orders(index: Whole, size: int) -> Floats:
    """In how many orders the ratings of each set can have been given."""
    times = (index[:, :, None] == np.arange(size)).sum(axis=1)
    ways = np.array([float(math.factorial(i)) for i in range(index.shape[1] + 1)])
    return np.asarray(ways[-1] / ways[times].prod(axis=1))


Moments = tuple[float, float, float]


def fit_raters(true_scores: Sequence[Latent], wanted: Floats) -> list[Floats | None]:
    """Chances of each point, by true score, whose ratings have these means, variances and errors.

    ``wanted[i]`` are those of a rater of the true scores ``true_scores[i]``, all on one scale.

    >>> true_scores = latent(np.arange(5.0), 2, 1, 0.5)
    >>> chances = fit_raters([true_scores], np.array([[1.8, 1.4, 0.6]]))[0]
    >>> [round(value, 3) for value in moments_of(true_scores, chances).tolist()]
    [1.8, 1.4, 0.6]
    """
    possible = (wanted[:, 2] > 0) & (wanted[:, 2] < wanted[:, 1])
    fittable = [fit for fit, can in zip(true_scores, possible, strict=True) if can]
    fits = iter(_fitted_raters(fittable, wanted[possible]) if fittable else [])
    return [next(fits) if can else None for can in possible]


def _fitted_raters(true_scores: Sequence[Latent], wanted: Floats) -> Iterator[Floats | None]:
    points, (mean, variance, error) = (
        true_scores[0].points,
        np.stack([fit.moments() for fit in true_scores], 1),
    )
    size = np.stack([np.sqrt(wanted[:, 1]), wanted[:, 1], wanted[:, 1]], axis=-1)
    slope = 0.5 * np.log((wanted[:, 1] - wanted[:, 2]) / (variance - error))
    start = np.stack([wanted[:, 0] - mean, slope, 0.5 * np.log(wanted[:, 2])], axis=-1)
    width, scale = float(np.ptp(points)), OnPoints.of(points)
    low = np.array([-width, -5.0, math.log(float(np.diff(points).min()) / 50)])
    high = np.array([width, 3.0, math.log(width) + 1])
    middle = np.array([[fit.weights @ fit.truth] for fit in true_scores])
    away = np.stack([fit.truth for fit in true_scores]) - middle
    rough = away[:, ::ROUGH]

    def off(params: Floats, problems: Problems) -> Floats:
        expected = middle[problems] + params[..., :1] + np.exp(params[..., 1:2]) * rough[problems]
        ratings = scale.mean_and_square(expected, np.exp(params[..., 2]))
        return np.asarray(
            (moments_over(COARSE_WEIGHTS, *ratings) - wanted[problems]) / size[problems]
        )

    solved = newton(off, np.clip(start, low, high), low, high)
    for i, fit in enumerate(solved):
        if fit is None:
            yield None
            continue
        expected = middle[i] + fit.at[0] + math.exp(fit.at[1]) * away[i]
        chances = rated(expected, points, math.exp(fit.at[2]))
        missed = np.abs((moments_of(true_scores[i], chances) - wanted[i]) / size[i]).max()
        yield chances if missed <= 10 * CLOSE else None


def fit_third(
    true_scores: Latent, first: Floats, second: Floats, wanted: Floats, *, adjacency: float
) -> Floats:
    """Chances of each point, by true score, of a third rater who is asked where two are apart.

    ``wanted`` are the mean and the mean square of the third rating less the mean of the first two,
    where these are more than ``adjacency`` apart, which severity and error of the third rater are
    chosen to give. Where the square is less than no error gives, as chance allows, the chances go on
    along a straight line beyond those of a small error, so that ceilings stay smooth in the square.
    Leading axes are several fits.

    >>> true_scores = stacked([latent(np.arange(5.0), 2, 1, 0.8)])
    >>> ratings = true_scores.chances
    >>> less, more = (
    ...     fit_third(true_scores, ratings, ratings, np.array([[0, square]]), adjacency=1)
    ...     for square in (0.3, 1.0)
    ... )
    >>> [f"{moments_of(true_scores, chances)[0, 2]:.2f}" for chances in (less, more)]
    ['-0.02', '0.69']
    """
    points, scale = true_scores.points, OnPoints.of(true_scores.points)
    pair = (points[:, None] + points) / 2
    disputed = np.abs(points[:, None] - points) > adjacency + 1e-9
    rough = [part[..., ::ROUGH, :] for part in (first, second)]
    # by true score: how often the two are apart, and then their mean and its square
    number, mean, square = (
        np.einsum("...ti,ij,...tj->...t", rough[0], disputed * value, rough[1]) * COARSE_WEIGHTS
        for value in (np.ones_like(pair), pair, pair**2)
    )
    total = number.sum(axis=-1)
    truth, size = true_scores.truth[..., ::ROUGH], np.std(points)

    def off(third: Floats, problems: Problems) -> Floats:
        away = (number[problems] * third[0] - mean[problems]).sum(axis=-1)
        squares = (
            number[problems] * third[1] - 2 * mean[problems] * third[0] + square[problems]
        ).sum(-1)
        moments = np.stack([away, squares], axis=-1) / total[problems, None]
        return np.asarray((moments - wanted[problems]) / np.array([size, size**2]))

    def of_error(params: Floats, problems: Problems) -> Floats:
        expected = truth[problems] + params[..., :1]
        return off(scale.mean_and_square(expected, np.exp(params[..., 1])), problems)

    def beyond(params: Floats, problems: Problems) -> Floats:
        expected = truth[problems] + params[..., :1]
        least, larger = (
            scale.mean_and_square(expected, np.full(expected.shape[:-1], error))
            for error in (step / 4, step / 2)
        )
        return off(least + params[..., 1:] * (larger - least), problems)

    width, step = float(np.ptp(points)), float(np.diff(points).min())
    low, high = np.array([-width, math.log(step / 4)]), np.array([width, math.log(width) + 1])
    error = np.log(np.clip(wanted[:, 1] - wanted[:, 0] ** 2, step**2 / 4, width**2)) / 2
    start = np.stack([wanted[:, 0], error], axis=-1)
    fits = newton(of_error, start, low, high)
    straight = solve(
        beyond, start * [1, 0], np.array([-width, -3]), np.array([width, 3]), near=np.inf
    )
    chances = []
    for expected, fit, line in zip(true_scores.truth, fits, straight, strict=True):
        if fit is not None:
            chances.append(rated(expected + fit.at[0], points, math.exp(fit.at[1])))
        elif line is not None:
            least, larger = (rated(expected + line.at[0], points, e) for e in (step / 4, step / 2))
            chances.append(least + line.at[1] * (larger - least))
    return np.stack(chances)


def moments_of(true_scores: Latent, chances: Floats) -> Floats:
    """Mean, variance and error variance of a rater's ratings."""
    return moments_over(
        true_scores.weights, chances @ true_scores.points, chances @ true_scores.points**2
    )


def label_of_raters(
    true_scores: Latent,
    chances: Sequence[Floats],
    rule: str,
    sets: Mapping[tuple[int, ...], float],
    *,
    adjacency: float = 0.0,
) -> Label | None:
    """The gold that a rule makes; ``sets`` gives the share of responses by who rated them.

    A third rating, where a rule calls for it, is given when the first two differ by more than
    ``adjacency``. None where the sets of ratings are too many to list.
    """
    points, expected = true_scores.points, np.zeros_like(true_scores.truth)
    square = np.zeros(true_scores.truth.shape[:-1])
    if sum(points.size ** len(raters) for raters in sets) > MOST_PATTERNS:
        return None
    step = float(np.diff(points).min())
    for raters, share in sets.items():
        index = np.array(list(product(range(points.size), repeat=len(raters))), dtype=np.int64)
        scores = points[index]
        if rule in ADJUDICATED:
            settled = np.abs(scores[:, 0] - scores[:, 1]) <= adjacency + 1e-9
            scores[settled, 2] = np.nan
        gold = label(rule, scores, low=float(points[0]), step=step)
        moments = _over_ratings([chances[rater] for rater in raters], np.stack([gold, gold**2]))
        expected = expected + share * moments[..., 0]
        square = square + share * (moments[..., 1] @ true_scores.weights)
    return Label(expected, square)


def _over_ratings(chances: Sequence[Floats], values: Floats) -> Floats:
    """Means ``[..., true score, value]`` over all ratings, which are listed in the order of product.

    One rater after the other is summed over, so that the sets of ratings need no chances.
    """
    size = chances[0].shape[-1]
    left = chances[0] @ np.moveaxis(values.reshape(len(values), size, -1), 0, 2).reshape(size, -1)
    for of_rater in chances[1:]:
        left = left.reshape(*left.shape[:-1], size, -1)
        left = np.einsum("...k,...km->...m", of_rater, left)
    return np.asarray(left)


def human_like_of_raters(
    true_scores: Latent, chances: Sequence[Floats], share: Floats, gold: Label
) -> Floats:
    """Correlation of one more rater like these with the gold: the mean of theirs."""
    mean = gold.expected @ true_scores.weights
    spread, total = np.sqrt(gold.square - mean**2), np.zeros_like(mean)
    for chances_of_rater, times in zip(chances, share, strict=True):
        centre, variance, _ = np.moveaxis(moments_of(true_scores, chances_of_rater), -1, 0)
        expected = chances_of_rater @ true_scores.points
        shared = (gold.expected * expected) @ true_scores.weights - mean * centre
        total = total + float(times) * shared / (spread * np.sqrt(variance))
    return np.asarray(total / float(np.sum(share)))
