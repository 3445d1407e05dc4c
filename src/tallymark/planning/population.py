"""Population: score points of two scorers that agree to a given degree, before any data exist.

Two scorers see the same quality with errors, jointly normal with one correlation, and cut it into
the same points. The shares of the points are declared, or bell-shaped.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from statistics import NormalDist

import numpy as np

from tallymark.arrays import Floats

_NODES = 40
_REACH = 8.5
"""So many standard deviations out, a normal density is 0 in double precision."""


def bell(points: int) -> Floats:
    """Shares of equally wide points across -2.5 to 2.5 standard deviations.

    >>> [round(float(share), 3) for share in bell(4)]
    [0.106, 0.394, 0.394, 0.106]
    """
    normal = NormalDist()
    inner = [normal.cdf(-2.5 + 5 * i / points) for i in range(1, points)]
    return np.diff([0.0, *inner, 1.0])


def latent_table(shares: Floats, correlation: float) -> Floats:
    """Shares of every pair of points when both scorers have these margins.

    >>> latent_table(np.array([0.5, 0.5]), 0.5).round(6).tolist()
    [[0.333333, 0.166667], [0.166667, 0.333333]]
    """
    from scipy.special import ndtr

    normal = NormalDist()
    cuts = [normal.inv_cdf(float(share)) for share in np.cumsum(shares)[:-1]]
    edges = np.array([-_REACH, *cuts, _REACH])
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    rest = math.sqrt(max(1 - correlation**2, 1e-12))
    rows = []
    for low, high in pairwise(edges):
        # short pieces, for the second scorer's cut is steep where they agree closely
        pieces = np.linspace(low, high, 2 + int((high - low) / (2 * rest)))
        half = np.diff(pieces) / 2
        x = ((pieces[:-1] + half)[:, None] + half[:, None] * nodes).ravel()
        density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        inside = np.diff(ndtr((edges - correlation * x[:, None]) / rest), axis=1)
        rows.append(((half[:, None] * weights).ravel() * density) @ inside)
    table = np.array(rows)
    return np.asarray(table / table.sum())


def table_with(
    value: float, of: Callable[[Floats], float], shares: Floats, *, steps: int = 60
) -> Floats | None:
    """The table on which a statistic has a value; None where no correlation gives it."""
    low, high = 0.0, 0.9999
    if not of(latent_table(shares, low)) <= value <= of(latent_table(shares, high)):
        return None
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if of(latent_table(shares, middle)) < value else (low, middle)
    return latent_table(shares, (low + high) / 2)


def difference_sd(first: float, second: float, between: float) -> float:
    """SD of the influence on the difference of two CCCs with one gold, all three normal.

    ``between`` is the correlation of the two systems. The influence of a response on a CCC of
    standard scores is a b - c (a^2 + b^2) / 2, so that moments of the fourth order suffice.
    """
    matrix = np.array([[1.0, first, second], [first, 1.0, between], [second, between, 1.0]])
    if np.linalg.eigvalsh(matrix)[0] < -1e-12:
        return math.nan
    # the influence on first less that on second, as a quadratic form x' Q x
    form = np.zeros((3, 3))
    for system, c, sign in ((1, first, 1.0), (2, second, -1.0)):
        form[0, system] += sign / 2
        form[system, 0] += sign / 2
        form[0, 0] -= sign * c / 2
        form[system, system] -= sign * c / 2
    moved = form @ matrix
    return float(math.sqrt(max(2 * np.trace(moved @ moved), 0.0)))  # Var of x' Q x
