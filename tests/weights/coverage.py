"""How often intervals hold the population's value where responses had unequal chances to be drawn."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tallymark as tm

PAGE = Path(__file__).parents[2] / "docs" / "weights.md"
START, END = "<!-- coverage -->", "<!-- end -->"
STATISTICS: dict[str, dict[str, Any]] = {
    "percent_agreement": {},
    "csrate[0.5]": {"lambda_": 0.5},
    "cohen_kappa[quadratic]": {"weights": "quadratic"},
    "pearson": {},
}
SIZE = 20_000


class Design(NamedTuple):
    """Expected responses; whether those on which people and system differ are drawn more often."""

    n: int
    by_error: bool

    def __str__(self) -> str:
        """For the page."""
        return f"{self.n}, by {'disagreement' if self.by_error else 'gold'}"


DESIGNS = [Design(n, by_error) for by_error in (False, True) for n in (60, 200, 600)]


def simulate(design: Design, runs: int) -> dict[str, float]:
    """Draw Poisson samples from one finite population; the share of intervals that hold."""
    rng = np.random.default_rng(5)
    true = rng.normal(size=SIZE)
    gold = np.clip(np.round(3 + true + 0.5 * rng.normal(size=SIZE)), 1, 5)
    system = np.clip(np.round(3 + 0.9 * true + 0.6 * rng.normal(size=SIZE)), 1, 5)
    pull = 1.5 * np.abs(gold - system) + 0.3 * gold if design.by_error else gold
    size = np.exp(0.5 * pull + 0.3 * rng.normal(size=SIZE))
    chance = np.minimum(1, design.n * size / size.sum())
    both = np.stack([gold, system], axis=1)
    names = {text: text.partition("[")[0] for text in STATISTICS}
    whole = {
        text: tm.estimate(name, both, scale="1:5", interval="analytic", **STATISTICS[text]).value
        for text, name in names.items()
    }
    held = dict.fromkeys(STATISTICS, 0)
    for run in range(runs):
        drawn = rng.random(SIZE) < chance
        for text, name in names.items():
            found = tm.estimate(
                name, both[drawn], scale="1:5", weight=1 / chance[drawn], seed=run, replicates=800,
                **STATISTICS[text],
            )  # fmt: skip
            held[text] += found.low <= whole[text] <= found.high
    return {text: count / runs for text, count in held.items()}


def as_markdown(found: dict[Design, dict[str, float]], runs: int) -> str:
    """The table of the page."""
    lines = [
        f"| responses, drawn | {' | '.join(f'`{text}`' for text in STATISTICS)} |",
        f"|---|{'---|' * len(STATISTICS)}",
    ]
    for design, shares in found.items():
        cells = " | ".join(f"{share:.3f}".removeprefix("0") for share in shares.values())
        lines.append(f"| {design} | {cells} |")
    return "\n".join([*lines, "", f"{runs:,} samples a line."])
