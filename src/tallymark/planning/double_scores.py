"""Double scores: how many responses must be rated twice before PRMSE is known well enough.

Scores are taken to be normal and the system to be a calibrated predictor. The standard error is
the influence one, exact for this population: its integrals are of polynomials, so that a few
nodes give them.
"""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tallymark.accuracy.true_score import prmse
from tallymark.tally import RatedSums

Floats = NDArray[np.float64]
_STEP = 1e-30


def error_part(
    double: int, *, responses: int, value: float, true_variance: float, error_variance: float
) -> float:
    """Standard error of PRMSE that comes from not knowing the variance of rater errors.

    dPRMSE / ds_e^2 = [N / C - (1 - PRMSE) (N - 1) / D] / s_T^2 with C ratings of N responses and
    D = C - sum c_i^2 / C; SE(s_e^2) = s_e^2 sqrt(2 / m) from m pairs with normal errors.
    """
    ratings = responses + double
    d = ratings - (responses + 3 * double) / ratings
    slope = responses / ratings - (1 - value) * (responses - 1) / d
    return abs(slope) / true_variance * error_variance * math.sqrt(2 / double)


def standard_error(
    double: int, *, responses: int, value: float, true_variance: float, error_variance: float
) -> float:
    """Standard error of PRMSE with so many of the responses rated twice, the others once."""
    once, twice, weights_once, weights_twice = _rows(value, true_variance, error_variance)
    rows = np.concatenate([once, twice])
    weights = np.concatenate([weights_once * (responses - double), weights_twice * double])
    sums = weights @ rows
    moved = sums + 1j * _STEP * np.eye(sums.size)
    influence = rows @ (np.imag(prmse(RatedSums(moved))) / _STEP)
    centred = influence - (weights @ influence) / responses
    return float(math.sqrt(weights @ centred**2))


def needed(
    half_width: float,
    *,
    responses: int,
    value: float,
    true_variance: float,
    error_variance: float,
    level: float = 0.95,
) -> int | None:
    """Responses to be rated twice for an interval of value -/+ half_width.

    None where rating all of them twice is not enough: more responses are needed.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)

    def narrow(double: int) -> bool:
        se = standard_error(
            double,
            responses=responses,
            value=value,
            true_variance=true_variance,
            error_variance=error_variance,
        )
        return z * se <= half_width

    if not narrow(responses):
        return None
    low, high = 2, responses
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if narrow(middle) else (middle + 1, high)
    return low


@lru_cache(maxsize=8)
def _rows(
    value: float, true_variance: float, error_variance: float
) -> tuple[Floats, Floats, Floats, Floats]:
    """What responses add to the sums, rated once and twice, at nodes with their weights."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(4)
    weights = weights / weights.sum()
    grid = np.stack(np.meshgrid(nodes, nodes, nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 4)
    every = np.stack(np.meshgrid(*[weights] * 4, indexing="ij"), axis=-1).reshape(-1, 4).prod(1)
    truth = grid[:, 0] * math.sqrt(true_variance)
    noise = math.sqrt(max(value * (1 - value) * true_variance, 0.0))
    system = value * truth + noise * grid[:, 1]
    twice = truth[:, None] + math.sqrt(error_variance) * grid[:, 2:]
    once = np.stack([twice[:, 0], np.full(len(truth), np.nan)], axis=1)
    return RatedSums.rows(once, system), RatedSums.rows(twice, system), every, every
