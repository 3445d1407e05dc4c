"""Shares: Wilson intervals of proportions, and of numbers that are means of proportions."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference import interval as ends
from tallymark.inference.formula import Formula, MeanOf
from tallymark.inference.influence import error_of
from tallymark.inference.interval import ROUNDING
from tallymark.inference.kinds import IntervalEstimate, influences
from tallymark.inference.strata import Strata, orders_of_weight
from tallymark.inference.units import Units


def of_shares(
    formula: Formula, value: float, se: float, units: Units[Any], level: float
) -> IntervalEstimate:
    """The interval of a proportion, of what rises with one, or of a mean of several."""
    if formula.scored is not None and (units.worth is None or value <= ROUNDING):
        n = units.n if units.worth is None else effective_number(value, se, units, 1.0)
        low, high = formula.scored(units.tally, n, level)
        method = "from the Wilson score interval of a proportion"
        return IntervalEstimate(se=se, low=low, high=high, method=method)
    if formula.mean is not None:
        return _of_mean(formula.mean(units.tally), value, se, units, level)
    inside = formula.base is None and ROUNDING < value < 1 - ROUNDING
    bands = _bands(formula, value, units, units.strata) if inside and units.strata else []
    if len(bands) > 1:
        return _of_bands(bands, value, se, level)
    return _of_proportion(formula, value, se, units, level)


def _of_proportion(
    formula: Formula, value: float, se: float, units: Units[Any], level: float
) -> IntervalEstimate:
    """The score interval of a proportion, of as many responses as its standard error is worth."""
    share = 1.0 if formula.base is None else float(np.real(formula.base(units.tally)))
    n, method = units.n * share, "Wilson score interval"
    if units.worth is not None:
        n = effective_number(value, se, units, share) + formula.ddof
        method = f"{method}, {n:.1f} effective responses"
    low, high = ends.wilson(value, n, level)
    return IntervalEstimate(se=se, low=low, high=high, method=method)


def effective_number(share: float, se: float, units: Units[Any], base: float) -> float:
    """How many responses of equal weight give a share this standard error; it is of ``base`` of them.

    Where it is 0, Kish's number or, of strata, as many as weigh what the heaviest response does: a
    stratum of which no response is here may hold such responses all the same.
    """
    spread = share * (1 - share)
    if se > 0 and spread > ROUNDING:
        return spread / se**2
    worth = float(units.worth or units.size)
    least = math.inf if units.strata is None else units.strata.heaviest(units.times)
    return min(worth, least) * base


class _Band(NamedTuple):
    """Strata whose responses weigh alike: their share of the weight, and the proportion in them.

    ``variance`` is that within strata, ``n`` the responses of equal weight that it is worth.
    """

    share: float
    value: float
    variance: float
    n: float


def _bands(formula: Formula, value: float, units: Units[Any], strata: Strata) -> list[_Band]:
    """The proportion in the strata of each order of weight; none where it is not one of all responses."""
    codes = np.arange(strata.drawn.size)[:, None]
    times = np.where(strata.codes == codes, units.times, 0).astype(np.float64)
    times, drawn = times[times.any(axis=1)], strata.drawn[times.any(axis=1)]
    tally, n = units.build(units.sums(times)), times.sum(axis=1)
    shares, values = np.real(tally.n) / float(units.tally.n), np.real(formula.value(tally))
    if not abs(shares @ values - value) <= 1e-9:
        return []
    variances = shares**2 * values * (1 - values) / n * drawn / np.maximum(drawn - 1, 1)
    weight = shares / n
    band = orders_of_weight(weight)
    bands = []
    for order in np.unique(band):
        inside = band == order
        share = shares[inside].sum()
        of_band = float(shares[inside] @ values[inside] / share)
        spread, variance = of_band * (1 - of_band), float(variances[inside].sum() / share**2)
        number = spread / variance + formula.ddof if variance > 0 else share / weight[inside].max()
        bands.append(_Band(float(share), of_band, variance, float(number)))
    return bands


def _of_bands(bands: Sequence[_Band], value: float, se: float, level: float) -> IntervalEstimate:
    """The interval of a proportion over strata: the distances to the ends of each band add up.

    Strata of large weights may show no error and hold some all the same, which the standard error
    does not know; the Wilson interval of their proportion does. ``between`` is what else varies: the
    shares of strata in the population, and in this part of the data.
    Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    intervals = [ends.wilson(band.value, band.n, level) for band in bands]
    shares, values = (np.array([getattr(b, name) for b in bands]) for name in ("share", "value"))
    between = max(se**2 - sum(band.share**2 * band.variance for band in bands), 0.0)
    low, high = (
        float(np.sqrt(((shares * (values - end)) ** 2).sum() + ends.quantile(level) ** 2 * between))
        for end in np.array(intervals).T
    )
    method = f"from Wilson score intervals of {len(bands)} orders of weight"
    return IntervalEstimate(se=se, low=value - low, high=value + high, method=method)


def _of_mean(
    mean: MeanOf, value: float, se: float, units: Units[Any], level: float
) -> IntervalEstimate:
    """The interval of a mean of proportions: distances to their ends add up as variances do.

    A harmonic mean is one over the mean of what one over each is. With weights proportions may rise
    together, which those of responses that count alike do not: distances are then raised by what
    that adds to the standard error.
    Zou & Donner (2008), doi:10.1002/sim.3095.
    """
    method = "from Wilson score intervals of proportions"
    shares, errors, low, high = _proportions(mean.of, units, level)
    turned = np.reciprocal if mean.harmonic else np.positive
    slopes = np.array([value, *shares]) ** (-2.0 if mean.harmonic else 0.0)
    independent = float(np.linalg.norm(slopes[1:] * errors))
    raised = max(1.0, shares.size * slopes[0] * se / independent) if independent > 0 else 1.0
    with np.errstate(divide="ignore"):  # an end of 0
        reach = [
            raised * float(np.linalg.norm(turned(shares) - turned(end))) for end in (low, high)
        ]
    total, side = float(turned(shares).sum()), 1 if mean.harmonic else -1
    moved = np.array([total + side * reach[0], total - side * reach[1]]) / shares.size
    if mean.harmonic:
        moved = np.maximum(moved, 1.0)  # a mean of proportions is at most 1
    return IntervalEstimate(
        se=se, low=float(turned(moved[0])), high=float(turned(moved[1])), method=method
    )


def _proportions(
    formulas: Sequence[Formula], units: Units[Any], level: float
) -> tuple[Floats, ...]:
    """Values of proportions, their standard errors with weights, and their ends."""
    values = [float(np.real(formula.value(units.tally))) for formula in formulas]
    errors = [0.0] * len(formulas)
    if units.worth is not None:
        moves = influences(formulas, units)
        errors = [0.0 if moved is None else error_of(moved, units) for moved in moves]
    intervals = [
        _of_proportion(formula, value, se, units, level)
        for formula, value, se in zip(formulas, values, errors, strict=True)
    ]
    lows, highs = ([getattr(i, end) for i in intervals] for end in ("low", "high"))
    return tuple(np.array(numbers) for numbers in (values, errors, lows, highs))
