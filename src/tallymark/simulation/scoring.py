"""Raters and systems score a population."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tallymark.errors import OptionError
from tallymark.simulation.margins import apportioned, checked_shares
from tallymark.simulation.population import Population
from tallymark.simulation.records import Floats, Rater, System
from tallymark.tally import nearest, trim

Rng = np.random.Generator


def rate(rater: Rater, people: Population, common: Floats, rng: Rng) -> Floats:
    """Score every response as this rater would; ``common`` is the error raters share."""
    kept = people.ability if rater.thresholds else people.truth
    level = _expected(rater, kept, people) - rater.severity - rater.drift * people.time
    level += _error(rater, people, common, rng)
    if rater.thresholds:
        return _rasch(level - people.mean, rater, people, rng)
    if rater.margin:
        return _with_margin(level, rater, people, rng)
    return _on_scale(level, people, rounded=rater.rounded)


def run(system: System, people: Population, common: Floats, rng: Rng) -> tuple[Floats, Floats]:
    """Score every response: responses x runs, and the confidence (NaN where there is none)."""
    level = _expected(system, people.truth, people) + system.bias + system.drift * people.time
    level += _error(system, people, common, rng)
    even = rng.random(people.n) if callable(system.slips) else np.full(people.n, math.nan)
    scores = np.empty((people.n, system.repeats))
    for i in range(system.repeats):
        moved = level + _noise(system.jitter, people.n, rng)
        if system.margin:
            score = _with_margin(moved, system, people, rng)
        else:
            score = _on_scale(moved, people, rounded=system.rounded)
        scores[:, i] = _slip(score, even, system, people, rng)
    confidence = even
    if system.confidence is not None:
        confidence = _confidence(scores[:, 0] - people.truth, system.confidence, rng)
    if system.share < 1:
        missing = rng.random(people.n) >= system.share
        scores[missing], confidence[missing] = math.nan, math.nan
    return scores, confidence


def assign(raters: Sequence[Rater], ratings: int | None, n: int, rng: Rng) -> NDArray[np.bool_]:
    """Return who scores what: responses x raters.

    Without ``ratings`` each rater scores a response with the chance ``share``; with it, that many
    raters are drawn for each response, with chances proportional to ``share``.
    """
    share = np.array([rater.share for rater in raters])
    if ratings is None:
        # one row per rater, so that a rater added at the end changes nothing for the others
        return (rng.random((share.size, n)) < share[:, None]).T
    if not 1 <= ratings <= np.count_nonzero(share):
        raise OptionError(
            f"ratings per response must lie between 1 and the {np.count_nonzero(share)} raters "
            f"whose share is above 0, got {ratings}"
        )
    with np.errstate(divide="ignore"):  # a rater with share 0 never arrives
        arrival = rng.standard_exponential((n, share.size)) / share
    chosen = np.argpartition(arrival, ratings - 1, axis=1)[:, :ratings]
    assigned = np.zeros((n, share.size), dtype=bool)
    np.put_along_axis(assigned, chosen, True, axis=1)
    return assigned


def _expected(who: Rater | System, kept: Floats, people: Population) -> Floats:
    level = people.mean + (1 - who.compression) * (kept - people.mean)
    return level + people.shifted(who.shift) if who.shift else level


def _error(who: Rater | System, people: Population, common: Floats, rng: Rng) -> Floats:
    error = _noise(who.noise * math.sqrt(1 - who.shared), people.n, rng)
    if who.shared:
        error = error + who.noise * math.sqrt(who.shared) * common
    if who.halo:
        candidates = int(people.candidate.max()) + 1
        error = error + _noise(who.halo, candidates, rng)[people.candidate]
    return error


def _noise(sd: float, n: int, rng: Rng) -> Floats:
    return sd * rng.standard_normal(n) if sd else np.zeros(n)


def _on_scale(scores: Floats, people: Population, *, rounded: bool) -> Floats:
    scale = people.scale
    if scale.continuous or not rounded:
        return trim(scores, scale.low, scale.high, step=scale.step)
    points = np.asarray(scale.points)
    return points[nearest(scores, points)]


def _with_margin(level: Floats, who: Rater | System, people: Population, rng: Rng) -> Floats:
    """Give the lowest levels the lowest point, and so on, each point its share of the responses."""
    points = np.asarray(people.scale.points)
    if people.scale.continuous or not who.rounded:
        raise OptionError(f"{who.name}: margin needs scores on the points of a scale")
    counts = apportioned(people.n, checked_shares(who.margin, points.size, f"{who.name}: margin"))
    scores = np.empty(people.n)
    dealt = rng.permutation(people.n)  # chance decides between equal levels
    scores[dealt[np.argsort(level[dealt], kind="stable")]] = np.repeat(points, counts)
    return scores


def _rasch(theta: Floats, rater: Rater, people: Population, rng: Rng) -> Floats:
    """Draw from the rating-scale model: P(k) is proportional to exp(k theta - sum of tau to k)."""
    points = np.asarray(people.scale.points)
    if people.scale.continuous or len(rater.thresholds) != points.size - 1:
        raise OptionError(
            f"{rater.name}: {len(rater.thresholds)} thresholds need a scale of "
            f"{len(rater.thresholds) + 1} points, got the scale {people.scale}"
        )
    steps = np.arange(points.size)
    taken = np.concatenate([[0.0], np.cumsum(rater.thresholds)])
    # the largest of logits plus Gumbel noise falls on k with the softmax probability of k
    logits = theta[:, None] * steps - taken + rng.gumbel(size=(theta.size, points.size))
    scores: Floats = points[logits.argmax(axis=1)]
    return scores


def _slip(scores: Floats, even: Floats, system: System, people: Population, rng: Rng) -> Floats:
    """Move some scores by ``slip_size`` up or down, only where that stays on the scale.

    A share is met exactly; a function gives the chance of a slip at the confidence ``even``.
    """
    if system.slips == 0:
        return scores
    size, scale = system.slip_size, people.scale
    draw = rng.random((2, scores.size))
    draw[0, scores + size > scale.high + 1e-9] = math.inf
    draw[1, scores - size < scale.low - 1e-9] = math.inf
    order = draw.min(axis=0)
    if callable(system.slips):
        slips = rng.random(scores.size) < system.slips(even)
    else:
        slips = np.zeros(scores.size, dtype=bool)
        wanted = round(system.slips * scores.size)
        slips[np.argsort(order, kind="stable")[:wanted]] = True
    if np.isinf(order[slips]).any():
        raise OptionError(
            f"{system.name}: too few scores can move by slip_size {size:g} on the scale {scale}; "
            "lower slips or slip_size"
        )
    moved = scores + np.where(draw[0] < draw[1], size, -size) * slips
    return _on_scale(moved, people, rounded=system.rounded)


def _confidence(error: Floats, quality: float, rng: Rng) -> Floats:
    """Blend the size of the error with chance of the same size; 1 is sure."""
    size = float(np.sqrt(np.mean(error**2))) or 1.0
    doubt = np.abs(error) / size
    luck = np.abs(rng.standard_normal(error.size))
    return 1 / (1 + quality * doubt + (1 - quality) * luck)
