"""Representing: the scores of a cell by a few that have their number, means and covariances.

A cell holds responses that are alike but for continuous scores, which lie in one interval each.
Of n responses with means m and covariances C = sum of a a' over d axes, 2d or more become pairs
m + f a and m - f a, each k = n // 2d times with f = sqrt(n / 2k), and m for what is left over; fewer
by n scores m + sqrt(n) H a with orthonormal contrasts H. No score moves to another point of the scale.
Sums are of whole numbers, so that they do not depend on the order of the rows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats, Whole
from tallymark.sources.cells import ScoreCells

Arrays = Mapping[str, NDArray[Any]]
FINE = 1 << 24
"""Into so many parts an interval is divided before scores are added up."""


def summed_cells(cells: ScoreCells, same: Sequence[str], rows: str) -> str:
    """Write the query of cells: the columns that are ``same`` within one, and sums of the others."""
    wide, names = [*cells.grids], ", ".join(same)
    made = [f"{grid.interval(f's{i}')} AS g{i}" for i, grid in cells.grids.items()]
    made += [f"floor({grid.place(f's{i}')}) AS f{i}" for i, grid in cells.grids.items()]
    fine = [
        f"CAST(round(({grid.place(f's{i}')} - f{i}) * {FINE}) AS BIGINT) AS y{i}"
        for i, grid in cells.grids.items()
    ]
    sums = ["CAST(sum(n) AS BIGINT) AS n"]
    for j, i in enumerate(wide):
        grid = cells.grids[i]
        sums.append(f"min({grid.start}) AS a{i}, min({grid.width}) AS w{i}, min(f{i}) AS f{i}")
        sums.append(f"CAST(sum(n * y{i}) AS DOUBLE) AS t{i}")
        sums += [f"CAST(sum(n * y{i} * y{k}) AS DOUBLE) AS q{i}_{k}" for k in wide[j:]]
    groups = ", ".join([names, *(f"g{i}" for i in wide)])
    return (
        f"SELECT {names}, {', '.join(sums)} FROM (SELECT *, {', '.join(fine)} FROM "
        f"(SELECT *, {', '.join(made)} FROM ({rows}))) GROUP BY {groups}"
    )


def represented(cells: ScoreCells, arrays: Arrays, same: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The rows that stand for the scores of all cells, as if they had been read."""
    wide, n = [*cells.grids], arrays["n"].astype(np.int64)
    start, width, place, total = (
        np.stack([_filled(arrays[f"{name}{i}"]) for i in wide], axis=1) for name in "awft"
    )
    parts = np.array([1 << grid.level for grid in cells.grids.values()], dtype=np.float64)
    within, unit = total / n[:, None] / FINE, width / parts
    means = start + (place + within) * unit
    covariances = np.zeros((n.size, len(wide), len(wide)))
    for j, i in enumerate(wide):
        for k, other in enumerate(wide[j:], start=j):
            square = _filled(arrays[f"q{i}_{other}"]) / n / FINE**2 - within[:, j] * within[:, k]
            covariances[:, j, k] = np.nan_to_num(square * unit[:, j] * unit[:, k])
            covariances[:, k, j] = covariances[:, j, k]
    cell, times, away = _standing(n, _axes(covariances))
    room = _room(means, start, width, place // parts, [bool(g.least) for g in cells.grids.values()])
    share = np.ones_like(means)  # of each score by itself, so that the others keep their variances
    with np.errstate(divide="ignore", invalid="ignore"):
        np.minimum.at(share, cell, np.nan_to_num(room[cell] / np.abs(away), nan=1.0))
    scores = means[cell] + away * share[cell]
    same_columns = {name: arrays[name][cell] for name in same}
    return {**same_columns, **{f"s{i}": scores[:, j] for j, i in enumerate(wide)}, "n": times}


def _room(
    means: Floats, start: Floats, width: Floats, point: Floats, free: Sequence[bool]
) -> Floats:
    """How far each score of a cell may lie from its mean: within its point, or the range of all."""
    low = np.where(free, start, start + point * width)
    high = np.where(free, np.nanmax(means, axis=0, initial=-np.inf), low + width)
    return np.asarray(np.maximum(np.minimum(high - means, means - low), 0.0) * (1 - 1e-6))


def _filled(column: NDArray[Any]) -> Floats:
    return np.asarray(np.ma.filled(column.astype(np.float64), np.nan))


def _axes(covariances: Floats) -> Floats:
    """Axes ``[cell, axis, score]`` whose squares add up to the covariances, the longest last."""
    values, vectors = np.linalg.eigh(covariances)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0))[:, None]).transpose(0, 2, 1))


def _standing(n: Whole, axes: Floats) -> tuple[Whole, Whole, Floats]:
    """Rows that stand for cells: which cell, how often, and how far from its means."""
    number = axes.shape[1]
    each = n // (2 * number)
    cell, axis = np.nonzero(np.broadcast_to(each[:, None] > 0, axes.shape[:2]))
    away = np.sqrt(n[cell] / (2 * each[cell]))[:, None] * axes[cell, axis]
    rest = np.where(each > 0, n - 2 * number * each, 0)
    left = np.flatnonzero(rest)
    made = [
        (cell, each[cell], away),
        (cell, each[cell], -away),
        (left, rest[left], np.zeros((left.size, axes.shape[2]))),
    ]
    for size in range(1, 2 * number):
        few = np.flatnonzero(n == size)
        contrasts = np.sqrt(size) * _contrasts(size)[:, :number]
        known = axes[few, ::-1][:, : size - 1]
        scores = np.einsum("pr,crs->cps", contrasts, known)
        made.append(
            (
                np.repeat(few, size),
                np.ones(few.size * size, np.int64),
                scores.reshape(-1, axes.shape[2]),
            )
        )
    cells, times, steps = (np.concatenate(parts) for parts in zip(*made, strict=True))
    return cells, times, steps


def _contrasts(size: int) -> Floats:
    """Orthonormal columns that add up to 0, as Helmert has them: ``[size, size - 1]``."""
    made = np.zeros((size, size - 1))
    for column in range(1, size):
        made[:column, column - 1] = 1.0
        made[column, column - 1] = -float(column)
        made[:, column - 1] /= np.sqrt(column * (column + 1))
    return made
