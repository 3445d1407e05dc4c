"""Fairness: RSMTool's regressions of errors on groups, with classic standard errors."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.fairness.regression import (
    RegressionFit,
    adjusted_r2,
    classic_covariance,
    f_test,
    least_squares,
    t_test,
    treatment,
)
from tallymark.inference.distributions import t_quantile
from tallymark.rsmtool.experiment import Experiment
from tallymark.rsmtool.processing import Processed
from tallymark.rsmtool.sheets import Sheet, labelled

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


class Factor(NamedTuple):
    """A column of categories: their names, the largest first, and the category of each response."""

    names: tuple[str, ...]
    codes: Codes

    @classmethod
    def of(cls, column: NDArray[np.generic]) -> "Factor":
        """Order the categories by size, equal ones by name."""
        labels, codes, sizes = np.unique(column, return_inverse=True, return_counts=True)
        order = np.lexsort([np.arange(labels.size), -sizes])
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        return cls(tuple(map(str, labels[order].tolist())), place[codes])


def fairness_sheets(experiment: Experiment, processed: Processed) -> dict[str, Sheet]:
    """OSA, OSD and CSD of every subgroup: coefficients, adjusted R2 and significance."""
    error = processed.scores[f"{experiment.main}_trim"] - processed.human
    score = Factor.of(processed.human)
    sheets: dict[str, Sheet] = {}
    for column in experiment.subgroups:
        group = Factor.of(processed.column(column).astype(str))
        nothing = _fit(error)
        fits = {
            "osa": (_fit(error**2, group), _fit(error**2), _fit(error**2)),
            "osd": (_fit(error, group), nothing, nothing),
            "csd": (_fit(error, group, score), _fit(error, score), nothing),
        }
        for name, (fit, _, _) in fits.items():
            sheets[f"estimates_{name}_by_{column}"] = _estimates(fit, group.names)
        sheets[f"fairness_metrics_by_{column}"] = {
            "": ["R2", "sig"],
            "Overall score accuracy": _summary(*fits["osa"]),
            "Overall score difference": _summary(*fits["osd"]),
            "Conditional score difference": _summary(*fits["csd"]),
            "base_category": [group.names[0]] * 2,
        }
    return sheets


def _fit(y: Floats, *factors: Factor) -> RegressionFit:
    """Least squares on categories; where they cannot be told apart, the smallest coefficients."""
    sizes = [len(factor.names) for factor in factors]
    cell = np.zeros(y.size, dtype=np.intp)
    for factor, size in zip(factors, sizes, strict=True):
        cell = cell * size + factor.codes
    used, place, times = np.unique(cell, return_inverse=True, return_counts=True)
    design = np.ones((used.size, 1))
    for i, size in enumerate(sizes):
        level = used // math.prod(sizes[i + 1 :]) % size
        design = np.concatenate([design, treatment(size)[level]], axis=1)
    sums, squares = (np.bincount(place, weights=v).astype(np.float64) for v in (y, y * y))
    return least_squares(design, times.astype(np.float64), sums, squares)


def _estimates(fit: RegressionFit, groups: tuple[str, ...]) -> Sheet:
    """Coefficients of the intercept and of every group but the reference, with 95 % intervals."""
    free, covariance = float(fit.n - fit.rank), classic_covariance(fit)
    width = t_quantile(0.95, free)
    rows = []
    for i in range(len(groups)):
        value, se = float(fit.coefficients[i]), math.sqrt(max(float(covariance[i, i]), 0.0))
        rows.append(
            {
                "estimate": value,
                "P>[t]": t_test(value, se, free),
                "[0.025": value - width * se,
                "0.975]": value + width * se,
            }
        )
    return labelled([f"Intercept ({groups[0]})", *map(_shown, groups[1:])], rows)


def _shown(group: str) -> str:
    """RSMTool cuts the name of a group at its first point."""
    return group.partition(".")[0].strip("]")


def _summary(fit: RegressionFit, simpler: RegressionFit, nothing: RegressionFit) -> list[float]:
    """Adjusted R2, less that of the simpler model, and the p of what the group adds."""
    gained = float(adjusted_r2(fit, nothing.residual))
    if simpler.rank > nothing.rank:
        gained -= float(adjusted_r2(simpler, nothing.residual))
    return [gained if math.isfinite(gained) else math.nan, f_test(fit, simpler)[1]]
