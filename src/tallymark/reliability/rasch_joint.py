"""Joint maximum likelihood: every response has a quality of its own, as in Facets.

With few ratings of each response the estimates spread too far; marginal estimation does not.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tallymark.reliability.rasch import (
    FAR,
    Answers,
    Floats,
    NotFitted,
    RaschFit,
    Whole,
    added,
    moments,
    probabilities,
    reaching,
    sum_to_zero,
)

SWEEPS = 5000
CLOSE = 1e-8
LARGEST_STEP = 1.0
INWARD = 0.3
"""By so much the total of an extreme response is moved before its quality is estimated."""
Tell = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Cells:
    """One entry for every kind of response and rater who read it."""

    kind: Whole
    rater: Whole
    times: Floats

    @classmethod
    def of(cls, a: Answers) -> "Cells":
        """Spell out who read which kind of response."""
        from scipy.sparse import csr_array

        panels = csr_array(a.sets)[a.panel].tocoo()
        return cls(panels.row.astype(np.int64), panels.col.astype(np.int64), a.times[panels.row])


def fit_joint(a: Answers, tell: Tell | None = None) -> RaschFit | NotFitted:
    """Fit by Newton steps, one block at a time, of at most one logit.

    ``a`` must hold no extreme response: its quality would be infinite.
    """
    cells, kinds, raters = Cells.of(a), a.times.size, a.raters
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
        if tell:
            tell(sweep)
        if np.abs(now - before).max() < CLOSE:
            return _fitted(a, cells, quality, severity, thresholds, sweep)
        if np.abs(now).max() > FAR:
            return NotFitted(f"the joint estimation ran away in {sweep} sweeps: no finite estimate")
    return NotFitted(f"the joint estimation did not converge in {SWEEPS} sweeps")


def theta_known(a: Answers, fit: RaschFit) -> Floats:
    """Standard errors of severity as if the quality of responses were known: too small."""
    cells = Cells.of(a)
    _, variance = moments(_chance(cells, fit.quality, fit.severity, fit.thresholds))
    return np.asarray(1 / np.sqrt(added(cells.rater, cells.times * variance, a.raters)))


def qualities(a: Answers, severity: Floats, thresholds: Floats) -> Floats:
    """The quality of every kind of response given the raters; extreme totals are moved inward."""
    top = a.ratings * (a.categories - 1)
    total = np.clip(a.total, INWARD, top - INWARD)
    cells, quality = Cells.of(a), np.zeros(a.times.size)
    for _ in range(SWEEPS):
        mean, variance = moments(_chance(cells, quality, severity, thresholds))
        step = _step(
            total - added(cells.kind, mean, quality.size),
            added(cells.kind, variance, quality.size),
        )
        quality = quality + step
        if np.abs(step).max() < CLOSE:
            break
    return quality


def _chance(cells: Cells, quality: Floats, severity: Floats, thresholds: Floats) -> Floats:
    return probabilities(quality[cells.kind] - severity[cells.rater], thresholds)


def _step(missing: Floats, curved: Floats) -> Floats:
    return np.clip(missing / curved, -LARGEST_STEP, LARGEST_STEP)


def _fitted(
    a: Answers, cells: Cells, quality: Floats, severity: Floats, thresholds: Floats, sweeps: int
) -> RaschFit | NotFitted:
    chance = _chance(cells, quality, severity, thresholds)
    information = _profiled(a, cells, chance)
    spread = sum_to_zero(a.raters)
    if np.linalg.eigvalsh(information)[0] <= 0:
        return NotFitted("the ratings do not determine every severity")
    covariance = np.linalg.inv(information)[: a.raters - 1, : a.raters - 1]
    return RaschFit(
        severity=severity,
        covariance=spread @ covariance @ spread.T,
        thresholds=thresholds,
        mean=float("nan"),
        sd=float("nan"),
        nodes=np.empty(0),
        quality=quality,
        steps=sweeps,
        method=f"joint maximum likelihood, converged in {sweeps} sweeps",
    )


def _profiled(a: Answers, cells: Cells, chance: Floats) -> Floats:
    """Information of severities and thresholds once every quality is estimated too."""
    from scipy.sparse import coo_array, hstack

    raters, steps, kinds = a.raters, a.categories - 1, a.times.size
    reach, (mean, variance) = reaching(chance), moments(chance)
    above = np.arange(1, steps + 1)
    # covariance of the category with reaching k, and of reaching k with reaching l
    tail = np.cumsum((chance * np.arange(steps + 1))[..., ::-1], axis=-1)[..., ::-1][..., 1:]
    with_reach = tail - mean[:, None] * reach
    both = np.maximum.outer(above, above) - 1
    among = np.einsum("e,ekl->kl", cells.times, reach[:, both])
    among -= (reach * cells.times[:, None]).T @ reach
    across = np.zeros((raters, steps))
    np.add.at(across, cells.rater, with_reach * cells.times[:, None])
    own = added(cells.rater, cells.times * variance, raters)
    whole = np.block([[np.diag(own), across], [across.T, among]])
    by_kind = np.zeros((kinds, steps))
    np.add.at(by_kind, cells.kind, with_reach)
    read = coo_array((variance, (cells.kind, cells.rater)), shape=(kinds, raters))
    towards = hstack([read, coo_array(by_kind)]).tocsr()
    scale = a.times / added(cells.kind, variance, kinds)
    whole = whole - (towards.T @ towards.multiply(scale[:, None]).tocsr()).toarray()
    free = np.zeros((raters + steps, raters + steps - 2))
    free[:raters, : raters - 1] = sum_to_zero(raters)
    free[raters:, raters - 1 :] = sum_to_zero(steps)
    found: Floats = free.T @ whole @ free
    return found
