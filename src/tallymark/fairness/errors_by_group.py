"""Errors by group: do the system's errors differ between groups, as they stand or given the score?

The reference group is the first of the tally. Loukina, Madnani & Zechner (2019),
doi:10.18653/v1/W19-4401.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tallymark.fairness.regression import (
    Fit,
    adjusted_r2,
    classic_covariance,
    f_test,
    least_squares,
    robust_covariance,
    t_test,
    treatment,
)
from tallymark.tally import GroupErrors

Floats = NDArray[np.float64]


def osa(errors: GroupErrors) -> Floats:
    r"""Overall score accuracy: adjusted :math:`R^2` of squared error by group.

    0 is errors of one size in all groups; it can be slightly negative. NaN when errors do not
    vary.

    Examples
    --------
    >>> rows = GroupErrors.rows(np.array([0.0, 1.0, 2.0, 3.0]))
    >>> f"{osa(GroupErrors(rows.reshape(2, 2, 4))):.3f}"
    '0.602'
    """
    fit, total = _squared(errors)
    return adjusted_r2(fit, total)


def osd(errors: GroupErrors) -> Floats:
    r"""Overall score difference: adjusted :math:`R^2` of signed error by group.

    0 is no group favoured; it can be slightly negative. NaN when errors do not vary.

    Examples
    --------
    >>> rows = GroupErrors.rows(np.array([0.0, 1.0, 2.0, 3.0]))
    >>> f"{osd(GroupErrors(rows.reshape(2, 2, 4))):.3f}"
    '0.700'
    """
    fit, total = _signed(errors)
    return adjusted_r2(fit, total)


def csd(errors: GroupErrors) -> Floats:
    r"""Conditional score difference: what group adds to :math:`R^2` of error given the human score.

    Read it with care: the human score errs too, so that a fair system is flagged where groups
    differ in ability. Set the effect given the true score beside it. NaN when errors do not vary.

    Examples
    --------
    >>> rows = GroupErrors.rows(np.array([0.0, 1.0, 0.5, 2.0, 1.0, 2.5, 1.0, 3.0]))
    >>> f"{csd(GroupErrors(rows.reshape(2, 2, 2, 4).sum(axis=2))):.3f}"
    '0.162'
    """
    full, simple = _conditional(errors)
    total = _total(errors, 1, 2)
    return adjusted_r2(full, total) - adjusted_r2(simple, total)


class Effect(NamedTuple):
    """How much a group differs from the reference, with classic and robust standard errors."""

    value: float
    se_ols: float
    se_robust: float
    p: float


def osa_effects(errors: GroupErrors) -> Floats:
    """Mean squared error of each group less that of the reference, which gets 0."""
    return _differences(_squared(errors)[0], errors)


def osd_effects(errors: GroupErrors) -> Floats:
    """Mean error of each group less that of the reference, which gets 0."""
    return _differences(_signed(errors)[0], errors)


def csd_effects(errors: GroupErrors) -> Floats:
    """Error of each group less that of the reference at the same human score."""
    return _differences(_conditional(errors)[0], errors)


def effects(errors: GroupErrors, kind: str) -> list[Effect]:
    """Every group's difference to the reference, for one table; the reference comes first."""
    fit = {"osa": _squared(errors)[0], "osd": _signed(errors)[0], "csd": _conditional(errors)[0]}[
        kind
    ]
    free, covariances = float(fit.n - fit.rank), (classic_covariance(fit), robust_covariance(fit))
    found = [Effect(0.0, 0.0, 0.0, float("nan"))]
    for i in range(1, errors.sums.shape[-3]):
        value = float(fit.coefficients[i])
        # a variance of 0 may come out as a hair below it
        classic, robust = (float(np.sqrt(max(v[i, i], 0.0))) for v in covariances)
        found.append(Effect(value, classic, robust, t_test(value, classic, free)))
    return found


def significance(errors: GroupErrors, kind: str) -> tuple[float, float]:
    """F and p of the hypothesis that the groups do not differ."""
    return f_test(*_nested(errors, kind))


def share(errors: GroupErrors, kind: str) -> Floats:
    """Share of variance that groups explain in truth: the adjusted share, which is not below 0."""
    adjusted = {"osa": osa, "osd": osd, "csd": csd}[kind](errors)
    return np.asarray(np.maximum(adjusted, 0.0))


def interval(errors: GroupErrors, kind: str, *, level: float) -> tuple[float, float]:
    """Interval of :func:`share`, from the noncentral F distribution.

    Unlike a bootstrap it holds where the true share is 0. Groups that differ less than they do by
    chance half of the time tell no more than those that differ as much: the upper end is theirs,
    so that the interval keeps a width. Steiger (2004), doi:10.1037/1082-989X.9.2.164.
    """
    from scipy.special import fdtri, ncfdtrinc

    full, simple = _nested(errors, kind)
    f, _ = f_test(full, simple)
    more, free, n = float(full.rank - simple.rank), float(full.n - full.rank), float(full.n)
    if not f >= 0:
        return float("nan"), float("nan")
    f_low, f_high = f, max(f, float(fdtri(more, free, 0.5)))
    low, high = (
        max(float(ncfdtrinc(more, free, tail, at)), 0.0)
        for tail, at in (((1 + level) / 2, f_low), ((1 - level) / 2, f_high))
    )
    total = _total(errors, *((2, 3) if kind == "osa" else (1, 2)))
    left = float(simple.residual / total)  # to be explained by groups
    return low / (low + n) * left, high / (high + n) * left


def _nested(errors: GroupErrors, kind: str) -> tuple[Fit, Fit]:
    """The model with groups, and the one without."""
    if kind == "csd":
        return _conditional(errors)
    fit, total = _squared(errors) if kind == "osa" else _signed(errors)
    return fit, fit._replace(residual=total, rank=np.ones((), dtype=np.float64))


def _differences(fit: Fit, errors: GroupErrors) -> Floats:
    groups = errors.sums.shape[-3]
    between = fit.coefficients[..., 1:groups]
    # a group that a resample lacks has no difference
    empty = errors.sums[..., 0].sum(axis=-1)[..., 1:] == 0
    known = np.where(empty, np.nan, between)
    return np.concatenate([np.zeros((*known.shape[:-1], 1)), known], axis=-1)


def _by_group(errors: GroupErrors, first: int, second: int) -> tuple[Fit, Floats]:
    """Fit a mean per group to the sums ``first``, whose squares are the sums ``second``."""
    groups = errors.sums.sum(axis=-2)
    design = np.concatenate([np.ones((groups.shape[-2], 1)), treatment(groups.shape[-2])], axis=1)
    fit = least_squares(design, groups[..., 0], groups[..., first], groups[..., second])
    return fit, _total(errors, first, second)


def _signed(errors: GroupErrors) -> tuple[Fit, Floats]:
    return _by_group(errors, 1, 2)


def _squared(errors: GroupErrors) -> tuple[Fit, Floats]:
    return _by_group(errors, 2, 3)


def _total(errors: GroupErrors, first: int, second: int) -> Floats:
    n, total, squares = (errors.sums[..., i].sum(axis=(-2, -1)) for i in (0, first, second))
    with np.errstate(invalid="ignore", divide="ignore"):  # no responses
        spread = squares - total**2 / n
    return np.asarray(np.where(spread <= 1e-12 * squares, 0.0, spread))


@lru_cache(maxsize=2)
def _conditional(errors: GroupErrors) -> tuple[Fit, Fit]:
    """Error by group and human score, and by human score alone.

    The last fits are kept, since each group asks for its own coefficient of the same tally.
    """
    groups, scores = errors.sums.shape[-3:-1]
    cells = errors.sums.reshape(*errors.sums.shape[:-3], groups * scores, 4)
    group = np.repeat(treatment(groups), scores, axis=0)
    score = np.tile(treatment(scores), (groups, 1))
    one = np.ones((groups * scores, 1))
    sums = cells[..., 0], cells[..., 1], cells[..., 2]
    full = least_squares(np.concatenate([one, group, score], axis=1), *sums)
    return full, least_squares(np.concatenate([one, score], axis=1), *sums)
