"""No worse than a second human? An upper bound on the difference of two rates of critical errors.

Both rates are against the same first score, on the same responses. A McNemar test that finds
nothing is no evidence of "no worse": only an upper bound below a margin declared beforehand is.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from tallymark.defaults import DELTA
from tallymark.errors import DataError, OptionError
from tallymark.inference.distributions import NORMAL
from tallymark.selective.bounds import lower, upper


class NoWorse(Struct, frozen=True):
    """Critical errors of machine and human, the bound on their difference, and the answer.

    ``difference`` is machine minus human; ``upper`` its one-sided bound at level 1 - delta.
    ``machine_only`` and ``human_only`` count the responses on which one of the two erred.
    """

    n: int
    machine_rate: float
    human_rate: float
    machine_only: int
    human_only: int
    difference: float
    upper: float
    margin: float
    delta: float
    method: str

    @property
    def shown(self) -> bool:
        """Whether the machine is shown to be no worse, up to the margin."""
        return self.upper < self.margin


def no_worse(
    machine: ArrayLike,
    human: ArrayLike,
    *,
    margin: float,
    delta: float = DELTA,
    method: Literal["score", "exact"] = "score",
    counts: ArrayLike | None = None,
) -> NoWorse:
    """Bound how much more often the machine makes critical errors than a second human.

    ``machine`` and ``human`` say of each response whether that score is a critical error against
    the same first human score. ``score`` is Tango's bound; ``exact`` holds in every sample size
    and is wider: an upper and a lower Clopper-Pearson bound at delta / 2 each.

    References
    ----------
    Tango (1998), doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B.

    Examples
    --------
    >>> machine, human = [1] * 3 + [0] * 197, [0] * 195 + [1] * 5
    >>> test = no_worse(machine, human, margin=0.02)
    >>> f"{test.difference:.3f} {test.upper:.3f}", test.shown
    ('-0.010 0.015', True)
    """
    ours, theirs = np.asarray(machine, bool), np.asarray(human, bool)
    times = np.ones(ours.size, np.int64) if counts is None else np.asarray(counts, np.int64)
    if ours.shape != theirs.shape or ours.shape != times.shape or not times.sum():
        raise DataError(
            f"machine and human errors must be of the same responses, got {ours.shape} and "
            f"{theirs.shape}"
        )
    if not (margin > 0 and 0 < delta < 1):
        raise OptionError(f"margin must be above 0 and delta a share, got {margin} and {delta}")
    n = int(times.sum())
    b, c = int(times[ours & ~theirs].sum()), int(times[theirs & ~ours].sum())
    if method == "exact":
        bound = float(upper(b, n, delta / 2) - lower(c, n, delta / 2))
    elif method == "score":
        bound = score_upper(b, c, n, delta)
    else:
        raise OptionError(f"method must be score or exact, got {method!r}")
    return NoWorse(
        n=n,
        machine_rate=float(times @ ours / n),
        human_rate=float(times @ theirs / n),
        machine_only=b,
        human_only=c,
        difference=(b - c) / n,
        upper=bound,
        margin=margin,
        delta=delta,
        method=method,
    )


def score_upper(b: int, c: int, n: int, delta: float) -> float:
    """Tango's upper bound of (b - c) / n: where the score test just rejects.

    >>> round(score_upper(0, 0, 100, 0.05), 4)
    0.0263
    """
    z = NORMAL.inv_cdf(1 - delta)
    return _root(lambda d: score_statistic(b, c, n, d) + z, (b - c) / n, 1.0)


def score_statistic(b: int, c: int, n: int, d: float) -> float:
    """Score statistic of "the difference is d"; at 0 it is McNemar's (b - c) / sqrt(b + c)."""
    linear = -b - c + (2 * n - b + c) * d
    root = linear**2 + 8 * n * c * d * (1 - d)
    share = (np.sqrt(max(root, 0.0)) - linear) / (4 * n)
    spread = n * (2 * share + d * (1 - d))
    gap = b - c - n * d
    if spread <= 0:
        return 0.0 if gap == 0 else float(np.copysign(np.inf, gap))
    return float(gap / np.sqrt(spread))


def _root(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function passes zero."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
