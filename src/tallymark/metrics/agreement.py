"""Agreement of two scores, or of all raters of a panel, on the points of a scale."""

from numpy.typing import ArrayLike

from tallymark.agreement import chance, kappa, krippendorff, paradox, percent
from tallymark.agreement.krippendorff import Metric
from tallymark.agreement.weights import Weights
from tallymark.metrics.distances import lin_ccc
from tallymark.tally import PairCounts, PanelCounts
from tallymark.tally.matrices import RatingsLike, panel_of, sums_of
from tallymark.tally.sequences import ScaleLike, table_of


def _tally(
    y_true: RatingsLike, y_pred: ArrayLike | None, scale: ScaleLike | None
) -> PairCounts | PanelCounts:
    """Two sequences, or responses x raters."""
    return panel_of(y_true, scale) if y_pred is None else table_of(y_true, y_pred, scale)


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
    y_true: RatingsLike, y_pred: ArrayLike | None = None, *, scale: ScaleLike | None = None
) -> float:
    """Share of responses with the same score.

    >>> f"{percent_agreement([1, 2, 3, 3], [1, 2, 3, 4]):.2f}"
    '0.75'
    """
    return float(percent.percent_agreement(_tally(y_true, y_pred, scale)))


def adjacent_agreement(
    y_true: ArrayLike, y_pred: ArrayLike, *, tolerance: float = 1.0, scale: ScaleLike | None = None
) -> float:
    """Share of responses whose scores differ by at most ``tolerance``.

    >>> f"{adjacent_agreement([1, 2, 3, 4], [1, 4, 3, 3]):.2f}"
    '0.75'
    """
    return float(percent.adjacent_agreement(table_of(y_true, y_pred, scale), tolerance=tolerance))


def csrate(
    y_true: ArrayLike, y_pred: ArrayLike, *, lambda_: float = 0.2, scale: ScaleLike | None = None
) -> float:
    """Share of responses whose scores differ by ``lambda_`` times the scale's range or more.

    >>> f"{csrate([1, 2, 3, 4], [1, 4, 3, 4], lambda_=0.5):.2f}"
    '0.25'
    """
    return float(percent.csrate(table_of(y_true, y_pred, scale), lambda_=lambda_))


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
    y_true: RatingsLike,
    y_pred: ArrayLike | None = None,
    *,
    weights: Weights = "identity",
    scale: ScaleLike | None = None,
) -> float:
    """Gwet's AC1, or AC2 with weights: stays high when one score dominates.

    >>> f"{gwet_ac([1, 2, 3, 3], [1, 2, 3, 2], scale='1:4'):.3f}"
    '0.680'
    """
    return float(chance.gwet_ac(_tally(y_true, y_pred, scale), weights=weights))


def brennan_prediger(
    y_true: RatingsLike,
    y_pred: ArrayLike | None = None,
    *,
    weights: Weights = "identity",
    scale: ScaleLike | None = None,
) -> float:
    """Agreement beyond uniform guessing on the scale.

    >>> f"{brennan_prediger([1, 2, 3, 3], [1, 2, 3, 2], scale='1:4'):.3f}"
    '0.667'
    """
    return float(chance.brennan_prediger(_tally(y_true, y_pred, scale), weights=weights))


def krippendorff_alpha(
    y_true: RatingsLike,
    y_pred: ArrayLike | None = None,
    *,
    metric: Metric = "interval",
    weights: Weights | None = None,
    scale: ScaleLike | None = None,
) -> float:
    """Krippendorff's alpha at a level of measurement, or with any weights.

    >>> f"{krippendorff_alpha([1, 2, 3, 3], [1, 2, 3, 2], metric='nominal'):.3f}"
    '0.667'
    """
    if y_pred is None and scale is None and weights is None and metric == "interval":
        return float(krippendorff.krippendorff_alpha(sums_of(y_true, twice=True)))
    tally = _tally(y_true, y_pred, scale)
    pairable = tally.coincidences if isinstance(tally, PanelCounts) else tally
    return float(krippendorff.krippendorff_alpha(pairable, metric=metric, weights=weights))


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
