"""Judged: each response's confidence and whether the system's score is a critical error."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.defaults import LAMBDA
from tallymark.scale import Scale
from tallymark.selective.curve import critical_errors
from tallymark.sources import Scores
from tallymark.study.parts import Part, lambdas_of
from tallymark.tally import nearest

RATES = (0.02, 0.05)
"""Coverage is reported at these rates of critical errors."""
LOSSES = ("brier", "rps")
"""What class probabilities lose against the gold, in the order of :func:`losses_of`."""


class Judged(NamedTuple):
    """Responses with gold, system score and confidence: how sure, how wrong, how often.

    ``gaps`` are system minus gold in score points, ``rows`` marks their patterns among all, and
    ``without`` counts responses that lack a confidence.
    """

    confidence: Floats
    wrong: NDArray[np.bool_]
    gaps: Floats
    counts: Whole
    clusters: Whole | None
    rows: NDArray[np.bool_]
    without: int

    @property
    def n(self) -> int:
        """How many responses there are."""
        return int(self.counts.sum())

    def where(self, keep: NDArray[np.bool_]) -> "Judged":
        """Those of the responses for which ``keep`` (over all patterns) holds."""
        chosen = keep[self.rows]
        clusters = None if self.clusters is None else self.clusters[chosen]
        return Judged(
            self.confidence[chosen], self.wrong[chosen], self.gaps[chosen], self.counts[chosen],
            clusters, self.rows & keep, 0,
        )  # fmt: skip


def judged(scores: Scores, system: str, confidence: Floats, lambda_: float) -> Judged | None:
    """Bring confidences and critical errors together; None where no response has both."""
    wrong = critical_of(scores, f"system:{system}", lambda_)
    gaps = gaps_of(scores, f"system:{system}")
    scored, patterns = ~np.isnan(wrong), scores.patterns
    rows = scored & ~np.isnan(confidence)
    if not rows.any():
        return None
    everything = Part.whole(scores)
    clusters = everything.clusters
    return Judged(
        confidence[rows],
        wrong[rows] > 0,
        gaps[rows],
        patterns.counts[rows],
        None if clusters is None else clusters[rows],
        rows,
        int(patterns.counts[scored & ~rows].sum()),
    )


def confidence_of(scores: Scores, system: str, lambda_: float) -> Floats | None:
    """The confidence that was given; else the chance of no critical error; None without either.

    The chance is that of class probabilities, else the share of pairs of repeated runs that lie
    closer together than a critical error.
    """
    given = scores.patterns.scores.get(f"confidence:{system}")
    if given is not None:
        return given
    probs = probabilities_of(scores, system)
    if probs is not None:
        released = scores.patterns.scores[f"system:{system}"]
        return _chances(scores, np.column_stack([probs, released]), lambda_, _of_probabilities)
    runs = [scores.patterns.scores[name] for name in scores.roles.scores_of("--repeat", system)]
    return _chances(scores, np.stack(runs, axis=-1), lambda_, _of_runs) if len(runs) > 1 else None


def _chances(
    scores: Scores, given: Floats, lambda_: float, chance: Callable[[Floats, Scale, float], Floats]
) -> Floats:
    """The chance of no critical error, each prompt by its own scale and lambda; NaN with gaps."""
    chances, whole = np.full(len(given), np.nan), ~np.isnan(given).any(axis=1)
    for scale, share, rows in margins(scores, lambda_):
        here = rows & whole
        if scale.high > scale.low and here.any():
            chances[here] = chance(given[here], scale, share)
    return chances


def _of_runs(runs: Floats, scale: Scale, share: float) -> Floats:
    from tallymark.selective.confidence import from_runs

    return from_runs("pairwise_no_cse", on_scale(runs, scale), share, scale.high - scale.low)


def _of_probabilities(given: Floats, scale: Scale, share: float) -> Floats:
    """Of the probability of each point, and the released score in the last column."""
    from tallymark.selective.confidence import from_probabilities

    width, released = scale.high - scale.low, on_scale(given[:, -1], scale)
    probs = given[:, : len(scale.points)]
    return from_probabilities("p_no_cse", probs, scale.points, share, width, released)


def probabilities_of(scores: Scores, system: str) -> Floats | None:
    """The probability of each score point by pattern, NaN missing; None where there are none.

    Points that a prompt does not have, the last ones, have 0.
    """
    names = scores.roles.scores_of("--probabilities", system)
    if not names:
        return None
    given = np.stack([scores.patterns.scores[name] for name in names], axis=1)
    empty = np.isnan(given)
    return np.where(empty & ~empty.all(axis=1, keepdims=True), 0.0, given)


def losses_of(scores: Scores, system: str) -> Floats | None:
    """Brier and ranked probability score of each pattern against the gold, NaN missing."""
    from tallymark.selective.confidence import brier, rps

    probs, gold = probabilities_of(scores, system), scores.patterns.scores["gold"]
    if probs is None:
        return None
    losses = np.full((len(probs), len(LOSSES)), np.nan)
    whole = ~np.isnan(probs).any(axis=1) & ~np.isnan(gold)
    for scale, _, rows in margins(scores, LAMBDA):
        here = rows & whole
        if here.any():
            label = nearest(gold[here], np.asarray(scale.points))
            shares = probs[here, : len(scale.points)]
            losses[here] = np.stack([brier(shares, label), rps(shares, label)], axis=1)
    return losses


def critical_of(scores: Scores, score: str, lambda_: float) -> Floats:
    """1 where a score is a critical error against the gold, 0 where not, NaN where one is missing.

    Each prompt counts by its own scale and its own lambda, so that prompts may be taken together.
    """
    gaps = gaps_of(scores, score)
    critical = np.full(gaps.size, np.nan)
    for scale, share, rows in margins(scores, lambda_):
        both = rows & ~np.isnan(gaps)
        if scale.high > scale.low:
            critical[both] = critical_errors(0.0, gaps[both], share, scale.high - scale.low)
    return critical


def gaps_of(scores: Scores, score: str) -> Floats:
    """A score at its nearest point, minus the gold; NaN where one is missing."""
    gold, given = scores.patterns.scores["gold"], scores.patterns.scores[score]
    gaps = np.full(gold.size, np.nan)
    for scale, _, rows in margins(scores, LAMBDA):
        both = rows & ~np.isnan(gold) & ~np.isnan(given)
        gaps[both] = on_scale(given[both], scale) - gold[both]
    return gaps


def margins(
    scores: Scores, lambda_: float, *, gold: bool = True
) -> Iterator[tuple[Scale, float, NDArray[np.bool_]]]:
    """Yield each scale with its lambda and the patterns they hold for."""
    patterns, lambdas = scores.patterns, lambdas_of(scores)
    usual = scores.gold_scale if gold else scores.rater_scale
    rest = np.ones(patterns.counts.size, dtype=bool)
    for prompt in sorted({*lambdas, *scores.scales}):
        here = patterns.keys["prompt"] == patterns.labels["prompt"].index(prompt)
        rest &= ~here
        pair = scores.scales.get(prompt)
        scale = usual if pair is None else pair[1 if gold else 0]
        yield scale, lambdas.get(prompt, lambda_), here
    if rest.any():
        yield usual, lambda_, rest


def on_scale(scores: Floats, scale: Scale) -> Floats:
    """Scores at their nearest points; on a continuous scale as they are."""
    if scale.continuous or not scores.size:
        return scores
    points = np.asarray(scale.points)
    return np.asarray(points[nearest(scores, points)])
