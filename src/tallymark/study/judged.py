"""Judged: each response's confidence and whether the system's score is a critical error."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.scale import Scale
from tallymark.selective.errors import critical_errors
from tallymark.sources import Scores
from tallymark.study.parts import Part, lambdas_of
from tallymark.tally import nearest

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
RATES = (0.02, 0.05)
"""Coverage is reported at these rates of critical errors."""


class Judged(NamedTuple):
    """Responses with gold, system score and confidence: how sure, how wrong, how often.

    ``rows`` marks their patterns among all; ``without`` counts responses that lack a confidence.
    """

    confidence: Floats
    wrong: NDArray[np.bool_]
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
            self.confidence[chosen], self.wrong[chosen], self.counts[chosen], clusters,
            self.rows & keep, 0,
        )  # fmt: skip


def judged(scores: Scores, system: str, confidence: Floats, lambda_: float) -> Judged | None:
    """Bring confidences and critical errors together; None where no response has both."""
    wrong = critical_of(scores, f"system:{system}", lambda_)
    scored, patterns = ~np.isnan(wrong), scores.patterns
    rows = scored & ~np.isnan(confidence)
    if not rows.any():
        return None
    everything = Part.whole(scores)
    clusters = everything.clusters
    return Judged(
        confidence[rows],
        wrong[rows] > 0,
        patterns.counts[rows],
        None if clusters is None else clusters[rows],
        rows,
        int(patterns.counts[scored & ~rows].sum()),
    )


def confidence_of(scores: Scores, system: str, lambda_: float) -> Floats | None:
    """The confidence that was given, else how close repeated runs lie; None without either."""
    given = scores.patterns.scores.get(f"confidence:{system}")
    if given is not None:
        return given
    runs = [scores.patterns.scores[name] for name in scores.roles.scores_of("--repeat", system)]
    return _steadiness(scores, np.stack(runs, axis=-1), lambda_) if len(runs) > 1 else None


def _steadiness(scores: Scores, runs: Floats, lambda_: float) -> Floats:
    """Share of pairs of runs that lie closer together than a critical error."""
    from tallymark.selective.confidence import from_runs

    steady = np.full(len(runs), np.nan)
    whole = ~np.isnan(runs).any(axis=1)
    for scale, share, rows in margins(scores, lambda_):
        here = rows & whole
        if scale.high > scale.low and here.any():
            width = scale.high - scale.low
            given = on_scale(runs[here], scale)
            steady[here] = from_runs("pairwise_no_cse", given, share, width)
    return steady


def critical_of(scores: Scores, score: str, lambda_: float) -> Floats:
    """1 where a score is a critical error against the gold, 0 where not, NaN where one is missing.

    Each prompt counts by its own scale and its own lambda, so that prompts may be taken together.
    """
    patterns = scores.patterns
    gold, given = patterns.scores["gold"], patterns.scores[score]
    critical = np.full(gold.size, np.nan)
    for scale, share, rows in margins(scores, lambda_):
        both = rows & ~np.isnan(gold) & ~np.isnan(given)
        if scale.high > scale.low:
            machine = on_scale(given[both], scale)
            critical[both] = critical_errors(gold[both], machine, share, scale.high - scale.low)
    return critical


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
