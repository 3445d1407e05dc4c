"""What RSMTool offers as functions beyond two arrays of scores: true scores, groups, a second rater.

docs/rsmtool.md has a table of its names and ours. ``y_true`` is the gold or the first rater,
``y_pred`` the system; None, NaN and masked scores are missing, which is an error unless
``missing="drop"`` leaves such responses out. Raters beside the first may lack scores.
"""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tallymark.accuracy import standardized, true_score
from tallymark.accuracy.standardized import GroupMoments, Kind
from tallymark.agreement import correlation
from tallymark.arrays import Floats
from tallymark.catalogue import BY_NAME
from tallymark.errors import DataError, OptionError
from tallymark.fairness import errors_by_group
from tallymark.metrics.built import metric_of
from tallymark.scale import GREATEST, Scale
from tallymark.signatures import typed
from tallymark.tally import GroupErrors, RatedSums
from tallymark.tally.arrays import (
    Missing,
    RatingsLike,
    ScaleLike,
    check_lengths,
    check_missing,
    declared,
    is_missing,
    matrix,
    pair,
    present,
    sequence,
)
from tallymark.tally.matrices import moments_of

__all__ = [
    "csd", "degradation", "disattenuated_r", "dsm", "error_variance", "mse_true", "osa", "osd",
    "prmse", "quadratic_weighted_kappa", "smd", "true_score_variance",
]  # fmt: skip
Responses = Literal["shared", "all"]
"""``shared``: those with all three scores. ``all``: the system on all, as RSMTool has it."""


cohen_kappa, lin_ccc = metric_of(BY_NAME["cohen_kappa"]), metric_of(BY_NAME["lin_ccc"])


def quadratic_weighted_kappa(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    scale: ScaleLike | None = None,
    missing: Missing = "raise",
) -> float:
    """Cohen's kappa with quadratic weights (QWK), of scores at their nearest points.

    For scores that have no points, and without rounding, take ``lin_ccc``.

    >>> f"{quadratic_weighted_kappa([1, 2, 4], [2, 1, 4]):.4f}"
    '0.7857'
    """
    return cohen_kappa(y_true, y_pred, weights="quadratic", scale=scale, missing=missing)


@typed
def error_variance(ratings: RatingsLike) -> float:
    """Variance of rater errors, from the responses x raters that were rated more than once.

    >>> error_variance([[3, 4], [2, 2]])
    0.25
    """
    return float(true_score.error_variance(_rated(ratings)))


@typed
def true_score_variance(ratings: RatingsLike, *, error_variance: float | None = None) -> float:
    """Variance of the scores that responses x raters would show without rater error.

    ``error_variance`` is that of rater errors, when it is known from elsewhere.

    >>> true_score_variance([[3, 4], [2, 2]])
    1.0
    """
    return float(true_score.true_score_variance(_rated(ratings), error=_checked(error_variance)))


@typed
def mse_true(
    ratings: RatingsLike,
    y_pred: ArrayLike,
    *,
    error_variance: float | None = None,
    missing: Missing = "raise",
) -> float:
    """Mean squared error of the system as a prediction of true scores.

    ``ratings`` are responses x raters, or one rater's if ``error_variance`` is known.

    >>> mse_true([[3, 4], [2, 2]], [3, 1])
    0.5
    """
    return float(
        true_score.mse_true(_rated(ratings, y_pred, missing), error=_checked(error_variance))
    )


@typed
def prmse(
    ratings: RatingsLike,
    y_pred: ArrayLike,
    *,
    error_variance: float | None = None,
    missing: Missing = "raise",
) -> float:
    """Proportional reduction in mean squared error (PRMSE) of predicting true scores.

    1 is perfect, 0 is no better than their mean. ``ratings`` are responses x raters, of any number
    and with gaps, or one rater's if ``error_variance`` is known.

    >>> prmse([[3, 4], [2, 2]], [3, 1])
    0.5
    """
    return float(true_score.prmse(_rated(ratings, y_pred, missing), error=_checked(error_variance)))


@typed
def smd(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    kind: Kind = "unpooled",
    group: ArrayLike | None = None,
    scale: ScaleLike | None = None,
    missing: Missing = "raise",
) -> float:
    """Standardized mean difference: the mean of y_pred less y_true over a standard deviation.

    ``unpooled``: that of y_true; ``pooled``: of both. ``group`` is True for the responses whose
    means are compared: ``johnson`` and ``williamson`` are the same two, with the standard
    deviations of all responses.

    >>> f"{smd([1, 2, 3], [2, 2, 4]):.3f}"
    '0.667'
    """
    if group is None:
        both = present(*pair(y_true, y_pred, scale=declared(scale), missing=missing))
        return float(standardized.smd(moments_of(*both), kind=kind))
    of_group = _of_group(y_true, y_pred, group, missing, declared(scale))
    return float(standardized.smd(of_group, kind=kind))


@typed
def dsm(
    y_true: ArrayLike, y_pred: ArrayLike, group: ArrayLike, *, missing: Missing = "raise"
) -> float:
    """Difference of standardized means of a group: its mean of y_pred less that of y_true.

    Both are standardized over all responses; ``group`` is True for those of the group.

    >>> f"{dsm([1, 2, 4], [2, 3, 4], [True, True, False]):.3f}"
    '0.046'
    """
    return float(standardized.dsm(_of_group(y_true, y_pred, group, missing)))


@typed
def osa(
    y_true: ArrayLike, y_pred: ArrayLike, group: ArrayLike, *, missing: Missing = "raise"
) -> float:
    """Overall score accuracy: adjusted R squared of the squared error by group.

    ``group`` names the group of each response. 0 is fair; it can be slightly negative.

    >>> f"{osa([1, 2, 3, 4], [1, 3, 5, 7], ['a', 'a', 'b', 'b']):.3f}"
    '0.602'
    """
    return float(errors_by_group.osa(_errors(y_true, y_pred, group, missing)))


@typed
def osd(
    y_true: ArrayLike, y_pred: ArrayLike, group: ArrayLike, *, missing: Missing = "raise"
) -> float:
    """Overall score difference: adjusted R squared of the error by group.

    ``group`` names the group of each response. 0 is fair; it can be slightly negative.

    >>> f"{osd([1, 2, 3, 4], [1, 3, 5, 7], ['a', 'a', 'b', 'b']):.3f}"
    '0.700'
    """
    return float(errors_by_group.osd(_errors(y_true, y_pred, group, missing)))


@typed
def csd(
    y_true: ArrayLike, y_pred: ArrayLike, group: ArrayLike, *, missing: Missing = "raise"
) -> float:
    """Conditional score difference: what group adds to adjusted R squared of error given y_true.

    It flags fair systems where groups differ in ability, because y_true errs too.

    >>> f"{csd([1, 1, 2, 2, 1, 1, 2, 2], [1, 2, 2.5, 4, 2, 3.5, 3, 5], [*'aaaabbbb']):.3f}"
    '0.162'
    """
    return float(errors_by_group.csd(_errors(y_true, y_pred, group, missing)))


@typed
def degradation(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    second: ArrayLike,
    *,
    statistic: Callable[..., float] = lin_ccc,
    responses: Responses = "shared",
    missing: Missing = "raise",
    **params: Any,
) -> float:
    """How much better the system agrees with the first rater than the second rater does.

    ``statistic`` is any function of two arrays, and further keywords are its own; ``lin_ccc`` is QWK
    of unrounded scores. Negative is
    worse than a person, unless the statistic counts errors. ``responses="all"`` takes the system
    on all responses and people on those rated twice, as RSMTool does: a difference of two samples.

    >>> f"{degradation([1, 2, 3, 4], [1, 2, 4, 4], [2, 2, 3, 4]):.3f}"
    '0.042'
    """
    system, people = _beside_people(y_true, y_pred, second, responses, missing)
    return statistic(*system, **params) - statistic(*people, **params)


@typed
def disattenuated_r(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    second: ArrayLike,
    *,
    responses: Responses = "shared",
    missing: Missing = "raise",
) -> float:
    """Correlation of the system with the first rater, corrected for the errors of raters.

    It is divided by the root of the correlation of both raters, and can exceed 1.

    >>> f"{disattenuated_r([1, 2, 3, 4], [1, 2, 4, 4], [2, 2, 3, 4]):.3f}"
    '0.974'
    """
    system, people = _beside_people(y_true, y_pred, second, responses, missing)
    of_system, of_people = (correlation.pearson(moments_of(*two)) for two in (system, people))
    return float(correlation.disattenuated(of_system, of_people))


def _rated(
    ratings: RatingsLike, y_pred: ArrayLike | None = None, missing: Missing = "raise"
) -> RatedSums:
    """Sums of the ratings and the system's scores, about a center so that squares do not cancel."""
    scores = matrix(ratings, one=True)
    given = scores[~np.isnan(scores)]
    center = float(given.mean()) if given.size else 0.0
    system = np.full(len(scores), center) if y_pred is None else sequence(y_pred, "y_pred")
    check_lengths(len(scores), "ratings", y_pred=system.size)
    check_missing(missing, y_pred=system)
    return RatedSums(RatedSums.rows(scores - center, system - center).sum(axis=0))


def _checked(error_variance: float | None) -> float | None:
    if error_variance is not None and not 0 <= error_variance <= GREATEST:
        raise OptionError(
            f"error_variance must lie between 0 and {GREATEST:g}, got {error_variance}"
        )
    return error_variance


def _of_group(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    group: ArrayLike,
    missing: Missing,
    scale: Scale | None = None,
) -> GroupMoments:
    inside = np.asarray(group)
    if inside.dtype.kind != "b":
        raise DataError(
            "group must be True or False for each response; write for example group == 'f'"
        )
    gold, system = pair(y_true, y_pred, scale=scale, missing=missing)
    check_lengths(gold.size, "y_true", group=inside.size)
    of_group = moments_of(*present(gold[inside], system[inside]))
    return GroupMoments(of_group, moments_of(*present(gold, system)))


def _errors(
    y_true: ArrayLike, y_pred: ArrayLike, group: ArrayLike, missing: Missing
) -> GroupErrors:
    """Sums of errors by group and gold score."""
    names = list(np.atleast_1d(np.asarray(group, dtype=object)))
    gold, system = pair(y_true, y_pred, missing=missing)
    check_lengths(gold.size, "y_true", group=len(names))
    named = np.array([np.nan if is_missing(name) else 0.0 for name in names])
    kept = ~(np.isnan(gold) | check_missing(missing, group=named))
    groups, at = np.unique(np.array(names, dtype=str)[kept], return_inverse=True)
    points, score = np.unique(gold[kept], return_inverse=True)
    sums = np.zeros((max(groups.size, 1), max(points.size, 1), 4))
    np.add.at(sums, (at, score), GroupErrors.rows((system - gold)[kept]))
    return GroupErrors(sums)


def _beside_people(
    y_true: ArrayLike, y_pred: ArrayLike, second: ArrayLike, responses: Responses, missing: Missing
) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
    """The two scores of the system and the first rater, and those of both raters."""
    first, system = pair(y_true, y_pred, missing=missing)
    other = sequence(second, "second")
    check_lengths(first.size, "y_true", second=other.size)
    if responses == "shared":
        first, system, other = present(first, system, other)
    elif responses != "all":
        raise OptionError(f"responses= takes 'shared' or 'all', got {responses!r}")
    return present(first, system), present(first, other)
