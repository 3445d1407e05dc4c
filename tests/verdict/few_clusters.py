"""How often does a verdict err when responses come in a handful of clusters? Simulation."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtri

from tallymark.catalogue import find
from tallymark.inference import Settings, estimate_all
from tallymark.inference.kinds import FEWEST_CLUSTERS
from tallymark.study.units import Rows, units_of
from tallymark.verdict.states import effective_clusters
from tests.verdict.errors_at_limit import QWK, of_gold, population

PAGE = Path(__file__).parents[2] / "docs" / "verdict.md"
START, END = "<!-- clusters: start -->", "<!-- clusters: end -->"
K = 6
RUNS = 1000
SD = 0.28 * K
FORMULAS = [find("lin_ccc"), find("pearson"), find("smd[unpooled]")]
"""On score points CCC is QWK."""
SHAPES = ("equal", "unequal", "one holds half")
DESIGNS = ((4, 30), (6, 30), (10, 60), (15, 30), (20, 30), (40, 20))
SOME, STRONG = (0.1, 0.1), (0.3, 0.2)
"""Share of the variance between clusters: of quality, and of the system's error."""
NAMES = {"QWK": 0, "r": 1, "SMD": 2}


class Cell(NamedTuple):
    """A design: clusters, responses of each on average, how unequal, how different."""

    clusters: int
    size: int
    shape: str
    between: tuple[float, float]

    @property
    def words(self) -> str:
        differ = "somewhat" if self.between == SOME else "strongly"
        return f"{self.clusters} x {self.size}, {self.shape}, differ {differ}"


class Wrong(NamedTuple):
    """Shares of samples called met and not met by each statistic, and what the clusters are worth."""

    met: tuple[float, ...]
    not_met: tuple[float, ...]
    worth: float


def sizes_of(cell: Cell) -> NDArray[np.int64]:
    """Responses of each cluster; *unequal* ones are lognormal with SD 1, the largest has 1/4 of 20."""
    total = cell.clusters * cell.size
    if cell.shape == "one holds half":
        rest = max(2, round(total / 2 / (cell.clusters - 1)))
        return np.array([total // 2, *[rest] * (cell.clusters - 1)])
    if cell.shape == "equal":
        return np.full(cell.clusters, cell.size)
    weight = np.exp(ndtri((np.arange(cell.clusters) + 0.5) / cell.clusters))
    return np.maximum(2, np.rint(total * weight / weight.sum())).astype(np.int64)


@cache
def errors_of_raters() -> tuple[float, float]:
    """SD of the errors of a rater (QWK .80 with another) and of a system with QWK .695."""

    def qwk(people: float, noise: float) -> float:
        made = population(K, mean=0.0, people=people, noise=noise, shift=0.0)
        return of_gold("qwk")(made, made.exact(), Settings(interval="analytic")).value

    people = float(brentq(lambda s: qwk(s, s) - 0.80, 0.3, 2.4))
    return people, float(brentq(lambda s: qwk(people, s) - QWK.lower, 0.3, 3.6))


@cache
def truths() -> tuple[float, ...]:
    """True values: how variance splits into clusters does not change the joint distribution."""
    people, noise = errors_of_raters()
    made = population(K, mean=0.0, people=people, noise=noise, shift=0.0)
    exact = Settings(interval="analytic")
    texts = ("qwk", "pearson", "smd[unpooled]")
    return tuple(of_gold(text)(made, made.exact(), exact).value for text in texts)


def sample(cell: Cell, rng: np.random.Generator) -> Rows:
    """Scores of a rater and a system; clusters differ in quality and in the system's error."""
    sizes = sizes_of(cell)
    of, n = np.repeat(np.arange(sizes.size), sizes), int(sizes.sum())
    people, noise = errors_of_raters()

    def drawn(share: float) -> NDArray[np.float64]:
        common = rng.normal(size=sizes.size)[of]
        return np.sqrt(share) * common + np.sqrt(1 - share) * rng.normal(size=n)

    true = (K - 1) / 2 + SD * drawn(cell.between[0])
    gold, given = true + people * rng.normal(size=n), true + noise * drawn(cell.between[1])
    scores = np.clip(np.floor(np.stack([gold, given], axis=1) + 0.5), 0, K - 1)
    return Rows(scores, np.ones(n, np.int64), np.arange(K, dtype=np.float64), of)


def wrong(cell: Cell, *, runs: int = RUNS, settings: Settings | None = None) -> Wrong:
    """Shares of samples whose interval lies above the truth (called met) and below (not met)."""
    seed = [cell.clusters, cell.size, SHAPES.index(cell.shape), int(100 * cell.between[0])]
    rng, true = np.random.default_rng(seed), np.array(truths())
    met, below, worth = np.zeros(3), np.zeros(3), 0.0
    for _ in range(runs):
        rows = sample(cell, rng)
        found = estimate_all(FORMULAS, units_of("moments", rows), settings)
        met += np.array([one.low for one in found]) > true
        below += np.array([one.high for one in found]) < true
        worth = effective_clusters(found[0])
    return Wrong(tuple(met / runs), tuple(below / runs), worth)


def cells() -> Iterator[Cell]:
    for between, shape, design in product((SOME, STRONG), SHAPES, DESIGNS):
        yield Cell(*design, shape, between)


def as_markdown(found: dict[Cell, Wrong], runs: int = RUNS) -> str:
    """A line for each shape and design; met / not met for QWK, then SMD."""
    many = " | ".join(f"{g} x {m}" for g, m in DESIGNS)
    lines = [
        f"{runs:,} samples a cell: one standard error of a share of .025 is .005. Wrongly met / wrongly not met.",
        "",
        f"| clusters x responses | {many} |",
        f"|---|{'---|' * len(DESIGNS)}",
    ]
    words = {SOME: "differ somewhat", STRONG: "differ strongly"}
    for name, shape, between in product(("QWK", "SMD"), SHAPES, words):
        own = [found[Cell(*design, shape, between)] for design in DESIGNS]
        i = NAMES[name]
        told = " | ".join(f"{_share(one.met[i])} / {_share(one.not_met[i])}" for one in own)
        lines.append(f"| {name}, {shape}, {words[between]} | {told} |")
    for shape in SHAPES[1:]:
        worth = [found[Cell(*design, shape, SOME)].worth for design in DESIGNS]
        lines.append(f"| *worth, {shape}* | {' | '.join(f'{one:.0f}' for one in worth)} |")
    return "\n".join(lines)


def _share(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def written(page: str, found: dict[Cell, Wrong]) -> str:
    before, rest = page.split(START)
    return f"{before}{START}\n{as_markdown(found)}\n{END}{rest.split(END)[1]}"


def enough(cell: Cell, found: Wrong) -> bool:
    """Whether the rule lets a design decide."""
    return found.worth >= FEWEST_CLUSTERS - 1e-6 and cell.clusters * cell.size >= 100
