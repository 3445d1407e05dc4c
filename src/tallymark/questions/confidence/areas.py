"""Areas under risk and coverage as formulas of units."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tallymark.inference import Formula, Units
from tallymark.selective import curve as curves
from tallymark.selective.curve import (
    RiskCoverage,
    augrc_influence,
    aurc_influence,
    auroc_influence,
    e_aurc_influence,
)
from tallymark.study.judged import Judged
from tallymark.study.rows import grouped
from tallymark.study.units import Rows

Floats = NDArray[np.float64]
FEWEST_ERRORS = 5
TOO_FEW = f"no interval: it needs {FEWEST_ERRORS} critical errors and as many other scores"
"""Coverage of fewer, as measured: docs/coverage.md."""


def area_units(cases: Judged) -> Units[RiskCoverage]:
    """Units whose sums are responses and critical errors at each distinct confidence."""
    levels, place = np.unique(-cases.confidence, return_inverse=True)
    size, wrong = levels.size, cases.wrong.astype(np.int64)
    cell = place * 2 + wrong
    if cases.clusters is None:
        counts = np.bincount(cell, weights=cases.counts, minlength=2 * size).astype(np.int64)
        return Units(counts, partial(_curve, -levels), int(counts.sum()))
    rows = Rows(cases.confidence[:, None], cases.counts, np.zeros(1), cases.clusters)
    group = grouped(rows)
    from scipy.sparse import csr_array

    given = (cases.counts.astype(np.float64), (group.unit, cell))
    matrix = csr_array(given, shape=(group.times.size, 2 * size))
    dense = matrix.toarray() if matrix.shape[0] * matrix.shape[1] <= 200_000 else matrix
    return group.units(dense, partial(_curve, -levels))


def _curve(thresholds: Floats, sums: NDArray[Any]) -> RiskCoverage:
    by_level = sums.reshape(*sums.shape[:-1], thresholds.size, 2)
    running = np.cumsum(by_level, axis=-2)
    return RiskCoverage(thresholds, running.sum(axis=-1), running[..., 1])


def _too_few(curve: RiskCoverage) -> str:
    """Why so few critical errors, or so few others, leave no interval of how they are told apart."""
    wrong = float(curve.k[-1])
    fewer = min(wrong, float(curve.n[-1]) - wrong)
    return "" if fewer >= FEWEST_ERRORS else TOO_FEW


def area_formulas() -> list[Formula]:
    """Areas and the power of the confidence to tell critical errors, each with its influence."""
    none = "there are no critical errors, or nothing else"
    thin = {"auroc_cse": _too_few}
    given: Sequence[tuple[str, Callable[[Any], Floats], Callable[[RiskCoverage], Floats], str]] = (
        ("aurc", curves.aurc, aurc_influence, "no response"),
        ("e_aurc", curves.e_aurc, e_aurc_influence, "no response"),
        ("augrc", curves.augrc, augrc_influence, "no response"),
        ("auroc_cse", curves.auroc, auroc_influence, none),
    )
    return [
        Formula(
            name=name,
            value=value,
            influence=influence,
            analytic="logit",
            ranks=True,
            undefined=why,
            thin=thin.get(name),
        )
        for name, value, influence, why in given
    ]
