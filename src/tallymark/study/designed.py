"""Designed: how responses that are given in Python were drawn: clusters, design weights, strata."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike, NDArray

from tallymark.arrays import Floats, Whole
from tallymark.errors import DataError, OptionError
from tallymark.inference.strata import Strata
from tallymark.sources.roles import NO_WEIGHT
from tallymark.sources.weighing import check_strata
from tallymark.study.rows import Rows
from tallymark.tally.arrays import sequence

Given = Sequence[object] | NDArray[Any]


def with_design(
    rows: Rows,
    cluster: Given | None,
    weight: ArrayLike | None,
    stratum: Given | None,
    *,
    of_table: bool,
) -> Rows:
    """Rows with the cluster, the design weight and the stratum of each response."""
    for name, given in (("cluster", cluster), ("weight", weight), ("stratum", stratum)):
        if given is not None and of_table:
            raise OptionError(f"{name}= needs ratings, one row a response; a table has none")
    if cluster is not None:
        rows = replace(rows, clusters=_codes("cluster", cluster, len(rows.scores))[1])
    if stratum is not None and weight is None:
        raise OptionError(NO_WEIGHT.replace("--", ""))
    return rows if weight is None else _weighted(rows, weight, stratum)


def _codes(name: str, given: Given, size: int) -> tuple[list[str], Whole]:
    """The distinct texts, and which of them each response has."""
    if len(given) != size:
        raise DataError(f"{name}= has {len(given)} entries for {size} responses")
    labels, codes = np.unique(np.asarray([str(text) for text in given]), return_inverse=True)
    return labels.tolist(), codes.astype(np.int64)


def _weighted(rows: Rows, weight: ArrayLike, stratum: Given | None) -> Rows:
    weights = sequence(weight, "weight")
    if weights.size != len(rows.scores):
        raise DataError(f"weight= has {weights.size} entries for {len(rows.scores)} responses")
    if not (np.isfinite(weights) & (weights > 0)).all():
        raise DataError("weight= must hold numbers above 0")
    if np.ptp(weights) == 0:
        return rows
    return replace(rows, weights=weights, strata=_strata(weights, stratum))


def _strata(weights: Floats, stratum: Given | None) -> Strata | None:
    if stratum is None:
        return None
    names, codes = _codes("stratum", stratum, weights.size)
    strata = Strata.of(codes, len(names), np.ones(codes.size), weights)
    check_strata(names, strata.drawn)
    return strata
