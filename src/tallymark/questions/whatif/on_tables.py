"""Statistics of a table of gold and system: moved, as functions of it, or as it is."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tallymark.catalogue import BY_NAME, find
from tallymark.inference import Settings
from tallymark.results import Estimate
from tallymark.study.measured import estimate_by_tally, units_by_tally
from tallymark.study.rows import Rows
from tallymark.tally import PairCounts, PairMoments


def on_table(text: str) -> Callable[[PairCounts], Any] | None:
    """A statistic as a function of a table; None where a table does not have what it needs."""
    formula = find(text)
    tallies = BY_NAME[formula.name].tallies
    if {"table", "cells"} & {*tallies} and formula.tally in ("", "table", "cells"):
        return formula.value
    if "moments" in tallies:
        return lambda pairs: formula.value(_moments(pairs))
    return None


def _moments(pairs: PairCounts) -> PairMoments:
    """The moments of the scores, each at its point."""
    first, second = (
        side.ravel() for side in np.meshgrid(pairs.points, pairs.points, indexing="ij")
    )
    center = float(pairs.points.mean())
    cells = pairs.counts.reshape(*pairs.counts.shape[:-2], first.size)
    return PairMoments.of(first - center, second - center, cells, center)


def unmoved(rows: Rows, asked: Sequence[str], settings: Settings) -> dict[str, Estimate]:
    """The statistics of scores as they are, with the intervals that `evaluate` gives them."""
    formulas = {text: find(text) for text in asked if on_table(text) is not None}
    units = units_by_tally([*formulas.values()], rows)
    made = estimate_by_tally([*formulas.values()], units, settings, "")
    return dict(zip(formulas, made, strict=True))
