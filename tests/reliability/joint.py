"""Joint maximum likelihood: every response has a quality of its own, as in Facets.

With few ratings of each response the estimates spread too far and their usual errors are 1.4 to
1.8 times too small. No analysis uses it: it is what published numbers were made with.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.reliability.rasch import (
    FAR,
    Answers,
    NotFitted,
    added,
    moments,
    probabilities,
    reaching,
)

SWEEPS = 5000
CLOSE = 1e-8
LARGEST_STEP = 1.0


@dataclass(frozen=True, slots=True)
class JointCells:
    """One entry for every kind of response and rater who read it."""

    kind: Whole
    rater: Whole
    times: Floats

    @classmethod
    def of(cls, a: Answers) -> "JointCells":
        """Spell out who read which kind of response."""
        from scipy.sparse import csr_array

        panels = csr_array(a.sets)[a.panel].tocoo()
        return cls(panels.row.astype(np.int64), panels.col.astype(np.int64), a.times[panels.row])


class JointFit(NamedTuple):
    """Quality of every kind of response, severities and thresholds, in logits; both sum to 0."""

    quality: Floats
    severity: Floats
    thresholds: Floats


def fit_joint(a: Answers) -> JointFit | NotFitted:
    """Fit by Newton steps, one block at a time, of at most one logit.

    ``a`` must hold no extreme response: its quality would be infinite.
    """
    cells, kinds, raters = JointCells.of(a), a.times.size, a.raters
    by_rater, reached = a.by_rater, a.reached
    quality, severity = np.zeros(kinds), np.zeros(raters)
    thresholds = np.zeros(a.categories - 1)
    for sweep in range(1, SWEEPS + 1):
        before = np.concatenate([quality, severity, thresholds])
        mean, variance = moments(_chance(cells, quality, severity, thresholds))
        quality = quality + _step(
            a.total - added(cells.kind, mean, kinds), added(cells.kind, variance, kinds)
        )
        mean, variance = moments(_chance(cells, quality, severity, thresholds))
        expected = added(cells.rater, cells.times * mean, raters)
        curved = added(cells.rater, cells.times * variance, raters)
        severity = severity - _step(by_rater - expected, curved)
        chance = reaching(_chance(cells, quality, severity, thresholds))
        thresholds = thresholds - _step(
            reached - cells.times @ chance, cells.times @ (chance * (1 - chance))
        )
        # move the origin of severities and thresholds to 0, which changes no probability
        quality = quality - severity.mean() - thresholds.mean()
        severity, thresholds = severity - severity.mean(), thresholds - thresholds.mean()
        now = np.concatenate([quality, severity, thresholds])
        if np.abs(now - before).max() < CLOSE:
            return JointFit(quality, severity, thresholds)
        if np.abs(now).max() > FAR:
            return NotFitted(f"the joint estimation ran away in {sweep} sweeps: no finite estimate")
    return NotFitted(f"the joint estimation did not converge in {SWEEPS} sweeps")


def theta_known(a: Answers, fit: JointFit) -> Floats:
    """Standard errors of severity as if the quality of responses were known: too small."""
    cells = JointCells.of(a)
    _, variance = moments(_chance(cells, fit.quality, fit.severity, fit.thresholds))
    return np.asarray(1 / np.sqrt(added(cells.rater, cells.times * variance, a.raters)))


def _chance(cells: JointCells, quality: Floats, severity: Floats, thresholds: Floats) -> Floats:
    return probabilities(quality[cells.kind] - severity[cells.rater], thresholds)


def _step(missing: Floats, curved: Floats) -> Floats:
    return np.clip(missing / curved, -LARGEST_STEP, LARGEST_STEP)
