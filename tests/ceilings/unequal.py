"""Raters who differ: how often do intervals of ceilings hold the ceiling that true scores reach?

``python -m tests.ceilings.unequal`` prints the table of docs/ceilings.md.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tallymark.inference import Settings, estimate_all
from tallymark.questions.ceilings.formulas import rung_formulas
from tallymark.questions.ceilings.rungs import PeopleAndGold, rungs_each
from tallymark.reliability.gold_rule import label
from tallymark.scale import Scale
from tallymark.study.parts import People
from tallymark.study.units import Rows

RUNS = 400
MANY = 400_000
TOLD = (
    "ceiling_theoretical[first]",
    "ceiling_theoretical[mean]",
    "ceiling_human_like[mean]",
)


@dataclass(frozen=True, slots=True)
class Crew:
    """Raters of true scores with variance 1: error SDs, slopes, severities; who rates what."""

    words: str
    n: int
    error: tuple[float, ...]
    slope: tuple[float, ...] = ()
    severity: tuple[float, ...] = ()
    ratings: int = 0  # of each response, drawn among the raters; 0 is all
    once: float = 0.0  # share of the responses that only the first rater rated
    slots: bool = False  # raters are forgotten: two columns, filled from the pool
    skew: float = 0.0  # true scores are a shifted gamma with this skewness
    points: tuple[float, ...] = ()  # scores are moved to the nearest of these

    def draw(self, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """True scores, and the ratings that were given."""
        truth = rng.normal(size=n)
        if self.skew:
            shape = 4 / self.skew**2
            truth = (rng.gamma(shape, size=n) - shape) / math.sqrt(shape)
        raters = len(self.error)
        slope, severity = self.slope or (1.0,) * raters, self.severity or (0.0,) * raters
        ratings = np.array(severity) + truth[:, None] * slope
        ratings = ratings + rng.normal(size=ratings.shape) * self.error
        if self.points:
            points = np.array(self.points)
            nearest = np.searchsorted((points[1:] + points[:-1]) / 2, ratings)
            ratings = points[nearest]
        if self.ratings:
            order = np.argsort(rng.random(ratings.shape), axis=1)
            if self.slots:
                ratings = np.take_along_axis(ratings, order[:, : self.ratings], axis=1)
            else:
                np.put_along_axis(ratings, order[:, self.ratings :], np.nan, axis=1)
        if self.once:
            ratings[rng.random(n) < self.once, 1:] = np.nan
        return truth, ratings

    def true(self) -> dict[str, float]:
        """What a scorer reaches who knows every true score, in a sample that is nearly endless."""
        truth, ratings = self.draw(MANY, np.random.default_rng(1))
        first = ratings[np.arange(MANY), (~np.isnan(ratings)).argmax(axis=1)]
        mean = label("mean", ratings)
        top = [explained(truth, first), explained(truth, mean)]
        given = ~np.isnan(ratings)
        each = [
            explained(truth[own], column[own])
            for column, own in zip(ratings.T, given.T, strict=True)
        ]
        like = top[1] * np.average(each, weights=given.sum(axis=0))
        return dict(zip(TOLD, [*top, float(like)], strict=True))

    def sample(self, run: int) -> People:
        """Ratings of one study."""
        _, ratings = self.draw(self.n, np.random.default_rng([2, run]))
        ends = (self.points[0], self.points[-1]) if self.points else (-12.0, 12.0)
        scale = Scale(self.points) if self.points else Scale(ends, (), True)
        rows = Rows(ratings, np.ones(self.n, dtype=np.int64), np.asarray(scale.points))
        names = tuple(f"r{i + 1}" for i in range(ratings.shape[1]))
        return People(names, rows, scale)


def explained(truth: np.ndarray, gold: np.ndarray) -> float:
    """Root of Var E(gold | truth) / Var gold, the truth cut into a thousand parts."""
    parts = np.array_split(gold[np.argsort(truth)], 1000)
    means, sizes = np.array([p.mean() for p in parts]), np.array([p.size for p in parts])
    between = np.average((means - gold.mean()) ** 2, weights=sizes)
    within = np.average([p.var(ddof=1) for p in parts], weights=sizes)
    noise = within * len(parts) / gold.size  # of the mean of each part
    true = max(between - noise, 0.0)  # a gold at random shares nothing with the truth
    return math.sqrt(true / (true + within))


CREWS = (
    Crew("two, error .4 and 1.1", 300, (0.4, 1.1)),
    Crew("the same on 1 to 6", 300, (0.4, 1.1), points=(-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)),
    Crew("the same, n = 60", 60, (0.4, 1.1)),
    Crew("two alike", 300, (0.6, 0.6)),
    Crew("two, severity .8 apart", 300, (0.5, 0.8), severity=(0.0, 0.8)),
    Crew("two, the second on a third", 600, (0.5, 0.9), once=0.667),
    Crew("three, free slopes", 300, (0.4, 1.1, 0.7), (1.0, 0.8, 1.2), (0.0, 0.5, -0.3)),
    Crew("the same, n = 60", 60, (0.4, 1.1, 0.7), (1.0, 0.8, 1.2), (0.0, 0.5, -0.3)),
    Crew("three, one at random", 300, (0.5, 0.8, 1.2), (1.0, 1.0, 0.0)),
    Crew("five, one at random", 300, (0.5, 0.6, 0.7, 0.8, 1.2), (1.0, 1.0, 1.0, 1.0, 0.0)),
    Crew(
        "ten, four of them each, one at random",
        711,
        (0.4, 0.5, 0.6, 0.7, 0.8, 1.2, 0.5, 0.6, 0.7, 0.8),
        (1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0),
        tuple(np.linspace(-0.5, 0.5, 10).tolist()),
        ratings=4,
    ),
    Crew(
        "six, two of them each",
        600,
        (0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
        (),
        (-0.5, 0.3, -0.1, 0.1, -0.3, 0.5),
        ratings=2,
    ),
    Crew(
        "slots filled from eight",
        300,
        (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1),
        (),
        (-0.5, 0.3, -0.1, 0.1, -0.3, 0.5, 0.2, -0.2),
        ratings=2,
        slots=True,
    ),
    Crew("two, true scores skewed by 2", 300, (0.4, 1.1), skew=2.0),
    Crew("two, floor: half at the lowest of 4", 300, (0.4, 1.1), points=(0.0, 1.0, 2.0, 3.0)),
)


def simulate(crew: Crew, runs: int = RUNS) -> dict[str, tuple[float, float, float]]:
    """The true ceiling, the mean estimate, and the share of intervals that hold the ceiling."""
    true = crew.true()
    held: dict[str, list[bool]] = {text: [] for text in TOLD}
    values: dict[str, list[float]] = {text: [] for text in TOLD}
    for run in range(runs):
        rungs = rungs_each([PeopleAndGold(crew.sample(run), None)])[0]
        wanted = [f for f in rung_formulas(rungs) if f.key in TOLD]
        for one in estimate_all(wanted, rungs.units, Settings(replicates=1000, seed=run)):
            held[one.text].append(one.low <= true[one.text] <= one.high)
            values[one.text].append(one.value)
    return {
        text: (true[text], float(np.nanmean(values[text])), float(np.mean(held[text])))
        for text in TOLD
    }


def lines(runs: int = RUNS) -> Iterator[str]:
    """The table of docs/ceilings.md."""
    yield "| raters | responses | first: truth | mean | held | mean: truth | mean | held | human-like: truth | mean | held |"
    yield "|---" * 11 + "|"
    for crew in CREWS:
        found = simulate(crew, runs)
        cells = [f"{a:.3f} | {b:.3f} | {c:.3f}" for a, b, c in found.values()]
        yield f"| {crew.words} | {crew.n} | {' | '.join(cells)} |"


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
