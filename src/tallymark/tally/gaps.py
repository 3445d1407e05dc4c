"""Gaps: how far apart the two scores of a response are, where they need not lie on points."""

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole

PARTS = 1000
"""Gaps are kept to a thousandth of the range, rounded down."""


class GapCounts(Struct, frozen=True, dict=True):
    """``counts[..., t]`` responses whose scores lie t thousandths of the range ``width`` apart."""

    counts: NDArray[Any]
    width: float

    @cached_property
    def n(self) -> Floats:
        """Responses in each tally."""
        return np.asarray(self.counts.sum(axis=-1) * 1.0)

    @property
    def paired(self) -> Floats:
        """Responses with both scores: all of them."""
        return self.n

    def __add__(self, other: "GapCounts") -> "GapCounts":
        """Tally of the responses of both."""
        return replace(self, counts=self.counts + other.counts)


def gap_places(first: Floats, second: Floats, width: float) -> Whole:
    """Whole thousandths of the range that lie between two scores; NaN stands at 0."""
    if not width > 0:
        return np.zeros(first.shape, dtype=np.int64)
    gap = (np.abs(np.nan_to_num(second - first)) + 1e-9) / width
    return np.minimum(np.floor(gap * PARTS + 1e-9), PARTS).astype(np.int64)
