"""Permutation: do two systems differ, if their scores of a response may change places?"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.defaults import LEVEL, REPLICATES
from tallymark.inference.expansion import TINY
from tallymark.inference.interval import ROUNDING

EXACT = 12
"""With this many units or fewer every way to swap is tried."""
BITS = 8
"""So many coins are thrown at once, as the bits of one byte."""
CHUNK = 2_000_000
"""Numbers held at once."""
TIE = 1e-9
"""Relative to the statistic: permutations this close to it are as far from zero."""


class Stratum(NamedTuple):
    """Responses whose statistic is taken by itself, such as those of one prompt.

    ``first[u]`` and ``second[u]`` are what unit ``at[u]`` adds to the sums of the two systems; each
    of ``values`` makes a statistic of sums, broadcasting over leading axes.
    """

    first: Floats
    second: Floats
    at: Whole
    values: Sequence[Callable[[Any], Any]]


class Swapped(NamedTuple):
    """The differences of the statistics, their p-values, and how many permutations were made.

    ``critical`` are the standard errors beyond which a difference is settled: an interval that
    reaches so far to both sides excludes 0 just where p is at most 1 - level. They are infinite where
    so few units change a statistic by being swapped that no difference is settled.
    """

    differences: list[float]
    p_values: list[float]
    critical: list[float]
    permutations: int
    exact: bool


def swap_test(
    strata: Sequence[Stratum],
    times: Whole,
    *,
    permutations: int = REPLICATES,
    seed: tuple[int, int] = (0, 0),
    studentised: bool = True,
    level: float = LEVEL,
    raised: Floats | None = None,
) -> Swapped:
    """Test differences of two systems, averaged over strata, by swapping their scores.

    The null hypothesis is that the two scores of a response are exchangeable. The statistic is the
    difference over its standard error, recomputed for every permutation: two systems may agree with
    the gold equally well and err in different ways, which a swap of plain differences would take
    for a difference too often or too seldom. All 2^n swaps are tried when there are few units, else
    p = (1 + as extreme) / (1 + permutations). A permutation without a value counts as extreme.
    ``raised`` multiplies the squared influence of a unit, as CR2 does for clusters.

    Janssen (1997), doi:10.1016/S0167-7152(97)00043-6; Phipson & Smyth (2010),
    doi:10.2202/1544-6115.1585.
    """
    size, exact = int(times.sum()), int(times.sum()) <= EXACT
    weight = (np.ones(times.size) if raised is None else raised) if studentised else None
    observed, unswapped_change, moved = _statistics(
        strata, times, np.zeros((1, times.size)), weight
    )
    widest = max((stratum.first.shape[1] for stratum in strata), default=1)
    block = max(1, CHUNK // max(times.size * 4, widest * widest))
    drawn = _swaps(times, block, permutations, seed)
    swapped = [_statistics(strata, times, swaps, weight)[0] for swaps in drawn]
    unswapped = [] if exact else [observed]  # all swaps hold the data as they are
    distances = np.abs(np.concatenate([*unswapped, *swapped], axis=1))
    distances[np.isnan(distances)] = np.inf
    extreme = (distances >= np.abs(observed) * (1 - TIE)).mean(axis=1)
    p = np.where(np.isnan(unswapped_change[:, 0]), np.nan, extreme)
    # this many may be as extreme as a difference that is settled; it lies beyond the next one
    rank = min(int((1 - level) * distances.shape[1] * (1 + TIE)), distances.shape[1] - 1)
    critical = np.sort(distances, axis=1)[:, -1 - rank] * (1 + 2 * TIE)
    # a swap and its mirror are as extreme: with few units that matter nothing settles a difference
    critical[2.0 ** (1 - moved @ times) > (1 - level) * (1 + TIE)] = np.inf
    made = 2**size if exact else permutations
    return Swapped(unswapped_change[:, 0].tolist(), p.tolist(), critical.tolist(), made, exact)


def _swaps(times: Whole, block: int, permutations: int, seed: tuple[int, int]) -> Iterator[Floats]:
    """Yield blocks of permutations: how many of each unit's occurrences are swapped."""
    size = int(times.sum())
    if size <= EXACT:
        bits = (np.arange(2**size)[:, None] >> np.arange(size)) & 1
        owner = np.repeat(np.arange(times.size), times)
        yield bits @ (owner[:, None] == np.arange(times.size)).astype(np.float64)
        return
    rng = np.random.default_rng(seed)
    often = times > BITS
    mask = np.left_shift(np.uint8(1), np.where(often, 0, times).astype(np.uint8)) - np.uint8(1)
    mask[times == BITS] = 255
    for start in range(0, permutations, block):
        count = min(block, permutations - start)
        coins = rng.integers(0, 256, (count, times.size), np.uint8) & mask
        drawn = np.bitwise_count(coins).astype(np.float64)
        if often.any():
            drawn[:, often] = rng.binomial(times[often], 0.5, (count, int(often.sum())))
        yield drawn


def _statistics(
    strata: Sequence[Stratum], times: Whole, swaps: Floats, weight: Floats | None
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return each statistic of each permutation, the plain differences, and which units move them.

    ``weight`` multiplies the squared influence of a unit; without it nothing is studentised.
    """
    number = len(strata[0].values)
    differences = np.zeros((number, len(swaps)))
    summed = [_swapped_sums(stratum, times, swaps) for stratum in strata]
    for i in range(number):
        for stratum, sums in zip(strata, summed, strict=True):
            values = np.real(stratum.values[i](sums))
            differences[i] += (values[0] - values[1]) / len(strata)
    differences[np.abs(differences) <= ROUNDING] = 0.0
    if weight is None:
        return differences, differences, np.ones((number, times.size), dtype=bool)
    studentized, moved = np.empty_like(differences), np.empty((number, times.size), dtype=bool)
    for i in range(number):
        unswapped, swapped = np.zeros_like(swaps), np.zeros_like(swaps)
        for stratum, sums in zip(strata, summed, strict=True):
            slopes, used = _slopes(stratum, stratum.values[i], sums)
            first, second = stratum.first[:, used].T, stratum.second[:, used].T
            unswapped[:, stratum.at] += slopes[0] @ first - slopes[1] @ second
            swapped[:, stratum.at] += slopes[0] @ second - slopes[1] @ first
        spread = ((times - swaps) * unswapped**2 + swaps * swapped**2) @ weight
        studentized[i] = _over(differences[i], np.sqrt(spread) / len(strata))
        by_swap = np.abs(unswapped[0] - swapped[0])
        moved[i] = by_swap > TIE * by_swap.max(initial=ROUNDING)
    return studentized, differences, moved


def _swapped_sums(stratum: Stratum, times: Whole, swaps: Floats) -> Floats:
    """Sums of both systems, along the first axis, after swapping."""
    counts = times[stratum.at].astype(np.float64)
    moved = swaps[:, stratum.at] @ (stratum.second - stratum.first)
    return np.stack([counts @ stratum.first + moved, counts @ stratum.second - moved])


def _slopes(stratum: Stratum, value: Callable[[Any], Any], sums: Floats) -> tuple[Floats, Whole]:
    """Derivatives of a statistic by those sums to which some response adds, many at once."""
    used = np.flatnonzero((stratum.first != 0).any(axis=0) | (stratum.second != 0).any(axis=0))
    slopes = np.empty((*sums.shape[:-1], used.size))
    block = max(1, CHUNK // max(sums.size, 1))
    for start in range(0, used.size, block):
        columns = used[start : start + block]
        moved = np.repeat(sums[None].astype(np.complex128), columns.size, axis=0)
        moved[np.arange(columns.size), ..., columns] += 1j * TINY
        slopes[..., start : start + block] = np.moveaxis(np.imag(value(moved)) / TINY, 0, -1)
    return slopes, used


def _over(differences: Floats, spread: Floats) -> Floats:
    """Differences in standard errors; a difference without spread is beyond all others."""
    spread = np.where(spread <= ROUNDING, 0.0, spread)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(differences == 0, 0.0, differences / spread)
