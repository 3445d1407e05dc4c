"""Ratings by raters drawn at random from a population, and which intervals hold its truth."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import find
from tallymark.inference import Settings, estimate_all
from tallymark.questions.generalizability import crossed
from tallymark.study.panel import panel_units
from tallymark.study.raters_needed import crossed_units
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
TARGET = 0.8


class Population(NamedTuple):
    """Variances of responses, of raters' severity and of what is left; who rates how many."""

    responses: int
    raters: int
    response: float = 1.0
    severity: float = 0.25
    residual: float = 0.5
    each: int = 0
    """Raters of each response; all of them if 0."""
    points: bool = False
    """Whether scores are whole points."""

    @property
    def truth(self) -> dict[str, float]:
        """What intervals for other raters should hold."""
        error = self.severity + self.residual
        phi = {k: self.response / (self.response + error / k) for k in (1, 4)}
        return {
            **{f"dependability[crossed,{k}]": value for k, value in phi.items()},
            "sem_absolute[crossed,1]": error**0.5,
            "variance_component[crossed,rater]": self.severity,
            f"raters_needed[crossed,dependability,{TARGET}]": error / self.response * 4,
            "icc[2,1]": phi[1],
            "icc[2,k]": self.response / (self.response + error / self.raters),
        }

    def draw(self, rng: np.random.Generator) -> Floats:
        """Responses x raters, NaN where a rater did not read a response."""
        size = (self.responses, self.raters)
        ratings = rng.normal(0, self.residual**0.5, size)
        ratings += rng.normal(0, self.response**0.5, (size[0], 1))
        ratings += rng.normal(0, self.severity**0.5, (1, size[1]))
        if self.each:
            ratings[rng.random(size).argsort(axis=1).argsort(axis=1) >= self.each] = np.nan
        return np.rint(2 * ratings) / 2 if self.points else ratings


POPULATIONS = {
    "3 raters": Population(200, 3),
    "3 raters, half points": Population(200, 3, points=True),
    "3 raters, next to no severity": Population(200, 3, severity=0.02),
    "3 raters, 20 responses": Population(20, 3),
    "5 raters": Population(200, 5),
    "10 raters": Population(200, 10),
    "10 raters, each response read by 3": Population(200, 10, each=3),
}


def held(population: Population, rng: np.random.Generator) -> dict[str, bool]:
    """Which intervals of one sample hold the truth; what is undefined in it is left out."""
    ratings = population.draw(rng)
    rows = Rows(ratings, np.ones(len(ratings), dtype=np.int64), np.arange(5.0))
    estimates, _ = crossed(crossed_units(rows)[0], Settings(), 0)
    if not population.each:
        formulas = [find(f"icc[{kind}]") for kind in ("2,1", "2,k")]
        estimates += estimate_all(formulas, panel_units("complete", rows, formulas), Settings())
    truth = population.truth
    found = {e.text: e for e in estimates if e.text in truth and np.isfinite(e.value)}
    return {text: e.low <= truth[text] <= e.high for text, e in found.items()}


def coverage(population: Population, runs: int, seed: int) -> dict[str, float]:
    """The share of samples in which each interval holds the truth."""
    rng = np.random.default_rng(seed)
    samples = [held(population, rng) for _ in range(runs)]
    texts = dict.fromkeys(text for sample in samples for text in sample)
    return {
        text: float(np.mean([sample[text] for sample in samples if text in sample]))
        for text in texts
    }
