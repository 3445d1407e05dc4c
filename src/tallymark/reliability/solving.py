"""As many equations as unknowns, within bounds: quick steps first, and sturdy ones where they fail."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Equations = Callable[[Floats], Floats]
NUDGE = 1e-6
SOLVED = 1e-11
LITTLE = 1e-5
"""A step that lowers the sum of squares by less than this share is the last."""
MOST_STEPS = 60
"""Of the sturdy solver."""


def newton(off: Equations, at: Floats, low: Floats, high: Floats) -> Floats | None:
    """Solve by steps like Newton's, which nearly always do; None sends for a sturdier solver."""
    here = off(at)
    slopes = _slopes(off, at, here)
    for _ in range(30):
        if np.abs(here).max() <= SOLVED:
            return at
        if not abs(np.linalg.det(slopes)) > 1e-8:
            return None
        step = np.clip(at - np.linalg.solve(slopes, here), low, high) - at
        if not step.any():
            return None
        there = off(at + step)
        # Broyden: the slopes are corrected along the step rather than computed anew
        slopes += np.outer(there - here - slopes @ step, step) / (step @ step)
        at, here = at + step, there
    return None


def damped(off: Equations, at: Floats, low: Floats, high: Floats, *, near: float) -> Floats | None:
    """Solve by least squares whose steps are shortened until they help; None beyond ``near``.

    Marquardt (1963), doi:10.1137/0111030. What is at a bound, and would leave it, stays.
    """
    here, damping = off(at), 1e-3
    for _ in range(MOST_STEPS):
        slopes = _slopes(off, at, here)
        down = slopes.T @ here
        slopes[:, ((at <= low) & (down > 0)) | ((at >= high) & (down < 0))] = 0
        squares, down = slopes.T @ slopes, slopes.T @ here
        size = np.diag(np.diag(squares) + 1e-12)
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
    return at if np.abs(here).max() <= near else None


def _slopes(off: Equations, at: Floats, here: Floats) -> Floats:
    moves = NUDGE * np.eye(at.size)
    return np.stack([(off(at + move) - here) / NUDGE for move in moves], axis=1)
