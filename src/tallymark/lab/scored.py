"""Scores on a long scale that correlate as those of a person and a machine do."""

import math

import numpy as np

from tallymark.lab.tables import Rng, Whole

LEVELS, RESPONSES, CORRELATION = 40, 1238, 0.78
SPREAD = 5.5
"""Standard deviation on the long scale."""


def scored(
    replicates: int, rng: Rng, *, lift: float = 0.0, shrink: float = 1.0
) -> tuple[Whole, Whole]:
    """Gold and system scores from 0 to 39 that correlate by .78.

    ``lift`` raises the system's scores, ``shrink`` draws them towards the middle.
    """
    common = rng.standard_normal((replicates, RESPONSES))
    independent = rng.standard_normal((replicates, RESPONSES))
    middle = (LEVELS - 1) / 2
    gold = middle + SPREAD * common
    mixed = CORRELATION * common + math.sqrt(1 - CORRELATION**2) * independent
    system = middle + lift + shrink * SPREAD * mixed
    on_scale = [np.rint(scores).clip(0, LEVELS - 1).astype(np.int64) for scores in (gold, system)]
    return on_scale[0], on_scale[1]
