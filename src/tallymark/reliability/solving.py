"""As many equations as unknowns, within bounds: quick steps first, and sturdy ones where they fail."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Equations = Callable[[Floats], Floats]
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


def newton(
    off: Equations, at: Floats, low: Floats, high: Floats, slopes: Floats | None = None
) -> list[Solved | None]:
    """Solve many problems side by side by steps like Newton's, which nearly always do.

    ``at`` is where each starts, ``[problem, unknown]``; ``off`` takes further leading axes. None
    sends for a sturdier solver. ``slopes`` that are known about ``at`` spare their computation.
    """
    here, low, high = off(at), np.broadcast_to(low, at.shape), np.broadcast_to(high, at.shape)
    slopes = _slopes(off, at, here) if slopes is None else np.array(slopes)
    for _ in range(30):
        on = (np.abs(here).max(axis=1) > SOLVED) & (np.abs(np.linalg.det(slopes)) > 1e-8)
        step = np.zeros_like(at)
        moved = at[on] - np.linalg.solve(slopes[on], here[on, :, None])[..., 0]
        step[on] = np.clip(moved, low[on], high[on]) - at[on]
        on &= step.any(axis=1)
        if not on.any():
            break
        there = off(at + step)
        # Broyden: the slopes are corrected along the step rather than computed anew
        missed = (there - here)[on, :, None] - slopes[on] @ step[on, :, None]
        slopes[on] += missed * step[on, None] / (step[on] ** 2).sum(axis=1)[:, None, None]
        at, here = at + step, there
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
