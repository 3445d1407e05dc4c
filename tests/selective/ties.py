"""Tied confidences drawn to break the promise of the rank grid, many samples at once."""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.selective.ltt import starts_of
from tests.selective.violations import DELTA, passing

Floats = NDArray[np.float64]

Way = Literal["one chain", "chains that hand delta on"]
WAYS: tuple[Way, ...] = ("one chain", "chains that hand delta on")


class Profile(NamedTuple):
    """Shares of the possible confidences and the rate of critical errors at each, highest first."""

    weights: Floats
    rates: Floats
    n: int
    alpha: float

    @property
    def unsafe(self) -> NDArray[np.bool_]:
        """Where the rate among all that is accepted exceeds alpha."""
        return np.cumsum(self.weights * self.rates) > self.alpha * np.cumsum(self.weights)


class Drawn(NamedTuple):
    """How many profiles were drawn, samples of each, and the worst again in samples of its own."""

    profiles: int
    runs: int
    worst: float
    again: float
    fresh: int


def drawn_to_break(profiles: int, way: Way, runs: int = 4000, fresh: int = 100_000) -> Drawn:
    """How often any unsafe threshold passes where ties decide where chains begin.

    The rates among the accepted are just above alpha: with one chain at every threshold, with
    several from some threshold on, so that safe ones before it hand delta on. The highest share
    of many is too high by chance: the ten worst are measured again.
    """
    rng = np.random.default_rng([10, WAYS.index(way)])
    found: list[tuple[float, Profile]] = []
    for _ in range(profiles):
        drawn = draw(rng, lead=way != WAYS[0])
        if drawn.rates.min() >= 0 and drawn.rates.max() <= 1:
            found.append((broken(rng, drawn, runs, way), drawn))
    found.sort(key=lambda pair: -pair[0])
    again = [broken(rng, own, fresh, way) for _, own in found[:10]]
    return Drawn(len(found), runs, found[0][0], max(again), fresh)


def draw(rng: np.random.Generator, *, lead: bool) -> Profile:
    """A profile whose rates among the accepted are just above alpha, after a safe lead or without."""
    alpha, n = rng.choice([0.02, 0.05, 0.1]), int(rng.choice([200, 300, 500, 1000]))
    size = int(rng.integers(2, 12))
    weights = rng.dirichlet(np.full(size, rng.choice([0.5, 1, 5])))
    among = alpha * (1.0005 + rng.exponential(rng.choice([0.001, 0.05, 0.2]), size))
    if lead:
        safe = int(rng.integers(0, size))
        among[:safe] = alpha * rng.random() * rng.choice([0.1, 0.5, 1])
    rates = np.diff(np.append(0, among * np.cumsum(weights))) / weights
    return Profile(weights, rates, n, float(alpha))


def broken(rng: np.random.Generator, of: Profile, runs: int, way: Way) -> float:
    """Share of samples in which an unsafe threshold passes."""
    drawn = rng.multinomial(of.n, of.weights, runs)
    n, k = np.cumsum(drawn, axis=1), np.cumsum(rng.binomial(drawn, of.rates), axis=1)
    starts = starts_of(of.alpha, DELTA, of.n, [0] if way == WAYS[0] else None)
    passed = passing(n, k, starts, of.alpha)
    return float(np.mean((passed & of.unsafe).any(axis=1)))
