"""Errors by group: do the system's errors differ between groups, as they stand or given the score?

The reference group is the first of the tally. Loukina, Madnani & Zechner (2019),
doi:10.18653/v1/W19-4401.
"""

from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats, Whole
from tallymark.fairness.contrasts import GroupCells, GroupContrast, contrast
from tallymark.fairness.regression import (
    Explained,
    TwoWay,
    adjusted_r2,
    f_test,
    one_way,
    two_way,
)
from tallymark.inference.distributions import f_quantile, noncentrality
from tallymark.tally import GroupErrors


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
    return adjusted_r2(*_by_group(errors, 2, 3))


def osd(errors: GroupErrors) -> Floats:
    r"""Overall score difference: adjusted :math:`R^2` of signed error by group.

    0 is no group favoured; it can be slightly negative. NaN when errors do not vary.

    Examples
    --------
    >>> rows = GroupErrors.rows(np.array([0.0, 1.0, 2.0, 3.0]))
    >>> f"{osd(GroupErrors(rows.reshape(2, 2, 4))):.3f}"
    '0.700'
    """
    return adjusted_r2(*_by_group(errors, 1, 2))


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
    model, simpler = _nested(errors, "csd")
    total = _total(errors, 1, 2)
    return adjusted_r2(model, total) - adjusted_r2(simpler, total)


def osa_effects(cells: GroupCells) -> GroupContrast:
    """Mean squared error of each group less that of the first; of rows 1, e and e squared."""
    return contrast(lambda group, first, _: _mean(group, 2) - _mean(first, 2), cells, "first")


def osd_effects(cells: GroupCells) -> GroupContrast:
    """Mean error of each group less that of the first; of rows 1, e and e squared."""
    return contrast(lambda group, first, _: _mean(group, 1) - _mean(first, 1), cells, "first")


def _mean(sums: Floats, place: int) -> Floats:
    n = sums[..., 0]
    return np.asarray(np.where(n == 0, np.nan, sums[..., place] / np.where(n == 0, 1.0, n)))


def csd_effects(errors: GroupErrors, cells: GroupCells) -> GroupContrast:
    """Error of each group less that of the first at the same human score.

    Rows are what :func:`residual_rows` gives. A response of group h with score k moves group g by
    its residual times 1[h = g] / n_g - 1[h = 1] / n_1 - (x_g - x_1)' W^- (e_k - x_h), x the shares of
    the scores in a group and W their cross products within groups. NaN where a group has no score
    in common with others.
    """
    fit = _conditional(errors)
    n = errors.sums[..., 0].sum(axis=-1)
    contrasts = fit.shares - fit.shares[:1]
    slopes = contrasts @ fit.inverse
    products = np.diag(errors.sums[..., 0].sum(axis=0)) - errors.sums[..., 0].T @ fit.shares
    identified = np.abs(contrasts - slopes @ products).max(axis=-1) < 1e-6
    values = np.where(identified & (n > 0), fit.groups - fit.groups[0], np.nan)
    residual = cells.rows[:, 0]
    scored = cells.rows[:, 1:] - fit.shares[cells.group] * residual[:, None]
    first = np.where(cells.group == 0, residual, 0.0)
    features = cells.by_unit(np.column_stack([first, scored]))
    across = np.column_stack([np.full(n.size, -1 / n[0]), -slopes])
    inside = residual / n[cells.group]
    return GroupContrast(cells, values, inside, inside, across, features)


def residual_rows(errors: GroupErrors, group: Whole, score: Whole, error: Floats) -> Floats:
    """What each response leaves unexplained by group and human score, and the same at its score."""
    fit = _conditional(errors)
    residual = (error - fit.groups[group] - fit.levels[score])[:, None]
    indicators = np.arange(fit.levels.size) == score[:, None]
    return np.concatenate([residual, indicators * residual], axis=1)


class Errors(NamedTuple):
    """Standard errors of the differences to the first group.

    ``classic`` takes errors to spread alike everywhere, ``robust`` (HC3) does not.
    """

    classic: Floats
    robust: Floats


def standard_errors(errors: GroupErrors, kind: str) -> Errors:
    """Standard errors of every group's difference to the first, from the sums alone."""
    if kind == "csd":
        return _conditional_errors(errors)
    n, first, second = (errors.sums.sum(axis=-2)[..., i] for i in _places(kind))
    model = _nested(errors, kind)[0]
    size = np.where(n == 0, 1.0, n)
    residuals = np.maximum(second - first**2 / size, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):  # as many groups as responses
        classic = model.residual / (model.n - model.rank) / size
        # leverage 1/n: a lone response is fitted exactly and says nothing of the spread
        robust = residuals / np.maximum(1 - 1 / size, 1e-6) ** 2 / size**2
        return Errors(np.sqrt(classic + classic[0]), np.sqrt(robust + robust[0]))


def _conditional_errors(errors: GroupErrors) -> Errors:
    """Closed forms of the two covariances with the groups taken out, as in :func:`csd_effects`."""
    fit, counts = _conditional(errors), errors.sums[..., 0]
    n = np.where(counts.sum(axis=-1) == 0, 1.0, counts.sum(axis=-1))
    x, slopes = fit.shares, (fit.shares - fit.shares[:1]) @ fit.inverse
    # with u = e_k - x_g of a cell: its leverage 1/n_g + u' W^- u, and the sum of w u u'
    smooth = x @ fit.inverse
    leverage = np.diag(fit.inverse) - 2 * smooth + (smooth * x).sum(axis=-1, keepdims=True)
    weight = fit.residuals / np.maximum(1 - 1 / n[:, None] - leverage, 1e-6) ** 2
    cross = weight.T @ x
    meat = np.diag(weight.sum(axis=0)) - cross - cross.T + (x.T * weight.sum(axis=-1)) @ x
    pull = slopes - (slopes * x).sum(axis=-1, keepdims=True)  # on a group by its own responses
    at_first = slopes - (slopes @ x[0])[:, None]  # and by those of the first
    robust = ((slopes @ meat) * slopes).sum(axis=-1)
    robust += (weight * ((1 / n[:, None] - pull) ** 2 - pull**2)).sum(axis=-1)
    robust += (weight[0] * ((1 / n[0] + at_first) ** 2 - at_first**2)).sum(axis=-1)
    level, model = ((x - x[:1]) * slopes).sum(axis=-1), fit.explained
    with np.errstate(invalid="ignore", divide="ignore"):  # as many coefficients as responses
        classic = model.residual / (model.n - model.rank) * (1 / n + 1 / n[0] + level)
    return Errors(np.sqrt(np.maximum(classic, 0.0)), np.sqrt(np.maximum(robust, 0.0)))


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
    model, simpler = _nested(errors, kind)
    f, _ = f_test(model, simpler)
    df, df_error, n = float(model.rank - simpler.rank), float(model.n - model.rank), float(model.n)
    if not f >= 0:
        return float("nan"), float("nan")
    median = f_quantile(0.5, df, df_error)
    low = noncentrality((1 + level) / 2, f, df, df_error)
    high = noncentrality((1 - level) / 2, max(f, median), df, df_error)
    total = _total(errors, *_places(kind)[1:])
    share = float(simpler.residual / total)  # to be explained by groups
    return low / (low + n) * share, high / (high + n) * share


def _places(kind: str) -> tuple[int, int, int]:
    """Where the sums hold n, what is compared, and its square."""
    return (0, 2, 3) if kind == "osa" else (0, 1, 2)


def _nested(errors: GroupErrors, kind: str) -> tuple[Explained, Explained]:
    """The model with groups, and the one without."""
    if kind == "csd":
        n, first, second = (errors.sums[..., i].sum(axis=-2) for i in _places(kind))
        return _conditional(errors).explained, one_way(n, first, second)
    model, total = _by_group(errors, *_places(kind)[1:])
    return model, Explained(total, model.n, np.ones((), dtype=np.float64))


def _by_group(errors: GroupErrors, first: int, second: int) -> tuple[Explained, Floats]:
    """Fit a mean per group to the sums ``first``, whose squares are the sums ``second``."""
    groups = errors.sums.sum(axis=-2)
    fit = one_way(groups[..., 0], groups[..., first], groups[..., second])
    return fit, _total(errors, first, second)


def _total(errors: GroupErrors, first: int, second: int) -> Floats:
    n, total, squares = (errors.sums[..., i].sum(axis=(-2, -1)) for i in (0, first, second))
    with np.errstate(invalid="ignore", divide="ignore"):  # no responses
        spread = squares - total**2 / n
    return np.asarray(np.where(spread <= 1e-12 * squares, 0.0, spread))


def _conditional(errors: GroupErrors) -> TwoWay:
    """Error by group and human score."""
    return two_way(errors.sums[..., 0], errors.sums[..., 1], errors.sums[..., 2])
