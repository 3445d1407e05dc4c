"""Marginal maximum likelihood: the quality of responses is normal, its mean and spread unknown.

The gradient is the expectation, over the posterior of each kind of response (the E-step of EM),
of that of the complete data; the maximum is then found by quasi-Newton and Newton steps, which
need tens of rounds where EM needs hundreds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.reliability.rasch import (
    FAR,
    Answers,
    Floats,
    NotFitted,
    RaschFit,
    normalised,
    reaching,
    sum_to_zero,
)

NODES = (21, 61, 181, 541)
"""Nodes of the integral over quality: so many, and more where these are too coarse."""
REACH = 6.0
PRECISE = 1e-3
"""More nodes may change the log likelihood by less than this."""
CLOSE = 1e-7
"""The last Newton step, in logits, of a fit that converged."""
POLISH = 20
STEP = 1e-30
Tell = Callable[[int], None]


def nodes_of(count: int) -> tuple[Floats, Floats]:
    """Standardised nodes and log weights: Gauss-Hermite, or evenly spaced where many are needed."""
    if count == NODES[0]:
        z, weight = np.polynomial.hermite_e.hermegauss(count)
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


@dataclass(frozen=True, slots=True)
class Marginal:
    """The marginal likelihood of some answers, as a function of the free parameters."""

    answers: Answers
    z: Floats
    log_weight: Floats

    def parameters(self, free: NDArray[Any]) -> Parameters:
        """Severities and thresholds sum to 0; the last of each is not free."""
        raters, steps = self.answers.raters, self.answers.categories - 1
        severity = sum_to_zero(raters) @ free[: raters - 1]
        thresholds = sum_to_zero(steps) @ free[raters - 1 : -2]
        return Parameters(severity, thresholds, free[-2], free[-1])

    def joint(self, own: Parameters) -> tuple[NDArray[Any], NDArray[Any]]:
        """``[kind, node]``: log chance of the total and the node; ``[rater, node, k]``: of k."""
        quality = own.mean + own.sd * self.z
        away = quality[None, :] - own.severity[:, None]
        chance, norm = normalised(away, own.thresholds)
        panel = self.answers.sets @ norm
        return (
            self.answers.total[:, None] * quality - panel[self.answers.panel] + self.log_weight,
            chance,
        )

    def value_and_slope(self, free: NDArray[Any]) -> tuple[Any, NDArray[Any]]:
        """The negative log likelihood and its gradient; complex parameters give derivatives."""
        own, a = self.parameters(free), self.answers
        log, chance = self.joint(own)
        top = np.real(log).max(axis=1, keepdims=True)
        odds = np.exp(log - top)
        whole = odds.sum(axis=1, keepdims=True)
        value = a.times @ (np.log(whole) + top)[:, 0]
        value = value - a.by_rater @ own.severity - a.reached @ own.thresholds
        posterior = odds / whole * a.times[:, None]
        slopes = self._slopes(posterior, chance)
        return -value, -np.concatenate(slopes)

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
            sum_to_zero(a.raters).T @ severity,
            sum_to_zero(a.categories - 1).T @ thresholds,
            np.array([quality.sum(), quality @ self.z]),
        ]

    def curvature(self, free: Floats) -> Floats:
        """The observed information: derivatives of the gradient, by imaginary steps."""
        columns = []
        for i in range(free.size):
            moved = free.astype(np.complex128)
            moved[i] += 1j * STEP
            columns.append(np.imag(self.value_and_slope(moved)[1]) / STEP)
        found = np.stack(columns)
        return (found + found.T) / 2


def fit_marginal(a: Answers, tell: Tell | None = None) -> RaschFit | NotFitted:
    """Fit by marginal maximum likelihood, with as many nodes as the data need."""
    free = _start(a)
    for count, finer in zip(NODES, (*NODES[1:], None), strict=True):
        found = _maximum(Marginal(a, *nodes_of(count)), free, tell)
        if isinstance(found, NotFitted):
            return found
        free, information, steps, value = found
        if finer is None:
            break
        again = float(Marginal(a, *nodes_of(finer)).value_and_slope(free)[0])
        if abs(again - value) < PRECISE:
            break
    own = Marginal(a, *nodes_of(count)).parameters(free)
    spread = sum_to_zero(a.raters)
    covariance = np.linalg.inv(information)[: a.raters - 1, : a.raters - 1]
    return RaschFit(
        severity=own.severity,
        covariance=spread @ covariance @ spread.T,
        thresholds=own.thresholds,
        mean=float(own.mean),
        sd=abs(float(own.sd)),
        nodes=nodes_of(count)[0],
        quality=np.empty(0),
        steps=steps,
        method=f"marginal maximum likelihood, {count} nodes, converged in {steps} steps",
    )


def _start(a: Answers) -> Floats:
    used = -np.diff(np.concatenate([[a.weight.sum()], a.reached, [0.0]]))
    harder = np.log(used[:-1] / used[1:])
    centred = harder - harder.mean()
    return np.concatenate([np.zeros(a.raters - 1), centred[:-1], [-harder.mean(), 1.0]])


def _maximum(
    model: Marginal, free: Floats, tell: Tell | None
) -> tuple[Floats, Floats, int, float] | NotFitted:
    """Quasi-Newton steps to the neighbourhood, Newton steps to the maximum."""
    from scipy.optimize import minimize

    told = 0

    def noted(_: Floats) -> None:
        nonlocal told
        told += 1
        if tell:
            tell(told)

    size = model.answers.weight.sum()

    def per_rating(at: Floats) -> tuple[float, Floats]:
        value, slope = model.value_and_slope(at)
        return value / size, slope / size

    # perfect agreement and the like send the steps to infinity, which the check below catches
    with np.errstate(over="ignore", invalid="ignore"):
        free = minimize(per_rating, free, jac=True, callback=noted, options={"gtol": 1e-6}).x
    for _ in range(POLISH if np.abs(free).max() < FAR else 0):
        value, slope = model.value_and_slope(free)
        information = model.curvature(free)
        if not np.linalg.eigvalsh(information)[0] > 0:
            break
        step = np.linalg.solve(information, slope)
        free = free - step
        noted(free)
        if np.abs(step).max() < CLOSE:
            return free, information, told, float(value)
    return NotFitted(
        f"the estimation did not converge in {told} steps; ratings that agree too well, or hardly at "
        "all, leave severity or the quality of responses without a finite estimate"
    )
