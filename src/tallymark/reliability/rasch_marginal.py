"""Marginal maximum likelihood: the quality of responses is normal, its mean and spread unknown.

The gradient is the expectation, over the posterior of each kind of response (the E-step of EM),
of that of the complete data; the maximum is then found by quasi-Newton and Newton steps, which
need tens of rounds where EM needs hundreds.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.arrays import Floats
from tallymark.reliability.rasch import (
    FAR,
    Answers,
    NotFitted,
    less_last,
    moments,
    normalised,
    reaching,
    sum_to_zero,
    with_last,
)

NODES = (21, 61, 181, 541)
"""Nodes of the integral over quality: this many, and more where these are too coarse."""
REACH = 6.0
PRECISE = 1e-3
"""More nodes may change the log likelihood by less than this."""
CLOSE = 1e-7
"""The last Newton step, in logits, of a fit that converged."""
POLISH, KEPT = 5, 5
FEW, STEPS = 40, 30
"""Parameters of which Newton's steps are quick, and how many such steps are tried."""
MANY = 220
"""Parameters of which imaginary steps, one for each, take too long."""
STEP = 1e-30
Tell = Callable[[int], None]


def nodes_of(count: int) -> tuple[Floats, Floats]:
    """Standardised nodes and log weights: Gauss-Hermite, or evenly spaced where many are needed."""
    if count == NODES[0]:
        # Golub & Welsch (1969), doi:10.1090/S0025-5718-69-99647-1
        beside = np.diag(np.sqrt(np.arange(1.0, count)), 1)
        z, vectors = np.linalg.eigh(beside + beside.T)
        weight = vectors[0] ** 2
    else:
        z = np.linspace(-REACH, REACH, count)
        weight = np.exp(-z * z / 2)
    return z, np.log(weight / weight.sum())


class Parameters(NamedTuple):
    """Severities, thresholds, mean and spread of quality."""

    severity: NDArray[Any]
    thresholds: NDArray[Any]
    mean: Any
    sd: Any


class Marginal(Struct, frozen=True):
    """The marginal likelihood of some answers, as a function of the free parameters.

    ``fixed`` holds severities that are known already; then only the others are free.
    """

    answers: Answers
    z: Floats
    log_weight: Floats
    fixed: Floats | None = None

    def parameters(self, free: NDArray[Any]) -> Parameters:
        """Severities and thresholds sum to 0; the last of each is not free."""
        steps = self.answers.categories - 1
        severity: NDArray[Any] | None = self.fixed
        if severity is None:
            severity = with_last(free[: -1 - steps])
        thresholds = with_last(free[-1 - steps : -2])
        return Parameters(severity, thresholds, free[-2], free[-1])

    def joint(self, at: Parameters) -> tuple[NDArray[Any], NDArray[Any]]:
        """``[kind, node]``: log chance of the total and the node; ``[rater, node, k]``: of k."""
        quality = at.mean + at.sd * self.z
        away = quality[None, :] - at.severity[:, None]
        chance, norm = normalised(away, at.thresholds)
        panel = self.answers.sets @ norm
        return (
            self.answers.total[:, None] * quality - panel[self.answers.panel] + self.log_weight,
            chance,
        )

    def value_and_slope(self, free: NDArray[Any]) -> tuple[Any, NDArray[Any]]:
        """The negative log likelihood and its gradient; complex parameters give derivatives."""
        at, a = self.parameters(free), self.answers
        log, posterior, chance = self._posterior(at)
        value = a.times @ log - a.by_rater @ at.severity - a.reached @ at.thresholds
        slopes = self._slopes(posterior, chance)
        return -value, -np.concatenate(slopes if self.fixed is None else slopes[1:])

    def _posterior(self, at: Parameters) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Log chance of each kind; of each node given the kind, times its responses; of scores."""
        log, chance = self.joint(at)
        top = np.real(log).max(axis=1, keepdims=True)
        odds = np.exp(log - top)
        total = odds.sum(axis=1, keepdims=True)
        return (np.log(total) + top)[:, 0], odds / total * self.answers.times[:, None], chance

    def _slopes(self, posterior: NDArray[Any], chance: NDArray[Any]) -> list[NDArray[Any]]:
        a = self.answers
        by_panel = np.zeros((a.sets.shape[0], self.z.size), dtype=posterior.dtype)
        np.add.at(by_panel, a.panel, posterior)
        read = a.sets.T @ by_panel  # ratings expected of each rater at each node
        mean = chance @ np.arange(a.categories)
        severity = (read * mean).sum(axis=1) - a.by_rater
        thresholds = np.einsum("jq,jqk->k", read, reaching(chance)) - a.reached
        quality = a.total @ posterior - (read * mean).sum(axis=0)
        return [
            less_last(severity),
            less_last(thresholds),
            np.array([quality.sum(), quality @ self.z]),
        ]

    def curvature(self, free: Floats) -> Floats:
        """The observed information: derivatives of the gradient, by imaginary steps."""
        if free.size > MANY:
            _, posterior, chance = self._posterior(self.parameters(free))
            return information(self.answers, chance, posterior, self.z)
        columns = []
        for i in range(free.size):
            moved = free.astype(np.complex128)
            moved[i] += 1j * STEP
            columns.append(np.imag(self.value_and_slope(moved)[1]) / STEP)
        slopes = np.stack(columns)
        return (slopes + slopes.T) / 2


class MarginalFit(NamedTuple):
    """The model at its maximum: free parameters, their information, and the steps it took."""

    model: Marginal
    free: Floats
    information: Floats
    steps: int

    @property
    def parameters(self) -> Parameters:
        """What the free parameters stand for."""
        return self.model.parameters(self.free)


def fit_marginal(
    a: Answers, tell: Tell | None = None, *, fixed: Floats | None = None
) -> MarginalFit | NotFitted:
    """Fit by marginal maximum likelihood, with as many nodes as the data need.

    Severities that are ``fixed`` stay as they are.
    """
    steps = _Steps(tell)
    free = _start(a)[0 if fixed is None else a.raters - 1 :]
    for count, finer in zip(NODES, (*NODES[1:], None), strict=True):
        model = Marginal(a, *nodes_of(count), fixed)
        free = _near(model, free, steps)
        if finer is None or not np.abs(free).max() < FAR:
            break
        again = Marginal(a, *nodes_of(finer), fixed).value_and_slope(free)[0]
        if abs(again - model.value_and_slope(free)[0]) < PRECISE:
            break
    top = _top(model, free, steps)
    if top is None:
        return NotFitted(
            f"the estimation did not converge in {steps.taken} steps; ratings that agree too well, "
            "or hardly at all, leave severity or the quality of responses without a finite estimate"
        )
    return MarginalFit(model, *top, steps.taken)


class _Steps:
    """Counts the steps and tells of each."""

    def __init__(self, tell: Tell | None) -> None:
        self.taken = 0
        self.tell = tell

    def __call__(self, _: Floats) -> None:
        self.taken += 1
        if self.tell:
            self.tell(self.taken)


def _start(a: Answers) -> Floats:
    used = -np.diff(np.concatenate([[a.weight.sum()], a.reached, [0.0]]))
    harder = np.log(used[:-1] / used[1:])
    centred = harder - harder.mean()
    return np.concatenate([np.zeros(a.raters - 1), centred[:-1], [-harder.mean(), 1.0]])


def _near(model: Marginal, free: Floats, steps: _Steps) -> Floats:
    """Steps to the neighbourhood of the maximum: Newton's for few parameters, else quasi-Newton.

    Few raters are the usual case, and Newton's steps spare them the import of an optimiser.
    """
    size = model.answers.weight.sum()
    quick = free.size <= FEW or free.size > MANY
    optimum = _newton(model, free, steps, size) if quick else None
    if optimum is not None:
        return optimum
    from scipy.optimize import minimize

    def per_rating(at: Floats) -> tuple[float, Floats]:
        value, slope = model.value_and_slope(at)
        return value / size, slope / size

    # perfect agreement and the like send the steps to infinity, which is found out later
    with np.errstate(over="ignore", invalid="ignore"):
        optimum = minimize(per_rating, free, jac=True, callback=steps, options={"gtol": 1e-6})
    return np.asarray(optimum.x)


def _newton(model: Marginal, free: Floats, steps: _Steps, size: float) -> Floats | None:
    """Newton steps of at most 1 that each gain; None where they lead nowhere."""
    value, slope = model.value_and_slope(free)
    for _ in range(STEPS):
        if np.abs(slope).max() <= 1e-6 * size:
            return free
        information = model.curvature(free)
        if not np.linalg.eigvalsh(information)[0] > 0:
            return None
        step = np.linalg.solve(information, slope)
        step /= max(1.0, float(np.abs(step).max()))
        for _ in range(KEPT):
            further, slope_there = model.value_and_slope(free - step)
            if further < value:
                break
            step /= 2
        else:
            return None
        free, value, slope = free - step, further, slope_there
        steps(free)
    return None


def _top(model: Marginal, free: Floats, steps: _Steps) -> tuple[Floats, Floats] | None:
    """Newton steps to the maximum, and the information there; None where there is no maximum.

    The information takes most of the time, so it is kept for some steps.
    """
    for _ in range(POLISH):
        if not np.abs(free).max() < FAR:
            return None
        information = model.curvature(free)
        if not np.linalg.eigvalsh(information)[0] > 0:
            return None
        for _ in range(KEPT):
            step = np.linalg.solve(information, model.value_and_slope(free)[1])
            free = free - step
            steps(free)
            if np.abs(step).max() < CLOSE:
                return free, information
    return None


def information(a: Answers, chance: Floats, posterior: Floats, z: Floats) -> Floats:
    """Observed information ``[parameter, parameter]`` in closed form, for panels of many raters.

    The parameters are severities, thresholds (all but the last of each) and quality. Imaginary steps
    take one pass over the data for each; this takes one for all of them. It is the information that
    the quality of every response would give, less the covariance of the slopes that not knowing it
    leaves: Louis (1982), doi:10.1111/j.2517-6161.1982.tb01203.x.

    ``chance[rater, node, k]`` and ``posterior[kind, node]``, times the responses of the kind.
    """
    matrix = _known(a, chance, posterior, z)
    order = np.argsort(a.panel, kind="stable")
    for kinds in np.split(order, np.flatnonzero(np.diff(a.panel[order])) + 1):
        raters = _raters(a.sets, int(a.panel[kinds[0]]))
        places = np.concatenate([raters, np.arange(a.raters, len(matrix))])
        slopes = _slopes(chance[raters], z)
        matrix[np.ix_(places, places)] -= _unknown(slopes, a.total[kinds], posterior[kinds], z)
    steps = a.categories - 1
    free = np.zeros((len(matrix), len(matrix) - 2))
    free[: a.raters, : a.raters - 1] = sum_to_zero(a.raters)
    free[a.raters : -2, a.raters - 1 : -2] = sum_to_zero(steps)
    free[-2:, -2:] = np.eye(2)
    reduced = free.T @ matrix @ free
    return np.asarray((reduced + reduced.T) / 2)


def _raters(sets: Any, panel: int) -> Any:
    """Who is in a kind of panel; the panels are dense or sparse."""
    members = sets[[panel]]
    return np.flatnonzero(members[0] if isinstance(members, np.ndarray) else members.toarray()[0])


def _known(a: Answers, chance: Floats, posterior: Floats, z: Floats) -> Floats:
    """The information if the quality of every response were known."""
    by_panel = np.zeros((a.sets.shape[0], z.size))
    np.add.at(by_panel, a.panel, posterior)
    read = a.sets.T @ by_panel  # ratings expected of each rater at each node
    mean, variance = moments(chance)
    reach = reaching(chance)
    tails = np.cumsum((chance * np.arange(a.categories))[..., ::-1], axis=-1)[..., ::-1][..., 1:]
    with_step = tails - mean[..., None] * reach  # covariance of the category and of reaching k
    upper = np.maximum.outer(np.arange(a.categories - 1), np.arange(a.categories - 1))
    thresholds = np.einsum("jq,jqk->k", read, reach)[upper]
    thresholds = thresholds - np.einsum("jq,jqk,jql->kl", read, reach, reach, optimize=True)
    powers = np.stack([np.ones_like(z), z])
    size = a.raters + a.categories + 1
    matrix = np.zeros((size, size))
    r, steps, quality = np.arange(a.raters), slice(a.raters, -2), slice(size - 2, size)
    spread = read * variance
    matrix[r, r] = spread.sum(axis=1)
    matrix[: a.raters, steps] = np.einsum("jq,jqk->jk", read, with_step)
    matrix[: a.raters, quality] = -spread @ powers.T
    matrix[steps, quality] = -np.einsum("jq,jqk,iq->ki", read, with_step, powers, optimize=True)
    matrix = matrix + np.triu(matrix, 1).T
    matrix[steps, steps] = thresholds
    matrix[quality, quality] = np.einsum("q,iq,hq->ih", spread.sum(axis=0), powers, powers)
    return matrix


def _slopes(chance: Floats, z: Floats) -> Floats:
    """``[parameter, node]``: slopes of a panel's log likelihood where all gave the lowest score."""
    mean = chance @ np.arange(chance.shape[-1])
    expected = mean.sum(axis=0)
    return np.concatenate([mean, reaching(chance).sum(axis=0).T, [-expected, -expected * z]])


def _unknown(slopes: Floats, total: Floats, posterior: Floats, z: Floats) -> Floats:
    """The covariance of slopes over what the quality of one panel's responses may be."""
    weight, times = posterior.sum(axis=0), posterior.sum(axis=1)
    squares = (slopes * weight) @ slopes.T
    means = posterior @ slopes.T
    # the slope by the spread of quality holds the total of the response's scores, too
    moved = total @ posterior * z
    squares[-1] += slopes @ moved
    squares[:, -1] += slopes @ moved
    squares[-1, -1] += total**2 @ posterior @ z**2
    means[:, -1] += total * (posterior @ z)
    return np.asarray(squares - means.T @ (means / times[:, None]))
