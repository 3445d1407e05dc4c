"""How often is a threshold worse than its guarantee? Simulation with a known rate at each threshold.

Confidences are uniform; ``eta(c)`` is the true probability of a critical error at confidence c.
Rules look at many samples at once; a test compares each with the function that users call.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.selective.bounds import binomial_cdf
from tallymark.selective.certify import certify
from tallymark.selective.ltt import Starts, starts_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
DELTA = 0.05
FINE = 100_000
GRID = np.linspace(0, 0.99, 100)
AT_ONCE = 250


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


class Samples(NamedTuple):
    """Samples x responses, the most confident first; critical errors up to each of them."""

    c: Floats
    e: Bools
    n: Ints
    k: Ints

    @classmethod
    def of(cls, c: Floats, eta: Callable[[Floats], Floats], rng: np.random.Generator) -> "Samples":
        """Draw the errors at these confidences."""
        down = -np.sort(-c, axis=1)
        e = rng.random(c.shape) < eta(down)
        n = np.broadcast_to(np.arange(1, c.shape[1] + 1), c.shape)
        return cls(down, e, n, np.cumsum(e, axis=1))


Rule = Callable[[Samples, float, np.random.Generator], Floats]
"""Samples, alpha and a generator (for a pool) to a threshold of each sample; NaN for none."""


def passing(n: Ints, k: Ints, starts: Starts, alpha: float) -> Bools:
    """Which thresholds (columns) pass in each sample (rows), by the words of the procedure.

    A part of delta is brought along where enough are accepted, and lost with the next failure.
    """
    p = binomial_cdf(k, n, alpha)
    so_far = np.append(0.0, np.cumsum(starts.parts))
    brought = so_far[np.searchsorted(starts.sizes, n, side="right")]
    brought = np.diff(brought, axis=1, prepend=0.0)
    out, level = np.zeros(n.shape, bool), np.zeros(len(n))
    for j in range(n.shape[1]):
        level = level + brought[:, j]
        out[:, j] = p[:, j] <= level
        level = np.where(out[:, j], level, 0.0)
    return out


def _loosest(passed: Bools, tau: Floats) -> Floats:
    """The threshold of the last column that passes; NaN if none does."""
    last = passed.shape[1] - 1 - np.argmax(passed[:, ::-1], axis=1)
    return np.where(passed.any(axis=1), tau[np.arange(len(tau)), last], np.nan)


def _ranks(s: Samples, alpha: float, errors: list[int] | None = None) -> Floats:
    below = np.concatenate([s.c[:, 1:], np.full((len(s.c), 1), -np.inf)], axis=1)
    starts = starts_of(alpha, DELTA, s.c.shape[1], errors)
    return _loosest(passing(s.n, s.k, starts, alpha), below)


def _fixed(s: Samples, alpha: float) -> Floats:
    """Counts at or above each threshold of the grid, from the strictest on."""
    place = GRID.size - np.searchsorted(GRID, s.c, side="right")
    cell = place + GRID.size * np.arange(len(s.c))[:, None]
    size = len(s.c) * GRID.size
    counts = [np.bincount(cell[of], minlength=size) for of in (np.ones_like(s.e), s.e)]
    n, k = (np.cumsum(own.reshape(-1, GRID.size), axis=1) for own in counts)
    tau = np.broadcast_to(GRID[::-1], n.shape)
    return _loosest(passing(n, k, starts_of(alpha, DELTA, s.c.shape[1]), alpha), tau)


def _pool(s: Samples, alpha: float, rng: np.random.Generator) -> Floats:
    found = [
        certify(c, e, alpha=alpha, delta=DELTA, pool=rng.random(1000))
        for c, e in zip(s.c, s.e, strict=True)
    ]
    return np.array([own.tau if own.certified else np.nan for own in found])


RULES: dict[str, Rule] = {
    "dev_zero (the paper)": lambda s, *_: _loosest(s.k == 0, s.c),
    "observed rate at most alpha": lambda s, a, *_: _loosest(s.k <= a * s.n, s.c),
    "scan: loosest with its own bound": lambda s, a, *_: _loosest(
        binomial_cdf(s.k, s.n, a) <= DELTA, s.c
    ),
    "ltt, ranks, one start": lambda s, a, *_: _ranks(s, a, [0]),
    "ltt, ranks (default)": lambda s, a, *_: _ranks(s, a),
    "ltt, grid fixed": lambda s, a, *_: _fixed(s, a),
    "ltt, grid from a pool": _pool,
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
    found: dict[str, list[Floats]] = {rule: [] for rule in RULES}
    for done in range(0, runs, AT_ONCE):
        drawn = Samples.of(rng.random((min(AT_ONCE, runs - done), n)), eta, rng)
        for rule, of in RULES.items():
            found[rule].append(of(drawn, alpha, rng))
    oracle = truth.oracle(alpha)
    return {
        rule: _summary(np.concatenate(taus), truth, alpha, oracle) for rule, taus in found.items()
    }


def _summary(taus: Floats, truth: Truth, alpha: float, oracle: float) -> Measured:
    known = ~np.isnan(taus)
    rates = np.array([truth.rate(tau) for tau in taus[known]])
    accepted = 1 - np.maximum(taus[known], 0)
    violated = float((rates > alpha * (1 + 1e-9)).sum()) / taus.size
    return Measured(violated, float(accepted.sum()) / taus.size, oracle)
