"""Folds: responses of one candidate together, each score in every fold as far as it goes."""

import hashlib

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
FOLDS = 5
DIGITS = 10
"""Decimals of a gold: .1 + .2 is the point .3."""
_LEVELS = 6
"""Different scores that are dealt out one by one; more are put together."""


def generator(seed: int, *labels: str) -> np.random.Generator:
    """Random numbers of a part of the data, whatever other parts there are."""
    digest = hashlib.sha256("\x1f".join([str(seed), *labels]).encode("utf-8", "surrogatepass"))
    return np.random.default_rng(int.from_bytes(digest.digest()[:8], "little"))


def levels(gold: NDArray[np.float64]) -> Ints:
    """Scores as whole numbers; where they are many, in groups of about the same size."""
    values, codes = np.unique(gold, return_inverse=True)
    if values.size <= _LEVELS:
        return codes
    ends = np.quantile(gold, np.linspace(0, 1, _LEVELS + 1)[1:-1])
    return np.searchsorted(ends, gold, side="right")


def as_they_come(units: Ints) -> Ints:
    """Number units in the order in which they first occur.

    >>> as_they_come(np.array([7, 3, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    _, first, unit = np.unique(units, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[unit]


def deal(strata: Ints, parts: Ints, units: Ints, folds: int, random: np.random.Generator) -> Ints:
    """Deal responses to folds: a unit in one of them, each stratum and part over all.

    Large units come first, then those of rare strata; each goes to the fold that has least of its
    strata, then of its parts, then of all.
    """
    unit = as_they_come(units)
    sizes = np.bincount(unit)
    order = random.permutation(sizes.size)
    rarest = np.full(sizes.size, strata.size)
    np.minimum.at(rarest, unit, np.bincount(strata)[strata])
    order = order[np.lexsort((rarest[order], -sizes[order]))]
    members = np.split(np.argsort(unit, kind="stable"), np.cumsum(sizes)[:-1])
    of_stratum = np.zeros((folds, int(strata.max(initial=0)) + 1))
    of_part = np.zeros((folds, int(parts.max(initial=0)) + 1))
    dealt = np.zeros(strata.size, np.int64)
    for each in order:
        rows = members[each]
        there = of_stratum[:, strata[rows]].sum(axis=1), of_part[:, parts[rows]].sum(axis=1)
        fold = int(np.lexsort((of_part.sum(axis=1), there[1], there[0]))[0])
        dealt[rows] = fold
        np.add.at(of_stratum[fold], strata[rows], 1)
        np.add.at(of_part[fold], parts[rows], 1)
    return dealt
