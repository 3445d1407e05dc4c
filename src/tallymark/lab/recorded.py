"""How often intervals hold the true value: as recorded, or simulated for a user's function."""

import csv
import math
from functools import cache
from importlib.resources import files

import numpy as np

from tallymark.lab.contenders import Contender
from tallymark.simulation.margins import apportioned, joint
from tallymark.tally import PairCounts

POPULATION = joint([1, 1, 1, 1], [1, 1, 1.2, 1.2], agreement=0.6)
RESPONSES, SAMPLES, RESAMPLES, LARGE = 200, 100, 200, 100_000


def recorded(name: str) -> float:
    """The lowest recorded coverage with 200 responses; NaN where none is recorded."""
    return _table().get(name, math.nan)


@cache
def _table() -> dict[str, float]:
    """The rows of coverage.csv, which is written from docs/coverage.md."""
    text = files("tallymark.lab").joinpath("coverage.csv").read_text("utf-8")
    return {row["statistic"]: float(row["lowest"]) for row in csv.DictReader(text.splitlines())}


def simulated(entry: Contender, seed: int) -> float:
    """The share of percentile intervals, of resampled responses, that hold the true value."""
    points = np.arange(4.0)
    cells = POPULATION.ravel()
    truth = float(entry.value(PairCounts(apportioned(LARGE, cells).reshape(1, 4, 4), points))[0])
    rng = np.random.default_rng(seed)
    samples = rng.multinomial(RESPONSES, cells, size=SAMPLES)
    held = 0
    for sample in samples:
        again = rng.multinomial(RESPONSES, sample / RESPONSES, size=RESAMPLES)
        low, high = np.nanquantile(
            entry.value(PairCounts(again.reshape(-1, 4, 4), points)), [0.025, 0.975]
        )
        held += bool(low <= truth <= high)
    return held / SAMPLES
