"""Joint distributions of two scores that are known, and sizes of samples from them."""

import csv
import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import beta

from tests.conftest import shared_path

KINDS = ("even", "skewed", "essays", "beta-binomial")
"""The last two were not used to choose anything."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One population and sample size."""

    n: int
    k: int
    kind: str

    @property
    def population(self) -> NDArray[np.float64]:
        """Probability of each pair of scores."""
        if self.kind == "essays":
            return essays()
        joint = binomial(self.k) if self.kind == "beta-binomial" else neighbours(self.k, self.kind)
        return joint / joint.sum()

    @property
    def seed(self) -> list[int]:
        """Of the samples."""
        return [self.n, self.k, KINDS.index(self.kind)]

    @property
    def words(self) -> str:
        """As the page has it."""
        return f"n={self.n} K={self.k} {self.kind}"


@dataclass(frozen=True, slots=True)
class Rare:
    """Scores as many points apart as these shares say, from golds near the ends inwards."""

    n: int
    k: int
    errors: tuple[float, ...]

    @property
    def population(self) -> NDArray[np.float64]:
        """Probability of each pair of scores."""
        joint, last = np.zeros((self.k, self.k)), self.k - 1
        for gold in range(self.k // 2):
            for by, share in enumerate(self.errors):
                if gold + len(self.errors) - 1 <= last:
                    joint[gold, gold + by] += share
                    joint[last - gold, last - gold - by] += share
        return joint / joint.sum()

    @property
    def seed(self) -> list[int]:
        """Of the samples."""
        return [self.n, self.k, *(round(1000 * share) for share in self.errors)]

    @property
    def words(self) -> str:
        """As the page has it."""
        shares = " ".join(f"{share:g}".lstrip("0") for share in self.errors)
        return f"n={self.n}, {self.k} points, errors {shares}"


def neighbours(k: int, kind: str) -> NDArray[np.float64]:
    """Neighbouring scores are confused, more often upwards."""
    i = np.arange(k)
    common = 2.0**-i if kind == "skewed" else np.ones(k)
    apart = 0.25 ** np.abs(i[:, None] - i) * np.where(i[:, None] < i, 1.5, 1.0)
    return np.asarray(np.outer(common, common) * apart)


def binomial(k: int, up: float = 1.2, down: float = 0.8) -> NDArray[np.float64]:
    """Two binomial scores of a response, whose chance of a point is beta: QWK .71 on 6 points."""
    i = np.arange(k)
    ways = np.array([math.comb(k - 1, j) for j in i], dtype=np.float64)
    both = i[:, None] + i
    least = 2 * (k - 1)
    return np.asarray(np.outer(ways, ways) * beta(up + both, down + least - both))


@cache
def essays() -> NDArray[np.float64]:
    """The scores that a person and a language model gave 686 essays on five competences."""
    table = Counter[tuple[int, int]]()
    with shared_path("data", "essay_br_llm", "scores.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            given = float(row["chimera_few_shot"])
            table[int(row["human"]) // 40, math.floor(given / 40 + 0.5)] += 1
    joint = np.zeros((6, 6))
    for (gold, system), count in table.items():
        joint[gold, system] = count
    return joint / joint.sum()


SETTINGS = tuple(Setting(n, k, s) for s, k, n in product(KINDS[:2], (2, 4, 6), (50, 200, 1000)))
OTHERS = tuple(Setting(n, 6, s) for s, n in product(KINDS[2:], (50, 200, 1000)))
RARE = (
    *(Rare(n, 6, (0.8, 0.15, 0.03, 0.015, 0.005)) for n in (30, 50, 100)),
    *(Rare(n, 4, (0.7, 0.26, 0.03, 0.01)) for n in (30, 50, 100)),
    *(Rare(n, 4, (0.9, 0.08, 0.015, 0.005)) for n in (30, 50, 100)),
    *(Rare(n, 4, (0.75, 0.25)) for n in (30, 50, 100)),
)
LATTICE = tuple(
    Setting(n, 2, kind)
    for kind in KINDS[:2]
    for sizes in (range(40, 61, 2), range(180, 221, 4))
    for n in sizes
)
"""Sizes around 50 and 200 on two points, where shares have few possible values."""
ON_LATTICE = ("prevalence_index", "mae", "r2")
"""Of two points; mae stands for all that is a function of the share of errors."""
OF_ERRORS = (
    "gwet_ac[quadratic]",
    "brennan_prediger[quadratic]",
    "mae",
    "mse",
    "rmse",
    "cohen_kappa[quadratic]",
)
"""What rare errors may carry."""
Population = Setting | Rare
