"""How often intervals hold the population's value where labels are drawn by the judge's score."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tallymark as tm
from tallymark.sources.allocating import allocated

PAGE = Path(__file__).parents[2] / "docs" / "weights.md"
START, END = "<!-- strata -->", "<!-- end of strata -->"
SIZE = 20_000
STATISTICS = ("percent_agreement", "cohen_kappa", "cohen_kappa[quadratic]", "mse")


class DrawnLabels(NamedTuple):
    """So many labels, how they are divided among strata, and the share that people filled in."""

    n: int
    rule: str
    share: float = 1.0

    def __str__(self) -> str:
        """For the page."""
        some = "" if self.share == 1 else ", 70 % of them labelled"
        return f"{self.n}, {self.rule}{some}"


DESIGNS = [
    DrawnLabels(100, "equal"),
    DrawnLabels(200, "equal"),
    DrawnLabels(200, "root"),
    DrawnLabels(200, "proportional"),
    DrawnLabels(200, "equal", 0.7),
    DrawnLabels(600, "equal"),
]


def responses(rng: Any, size: int) -> Any:
    """Gold and judge on five points; the judge is lenient and rarely gives the lowest."""
    true = rng.normal(size=size)
    gold = np.clip(np.round(3 + true + 0.5 * rng.normal(size=size)), 1, 5)
    judge = np.clip(np.round(3.5 + 0.9 * true + 0.6 * rng.normal(size=size)), 1, 5)
    return gold, judge


def estimated(gold: Any, judge: Any, **more: Any) -> dict[str, Any]:
    """All statistics of the page."""
    ways: dict[str, dict[str, Any]] = {name: {} for name in STATISTICS}
    ways["cohen_kappa[quadratic]"] = {"weights": "quadratic"}
    return {
        name: tm.estimate(name.partition("[")[0], gold, judge, scale="1:5", **more, **way)
        for name, way in ways.items()
    }


def drawn(design: DrawnLabels, gold: Any, judge: Any, rng: Any) -> dict[str, Any]:
    """Labels, drawn by the judge's score: both scores, weights and strata."""
    strata = [np.flatnonzero(judge == point) for point in range(1, 6)]
    numbers = allocated([each.size for each in strata], design.n, design.rule)
    chosen, weights = [], []
    for each, number in zip(strata, numbers, strict=True):
        here = rng.choice(each, number, replace=False)
        here = here[: max(2, round(number * design.share))]  # in random order already
        chosen.append(here)
        weights.append(np.full(here.size, each.size / here.size))
    at = np.concatenate(chosen)
    return {
        "gold": gold[at], "judge": judge[at], "weight": np.concatenate(weights), "stratum": judge[at],
    }  # fmt: skip


def _labelled(design: DrawnLabels, rng: Any) -> dict[str, Any]:
    gold, judge = responses(rng, SIZE)
    return estimated(**drawn(design, gold, judge, rng))


def simulate(design: DrawnLabels, runs: int) -> dict[str, tuple[float, float]]:
    """The shares of intervals that lie above and below the population's value, by statistic."""
    rng = np.random.default_rng(11)
    truth = {
        n: e.value for n, e in estimated(*responses(rng, 3_000_000), interval="analytic").items()
    }
    beyond = {name: np.zeros(2) for name in STATISTICS}
    for _ in range(runs):
        for name, e in _labelled(design, rng).items():
            beyond[name] += (e.low > truth[name], e.high < truth[name])
    return {name: (float(b[0]) / runs, float(b[1]) / runs) for name, b in beyond.items()}


def as_markdown(found: dict[DrawnLabels, dict[str, tuple[float, float]]], runs: int) -> str:
    """The table of the page: coverage, and how often a limit at the true QWK is decided wrongly."""
    lines = [
        f"| labels, from each stratum | {' | '.join(f'`{text}`' for text in STATISTICS)} | QWK: met | not met |",
        f"|---|{'---|' * (len(STATISTICS) + 2)}",
    ]
    for design, shares in found.items():
        held = [1 - sum(shares[text]) for text in STATISTICS] + [*shares["cohen_kappa[quadratic]"]]
        lines.append(f"| {design} | {' | '.join(f'{s:.3f}'.removeprefix('0') for s in held)} |")
    return "\n".join([*lines, "", f"{runs:,} files of 20,000 judged responses a line."])
