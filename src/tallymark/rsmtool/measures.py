"""Measures: how RSMTool compares two sequences of scores."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.error import r2, rmse
from tallymark.accuracy.standardized import Kind, smd
from tallymark.agreement.correlation import lin_ccc, pearson
from tallymark.agreement.kappa import cohen_kappa
from tallymark.tally import PairCounts, PairMoments

Floats = NDArray[np.float64]
NO_SPREAD = 1e-7
"""A standard deviation as small as this is none."""


class Standard(NamedTuple):
    """Mean and standard deviation that a score is standardized with."""

    mean: float
    sd: float

    @classmethod
    def of(cls, scores: Floats) -> "Standard":
        """Take them from scores; missing ones do not count."""
        given = scores[~np.isnan(scores)]
        return cls(_mean(given), _sd(given))

    @property
    def usable(self) -> bool:
        """Whether the scores vary."""
        return abs(self.sd) > NO_SPREAD


def measures(human: Floats, system: Floats, *, kind: Kind = "unpooled") -> dict[str, float]:
    """RSMTool's statistics of one system score, SMD among them."""
    if not human.size:
        return {"N": 0}
    numbers: dict[str, float] = {"N": human.size}
    for who, scores in (("h", human), ("sys", system)):
        numbers |= {f"{who}_mean": _mean(scores), f"{who}_sd": _sd(scores)}
        numbers |= {f"{who}_min": float(scores.min()), f"{who}_max": float(scores.max())}
    moments = PairMoments.of_scores(human, system, numbers["h_mean"])
    varied = numbers["h_min"] < numbers["h_max"] and numbers["sys_min"] < numbers["sys_max"]
    apart = np.abs(system - human)
    return numbers | {
        "corr": float(pearson(moments)) if varied else math.nan,
        "wtkappa": float(lin_ccc(moments)),
        "R2": _r2(moments),
        "kappa": _kappa(human, system),
        "exact_agr": 100 * float(np.mean(apart == 0)),
        "adj_agr": 100 * float(np.mean(apart <= 1)),
        "SMD": float(smd(moments, kind=kind)),
        "RMSE": float(rmse(moments)),
    }


def difference_of_means(
    human: Floats, system: Floats, by_human: Standard, by_system: Standard
) -> float:
    """DSM; human and system scores may be standardized with different responses."""
    if not (human.size and by_human.usable and by_system.usable):
        return math.nan
    return (_mean(system) - by_system.mean) / by_system.sd - (
        _mean(human) - by_human.mean
    ) / by_human.sd


def whole(scores: Floats) -> NDArray[np.int64]:
    """Round to whole numbers, halves to the even one."""
    return np.rint(scores).astype(np.int64)


def counts(human: Floats, system: Floats) -> tuple[NDArray[np.int64], list[int]]:
    """Confusion matrix of rounded scores, rows human, and the scores that occur."""
    first, second = whole(human), whole(system)
    labels = np.unique(np.concatenate([first, second]))
    place = np.searchsorted(labels, first) * labels.size + np.searchsorted(labels, second)
    table = np.bincount(place, minlength=labels.size**2)
    return table.reshape(labels.size, labels.size), labels.tolist()


def _kappa(human: Floats, system: Floats) -> float:
    """Unweighted kappa of rounded scores; 1 when a single score occurs."""
    table, labels = counts(human, system)
    if len(labels) == 1:
        return 1.0
    return float(cohen_kappa(PairCounts(table, np.array(labels, dtype=np.float64))))


def _r2(moments: PairMoments) -> float:
    """R2; of human scores that do not vary it is 1 when all are met and else 0."""
    if moments.n < 2:
        return math.nan
    if moments.variances[0] == 0:
        return float(moments.mean_squared_difference == 0)
    return float(r2(moments))


def _mean(scores: Floats) -> float:
    return float(scores.mean()) if scores.size else math.nan


def _sd(scores: Floats) -> float:
    return float(scores.std(ddof=1)) if scores.size > 1 else math.nan
