"""The tables of Doewes, Kurdhi & Saxena (2023), rebuilt from their printed figures."""

import numpy as np
from numpy.typing import NDArray

from tallymark.tally import PairCounts

Whole = NDArray[np.int64]
POINTS = np.arange(4.0)
OFF = np.array([[0, 51, 5, 0], [166, 0, 92, 0], [14, 98, 0, 102], [0, 4, 70, 0]])
"""Disagreements of two raters of ASAP prompt 4, common to all tables; one of several solutions."""
TABLE_1, TABLE_6, TABLE_7 = (139, 476, 404, 149), (151, 900, 82, 35), (151, 1000, 12, 5)
"""Agreements at 0, 1, 2, 3."""
REBUILT = (
    "Tables are rebuilt from printed figures, which they all meet; they are not the authors' data and "
    "not the only solution."
)


def with_diagonal(diagonal: NDArray[np.float64], replicates: int) -> PairCounts:
    """The table with these agreements, rounded so that their sum stays."""
    whole = np.floor(diagonal + 1e-9).astype(np.int64)
    left = round(float(diagonal.sum())) - int(whole.sum())
    whole[np.argsort(whole - diagonal, kind="stable")[:left]] += 1
    table = OFF + np.diag(whole)
    return PairCounts(np.stack([table] * replicates), POINTS)


def between(start: tuple[int, ...], end: tuple[int, ...], share: float) -> NDArray[np.float64]:
    """Agreements a share of the way from one table to another."""
    first, last = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    return np.asarray(first + share * (last - first))
