"""Ceilings: how high can agreement with scores go that themselves contain rater error?"""

from typing import NamedTuple

import numpy as np

from tallymark.arrays import Floats
from tallymark.inference.distributions import f_quantile
from tallymark.reliability.generalizability import Components
from tallymark.reliability.icc import mean_squares, within_responses
from tallymark.tally import OneWay, PanelMoments, each_sum

NOISE = 1e-12
"""A reliability below this is rounding error."""


class CeilingComponents(NamedTuple):
    """Variance of true scores, variance of one rating's error, and ratings per response."""

    true: Floats
    error: Floats
    ratings: Floats

    @property
    def single(self) -> Floats:
        """Reliability of one rating."""
        return _ratio(self.true, self.true + self.error)

    @property
    def mean(self) -> Floats:
        """Reliability of the mean of a response's ratings."""
        return _ratio(self.true, self.true + self.error / self.ratings)

    @property
    def f(self) -> Floats:
        """Mean square between responses over that of the error; equal numbers of ratings."""
        return _ratio(self.error + self.ratings * self.true, self.error)


def components(ratings: OneWay | PanelMoments) -> CeilingComponents:
    r"""Split the variance of ratings into true scores and rater error.

    .. math:: \sigma_T^2 = (MS_b - MS_w) / k_0, \quad \sigma_E^2 = MS_w

    One-way sums take raters as drawn anew for each response: their severity is error. Sums of
    complete ratings take them as fixed: their severity is not error. With unequal numbers of
    ratings k is the harmonic mean. The variance of true scores can be negative.

    Examples
    --------
    >>> rows = OneWay.rows(np.array([[3.0, 4], [2, 2], [5, 4], [1, 2]]) - 3)
    >>> parts = components(OneWay(rows.sum(axis=0)))
    >>> f"{parts.single:.3f} {parts.mean:.3f}"
    '0.820 0.901'
    """
    if isinstance(ratings, PanelMoments):
        between, _, _, residual = mean_squares(ratings)
        k = np.full_like(between, ratings.k)
        return CeilingComponents((between - residual) / k, residual, k)
    n, total, squared, per_rating, _, scores, inverse, _ = each_sum(ratings.sums)
    within = within_responses(ratings)
    with np.errstate(invalid="ignore", divide="ignore"):  # too few responses or ratings
        between = (per_rating - scores**2 / total) / (n - 1)
        ratings_per_response = (total - squared / total) / (n - 1)
        return CeilingComponents((between - within) / ratings_per_response, within, n / inverse)


def theoretical(reliability: Floats) -> Floats:
    r"""The highest correlation, and QWK of calibrated scores, with a gold: :math:`\sqrt{\rho_Y}`.

    NaN where reliability is 0 or less: then responses do not differ reliably.

    References
    ----------
    Uto (2026), arXiv:2604.19131, equations 5 and 7.

    Examples
    --------
    >>> f"{theoretical(np.array(0.81)):.2f}"
    '0.90'
    """
    return _root(reliability)


def human_like(single: Floats, gold: Floats) -> Floats:
    r"""What a further rater reaches against the gold, calibrated: :math:`\sqrt{\rho_X \rho_Y}`.

    References
    ----------
    Uto (2026), arXiv:2604.19131, equations 10 and 11.

    Examples
    --------
    >>> f"{human_like(np.array(0.72), np.array(0.8372)):.3f}"
    '0.776'
    """
    return np.where(np.real(single) > 0, _root(single * gold), np.nan)


def uncalibrated(single: Floats, gold: Floats) -> Floats:
    r"""QWK with the gold of a scorer whose variance was not matched to it.

    .. math:: 2 / (1 / \rho_P + 1 / \rho_Y)

    With ``single`` the reliability of a rating it is that of a further rater, with 1 that of the true
    score itself; both lie below the ceiling because their spread is not the gold's.

    Examples
    --------
    >>> f"{uncalibrated(np.array(1.0), np.array(0.8)):.3f}"
    '0.889'
    """
    positive = (np.real(single) > 0) & (np.real(gold) > 0)
    return np.where(positive, _ratio(2 * single * gold, single + gold), np.nan)


def rater_in_gold(single: Floats, gold: Floats) -> Floats:
    r"""Correlation of the mean rating with a rating that is part of it; no ceiling of anything.

    .. math:: \sqrt{\rho_X / \rho_Y}

    Examples
    --------
    >>> f"{rater_in_gold(np.array(0.6), np.array(0.75)):.3f}"
    '0.894'
    """
    return _root(_ratio(single, gold))


def spearman_brown(single: Floats, ratings: float) -> Floats:
    r"""Reliability of the mean of this many ratings, :math:`k \rho / (1 + (k - 1) \rho)`.

    References
    ----------
    Spearman (1910), doi:10.1111/j.2044-8295.1910.tb00206.x.

    Examples
    --------
    >>> spearman_brown(np.array(0.6), 2).round(3).item()
    0.75
    """
    return _ratio(ratings * single, 1 + (ratings - 1) * single)


def single_rating(mean: Floats, ratings: float | Floats) -> Floats:
    r"""Reliability of one rating if the mean of this many has this one; Spearman-Brown backwards.

    .. math:: \rho_X = \rho_Y / (k - (k - 1) \rho_Y)

    Examples
    --------
    >>> single_rating(np.array(0.75), 2).round(3).item()
    0.6
    """
    return _ratio(mean, ratings - (ratings - 1) * mean)


def raters_needed(single: Floats, goal: float) -> Floats:
    r"""How many ratings per response give the mean a reliability of ``goal``; not yet rounded up.

    .. math:: k = \frac{g (1 - \rho)}{\rho (1 - g)}

    Examples
    --------
    >>> raters_needed(np.array(0.6), 0.9).round(2).item()
    6.0
    """
    return np.where(
        np.real(single) > NOISE, _ratio(goal * (1 - single), single * (1 - goal)), np.nan
    )


def without_shared_error(
    single: Floats, ratings: Floats, shared: float | Floats
) -> tuple[Floats, Floats]:
    r"""Reliability of one rating and of the mean if the errors of raters correlate by ``shared``.

    .. math:: v = (1 - r) / (1 - e), \quad \rho_X = 1 - v,
        \quad \rho_Y = (1 - v) / (1 - v + v (1 + (k - 1) e) / k)

    Raters who err in the same direction agree more than they are right, so r overstates
    reliability. NaN for a correlation above r, which the agreement rules out.

    Examples
    --------
    >>> single, mean = without_shared_error(np.array(0.75), np.array(2.0), 0.3)
    >>> f"{np.sqrt(mean):.3f}"
    '0.857'
    """
    error = (1 - single) / (1 - shared)
    noise = error * (1 + (ratings - 1) * shared) / ratings
    possible = np.real(error) <= 1
    true = np.where(possible, 1 - error, np.nan)
    return true, _ratio(true, true + noise)


def f_limits(
    estimated: CeilingComponents, n: float, *, level: float, fixed: bool = False
) -> tuple[CeilingComponents, CeilingComponents]:
    """Lower and upper limits of the components, error variance held: from the F distribution.

    Every ceiling increases with F, so its limits are those of F carried over. Equal numbers of
    ratings are needed; the limits are NaN without error to compare with.

    References
    ----------
    Shrout & Fleiss (1979), doi:10.1037/0033-2909.86.2.420.
    """
    k, upper = estimated.ratings, (1 + level) / 2
    free = float(n - 1), float((n - 1) * (k - 1) if fixed else n * (k - 1))
    ends = estimated.f / f_quantile(upper, *free), estimated.f * f_quantile(upper, *free[::-1])
    low, high = (CeilingComponents((f - 1) * estimated.error / k, estimated.error, k) for f in ends)
    return low, high


def _ratio(above: Floats, below: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # 0 / 0 is the documented NaN
        return np.asarray(np.where(below == 0, np.nan, above / below))


def _root(value: Floats) -> Floats:
    return np.asarray(np.sqrt(np.where(np.real(value) > 0, value, np.nan)))


class SingleRating(NamedTuple):
    """Variances of one rating in squared score points: of true scores, of error, of severity."""

    true: Floats
    error: Floats
    severity: Floats


def single_rating_of(parts: Components) -> SingleRating:
    r"""Split one rating by variance components: :math:`\sigma_p^2`, :math:`\sigma_{pr}^2`, :math:`\sigma_r^2`.

    A component below 0 counts as 0. Where raters are nested, their variance is unknown and part of
    the residual already: severity is 0.

    >>> parts = Components(np.array(2.0), np.array(0.5), np.array(1.0))
    >>> [float(part) for part in single_rating_of(parts)]
    [2.0, 1.0, 0.5]
    """
    severity = np.where(np.isnan(parts.rater), 0.0, np.maximum(parts.rater, 0))
    true, error = (np.asarray(np.maximum(part, 0)) for part in (parts.response, parts.residual))
    return SingleRating(true, error, severity)


class GoldWeights(NamedTuple):
    """The weights with which a gold adds up ratings: means by rater, and E(w_j^2) over raters."""

    mean: Floats
    squares: Floats


def ceiling_of_components(parts: Components, gold: GoldWeights) -> Floats:
    r"""Highest correlation with a gold :math:`\sum_j w_j X_j` if raters err alike.

    .. math:: \sqrt{\frac{\sigma_p^2}{\sigma_p^2 + \sigma_{pr}^2 \sum_j E(w_j^2) / (\sum_j \bar w_j)^2
        + \sigma_r^2 \sum_j Var(w_j) / (\sum_j \bar w_j)^2}}

    Severity is error only so far as raters vary from response to response. NaN where responses do
    not differ.

    >>> parts = Components(np.array(2.0), np.array(0.5), np.array(1.0))
    >>> same = GoldWeights(np.array([0.5, 0.5]), np.array(0.5))
    >>> f"{ceiling_of_components(parts, same):.3f}"
    '0.894'
    """
    rating = single_rating_of(parts)
    varying = gold.squares - (gold.mean**2).sum(axis=-1)
    noise = rating.error * gold.squares + rating.severity * varying
    return _root_share(gold.mean.sum(axis=-1) ** 2 * parts.response, noise)


def further_rater_of_components(parts: Components) -> Floats:
    """Correlation of one more rater with the true score, their severity held."""
    rating = single_rating_of(parts)
    return _root_share(rating.true, rating.error)


def _root_share(true: Floats, noise: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        share = true / (true + noise)
        return np.asarray(np.sqrt(np.where(np.real(true) > 0, share, np.nan)))
