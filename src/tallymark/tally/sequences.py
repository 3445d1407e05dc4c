"""Tallies of two sequences of scores, which lack none."""

import numpy as np

from tallymark.arrays import Floats
from tallymark.scale import Scale
from tallymark.tally.gaps import PARTS, GapCounts, gap_places
from tallymark.tally.moments import PairMoments


def moments_of(first: Floats, second: Floats) -> PairMoments:
    """Sum scores and products."""
    # about the middle of the gold: squares do not cancel, and sums of whole scores stay exact
    center = float(first.min() + first.max()) / 2 if first.size else 0.0
    return PairMoments.of_scores(first, second, center)


def gaps_of(first: Floats, second: Floats, scale: Scale) -> GapCounts:
    """Count how far scores lie apart, in thousandths of the range of the scale."""
    width = scale.high - scale.low
    counts = np.bincount(gap_places(first, second, width), minlength=PARTS + 1)
    return GapCounts(counts, width)
