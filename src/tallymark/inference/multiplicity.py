"""Multiplicity: p-values of several comparisons, adjusted so that any false alarm is rare."""

import math
from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment; undefined p-values stay undefined and do not count.

    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if not math.isnan(p))
    adjusted, highest = list(p_values), 0.0
    for place, (p, i) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - place) * p))
        adjusted[i] = highest
    return adjusted
