"""What a few human scores and many machine scores say together. Labelled ones: a random sample."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tallymark.arrays import Floats
from tallymark.defaults import LEVEL
from tallymark.errors import DataError
from tallymark.inference.interval import normal


class Mean(NamedTuple):
    """A mean human score, its interval, and the weight ``lam`` given to the machine scores."""

    lam: float
    estimate: float
    se: float
    low: float
    high: float


def ppi_mean(
    y: ArrayLike,
    labelled: ArrayLike,
    unlabelled: ArrayLike,
    *,
    lam: float | None = None,
    level: float = LEVEL,
) -> Mean:
    r"""Mean human score of all responses, from the scored few and the machine scores of the rest.

    .. math:: \bar y + \lambda (\bar f_{unl} - \bar f_{lab}), \quad
        se^2 = var(y - \lambda f) / n + \lambda^2 var(f_{unl}) / N

    ``lam`` 0 uses the human scores alone, 1 trusts the machine's fully; without it the weight is
    the one of the smallest error, cov(y, f) / (var f (1 + n / N)).

    References
    ----------
    Angelopoulos et al. (2023), doi:10.1126/science.adi6000; Angelopoulos, Duchi & Zrnic (2023),
    https://arxiv.org/abs/2311.01453.

    Examples
    --------
    >>> mean = ppi_mean([3, 4, 2, 5], [3, 4, 3, 5], [3, 3, 4, 2, 4, 5], lam=1)
    >>> round(mean.estimate, 3)
    3.25
    """
    human, machine, rest = _scores(y, labelled, unlabelled)
    n, many = human.size, rest.size
    if lam is None:
        spread = np.var(np.append(machine, rest), ddof=1)
        shared = float(np.cov(human, machine)[0, 1])
        lam = float(shared / (spread * (1 + n / many))) if spread > 0 else 0.0
    estimate = float(human.mean() + lam * (rest.mean() - machine.mean()))
    variance = np.var(human - lam * machine, ddof=1) / n + lam**2 * np.var(rest, ddof=1) / many
    se = float(np.sqrt(variance))
    low, high = normal(estimate, se, level)
    return Mean(lam, estimate, se, low, high)


def _scores(
    y: ArrayLike, labelled: ArrayLike, unlabelled: ArrayLike
) -> tuple[Floats, Floats, Floats]:
    human, machine, rest = (
        np.asarray(side, np.float64).ravel() for side in (y, labelled, unlabelled)
    )
    if human.shape != machine.shape or human.size < 2 or rest.size < 2:
        raise DataError(
            "two labelled responses with both scores and two unlabelled ones are needed at least, "
            f"got {human.size} human and {machine.size} machine scores of them, {rest.size} unlabelled"
        )
    if any(np.isnan(side).any() for side in (human, machine, rest)):
        raise DataError("scores must not be missing; leave those responses out")
    return human, machine, rest
