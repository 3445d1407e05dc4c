"""Ranking: which systems are first, second and so on, and how far the data settle it."""

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole

Flags = NDArray[np.bool_]
DIGITS = 12
"""Draws that are equal to this many digits are ties."""


def ranks(values: Floats) -> Whole:
    """Rank systems along the last axis, the greatest first; equal ones share the better rank.

    >>> ranks(np.array([0.7, 0.9, 0.7])).tolist()
    [2, 1, 2]
    """
    filled = np.where(np.isnan(values), -np.inf, values)
    higher = filled[..., None, :] > filled[..., :, None]
    return np.asarray(1 + higher.sum(axis=-1), dtype=np.int64)


def joint_draws(
    values: Floats, influences: Floats, times: Whole, *, draws: int, seed: tuple[int, int]
) -> Floats:
    """Draws ``[draw, system]`` of values that vary together as the influence of units says.

    ``influences[system, unit]`` is known exactly, so the joint normal distribution of all systems,
    to which resamples of the units lead, needs no resample: its covariance is L'L / n^2.
    """
    size = int(times.sum())
    centred = np.nan_to_num(influences - (influences @ times)[:, None] / size)
    rows = (centred * np.sqrt(times)).T / size
    root = np.asarray(np.linalg.qr(rows, mode="r"))  # as the rows, in few of them
    deviates = np.random.default_rng(seed).standard_normal((draws, root.shape[0]))
    return np.asarray(values + deviates @ root)


def share_first(draws: Floats) -> Floats:
    """Share of the draws ``[draw, system]`` in which a system is best; ties are split."""
    rounded = np.where(np.isnan(draws), -np.inf, np.round(draws, DIGITS))
    best = rounded == rounded.max(axis=1, keepdims=True)
    return np.asarray((best / best.sum(axis=1, keepdims=True)).mean(axis=0))


def rank_bounds(better: Flags) -> tuple[Whole, Whole]:
    """Lowest and highest rank each system can have, given which ones are settled as better.

    ``better[i, j]`` says that i was settled to be better than j. If all decisions are right
    together with some probability, as after Holm's adjustment, all bounds hold with it too.
    Mogstad, Romano, Shaikh & Wilhelm (2024), doi:10.1093/restud/rdad006.

    >>> low, high = rank_bounds(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool))
    >>> low.tolist(), high.tolist()
    ([1, 1, 2], [2, 3, 3])
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


def bars(better: Flags, order: Whole) -> list[tuple[int, int]]:
    """Runs of systems in rank order within which none is settled as better than another.

    Each is the first and the last place of a run that cannot be made longer, as the bars of a
    critical-difference diagram. Demsar (2006), Journal of Machine Learning Research 7, 1-30.

    >>> bars(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool), np.arange(3))
    [(0, 1), (1, 2)]
    """
    separable = (better | better.T)[np.ix_(order, order)]
    runs, first = [], 0
    for last in range(len(order)):
        against = np.flatnonzero(separable[last, first : last + 1])
        if against.size:
            runs.append((first, last - 1))
            first += int(against[-1]) + 1
    if len(order):
        runs.append((first, len(order) - 1))
    return runs
