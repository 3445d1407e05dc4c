"""Two normal scores and the same cuts on each: how often do they fall into the same grade?"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
NEAREST = 1 - 1e-9
"""From this correlation on both variables are one, or one is the other's opposite."""
TINY = 1e-12


def below_both(h: Floats, k: Floats, r: Floats) -> Floats:
    r"""Chance that two standard normal variables with correlation r lie below h and k.

    .. math::

        \Phi_2 = \frac{\Phi(h) + \Phi(k) - [hk < 0]}{2}
        - T\Big(h, \frac{k - rh}{h \sqrt{1 - r^2}}\Big)
        - T\Big(k, \frac{h - rk}{k \sqrt{1 - r^2}}\Big)

    with Owen's T. All arguments broadcast.

    References
    ----------
    Owen (1956), doi:10.1214/aoms/1177728074.

    Examples
    --------
    >>> below_both(np.array(0.0), np.array(0.0), np.array(0.5)).round(6).item()
    0.333333
    """
    from scipy.special import ndtr, owens_t

    h, k = np.where(np.abs(h) < TINY, TINY, h), np.where(np.abs(k) < TINY, TINY, k)
    kept = np.clip(r, -NEAREST, NEAREST)
    rest = np.sqrt((1 - kept) * (1 + kept))
    apart = owens_t(h, (k - kept * h) / (h * rest)) + owens_t(k, (h - kept * k) / (k * rest))
    below, beyond = ndtr(h), ndtr(k)
    usual = (below + beyond - (h * k < 0)) / 2 - apart
    aligned, opposite = np.minimum(below, beyond), np.maximum(below + beyond - 1, 0.0)
    ends = np.where(r > 0, aligned, opposite)
    return np.asarray(np.where(np.abs(r) >= NEAREST, ends, usual))


def same_grade(first: Floats, second: Floats, r: Floats) -> Floats:
    """Chance that both variables fall between the same two cuts.

    ``first[..., cut]`` and ``second[..., cut]`` are the cuts, ascending, in standard units of each
    variable, and ``r[...]`` is their correlation.

    >>> same_grade(np.array([0.0]), np.array([0.0]), np.array(0.5)).round(6).item()
    0.666667
    """
    from scipy.special import ndtr

    r = np.asarray(r)[..., None]
    at = below_both(first, second, r)
    here, there = ndtr(first), ndtr(second)
    lower = below_both(first[..., :-1], second[..., 1:], r)
    upper = below_both(first[..., 1:], second[..., :-1], r)
    lowest, highest = at[..., 0], 1 - here[..., -1] - there[..., -1] + at[..., -1]
    between = at[..., 1:] + at[..., :-1] - lower - upper
    return np.asarray(lowest + between.sum(axis=-1) + highest)
