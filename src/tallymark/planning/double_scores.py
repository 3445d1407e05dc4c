"""Double scores: how many responses must be rated twice before PRMSE is known well enough.

Scores are taken to be normal and the system to be a calibrated predictor. The standard error is
the influence one, exact for this population: its integrals are of polynomials, so that a few
nodes give them. PRMSE is a ratio whose denominator is estimated, so that few double scores spread
it further than that: draws of the sums say how much.
"""

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from tallymark.accuracy.true_score import prmse
from tallymark.arrays import Floats
from tallymark.defaults import LEVEL
from tallymark.tally import RatedSums

_STEP = 1e-30
_DRAWS = 10_000


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
    """Standard error of PRMSE with this many of the responses rated twice, the others once.

    That of the influences, times how much wider the middle 95 % of PRMSE are than those of its
    linear part, in draws of the sums. Infinite where it is undefined in more than 2.5 % of them.
    """
    once, twice, weights_once, weights_twice = _rows(value, true_variance, error_variance)
    rows = np.concatenate([once, twice])
    weights = np.concatenate([weights_once * (responses - double), weights_twice * double])
    sums = weights @ rows
    slope = np.imag(prmse(RatedSums(sums + 1j * _STEP * np.eye(sums.size)))) / _STEP
    deviations = rows - sums / responses
    spread = (deviations.T * weights) @ deviations
    lengths, axes = np.linalg.eigh(spread)
    normal = np.random.default_rng(0).normal(size=(_DRAWS, sums.size))
    moved = normal @ (axes * np.sqrt(np.maximum(lengths, 0.0))).T
    wider = _middle(prmse(RatedSums(sums + moved))) / _middle(moved @ slope)
    return float(math.sqrt(slope @ spread @ slope) * wider)


def _middle(values: Floats) -> float:
    """Width of the middle 95 %; values that are undefined lie outside."""
    finite = np.where(np.isnan(values), np.inf, values)
    low, high = np.quantile(finite, [0.025, 0.975], method="nearest")
    return float(high - low)


def needed(
    half_width: float,
    *,
    responses: int,
    value: float,
    true_variance: float,
    error_variance: float,
    level: float = LEVEL,
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
    products = np.stack(np.meshgrid(*[weights] * 4, indexing="ij"), axis=-1).reshape(-1, 4).prod(1)
    truth = grid[:, 0] * math.sqrt(true_variance)
    noise = math.sqrt(max(value * (1 - value) * true_variance, 0.0))
    system = value * truth + noise * grid[:, 1]
    twice = truth[:, None] + math.sqrt(error_variance) * grid[:, 2:]
    once = np.stack([twice[:, 0], np.full(len(truth), np.nan)], axis=1)
    return RatedSums.rows(once, system), RatedSums.rows(twice, system), products, products
