"""How often is a threshold worse than its guarantee? Simulation with a known rate at each threshold.

Confidences are uniform; ``eta(c)`` is the true probability of a critical error at confidence c.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tallymark.selective.bounds import binomial_cdf
from tallymark.selective.certificate import Certificate
from tallymark.selective.certify import certify, dev_zero
from tallymark.selective.curve import RiskCoverage, coverage_at, risk_coverage

Floats = NDArray[np.float64]
DELTA = 0.05
FINE = 100_000


def _steps(*pieces: tuple[float, float]) -> Callable[[Floats], Floats]:
    """A function that is constant between confidences, from the top down."""
    ends, values = np.array([low for low, _ in pieces]), [value for _, value in pieces]
    return lambda c: np.select([c > low for low in ends[:-1]], values[:-1], values[-1])


def scenario(name: str, alpha: float) -> Callable[[Floats], Floats]:
    """The probability of a critical error at each confidence.

    A falls to 0, B to .01; in C the top 3 % are confidently wrong; D is flat and a tenth too high;
    E is unsafe, safe and unsafe again on the way down.
    """
    return {
        "A": lambda c: 0.4 * (1 - c) ** 3,
        "B": lambda c: 0.01 + 0.3 * (1 - c) ** 3,
        "C": _steps((0.97, 0.10), (0.6, 0.002), (0.0, 0.15)),
        "D": lambda c: np.full_like(c, 1.1 * alpha),
        "E": _steps((0.8, 0.2 * alpha), (0.7, 4 * alpha), (0.4, 0.1 * alpha), (0.0, 6 * alpha)),
    }[name]


@dataclass(frozen=True, slots=True)
class Truth:
    """The true rate among the responses at or above each threshold."""

    thresholds: Floats
    rates: Floats

    @classmethod
    def of(cls, eta: Callable[[Floats], Floats]) -> "Truth":
        middle = (np.arange(FINE) + 0.5) / FINE
        above = np.cumsum(eta(middle)[::-1])[::-1] / np.arange(FINE, 0, -1)
        return cls(np.arange(FINE) / FINE, above)

    def rate(self, tau: float) -> float:
        return float(np.interp(max(tau, 0.0), self.thresholds, self.rates))

    def oracle(self, alpha: float) -> float:
        """The largest coverage whose true rate is alpha or less."""
        safe = np.flatnonzero(self.rates <= alpha)
        return 1 - float(self.thresholds[safe[0]]) if safe.size else 0.0


Rule = Callable[[Floats, NDArray[np.bool_], float, np.random.Generator], float]
"""Confidences, errors, alpha and a generator (for a pool) to a threshold; NaN for none."""


def _tau(found: Certificate) -> float:
    return found.tau if found.certified else np.nan


def scan(curve: RiskCoverage, alpha: float) -> float:
    """The loosest threshold whose own bound is low enough, without a correction for looking."""
    passed = np.flatnonzero(binomial_cdf(curve.k, curve.n, alpha) <= DELTA)
    return float(curve.threshold[passed[-1]]) if passed.size else np.nan


RULES: dict[str, Rule] = {
    "dev_zero (the paper)": lambda c, e, *_: dev_zero(c, e).tau,
    "observed rate at most alpha": lambda c, e, a, *_: float(
        coverage_at(risk_coverage(c, e), a).max_tau
    ),
    "scan: loosest with its own bound": lambda c, e, a, *_: scan(risk_coverage(c, e), a),
    "ltt, ranks, one start": lambda c, e, a, *_: _tau(
        certify(c, e, alpha=a, delta=DELTA, starts=(0,))
    ),
    "ltt, ranks (default)": lambda c, e, a, *_: _tau(certify(c, e, alpha=a, delta=DELTA)),
    "ltt, grid fixed": lambda c, e, a, *_: _tau(
        certify(c, e, alpha=a, delta=DELTA, grid=np.linspace(0, 0.99, 100))
    ),
    "ltt, grid from a pool": lambda c, e, a, r: _tau(
        certify(c, e, alpha=a, delta=DELTA, pool=r.random(1000))
    ),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """Share of samples whose threshold is worse than alpha, and the mean true coverage."""

    violated: float
    coverage: float
    oracle: float


def measure(name: str, n: int, alpha: float, runs: int, seed: int = 0) -> dict[str, Measured]:
    """All rules on the same samples of one scenario."""
    eta = scenario(name, alpha)
    truth = Truth.of(eta)
    rng = np.random.default_rng([seed, n, round(1000 * alpha), ord(name)])
    found = {rule: np.empty(runs) for rule in RULES}
    for i in range(runs):
        c = rng.random(n)
        e = rng.random(n) < eta(c)
        for rule, of in RULES.items():
            found[rule][i] = of(c, e, alpha, rng)
    oracle = truth.oracle(alpha)
    return {rule: _summary(taus, truth, alpha, oracle) for rule, taus in found.items()}


def _summary(taus: Floats, truth: Truth, alpha: float, oracle: float) -> Measured:
    known = ~np.isnan(taus)
    rates = np.array([truth.rate(tau) for tau in taus[known]])
    accepted = 1 - np.maximum(taus[known], 0)
    violated = float((rates > alpha * (1 + 1e-9)).sum()) / taus.size
    return Measured(violated, float(accepted.sum()) / taus.size, oracle)
