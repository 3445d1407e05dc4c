"""Contrasts: a number of every group beside the others, its error from influence alone.

A group's number is a function of its own sums, of those it is compared with, and of what all
groups pool. So a unit moves it in two ways: through the group it is in, which is one product for
each cell of unit and group, and through what all share, which is a few products for each group.
Nothing grows with groups times units, and nothing is resampled.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from msgspec import Struct

from tallymark.arrays import Floats, Whole
from tallymark.inference.distributions import t_quantiles, t_tails
from tallymark.inference.expansion import TINY
from tallymark.inference.multiplicity import AT_ONCE, DRAWS, joint_null
from tallymark.inference.strata import Strata

Reference = Literal["all", "rest", "first"]
"""What a group is compared with: all responses, all but its own, or the first group."""
Value = Callable[[Any, Any, Any], Any]
"""A function of the sums of a group ``[..., sums]``, of those beside it, and of the pool ``[pooled]``."""
Pool = Callable[[Any], Any]
"""What a group ``[..., sums]`` adds to what all pool ``[..., pooled]``."""
NOISE = 1e-13
"""Relative to what was subtracted: less than this is rounding error."""


class GroupCells(Struct, frozen=True, dict=True):
    """What each unit adds to each group: ``rows[cell, :]`` of a ``unit`` in a ``group``, sorted by it.

    Units are distinct responses, which occur ``times`` (of each unit), clusters or shards;
    ``size`` is the responses of a cell; of responses with design weights ``worth`` says how many of
    equal weight those of each group are worth, ``strata`` what units were drawn from.
    """

    unit: Whole
    group: Whole
    size: Floats
    rows: Floats
    times: Whole
    groups: int
    worth: Floats | None = None
    strata: Strata | None = None

    @classmethod
    def of(
        cls, unit: Whole, group: Whole, size: Floats, rows: Floats, times: Whole, groups: int
    ) -> "GroupCells":
        """Sort cells by group."""
        order = np.argsort(group, kind="stable")
        return cls(unit[order], group[order], size[order], rows[order], times, groups)

    @cached_property
    def often(self) -> Floats:
        """How often the unit of each cell occurs."""
        return self.times[self.unit].astype(np.float64)

    @cached_property
    def _starts(self) -> tuple[Whole, Whole]:
        return np.unique(self.group, return_index=True)

    def by_group(self, values: Floats) -> Floats:
        """Add up ``values[..., cell]`` within groups."""
        present, starts = self._starts
        added = np.zeros((*values.shape[:-1], self.groups))
        if present.size:
            added[..., present] = np.add.reduceat(values, starts, axis=-1)
        return added

    @cached_property
    def sums(self) -> Floats:
        """The sums of each group."""
        return self.by_group((self.rows * self.often[:, None]).T).T

    @cached_property
    def n(self) -> Floats:
        """Responses of each group."""
        return self.by_group(self.size * self.often)

    def by_unit(self, values: Floats) -> Floats:
        """Add up ``values[cell, :]`` within units."""
        columns = [np.bincount(self.unit, column, self.times.size) for column in values.T]
        return np.stack(columns, axis=1) if columns else np.zeros((self.times.size, 0))

    @cached_property
    def counted(self) -> Floats:
        """The units of each group; of clusters of unequal size, how many equal ones they are worth."""
        squares = self.by_group(self.size**2 * self.often)
        return np.asarray(self.n**2 / np.where(squares > 0, squares, 1.0))


class GroupContrast(NamedTuple):
    """A number of every group, and what moves it.

    A unit moves that of group g by ``inside`` of its cell in g and by ``across[g] @ features`` of
    the unit; ``of_group`` is the part of a cell that stems from the sums of its group.
    """

    cells: GroupCells
    values: Floats
    of_group: Floats
    inside: Floats
    across: Floats
    features: Floats


def contrast(
    value: Value, cells: GroupCells, reference: Reference, pool: Pool | None = None
) -> GroupContrast:
    """Take a statistic of every group, and by an imaginary step what each unit adds to it."""
    sums = cells.sums
    total = sums.sum(axis=0)
    references = {"all": total + 0 * sums, "rest": total - sums, "first": sums[:1] + 0 * sums}
    compared = references[reference]
    pooled = pool(sums).sum(axis=0) if pool else np.zeros(0)
    values = np.asarray(value(sums, compared, pooled), dtype=np.float64)
    inner = _slopes(lambda x: value(x, compared, pooled), sums)
    outer = _slopes(lambda x: value(sums, x, pooled), compared)
    shared = _slopes(lambda x: value(sums, compared, x), pooled, groups=cells.groups)
    undefined = np.isnan(values)  # nor has it slopes, though a quotient of rounding errors may
    inner[undefined], outer[undefined], shared[undefined] = np.nan, np.nan, np.nan
    of_group = _products(cells, inner, cells.rows)
    inside, moved_rows = of_group, cells.rows
    if reference == "rest":
        inside = of_group - _products(cells, outer, cells.rows)
    if reference == "first":
        moved_rows = np.where(cells.group[:, None] == 0, cells.rows, 0.0)
    features = [cells.by_unit(moved_rows)]
    if pool:
        moved = np.stack([np.imag(pool(s)) / TINY for s in _moved(sums)], axis=-1)
        features.append(cells.by_unit(np.einsum("cqf,cf->cq", moved[cells.group], cells.rows)))
    across = np.concatenate([outer, shared], axis=1)
    return GroupContrast(cells, values, of_group, inside, across, np.concatenate(features, axis=1))


def _moved(sums: Floats) -> Iterator[Any]:
    """The sums with an imaginary step along each of them in turn."""
    for place in range(sums.shape[-1]):
        step = np.zeros(sums.shape[-1], dtype=complex)
        step[place] = 1j * TINY
        yield sums + step


def _slopes(value: Callable[[Any], Any], sums: Floats, *, groups: int = 0) -> Floats:
    """Derivatives ``[group, sum]`` of the number of every group."""
    slopes = [np.imag(value(moved)) / TINY for moved in _moved(sums)]
    return np.stack(slopes, axis=-1) if slopes else np.zeros((groups, 0))


def _products(cells: GroupCells, weights: Floats, values: Floats) -> Floats:
    """``weights[group of the cell] @ values[cell]``, a block of cells at a time."""
    block = max(1, AT_ONCE // max(values.shape[1], 1))
    blocks = [np.zeros(0)]
    for start in range(0, cells.group.size, block):
        span = slice(start, start + block)
        blocks.append(np.einsum("cf,cf->c", weights[cells.group[span]], values[span]))
    return np.concatenate(blocks)


class Spread(NamedTuple):
    """Standard errors and degrees of freedom of a contrast; ``raw`` is the error of its draws."""

    se: Floats
    df: Floats
    raw: Floats


def spread(contrast: GroupContrast) -> Spread:
    """Standard error of the number of every group, with Welch-Satterthwaite degrees of freedom.

    The variance has a part of the units of the group, m / (m - 1) times the sum of their squared
    influences, and a part of all others. A small group may happen to hold responses that are all
    alike, such as no critical error among twelve: its part is therefore never taken for less than
    what its number of responses would have if they varied as those of all groups do.

    Welch (1947), doi:10.1093/biomet/34.1-2.28.
    """
    cells, often = contrast.cells, contrast.cells.often
    around = _products(cells, contrast.across, contrast.features[cells.unit])
    inner = cells.by_group(often * (contrast.inside + around) ** 2)
    products = (contrast.features.T * cells.times) @ contrast.features
    total = ((contrast.across @ products) * contrast.across).sum(axis=1)
    outer = total - cells.by_group(often * around**2)
    outer = np.where(outer > NOISE * total, outer, 0.0)
    n, m = cells.n if cells.worth is None else cells.worth, cells.counted
    single = n * cells.by_group(often * contrast.of_group**2)  # variance of one response
    with np.errstate(invalid="ignore", divide="ignore"):  # a group without responses, or with one
        mean = np.nansum(n * single) / np.where(np.isnan(single), 0.0, n).sum()
        missing = np.maximum(mean - single, 0.0) / n
        outside = cells.times.sum() - cells.by_group(often)
        inner_part = np.where(m > 1, (inner + missing) * m / (m - 1), np.nan)
        outer_df = np.maximum(outside - 1, 1)  # all clusters but one may have some of the group
        outer_part = outer * (outer_df + 1) / outer_df
        inner_df = np.where(missing > 0, cells.times.sum() - 1.0, m - 1)
        variance = inner_part + outer_part
        df = variance**2 / (inner_part**2 / inner_df + outer_part**2 / outer_df)
    raw = np.sqrt(inner + outer)
    unsure = ~(raw > NOISE * np.maximum(np.abs(contrast.values), 1.0)) | (df < 1)
    se = np.sqrt(variance * _design_effects(contrast))
    return Spread(np.where(unsure, np.nan, se), df, np.where(unsure, 0.0, raw))


def _design_effects(contrast: GroupContrast) -> Floats | float:
    """Variance of each group's number within strata, over that without strata."""
    strata, times = contrast.cells.strata, contrast.cells.times
    if strata is None:
        return 1.0
    moved = influences(contrast)
    unstratified = times @ moved**2
    stratified = times @ strata.spread(moved, times) ** 2
    varies = unstratified > 0
    return np.asarray(np.where(varies, stratified / np.where(varies, unstratified, 1.0), 1.0))


def p_values(contrast: GroupContrast, errors: Spread) -> Floats:
    """Two-sided p of every group's number against 0."""
    return 2 * t_tails(np.abs(contrast.values / errors.se), errors.df)


def intervals(contrast: GroupContrast, errors: Spread, level: float) -> tuple[Floats, Floats]:
    """Ends of the t interval of every group's number."""
    half = t_quantiles(level, errors.df) * errors.se
    return contrast.values - half, contrast.values + half


def joint_draws(
    contrasts: Sequence[tuple[GroupContrast, Spread]],
    *,
    draws: int = DRAWS,
    seed: int | tuple[int, int] = 0,
) -> Iterator[Floats]:
    """Draw what chance alone would give all contrasts of the same units, one after the other.

    Each draw gives every unit a random weight, as in a multiplier bootstrap; the deviates are for
    :func:`tallymark.inference.multiplicity.step_down`.
    """
    rng, times = np.random.default_rng(seed), contrasts[0][0].cells.times
    width = sum(contrast.cells.groups for contrast, _ in contrasts)
    if width * times.size <= AT_ONCE:
        moved = [
            np.where(errors.raw > 0, influences(contrast), 0.0) for contrast, errors in contrasts
        ]
        yield from joint_null(np.concatenate(moved, axis=1), times, draws=draws, seed=seed)
        return
    width = max(width, times.size, *(contrast.cells.group.size for contrast, _ in contrasts))
    block = max(1, AT_ONCE // width)
    for start in range(0, draws, block):
        weights = rng.standard_normal((min(block, draws - start), times.size)) * np.sqrt(times)
        drawn = [_drawn(contrast, errors, weights) for contrast, errors in contrasts]
        yield np.concatenate(drawn, axis=1)


def influences(contrast: GroupContrast) -> Floats:
    """By how much each unit moves the number of each group, ``[unit, group]``; for few groups."""
    moved = contrast.features @ contrast.across.T
    np.add.at(moved, (contrast.cells.unit, contrast.cells.group), contrast.inside)
    return np.asarray(moved)


def _drawn(contrast: GroupContrast, errors: Spread, weights: Floats) -> Floats:
    cells = contrast.cells
    inside = cells.by_group(weights[:, cells.unit] * contrast.inside)
    moved = inside + (weights @ contrast.features) @ contrast.across.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(errors.raw > 0, moved / errors.raw, 0.0)
