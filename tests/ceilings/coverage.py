"""How often do the intervals of ceilings hold the true ceiling? From populations that are known.

``python -m tests.ceilings.coverage`` prints the table of docs/ceilings.md.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tallymark.inference import Settings
from tallymark.questions.ceilings.formulas import rung_estimates
from tallymark.questions.ceilings.rungs import PeopleAndGold, rungs_each
from tallymark.reliability.quantised import Latent, label_ceilings, label_of, latent
from tallymark.scale import Scale
from tallymark.study.parts import People
from tallymark.study.units import Rows

RUNS = 400
TOLD = (
    "reliability[one]",
    "ceiling_human_like[mean]",
    "ceiling_theoretical[mean]",
    "ceiling_quantised[mean_up]",
)
F_BASED = ("reliability[one]", "ceiling_human_like[mean,pool]", "ceiling_theoretical[mean,pool]")


@dataclass(frozen=True, slots=True)
class Setting:
    """A population of true scores on K points, rated twice by raters with this noise."""

    n: int
    k: int
    mean: float
    sd: float
    noise: float

    @property
    def population(self) -> Latent:
        return latent(np.arange(float(self.k)), self.mean, self.sd, self.noise)

    @property
    def words(self) -> str:
        skewed = self.mean < (self.k - 1) / 3
        return f"K={self.k}{' skewed' if skewed else ''} n={self.n}"

    def true(self) -> dict[str, float]:
        made = self.population
        _, variance, error = made.moments()
        one = 1 - error / variance
        mean = 2 * one / (1 + one)
        points = np.arange(float(self.k))
        rounded = label_ceilings(made, _gold(made), points, times=1)
        values = (one, math.sqrt(one * mean), math.sqrt(mean), rounded.quantised)
        return dict(zip(TOLD, values, strict=True))

    def sample(self, run: int) -> People:
        rng = np.random.default_rng([self.n, self.k, round(10 * self.mean), run])
        truth = np.clip(rng.normal(self.mean, self.sd, self.n), 0, self.k - 1)
        noisy = truth[:, None] + rng.normal(0, self.noise, (self.n, 2))
        ratings = np.clip(np.floor(noisy + 0.5), 0, self.k - 1)
        scale = Scale(tuple(np.arange(float(self.k)).tolist()))
        rows = Rows(ratings, np.ones(self.n, dtype=np.int64), np.asarray(scale.points))
        return People(("h1", "h2"), rows.distinct(), scale)


def _gold(made: Latent):
    found = label_of(made, "mean_up", {2: 1.0})
    assert found is not None
    return found


SETTINGS = tuple(
    Setting(n, k, mean, sd, noise)
    for k, mean, sd, noise in ((4, 1.5, 0.9, 0.5), (4, 0.3, 0.9, 0.5), (6, 2.5, 1.2, 0.7))
    for n in (50, 200, 1000)
)


def simulate(setting: Setting, runs: int = RUNS) -> dict[str, float]:
    """Share of the intervals that hold the true value, by statistic and kind of interval."""
    held: dict[str, list[bool]] = {}
    true = setting.true()
    for run in range(runs):
        rungs = rungs_each([PeopleAndGold(setting.sample(run), None)])[0]
        found = {e.text: e for e in rung_estimates(rungs, Settings(replicates=1000, seed=run), "")}
        for text, value in true.items():
            one = found[text]
            if math.isnan(one.low):
                continue
            held.setdefault(text, []).append(one.low <= value <= one.high)
        for text, value in zip(F_BASED, true.values(), strict=False):
            one = found[text]
            inside = one.parts["f_low"] <= value <= one.parts["f_high"]
            held.setdefault(f"{text} F", []).append(inside)
    return {text: sum(values) / len(values) for text, values in held.items()}


@dataclass(frozen=True, slots=True)
class Pool:
    """Raters of a pool, some of whom rate each response; their severities differ."""

    raters: int
    n: int
    ratings: int

    def true(self) -> float:
        """Reliability of one rating by a rater drawn at random: true scores have variance 1."""
        return 1 / (1 + SEVERITY**2 + NOISE**2)

    def sample(self, run: int) -> Rows:
        rng = np.random.default_rng([self.raters, self.n, self.ratings, run])
        severity = rng.normal(0, SEVERITY, self.raters)
        ratings = rng.normal(0, 1, (self.n, 1)) + severity
        ratings = ratings + rng.normal(0, NOISE, (self.n, self.raters))
        left_out = np.argsort(rng.random(ratings.shape), axis=1)[:, self.ratings :]
        np.put_along_axis(ratings, left_out, np.nan, axis=1)
        return Rows(ratings, np.ones(self.n, dtype=np.int64), np.array([-6.0, 6.0]))


SEVERITY, NOISE = 0.4, 0.6
POOLS = (Pool(5, 200, 5), Pool(6, 300, 3), Pool(6, 300, 6), Pool(12, 300, 3), Pool(20, 500, 2))


def simulate_pool(pool: Pool, runs: int = RUNS) -> tuple[float, float]:
    """Share of intervals that hold the reliability: for raters like these, and for these raters."""
    like, these = 0, 0
    for run in range(runs):
        rows = pool.sample(run)
        people = People(tuple(map(str, range(pool.raters))), rows, Scale((-6.0, 6.0), (), True))
        found = rung_estimates(
            rungs_each([PeopleAndGold(people, None)])[0], Settings(replicates=400, seed=run), ""
        )
        both = {e.text: e for e in found if e.text.startswith("reliability[one")}
        like_these, only_these = (
            both["reliability[one,raters like these]"],
            both["reliability[one]"],
        )
        like += like_these.low <= pool.true() <= like_these.high
        these += only_these.low <= pool.true() <= only_these.high
    return like / runs, these / runs


def pool_lines(runs: int = RUNS) -> Iterator[str]:
    """The second table of docs/ceilings.md."""
    yield "| raters | responses | ratings of each | raters like these | these raters only |"
    yield "|---|---|---|---|---|"
    for pool in POOLS:
        like, these = simulate_pool(pool, runs)
        yield f"| {pool.raters} | {pool.n} | {pool.ratings} | {like:.3f} | {these:.3f} |"


def lines(runs: int = RUNS) -> Iterator[str]:
    """The table of docs/ceilings.md."""
    columns = [*TOLD, *(f"{text} F" for text in F_BASED)]
    yield f"| population | {' | '.join(columns)} |"
    yield "|---" * (len(columns) + 1) + "|"
    for setting in SETTINGS:
        found = simulate(setting, runs)
        yield f"| {setting.words} | {' | '.join(f'{found[c]:.3f}' for c in columns)} |"


if __name__ == "__main__":
    for line in (*pool_lines(), *lines()) if "--pools" not in sys.argv else pool_lines():
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
