"""Bootstrap: resample units with replacement, which is a multinomial draw over distinct ones."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.inference.units import SHARDS, Units

CHUNK = 1_000_000
"""Numbers held at once; bounds the memory of any bootstrap to some tens of megabytes."""
SUMS = 16_000_000
"""Sums of resamples held at once, of tallies that have many."""
AT_ONCE = 250
"""Resamples of shards that are worked on together."""
KEPT = 2_000_000
"""Bytes of resamples of one set of clusters that are kept for the next tally."""
MANY_UNITS = 256
MANY_DRAWS = 1_000_000


def resamples(times: Whole, replicates: int, rng: "np.random.Generator") -> Iterator[Whole]:
    """Yield blocks of resamples, how often each unit was drawn."""
    units, size = times.size, int(times.sum())
    by_unit = size <= 4 * units  # few repeats: drawing units one by one is faster, and the same
    owner = np.repeat(np.arange(units), times) if by_unit else times
    block = max(1, CHUNK // max(units, size if by_unit else 1, 1))
    for start in range(0, replicates, block):
        count = min(block, replicates - start)
        if not by_unit:
            yield _multinomial(times, count, rng)
            continue
        drawn = owner[rng.integers(0, size, size=(count, size))]
        drawn += np.arange(count)[:, None] * units
        yield np.bincount(drawn.ravel(), minlength=count * units).reshape(count, units)


def _multinomial(times: Whole, count: int, rng: "np.random.Generator") -> Whole:
    """Draw multinomial counts; of many units by way of Poisson counts, in half the time.

    Poisson counts are multinomial given their total. Its mean is set four standard deviations
    below the size, and what is missing is drawn one by one: the result is exactly multinomial.
    """
    units, size = times.size, int(times.sum())
    if units < max(MANY_UNITS, size**0.5) or size > MANY_DRAWS:
        return rng.multinomial(size, times / size, size=count)
    drawn = rng.poisson(times * (1 - 4 / size**0.5), size=(count, units))
    missing = size - drawn.sum(axis=1)
    for row in np.flatnonzero(missing < 0):  # one of 30,000
        drawn[row], missing[row] = rng.multinomial(size, times / size), 0
    owner = np.repeat(np.arange(units), times)
    rest = owner[rng.integers(0, size, size=int(missing.sum()))]
    rest += np.repeat(np.arange(count) * units, missing)
    drawn += np.bincount(rest, minlength=count * units).reshape(count, units)
    return drawn


def _drawn(times: Whole, replicates: int, seed: tuple[int, int]) -> Iterator[NDArray[Any]]:
    """Resamples of a seed; those of clusters and shards, which many tallies share, are kept."""
    resamples_kept = None if (times != 1).any() else _kept(times.size, replicates, seed)
    if resamples_kept is None:
        yield from resamples(times, replicates, np.random.default_rng(seed))
        return
    dtype = np.float64 if times.size == SHARDS else np.int64
    for start in range(0, replicates, AT_ONCE):
        yield resamples_kept[start : start + AT_ONCE].astype(dtype)


def _kept(units: int, replicates: int, seed: tuple[int, int]) -> NDArray[np.uint8] | None:
    """Resamples of units that occur once; None where keeping them takes too much memory."""
    if units == SHARDS:
        return _of_shards(units, replicates, seed)
    return _of_clusters(units, replicates, seed) if units * replicates <= KEPT else None


def _bytes(units: int, replicates: int, seed: tuple[int, int]) -> NDArray[np.uint8]:
    """Resamples in one byte a count, which is hardly ever above 10."""
    times = np.ones(units, dtype=np.int64)
    blocks = resamples(times, replicates, np.random.default_rng(seed))
    return np.concatenate([block.astype(np.uint8) for block in blocks])


_of_shards = lru_cache(maxsize=2)(_bytes)
_of_clusters = lru_cache(maxsize=24)(_bytes)


def replicate(
    formulas: Sequence[Callable[[Any], Floats]],
    units: Units[Any],
    *,
    replicates: int,
    seed: tuple[int, int],
) -> Floats:
    """Return ``values[formula, replicate]``; all formulas see the same resamples."""
    if units.size == 0:
        return np.full((len(formulas), replicates), np.nan)
    blocks = []
    block = max(1, SUMS // max(units.width, 8 * units.held))  # large tallies are copied on the way
    for drawn in _drawn(units.times, replicates, seed):
        for start in range(0, len(drawn), block):
            tally = units.build(units.sums(drawn[start : start + block]))
            blocks.append(_values(formulas, tally))
    return np.concatenate(blocks, axis=1)


def jackknife(formulas: Sequence[Callable[[Any], Floats]], units: Units[Any]) -> Floats:
    """Return ``values[formula, unit]`` with one occurrence of the unit left out."""
    count = units.times.size
    width = count if units.rows is None else units.rows.shape[1]
    block = max(1, CHUNK // max(width, units.held))
    parts = []
    for start in range(0, count, block):
        tally = units.build(units.without_one(start, min(start + block, count)))
        parts.append(_values(formulas, tally))
    return np.concatenate(parts, axis=1) if parts else np.empty((len(formulas), 0))


def _values(formulas: Sequence[Callable[[Any], Floats]], tally: Any) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # NaN where one is undefined
        return np.stack([formula(tally) for formula in formulas])
