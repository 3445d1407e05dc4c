"""Multiplicity: p-values of several comparisons, adjusted so that any false alarm is rare."""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.inference.distributions import NORMAL

DRAWS = 4000
"""Draws from the joint null distribution: an adjusted p of .05 is known to ±.0035."""
AT_ONCE = 2_000_000
"""Numbers held at once."""


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment; undefined p-values stay undefined and do not count.

    Holm (1979), Scandinavian Journal of Statistics 6, 65-70.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    ranked = sorted((p, i) for i, p in enumerate(p_values) if not math.isnan(p))
    adjusted, highest = list(p_values), 0.0
    for place, (p, i) in enumerate(ranked):
        highest = max(highest, min(1.0, (len(ranked) - place) * p))
        adjusted[i] = highest
    return adjusted


def step_down(p_values: Sequence[float], null: Iterable[Floats]) -> list[float]:
    """Step-down max-T adjustment of two-sided p-values, given draws of their joint null.

    ``null`` yields blocks ``[draw, comparison]`` of standard normal deviates that depend on each
    other as the comparisons do. A comparison is held against the largest of the deviates that
    are no more significant than itself, so comparisons that say the same cost nothing; p-values
    from t distributions are carried over as they are. Never above Holm's adjustment, which needs
    no draws. Undefined p-values stay undefined and do not count.

    Romano & Wolf (2005), doi:10.1198/016214504000000539.

    >>> twins = np.random.default_rng(0).normal(size=(4000, 1)).repeat(2, axis=1)
    >>> [round(p, 2) for p in step_down([0.03, 0.03], [twins])], holm([0.03, 0.03])
    ([0.03, 0.03], [0.06, 0.06])
    """
    values = np.asarray(p_values, dtype=np.float64)
    defined = np.flatnonzero(~np.isnan(values))
    order = defined[np.argsort(values[defined], kind="stable")]
    reach = np.array(
        [-NORMAL.inv_cdf(p / 2) if p > 0 else math.inf for p in values[order].tolist()]
    )
    beyond, draws = np.zeros(order.size), 0
    for block in null:
        largest = np.maximum.accumulate(np.abs(block[:, order[::-1]]), axis=1)[:, ::-1]
        beyond += (largest >= reach).sum(axis=0)
        draws += len(block)
    stepped = np.maximum.accumulate(np.maximum((beyond + 1) / (draws + 1), values[order]))
    adjusted = np.array(holm(values.tolist()))
    adjusted[order] = np.minimum(adjusted[order], stepped)
    return [float(p) for p in adjusted]


def joint_null(
    influences: Floats,
    times: Whole,
    *,
    draws: int = DRAWS,
    seed: int | tuple[int, int] = 0,
) -> Iterator[Floats]:
    """Draw what chance alone would give several statistics of the same units.

    ``influences[unit, statistic]`` carry how the statistics depend on each other: each draw gives
    every unit a random weight (a Gaussian multiplier bootstrap). A statistic that no unit moves
    gets 0. Blocks are for :func:`step_down`.
    """
    size = int(times.sum())
    centred = influences - (times @ influences) / size
    rows = centred * np.sqrt(times)[:, None]
    spread = np.sqrt((rows**2).sum(axis=0))
    rows = rows / np.where(spread > 0, spread, 1.0)
    if rows.shape[0] > rows.shape[1]:  # the same distribution from fewer deviates
        rows = np.asarray(np.linalg.qr(rows, mode="r"))
    rng = np.random.default_rng(seed)
    block = max(1, AT_ONCE // max(*rows.shape, 1))
    for start in range(0, draws, block):
        yield rng.standard_normal((min(block, draws - start), rows.shape[0])) @ rows
