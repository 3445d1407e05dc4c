"""Raters: how many make a reliability. Reference: Spearman (1910), Brown (1910)."""

import math


def needed(target: float, single: float) -> int | None:
    """Raters whose mean has the reliability ``target`` when one has ``single``.

    k = target (1 - single) / (single (1 - target)). None where one rater tells nothing.

    >>> needed(0.9, 0.7)
    4
    """
    if not single > 0:
        return None
    if single >= 1:
        return 1
    return max(1, math.ceil(target * (1 - single) / (single * (1 - target)) - 1e-9))


def reliability(raters: int, single: float) -> float:
    """Reliability of the mean of several raters (Spearman-Brown).

    >>> round(reliability(4, 0.7), 3)
    0.903
    """
    return raters * single / (1 + (raters - 1) * single)
