"""As many equations as unknowns, within bounds: quick steps first, and sturdy ones where they fail."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.arrays import Floats

Problems = NDArray[np.integer[Any]]
Equations = Callable[[Floats], Floats]
Beside = Callable[[Floats, Problems], Floats]
"""Those of several problems side by side, some of which are asked for."""
NUDGE = 1e-6
SOLVED = 1e-11
LITTLE = 1e-5
"""A step that lowers the sum of squares by less than this share is the last."""
MOST_STEPS = 60
"""Limits of the sturdy solver."""


class Solved(NamedTuple):
    """Where the equations hold, and how they change about there."""

    at: Floats
    slopes: Floats


def solve(
    off: Beside, at: Floats, low: Floats, high: Floats, *, near: float
) -> list[Solved | None]:
    """Solve many problems side by side, and those that quick steps do not by sturdy ones."""
    made = newton(off, at, low, high)
    low, high = np.broadcast_to(low, at.shape), np.broadcast_to(high, at.shape)
    return [
        fit or damped(_alone(off, i), at[i], low[i], high[i], near=near)
        for i, fit in enumerate(made)
    ]


def _alone(off: Beside, i: int) -> Equations:
    return lambda at: off(at, np.array(i))


def newton(
    off: Beside, at: Floats, low: Floats, high: Floats, slopes: Floats | None = None
) -> list[Solved | None]:
    """Solve many problems side by side by steps like Newton's, which nearly always do.

    ``at`` is where each starts, ``[problem, unknown]``; ``off`` takes further leading axes, and which
    of the problems it is asked for. None sends for a sturdier solver. ``slopes`` that are known
    about ``at`` spare their computation.
    """
    every = np.arange(len(at))
    at, here = at.copy(), off(at, every)
    low, high = np.broadcast_to(low, at.shape), np.broadcast_to(high, at.shape)
    slopes = _slopes(lambda x: off(x, every), at, here) if slopes is None else np.array(slopes)
    on = every
    for _ in range(30):
        apart = np.abs(here[on]).max(axis=1) > SOLVED
        on = on[apart & (np.abs(np.linalg.det(slopes[on])) > 1e-8)]
        moved = at[on] - np.linalg.solve(slopes[on], here[on, :, None])[..., 0]
        step = np.clip(moved, low[on], high[on]) - at[on]
        moves = step.any(axis=1)
        on, step = on[moves], step[moves]
        if not on.size:
            break
        there = off(at[on] + step, on)
        # Broyden: the slopes are corrected along the step rather than computed anew
        missed = (there - here[on])[:, :, None] - slopes[on] @ step[:, :, None]
        slopes[on] += missed * step[:, None] / (step**2).sum(axis=1)[:, None, None]
        at[on], here[on] = at[on] + step, there
    solved = np.abs(here).max(axis=1) <= SOLVED
    return [Solved(at[i], slopes[i]) if done else None for i, done in enumerate(solved)]


def damped(off: Equations, at: Floats, low: Floats, high: Floats, *, near: float) -> Solved | None:
    """Solve by least squares whose steps are shortened until they help; None beyond ``near``.

    Where many places solve them, as for true scores of two points, it is one near the start. What
    is at a bound, and would leave it, stays. Levenberg (1944), doi:10.1090/qam/10666.
    """
    here, damping = off(at), 1e-6
    for _ in range(MOST_STEPS):
        slopes = _slopes(off, at, here)
        down = slopes.T @ here
        slopes[:, ((at <= low) & (down > 0)) | ((at >= high) & (down < 0))] = 0
        squares, down = slopes.T @ slopes, slopes.T @ here
        size = np.eye(at.size)
        while damping < 1e12:
            step = np.clip(at - np.linalg.solve(squares + damping * size, down), low, high) - at
            there = off(at + step)
            if there @ there < here @ here:
                break
            damping *= 4
        else:
            break
        gain = 1 - (there @ there) / (here @ here)
        at, here, damping = at + step, there, damping / 9
        if np.abs(here).max() <= SOLVED or gain < LITTLE:
            break
    return Solved(at, slopes) if np.abs(here).max() <= near else None


def _slopes(off: Equations, at: Floats, here: Floats) -> Floats:
    """By equation and unknown, of every problem."""
    moves = NUDGE * np.eye(at.shape[-1]).reshape(-1, *[1] * (at.ndim - 1), at.shape[-1])
    return np.moveaxis((off(at + moves) - here) / NUDGE, 0, -1)
