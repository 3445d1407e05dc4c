"""One number of scores, as scikit-learn's metrics: ``f(y_true, y_pred)``, or ``f(ratings)``.

``y_true`` is the gold, ``y_pred`` the system. Pairs with a missing score (NaN or None) are left
out. ``percent_agreement``, ``gwet_ac``, ``brennan_prediger`` and ``krippendorff_alpha`` also take
one array of responses x raters instead of two sequences, and ``fleiss_kappa``, ``conger_kappa``,
``mean_pairwise_kappa`` and ``icc`` take nothing else; gaps are NaN or None. NaN is returned, without
a warning, where a statistic is undefined. For intervals and reasons take ``tallymark.estimate``.

Statistics of a table put scores at the nearest point of ``scale`` ("1:6", "0:3:0.5" or a list of
points or words). Without it the scale runs from the lowest to the highest score seen, by their
greatest common step: declare it, above all in cross-validation, where folds differ.
"""

from tallymark.metrics.agreement import (
    adjacent_agreement,
    bias_index,
    brennan_prediger,
    cohen_kappa,
    csrate,
    gwet_ac,
    krippendorff_alpha,
    pabak,
    percent_agreement,
    prevalence_doewes,
    prevalence_index,
    quadratic_weighted_kappa,
    scott_pi,
)
from tallymark.metrics.distances import (
    bias,
    kendall_tau_b,
    lin_ccc,
    macro_mae,
    macro_rmse,
    mae,
    mse,
    pearson,
    r2,
    rmse,
    sd_ratio,
    smd,
    spearman,
)
from tallymark.metrics.panels import (
    conger_kappa,
    fleiss_kappa,
    icc,
    mean_pairwise_kappa,
)

__all__ = [
    "adjacent_agreement",
    "bias",
    "bias_index",
    "brennan_prediger",
    "cohen_kappa",
    "conger_kappa",
    "csrate",
    "fleiss_kappa",
    "gwet_ac",
    "icc",
    "kendall_tau_b",
    "krippendorff_alpha",
    "lin_ccc",
    "macro_mae",
    "macro_rmse",
    "mae",
    "mean_pairwise_kappa",
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
    "sd_ratio",
    "smd",
    "spearman",
]


def __dir__() -> list[str]:
    """The public names alone."""
    return __all__
