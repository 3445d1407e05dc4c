"""Two scores whose margins are set, and their agreement with them."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.defaults import SEED
from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.signatures import typed
from tallymark.tally.arrays import matrix, sequence

Errors = Literal["near", "anywhere"]
STEEPEST = 4.0
"""Beyond this slope tables are blended with the limit that they tend to."""


MOST = 1_000_000_000
"""More responses than this are no simulation that ends."""


@typed
def joint(
    gold: Sequence[float],
    system: Sequence[float],
    *,
    agreement: float,
    errors: Errors = "near",
) -> Floats:
    r"""Return the shares of a table, rows gold, with these margins and this exact agreement.

    .. math:: p_{ij} = a_i\, b_j\, e^{-t\, d_{ij}}

    with a and b such that the margins are as set (iterative proportional fitting) and t such that
    the diagonal sums to ``agreement``. d is the distance in points for ``errors="near"``, where
    large errors are rarer than small ones, and 1 off the diagonal for ``"anywhere"``. As t grows,
    the table tends to the one that puts both scores in the same order, or to the one with the most
    agreement. Margins need not sum to 1. An agreement below that of independent scores, or above
    that of this limit, is refused.

    >>> table = joint([2, 5, 3], [3, 4, 3], agreement=0.7)
    >>> [round(float(share), 3) for share in (table.trace(), table[0].sum(), table[:, 0].sum())]
    [0.7, 0.2, 0.3]
    """
    if errors not in ("near", "anywhere"):
        raise OptionError(f"errors must be near or anywhere, got {errors!r}")
    rows = checked_shares(gold, len(gold), "gold")
    columns = checked_shares(system, len(gold), "system")
    points = np.arange(rows.size)
    steps = np.abs(points[:, None] - points)
    distance = steps * 1.0 if errors == "near" else (steps > 0) * 1.0
    limit = _in_order(rows, columns) if errors == "near" else _most_equal(rows, columns)
    least, greatest = float(rows @ columns), float(limit.trace())
    if not least - 1e-9 <= agreement <= greatest + 1e-9:
        raise OptionError(
            f"agreement must lie between {least:.4g}, that of independent scores, and {greatest:.4g}, "
            f"the most that these margins allow with errors={errors!r}, got {agreement:g}"
        )
    steepest = _raked(np.exp(-STEEPEST * distance), rows, columns)
    if agreement >= steepest.trace():
        lacking = greatest - steepest.trace()
        share = (agreement - steepest.trace()) / lacking if lacking > 1e-12 else 1.0
        return np.asarray((1 - share) * steepest + share * limit)
    low, high = 0.0, STEEPEST
    for _ in range(60):
        steep = (low + high) / 2
        table = _raked(np.exp(-steep * distance), rows, columns)
        low, high = (steep, high) if table.trace() < agreement else (low, steep)
    return table


@typed
def pairs(
    n: int, table: Floats, *, scale: Scale | str | Iterable[object], seed: int = SEED
) -> tuple[Floats, Floats]:
    """Draw n gold scores and system scores with the shares of a table, rows gold.

    >>> gold, system = pairs(2000, joint([1, 1], [3, 2], agreement=0.8), scale="0:1", seed=7)
    >>> round(float((gold == system).mean()), 2)
    0.8
    """
    points = np.asarray(Scale.of(scale).points)
    shares = matrix(table, "table")
    if shares.shape != (points.size, points.size):
        raise OptionError(
            f"the table must be {points.size} x {points.size}, as the scale has {points.size} "
            f"points, got {' x '.join(map(str, shares.shape))}"
        )
    check_whole("n", n, 1)
    check_whole("seed", seed, 0)
    cells = checked_shares(shares.ravel().tolist(), shares.size, "table")
    drawn = np.random.default_rng(seed).choice(cells.size, size=n, p=cells)
    first, second = np.divmod(drawn, points.size)
    return points[first], points[second]


def check_whole(name: str, value: int, least: int) -> None:
    """Refuse numbers of responses and seeds that cannot be."""
    if value < least:
        raise OptionError(f"{name} must be a whole number of {least} or more, got {value}")
    if name != "seed" and value > MOST:
        raise OptionError(f"{name} must be at most {MOST:,}, got {value:,}")


def checked_shares(shares: Sequence[float], size: int, called: str) -> Floats:
    """Return frequencies that sum to 1."""
    frequencies = sequence(shares, called)
    if frequencies.size != size:
        raise OptionError(
            f"{called} needs one number per scale point, {size}, got {frequencies.size}"
        )
    if not (frequencies.size and (frequencies >= 0).all() and 0 < frequencies.sum() < math.inf):
        raise OptionError(f"{called} must be 0 or more and not all 0, got {frequencies.tolist()}")
    return np.asarray(frequencies / frequencies.sum())


def apportioned(n: int, shares: Floats) -> Whole:
    """Whole numbers that sum to n and lie nearest to the shares: largest remainders.

    >>> apportioned(10, np.array([0.25, 0.25, 0.5])).tolist()
    [3, 2, 5]
    """
    exact = n * shares
    counts = np.floor(exact + 1e-9).astype(np.int64)
    left = n - int(counts.sum())
    counts[np.argsort(counts - exact, kind="stable")[:left]] += 1
    return counts


def _raked(table: Floats, rows: Floats, columns: Floats) -> Floats:
    """Scale rows and columns in turn until both margins are as set."""
    for _ in range(2000):
        table = table * _ratio(rows, table.sum(axis=1))[:, None]
        table = table * _ratio(columns, table.sum(axis=0))
        if np.abs(table.sum(axis=1) - rows).max() < 1e-12:
            break
    return table


def _in_order(rows: Floats, columns: Floats) -> Floats:
    """The table of two scores that put the responses in the same order."""
    below = np.minimum.outer(np.cumsum(rows), np.cumsum(columns))
    return np.diff(np.diff(below, axis=0, prepend=0.0), axis=1, prepend=0.0).clip(min=0.0)


def _most_equal(rows: Floats, columns: Floats) -> Floats:
    """The table with the most agreement; what is left of the margins is independent."""
    common = np.minimum(rows, columns)
    row_rest, column_rest = rows - common, columns - common
    left = max(float(row_rest.sum()), 1e-300)
    return np.diag(common) + np.outer(row_rest, column_rest) / left


def _ratio(wanted: Floats, present: Floats) -> Floats:
    return np.divide(wanted, present, out=np.zeros_like(wanted), where=present > 0)
