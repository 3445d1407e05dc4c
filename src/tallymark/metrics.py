"""One number of two sequences of scores, as scikit-learn's metrics: ``f(y_true, y_pred)``.

``y_true`` is the gold, ``y_pred`` the system. Pairs with a missing score (NaN or None) are left
out; NaN is returned, without a warning, where a statistic is undefined. For intervals and reasons
take ``tallymark.estimate``.

Statistics of a table put scores at the nearest point of ``scale`` ("1:6", "0:3:0.5" or a list of
points or words). Without it the scale runs from the lowest to the highest score seen, by their
greatest common step: declare it, above all in cross-validation, where folds differ.
"""

from numpy.typing import ArrayLike

from tallymark.accuracy import error, standardized
from tallymark.accuracy.standardized import Kind
from tallymark.agreement import brennan_prediger as uniform
from tallymark.agreement import (
    concordance,
    correlation,
    gwet,
    kappa,
    krippendorff,
    paradox,
    percent,
)
from tallymark.agreement.krippendorff import Metric
from tallymark.agreement.weights import Weights
from tallymark.tally.sequences import ScaleLike, moments_of, pairs_of, table_of

__all__ = [
    "adjacent_agreement",
    "bias",
    "bias_index",
    "brennan_prediger",
    "cohen_kappa",
    "gwet_ac",
    "kendall_tau_b",
    "krippendorff_alpha",
    "lin_ccc",
    "macro_mae",
    "macro_rmse",
    "mae",
    "mse",
    "pabak",
    "pearson",
    "percent_agreement",
    "prevalence_doewes",
    "prevalence_index",
    "quadratic_weighted_kappa",
    "r2",
    "rmse",
    "scott_pi",
    "smd",
    "spearman",
]


def quadratic_weighted_kappa(
    y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None
) -> float:
    """Cohen's kappa with quadratic weights (QWK); without ``scale`` scores stay unrounded.

    >>> f"{quadratic_weighted_kappa([1, 2, 4], [2, 1, 4]):.4f}"
    '0.7857'
    """
    if scale is None:
        return lin_ccc(y_true, y_pred)
    return cohen_kappa(y_true, y_pred, weights="quadratic", scale=scale)


def percent_agreement(
    y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None
) -> float:
    """Share of responses with the same score.

    >>> f"{percent_agreement([1, 2, 3, 3], [1, 2, 3, 4]):.2f}"
    '0.75'
    """
    return float(percent.percent_agreement(table_of(y_true, y_pred, scale)))


def adjacent_agreement(
    y_true: ArrayLike, y_pred: ArrayLike, *, tolerance: float = 1.0, scale: ScaleLike | None = None
) -> float:
    """Share of responses whose scores differ by at most ``tolerance``.

    >>> f"{adjacent_agreement([1, 2, 3, 4], [1, 4, 3, 3]):.2f}"
    '0.75'
    """
    return float(percent.adjacent_agreement(table_of(y_true, y_pred, scale), tolerance=tolerance))


def cohen_kappa(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    weights: Weights = "identity",
    scale: ScaleLike | None = None,
) -> float:
    """Agreement beyond chance, each score with its own distribution.

    >>> f"{cohen_kappa([1, 2, 3, 3], [1, 2, 3, 2], weights='linear'):.3f}"
    '0.714'
    """
    return float(kappa.cohen_kappa(table_of(y_true, y_pred, scale), weights=weights))


def scott_pi(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    weights: Weights = "identity",
    scale: ScaleLike | None = None,
) -> float:
    """Agreement beyond chance, one distribution for both scores.

    >>> f"{scott_pi([1, 2, 3, 3], [1, 2, 3, 2]):.3f}"
    '0.619'
    """
    return float(kappa.fleiss_kappa(table_of(y_true, y_pred, scale), weights=weights))


def gwet_ac(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    weights: Weights = "identity",
    scale: ScaleLike | None = None,
) -> float:
    """Gwet's AC1, or AC2 with weights: stays high when one score dominates.

    >>> f"{gwet_ac([1, 2, 3, 3], [1, 2, 3, 2], scale='1:4'):.3f}"
    '0.680'
    """
    return float(gwet.gwet_ac(table_of(y_true, y_pred, scale), weights=weights))


def brennan_prediger(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    weights: Weights = "identity",
    scale: ScaleLike | None = None,
) -> float:
    """Agreement beyond uniform guessing on the scale.

    >>> f"{brennan_prediger([1, 2, 3, 3], [1, 2, 3, 2], scale='1:4'):.3f}"
    '0.667'
    """
    return float(uniform.brennan_prediger(table_of(y_true, y_pred, scale), weights=weights))


def krippendorff_alpha(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: Metric = "interval",
    weights: Weights | None = None,
    scale: ScaleLike | None = None,
) -> float:
    """Krippendorff's alpha at a level of measurement, or with any weights.

    >>> f"{krippendorff_alpha([1, 2, 3, 3], [1, 2, 3, 2], metric='nominal'):.3f}"
    '0.667'
    """
    return float(
        krippendorff.krippendorff_alpha(
            table_of(y_true, y_pred, scale), metric=metric, weights=weights
        )
    )


def pabak(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None) -> float:
    """Prevalence- and bias-adjusted kappa of a scale of two points.

    >>> f"{pabak([0, 0, 1, 1], [0, 0, 1, 0]):.3f}"
    '0.500'
    """
    return float(paradox.pabak(table_of(y_true, y_pred, scale)))


def prevalence_index(
    y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None
) -> float:
    """How much one of two points dominates the agreement.

    >>> f"{prevalence_index([0, 0, 1, 1], [0, 0, 1, 0]):.3f}"
    '0.250'
    """
    return float(paradox.prevalence_index(table_of(y_true, y_pred, scale)))


def bias_index(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None) -> float:
    """How much more the gold than the system uses the first of two points.

    >>> f"{bias_index([0, 0, 1, 1], [0, 0, 1, 0]):.3f}"
    '-0.250'
    """
    return float(paradox.bias_index(table_of(y_true, y_pred, scale)))


def prevalence_doewes(
    y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None
) -> float:
    """How unevenly the agreement is spread over the points.

    >>> f"{prevalence_doewes([1, 1, 2, 3], [1, 1, 2, 2]):.3f}"
    '0.333'
    """
    return float(paradox.prevalence_doewes(table_of(y_true, y_pred, scale)))


def lin_ccc(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Lin's concordance: quadratic weighted kappa of unrounded scores.

    >>> f"{lin_ccc([1, 2, 4], [1.5, 2, 3.5]):.3f}"
    '0.927'
    """
    return float(concordance.lin_ccc(moments_of(y_true, y_pred)))


def pearson(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Linear correlation.

    >>> f"{pearson([1, 2, 3, 4], [2, 4, 5, 9]):.3f}"
    '0.965'
    """
    return float(correlation.pearson(moments_of(y_true, y_pred)))


def spearman(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Correlation of the ranks, ties at their middle rank.

    >>> f"{spearman([1, 2, 3, 4], [1, 3, 2, 4]):.3f}"
    '0.800'
    """
    return float(correlation.spearman(pairs_of(y_true, y_pred)))


def kendall_tau_b(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Surplus of pairs of responses ordered alike, ties corrected.

    >>> f"{kendall_tau_b([1, 2, 3, 4], [1, 3, 2, 4]):.3f}"
    '0.667'
    """
    return float(correlation.kendall_tau_b(pairs_of(y_true, y_pred)))


def bias(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean of system minus gold.

    >>> f"{bias([1, 2, 3], [1, 3, 4]):.3f}"
    '0.667'
    """
    return float(error.bias(moments_of(y_true, y_pred)))


def mae(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean absolute error.

    >>> f"{mae([1, 2, 3], [1, 3, 1]):.3f}"
    '1.000'
    """
    return float(error.mae(moments_of(y_true, y_pred)))


def rmse(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Root mean squared error.

    >>> f"{rmse([1, 2, 3, 4], [1, 4, 3, 4]):.3f}"
    '1.000'
    """
    return float(error.rmse(moments_of(y_true, y_pred)))


def macro_mae(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean absolute error at each gold score, averaged over them.

    >>> f"{macro_mae([1, 1, 1, 2], [1, 1, 1, 4]):.3f}"
    '1.000'
    """
    return float(error.macro_mae(pairs_of(y_true, y_pred).errors()))


def mse(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean squared error.

    >>> mse([1, 2, 3, 4], [1, 4, 3, 4])
    1.0
    """
    return float(error.mse(moments_of(y_true, y_pred)))


def r2(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Share of the variance of y_true that y_pred explains as it stands.

    >>> f"{r2([1, 2, 3, 4], [1, 2, 3, 3]):.3f}"
    '0.800'
    """
    return float(error.r2(moments_of(y_true, y_pred)))


def smd(y_true: ArrayLike, y_pred: ArrayLike, *, kind: Kind = "unpooled") -> float:
    """Mean of y_pred minus y_true over a standard deviation.

    >>> f"{smd([1, 2, 3], [2, 2, 4]):.3f}"
    '0.667'
    """
    return float(standardized.smd(moments_of(y_true, y_pred), kind=kind))


def macro_rmse(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Root mean squared error at each gold score, averaged over them.

    >>> f"{macro_rmse([1, 1, 2], [1, 1, 4]):.3f}"
    '1.000'
    """
    return float(error.macro_rmse(pairs_of(y_true, y_pred).errors()))
