"""Bootstrap: resample units with replacement, which is a multinomial draw over distinct ones."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference.units import Units

Floats = NDArray[np.float64]
CHUNK = 4_000_000
"""Numbers held at once; bounds the memory of any bootstrap to some tens of megabytes."""


def resamples(
    times: NDArray[np.int64], replicates: int, rng: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield blocks of resamples, how often each unit was drawn."""
    units, size = times.size, int(times.sum())
    by_unit = size <= 4 * units  # few repeats: drawing units one by one is faster, and the same
    owner = np.repeat(np.arange(units), times) if by_unit else times / size
    block = max(1, CHUNK // max(units, size if by_unit else 1, 1))
    for start in range(0, replicates, block):
        count = min(block, replicates - start)
        if not by_unit:
            yield rng.multinomial(size, owner, size=count)
            continue
        drawn = owner[rng.integers(0, size, size=(count, size))]
        drawn += np.arange(count)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=count * units).reshape(count, units)


def replicate(
    formulas: Sequence[Callable[[Any], Floats]],
    units: Units[Any],
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """Return ``values[formula, replicate]``; all formulas see the same resamples."""
    if units.size == 0:
        return np.full((len(formulas), replicates), np.nan)
    blocks = []
    for weights in resamples(units.times, replicates, rng):
        tally = units.build(units.sums(weights))
        blocks.append(np.stack([formula(tally) for formula in formulas]))
    return np.concatenate(blocks, axis=1)


def jackknife(formulas: Sequence[Callable[[Any], Floats]], units: Units[Any]) -> Floats:
    """Return ``values[formula, unit]`` with one occurrence of the unit left out."""
    count = units.times.size
    width = count if units.rows is None else units.rows.shape[1]
    block = max(1, CHUNK // max(width, 1))
    parts = []
    for start in range(0, count, block):
        tally = units.build(units.without_one(start, min(start + block, count)))
        parts.append(np.stack([formula(tally) for formula in formulas]))
    return np.concatenate(parts, axis=1) if parts else np.empty((len(formulas), 0))
