"""Golds whose third rater errs more or less than the first two: ceilings with a known truth."""

import math
from typing import NamedTuple

import numpy as np

from tallymark.inference import Settings, estimate_all
from tallymark.questions.ceilings.formulas import rung_formulas
from tallymark.questions.ceilings.rungs import PeopleAndGold, rungs_each
from tallymark.reliability.gold_rule import label
from tallymark.scale import Scale
from tallymark.study.parts import People
from tallymark.study.units import Rows
from tests.ceilings.unequal import MANY, explained

POINTS = np.arange(1.0, 7)


class Crew(NamedTuple):
    """Error SDs of two raters and of the third, whom they ask if they are ``apart`` or more."""

    words: str
    error: tuple[float, float, float]
    severity: float = 0.0
    rule: str = "third_mean"
    apart: float = 2.0
    n: int = 500

    def draw(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """True scores and ratings, that of the third only where the first two are apart."""
        truth = rng.normal(3.5, 1.2, n)
        ratings = truth[:, None] + rng.normal(size=(n, 3)) * self.error
        ratings[:, 2] += self.severity
        ratings = np.clip(np.rint(ratings), 1, 6)
        ratings[np.abs(ratings[:, 0] - ratings[:, 1]) < self.apart, 2] = np.nan
        return truth, ratings

    def true(self) -> float:
        """Correlation of the gold with its best prediction from true scores."""
        truth, ratings = self.draw(MANY, np.random.default_rng(1))
        return explained(truth, label(self.rule, ratings, low=1.0))

    def found(self, run: int):
        """The ceiling of one study of ``n`` responses."""
        _, ratings = self.draw(self.n, np.random.default_rng([2, run]))
        rows = Rows(ratings, np.ones(self.n, dtype=np.int64), POINTS)
        people = People(("h1", "h2", "h3"), rows, Scale(tuple(POINTS.tolist())))
        rungs = rungs_each([PeopleAndGold(people, self.rule, self.apart - 1)])[0]
        text = f"ceiling_theoretical[{self.rule}]"
        wanted = [f for f in rung_formulas(rungs) if f.key == text]
        return estimate_all(wanted, rungs.units, Settings(replicates=1000, seed=run))[0]


CREWS = (
    Crew("third errs less", (0.9, 0.9, 0.2)),
    Crew("third errs as the others", (0.9, 0.9, 0.9)),
    Crew("third errs more", (0.9, 0.9, 1.8)),
    Crew("third is severe and errs less", (0.8, 1.1, 0.3), -0.8),
    Crew("parity, third errs less", (0.9, 0.9, 0.2), rule="parity"),
    Crew("third where the first two differ at all, errs less", (0.7, 0.7, 0.2), apart=1.0),
    Crew("the same, n = 150", (0.7, 0.7, 0.2), apart=1.0, n=150),
)


def simulate(crew: Crew, runs: int) -> tuple[float, float, float]:
    """The true ceiling, the mean estimate, and the share of intervals that hold the truth."""
    true, each = crew.true(), [crew.found(run) for run in range(runs)]
    held = [one.low <= true <= one.high for one in each if not math.isnan(one.low)]
    return true, float(np.nanmean([one.value for one in each])), float(np.mean(held))
