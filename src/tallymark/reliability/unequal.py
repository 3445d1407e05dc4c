"""Golds on points of raters who differ: each rater has a severity, a slope and an error of its own."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tallymark.reliability.gold_rule import ADJUDICATED, label
from tallymark.reliability.points import OnPoints, moments_over, rated
from tallymark.reliability.quantised import (
    CLOSE,
    COARSE_WEIGHTS,
    MOST_PATTERNS,
    ROUGH,
    Label,
    Latent,
)
from tallymark.reliability.solving import Problems, newton, solve

Floats = NDArray[np.float64]
Moments = tuple[float, float, float]


def fit_raters(made: Sequence[Latent], wanted: Floats) -> list[Floats | None]:
    """Chances of each point, by true score, whose ratings have these means, variances and errors.

    ``wanted[i]`` are those of a rater of the true scores ``made[i]``, all on one scale.

    >>> from tallymark.reliability.quantised import latent
    >>> made = latent(np.arange(5.0), 2, 1, 0.5)
    >>> chances = fit_raters([made], np.array([[1.8, 1.4, 0.6]]))[0]
    >>> [round(value, 3) for value in moments_of(made, chances).tolist()]
    [1.8, 1.4, 0.6]
    """
    possible = (wanted[:, 2] > 0) & (wanted[:, 2] < wanted[:, 1])
    known = [fit for fit, can in zip(made, possible, strict=True) if can]
    fits = iter(_fitted(known, wanted[possible]) if known else [])
    return [next(fits) if can else None for can in possible]


def _fitted(made: Sequence[Latent], wanted: Floats) -> Iterator[Floats | None]:
    points, (mean, variance, error) = made[0].points, np.stack([fit.moments() for fit in made], 1)
    size = np.stack([np.sqrt(wanted[:, 1]), wanted[:, 1], wanted[:, 1]], axis=-1)
    slope = 0.5 * np.log((wanted[:, 1] - wanted[:, 2]) / (variance - error))
    start = np.stack([wanted[:, 0] - mean, slope, 0.5 * np.log(wanted[:, 2])], axis=-1)
    width, scale = float(np.ptp(points)), OnPoints.of(points)
    low = np.array([-width, -5.0, math.log(float(np.diff(points).min()) / 50)])
    high = np.array([width, 3.0, math.log(width) + 1])
    middle = np.array([[fit.weights @ fit.truth] for fit in made])
    away = np.stack([fit.truth for fit in made]) - middle
    rough = away[:, ::ROUGH]

    def off(at: Floats, which: Problems) -> Floats:
        expected = middle[which] + at[..., :1] + np.exp(at[..., 1:2]) * rough[which]
        ratings = scale.mean_and_square(expected, np.exp(at[..., 2]))
        return np.asarray((moments_over(COARSE_WEIGHTS, *ratings) - wanted[which]) / size[which])

    solved = newton(off, np.clip(start, low, high), low, high)
    for i, fit in enumerate(solved):
        if fit is None:
            yield None
            continue
        expected = middle[i] + fit.at[0] + math.exp(fit.at[1]) * away[i]
        chances = rated(expected, points, math.exp(fit.at[2]))
        missed = np.abs((moments_of(made[i], chances) - wanted[i]) / size[i]).max()
        yield chances if missed <= 10 * CLOSE else None


def fit_third(
    made: Latent, first: Floats, second: Floats, wanted: Floats, *, adjacency: float
) -> Floats:
    """Chances of each point, by true score, of a third rater who is asked where two are apart.

    ``wanted`` are the mean and the mean square of the third rating less the mean of the first two,
    where these are more than ``adjacency`` apart, which severity and error of the third rater are
    chosen to give. Where the square is less than no error gives, as chance allows, the chances go on
    along a straight line beyond those of a small error, so that ceilings stay smooth in the square.
    Leading axes are several fits.

    >>> from tallymark.reliability.quantised import latent, stacked
    >>> made = stacked([latent(np.arange(5.0), 2, 1, 0.8)])
    >>> less, more = (
    ...     fit_third(made, made.chances, made.chances, np.array([[0, square]]), adjacency=1)
    ...     for square in (0.3, 1.0)
    ... )
    >>> [f"{moments_of(made, chances)[0, 2]:.2f}" for chances in (less, more)]
    ['0.22', '1.01']
    """
    points, scale = made.points, OnPoints.of(made.points)
    pair = (points[:, None] + points) / 2
    apart = np.abs(points[:, None] - points) > adjacency + 1e-9
    rough = [part[..., ::ROUGH, :] for part in (first, second)]
    # by true score: how often the two are apart, and then their mean and its square
    number, mean, square = (
        np.einsum("...ti,ij,...tj->...t", rough[0], apart * value, rough[1]) * COARSE_WEIGHTS
        for value in (np.ones_like(pair), pair, pair**2)
    )
    total = number.sum(axis=-1)
    truth, size = made.truth[..., ::ROUGH], np.std(points)

    def off(third: Floats, which: Problems) -> Floats:
        away = (number[which] * third[0] - mean[which]).sum(axis=-1)
        squares = (number[which] * third[1] - 2 * mean[which] * third[0] + square[which]).sum(-1)
        both = np.stack([away, squares], axis=-1) / total[which, None]
        return np.asarray((both - wanted[which]) / np.array([size, size**2]))

    def of_error(at: Floats, which: Problems) -> Floats:
        expected = truth[which] + at[..., :1]
        return off(scale.mean_and_square(expected, np.exp(at[..., 1])), which)

    def beyond(at: Floats, which: Problems) -> Floats:
        expected = truth[which] + at[..., :1]
        least, more = (
            scale.mean_and_square(expected, np.full(expected.shape[:-1], error))
            for error in (step / 4, step / 2)
        )
        return off(least + at[..., 1:] * (more - least), which)

    width, step = float(np.ptp(points)), float(np.diff(points).min())
    low, high = np.array([-width, math.log(step / 4)]), np.array([width, math.log(width) + 1])
    error = np.log(np.clip(wanted[:, 1] - wanted[:, 0] ** 2, step**2 / 4, width**2)) / 2
    start = np.stack([wanted[:, 0], error], axis=-1)
    fits = newton(of_error, start, low, high)
    others = solve(
        beyond, start * [1, 0], np.array([-width, -3]), np.array([width, 3]), near=np.inf
    )
    chances = []
    for expected, fit, other in zip(made.truth, fits, others, strict=True):
        if fit is not None:
            chances.append(rated(expected + fit.at[0], points, math.exp(fit.at[1])))
        elif other is not None:
            least, more = (rated(expected + other.at[0], points, e) for e in (step / 4, step / 2))
            chances.append(least + other.at[1] * (more - least))
    return np.stack(chances)


def moments_of(made: Latent, chances: Floats) -> Floats:
    """Mean, variance and error variance of a rater's ratings."""
    return moments_over(made.weights, chances @ made.points, chances @ made.points**2)


def label_of_raters(
    made: Latent,
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
    points, expected = made.points, np.zeros_like(made.truth)
    square = np.zeros(made.truth.shape[:-1])
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
        both = _over_ratings([chances[rater] for rater in raters], np.stack([gold, gold**2]))
        expected = expected + share * both[..., 0]
        square = square + share * (both[..., 1] @ made.weights)
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
    made: Latent, chances: Sequence[Floats], share: Floats, gold: Label
) -> Floats:
    """Correlation of one more rater like these with the gold: the mean of theirs."""
    mean = gold.expected @ made.weights
    spread, total = np.sqrt(gold.square - mean**2), np.zeros_like(mean)
    for chances_of_rater, times in zip(chances, share, strict=True):
        centre, variance, _ = np.moveaxis(moments_of(made, chances_of_rater), -1, 0)
        expected = chances_of_rater @ made.points
        shared = (gold.expected * expected) @ made.weights - mean * centre
        total = total + float(times) * shared / (spread * np.sqrt(variance))
    return np.asarray(total / float(np.sum(share)))
