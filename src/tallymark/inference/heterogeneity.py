"""Heterogeneity: how much a statistic varies from prompt to prompt beyond chance, and on a new one."""

from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference.distributions import chi_squared_quantile, t_quantile, t_tail
from tallymark.inference.interval import ROUNDING, Interval, student

FEWEST = 3
"""Two prompts say next to nothing about a third."""


class Heterogeneity(NamedTuple):
    """The mean over prompts, their standard deviation, and where a new prompt would lie."""

    mean: float
    sd: float
    sd_ends: Interval
    new_prompt: Interval


def heterogeneity(values: Floats, errors: Floats, level: float) -> Heterogeneity:
    """Split the variance of some prompts' values into sampling error and true differences.

    The variance between prompts makes Q, the weighted squared distances from the weighted mean, as
    large as expected (Paule and Mandel); its interval makes Q as large as its quantiles. What is
    measured on a new prompt with about as many responses lies within mean +- t s sqrt(1 + 1/P), s
    the standard deviation of the values, but no less than their mean standard error, and t with
    P - 1 degrees of freedom; so, more surely, does its true value. Sampling error is left in: the usual interval, with the variance between prompts
    and t with P - 2 degrees, holds 88 to 92 % of true values of 5 to 20 prompts where both are alike.

    Higgins, Thompson & Spiegelhalter (2009), doi:10.1111/j.1467-985X.2008.00552.x; Viechtbauer
    (2007), doi:10.1002/sim.2514.
    """
    number, mean = values.size, float(values.mean())
    variance = max(float(values.var(ddof=1)), float((errors**2).mean()))
    half = t_quantile(level, number - 1) * float(np.sqrt(variance * (1 + 1 / number)))
    ends = _ends_of_sd(values, errors**2, level)
    sd = _sd_at(values, errors**2, number - 1)
    return Heterogeneity(mean, sd, ends, Interval(mean - half, mean + half))


class NewPrompts(NamedTuple):
    """The mean over all prompts that these stand for: its interval, and p of it being 0."""

    interval: Interval
    p: float


def for_new_prompts(values: Floats, level: float, sampled: float = 0.0) -> NewPrompts:
    """Where the mean over many prompts lies, given values on some drawn from them.

    mean -/+ t s / sqrt(P) with P - 1 degrees of freedom: prompts are the sample, and what their
    responses add by chance is in s already. Prompts cannot make the mean surer than responses do:
    s / sqrt(P) is no less than ``sampled``, the standard error of the mean over these very
    prompts. NaN for fewer than three prompts, or equal values.

    >>> test = for_new_prompts(np.array([0.01, 0.03, -0.01, 0.02]), 0.95)
    >>> round(test.p, 3)
    0.239
    """
    number, mean = values.size, float(values.mean())
    se = float(values.std(ddof=1)) / number**0.5 if number >= FEWEST else float("nan")
    if not se > ROUNDING:
        return NewPrompts(Interval(float("nan"), float("nan")), float("nan"))
    se = max(se, sampled)
    return NewPrompts(student(mean, se, number - 1, level), 2 * t_tail(abs(mean) / se, number - 1))


def _ends_of_sd(values: Floats, variances: Floats, level: float) -> Interval:
    """The standard deviations at which Q is as large, or as small, as its quantiles."""
    tail, df = (1 - level) / 2, values.size - 1
    quantiles = (chi_squared_quantile(share, df) for share in (1 - tail, tail))
    low, high = (_sd_at(values, variances, quantile) for quantile in quantiles)
    return Interval(low, high)


def _sd_at(values: Floats, variances: Floats, q: float) -> float:
    """The standard deviation between prompts that gives this Q; 0 where none does."""
    if (variances <= 0).any():
        return float(np.sqrt(((values - values.mean()) ** 2).sum() / q))
    low, high = 0.0, float(np.ptp(values)) ** 2 * values.size / q + 1e-12
    if _q(values, variances, low) <= q:
        return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _q(values, variances, middle) > q else (low, middle)
    return float(np.sqrt((low + high) / 2))


def _q(values: Floats, variances: Floats, tau2: float) -> float:
    """Weighted squared distances from the weighted mean; falls as tau^2 grows."""
    weight = 1 / (variances + tau2)
    centre = (weight @ values) / weight.sum()
    return float(weight @ (values - centre) ** 2)
