"""Sweep: pass or fail at every cut of the scale, and what each coefficient makes of it."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tallymark.agreement.chance import brennan_prediger, gwet_ac
from tallymark.agreement.kappa import cohen_kappa, fleiss_kappa
from tallymark.agreement.percent import percent_agreement
from tallymark.arrays import Floats, Whole
from tallymark.scale import Scale
from tallymark.tally import PairCounts

MOST_CUTS = 25
"""Beyond this many cuts, or on a continuous scale, cuts lie at evenly spaced quantiles."""
TWO = np.array([0.0, 1.0])
CORRECTED = {
    "cohen_kappa": cohen_kappa,
    "scott_pi": fleiss_kappa,
    "gwet_ac": gwet_ac,
    "brennan_prediger": brennan_prediger,
}
"""The coefficients that correct agreement on pass or fail for chance."""


def cuts_of(scale: Scale, gold: Floats, counts: Whole) -> Floats:
    """Return the cuts to look at: every point above the lowest, or quantiles of many scores.

    A score that reaches a cut has passed it.

    >>> cuts_of(Scale.parse("1:4"), np.array([1.0, 4]), np.array([1, 1])).tolist()
    [2.0, 3.0, 4.0]
    """
    above = np.asarray(scale.points[1:])
    if not scale.continuous and above.size <= MOST_CUTS:
        return above
    order = np.argsort(gold, kind="stable")
    share = np.cumsum(counts[order]) / counts.sum()
    wanted = np.arange(1, MOST_CUTS + 1) / (MOST_CUTS + 1)
    cuts = np.unique(gold[order[np.searchsorted(share, wanted)]])
    return np.asarray(cuts[cuts > gold.min(initial=np.inf)])


def pass_cells(first: Whole, second: Whole, cuts: int) -> Floats:
    """What each unit adds to the tables of pass and fail, given how many cuts its scores reach."""
    cells = np.zeros((first.size, cuts, 2, 2))
    unit, cut = np.ogrid[: first.size, :cuts]
    cells[unit, cut, (first[:, None] > cut) * 1, (second[:, None] > cut) * 1] = 1.0
    return cells.reshape(first.size, cuts * 4)


class Passes(Struct, frozen=True, dict=True):
    """``sums[..., :]`` of the cells of a table of pass and fail at each cut."""

    sums: NDArray[Any]

    @cached_property
    def pairs(self) -> PairCounts:
        """``counts[..., cut, i, j]``: i is 1 where the gold passes, j where the system does."""
        return PairCounts(self.sums.reshape(*self.sums.shape[:-1], -1, 2, 2), TWO)

    @cached_property
    def agreement(self) -> Floats:
        """Share of responses with the same decision, at each cut."""
        return np.asarray(percent_agreement(self.pairs))

    @cached_property
    def corrected(self) -> Mapping[str, Floats]:
        """Each chance-corrected coefficient at each cut; NaN where no decision varies."""
        return {name: np.asarray(value(self.pairs)) for name, value in CORRECTED.items()}

    def distance(self, name: str) -> Floats:
        """Mean distance of a coefficient from percent agreement over the cuts where it is defined.

        How close a coefficient stays to the agreement it corrects is the criterion of
        Yannakoudakis & Cummins (2015), doi:10.3115/v1/W15-0625. Coefficients never exceed it.
        """
        gap = self.agreement - self.corrected[name]
        defined = ~np.isnan(gap)
        with np.errstate(invalid="ignore"):  # no cut has a value
            return np.asarray(np.where(defined, gap, 0.0).sum(axis=-1) / defined.sum(axis=-1))


def prevalence(pairs: PairCounts) -> Floats:
    """Share of passing scores, the mean of that of the gold and that of the system."""
    return np.asarray(pairs.shares[..., 1])


def similarity(pairs: PairCounts) -> Floats:
    """One less the difference between the two shares of passing scores: 1 is the same share."""
    gold, system = pairs.margins
    return np.asarray(1 - np.abs(gold[..., 1] - system[..., 1]))


def always_majority(pairs: PairCounts) -> PairCounts:
    """The tables of a system that decides each cut as most of the gold does, whatever it reads."""
    gold = pairs.counts.sum(axis=-1)
    passes = (gold[..., 1] >= gold[..., 0])[..., None]
    return PairCounts(np.stack([gold * ~passes, gold * passes], axis=-1), TWO)
