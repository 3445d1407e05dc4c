"""Scores for tests of intervals."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.catalogue import find
from tallymark.inference import Formula, Units
from tallymark.study.units import Rows, units_of

Floats = NDArray[np.float64]


def scores(seed: int, n: int = 60, k: int = 4) -> tuple[Floats, Floats]:
    """Two raters who often agree, on the points 1 to k."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, k + 1, n).astype(float)
    return gold, np.clip(gold + rng.integers(-1, 2, n), 1, k)


def continuous(seed: int, n: int = 60) -> tuple[Floats, Floats]:
    """Two scores that share most of their variance."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(3, 1, n)
    return gold, gold + rng.normal(0.2, 0.7, n)


def units(
    kind: str, first: Floats, second: Floats, clusters: NDArray[np.int64] | None = None
) -> Units[Any]:
    """The units of one kind of tally, on the points of the scores."""
    points = np.arange(min(first.min(), second.min()), max(first.max(), second.max()) + 1)
    both = np.stack([first, second], axis=1)
    return units_of(kind, Rows(both, np.ones(len(both), dtype=np.int64), points, clusters))


def formula(name: str) -> Formula:
    """A statistic of the catalogue."""
    return find(name)
