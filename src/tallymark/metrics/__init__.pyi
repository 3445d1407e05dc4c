"""The types of tallymark.metrics, written by `make fix` from the rows of the catalogue."""

from typing import Literal

from numpy.typing import ArrayLike

from tallymark.agreement.weights import Weights
from tallymark.metrics.rsmtool import (
    csd,
    degradation,
    disattenuated_r,
    dsm,
    error_variance,
    mse_true,
    osa,
    osd,
    prmse,
    quadratic_weighted_kappa,
    smd,
    true_score_variance,
)
from tallymark.tally.arrays import Missing, RatingsLike, ScaleLike

__all__ = [
    "adjacent_agreement",
    "balanced_accuracy",
    "bias",
    "bias_index",
    "brennan_prediger",
    "class_f1",
    "class_precision",
    "class_recall",
    "cohen_kappa",
    "conger_kappa",
    "csd",
    "csrate",
    "degradation",
    "disattenuated_r",
    "dsm",
    "error_variance",
    "f1",
    "fleiss_kappa",
    "gwet_ac",
    "icc",
    "kendall_tau_b",
    "krippendorff_alpha",
    "lin_ccc",
    "macro_f1",
    "macro_mae",
    "macro_precision",
    "macro_rmse",
    "mae",
    "mcc",
    "mean_pairwise_kappa",
    "mse",
    "mse_true",
    "negative_predictive_value",
    "osa",
    "osd",
    "pabak",
    "pearson",
    "percent_agreement",
    "positive_rate",
    "precision",
    "prevalence_doewes",
    "prevalence_index",
    "prmse",
    "quadratic_weighted_kappa",
    "r2",
    "rmse",
    "scott_pi",
    "sd_ratio",
    "sensitivity",
    "smd",
    "spearman",
    "specificity",
    "true_score_variance",
]

def adjacent_agreement(y_true: ArrayLike, y_pred: ArrayLike, *, tolerance: float = 1.0, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Adjacent agreement. Share of responses whose scores differ by at most the tolerance."""

def balanced_accuracy(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Balanced accuracy (macro recall). Mean over the labels of the share of golds that the system gives too: rare labels count as much as common ones. .5 is chance on two labels."""

def bias(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Bias. Mean of system minus gold in score points; negative is severe."""

def bias_index(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Bias index. How much more often the first rater uses the first of the two points than the second rater does."""

def brennan_prediger(y_true: RatingsLike, y_pred: ArrayLike | None = None, *, weights: Weights = 'identity', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Brennan-Prediger. Agreement beyond uniform guessing on the declared scale."""

def class_f1(y_true: ArrayLike, y_pred: ArrayLike, *, label: float = 0.0, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """F1 of a label. Harmonic mean of precision and recall of a label: high only where both are."""

def class_precision(y_true: ArrayLike, y_pred: ArrayLike, *, label: float = 0.0, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Precision of a label. Share of the responses given this label by the system whose gold it is."""

def class_recall(y_true: ArrayLike, y_pred: ArrayLike, *, label: float = 0.0, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Recall of a label. Share of the golds with this label to which the system gives it too."""

def cohen_kappa(y_true: ArrayLike, y_pred: ArrayLike, *, weights: Weights = 'identity', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Cohen's kappa. Agreement beyond what the two score distributions alone would produce. With quadratic weights (QWK), large differences count most. Falls when one score dominates."""

def conger_kappa(ratings: RatingsLike, *, weights: Weights = 'identity', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Conger's kappa. Agreement of any number of raters beyond chance, each with a score distribution of their own."""

def csrate(y_true: ArrayLike, y_pred: ArrayLike, *, lambda_: float = 0.2, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Critical error rate (CSRate). Share of responses whose two scores differ by at least lambda times the range of the scale. A high QWK can hide them."""

def f1(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """F1. Harmonic mean of precision and sensitivity: high only where both are."""

def fleiss_kappa(ratings: RatingsLike, *, weights: Weights = 'identity', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Fleiss' kappa. Agreement of any number of raters beyond chance, with one score distribution for all of them."""

def gwet_ac(y_true: RatingsLike, y_pred: ArrayLike | None = None, *, weights: Weights = 'identity', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Gwet's AC. Agreement beyond chance that stays high when one score dominates. Read it beside a correlation: a system that cannot tell responses apart can still reach a high AC."""

def icc(ratings: RatingsLike, *, type: Literal["1,1", "2,1", "3,1", "1,k", "2,k", "3,k"] = '2,1', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Intraclass correlation. Reliability of one rating; for types with k, of the mean of all k ratings."""

def kendall_tau_b(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Kendall's tau-b. Pairs of responses ordered alike minus pairs ordered oppositely, as a share, corrected for ties."""

def krippendorff_alpha(y_true: RatingsLike, y_pred: ArrayLike | None = None, *, metric: Literal["nominal", "ordinal", "interval", "ratio"] = 'interval', weights: Weights | None = None, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Krippendorff's alpha. Agreement of any number of raters beyond chance, corrected for small samples."""

def lin_ccc(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Concordance (QWK of unrounded scores). Quadratic weighted kappa for scores that need not lie on the scale."""

def macro_f1(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Macro F1. Mean F1 over the labels that gold or system give: rare ones count as much as common ones. The micro average of F1, precision and recall is exact agreement."""

def macro_mae(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Macro mean absolute error. Mean absolute error at each gold score, averaged over gold scores: rare scores count as much as common ones."""

def macro_precision(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Macro precision. Mean precision over the labels that the system gives: rare ones count as much as common ones."""

def macro_rmse(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Macro root mean squared error. Root mean squared error at each gold score, averaged over gold scores: rare scores count as much as common ones."""

def mae(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Mean absolute error. Mean distance between system and gold in score points."""

def mcc(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Matthews correlation coefficient. Correlation of the labels: 1 is perfect, 0 is chance. On two points it is r."""

def mean_pairwise_kappa(ratings: RatingsLike, *, weights: Weights = 'identity', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Mean pairwise kappa. Cohen's kappa of each pair of raters on the responses both scored, averaged with equal weight. Pairs without a defined kappa are left out and counted."""

def mse(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Mean squared error. Mean squared distance between system and gold, in squared score points."""

def negative_predictive_value(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Negative predictive value. Share of what the system calls negative that people call negative too."""

def pabak(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """PABAK. Kappa on two points as if both were equally common and equally used."""

def pearson(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Pearson correlation. How close the scores lie to a straight line; blind to severity and compression."""

def percent_agreement(y_true: RatingsLike, y_pred: ArrayLike | None = None, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Exact agreement. Share of responses with the same score. High wherever one score dominates."""

def positive_rate(y_true: ArrayLike, y_pred: ArrayLike, *, of: Literal["gold", "system"] = 'gold', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Positive rate (prevalence). gold: share of the responses that people call positive, the prevalence; system: share that the system does."""

def precision(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Precision (positive predictive value). Share of what the system calls positive that people call positive too."""

def prevalence_doewes(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Prevalence (many points). How unevenly the agreement is spread over the score points; 0 is even."""

def prevalence_index(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Prevalence index. How much one of the two points dominates the agreement. Far from 0, kappa is low."""

def r2(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """R squared. Share of the gold's variance explained by the scores as they stand. 0 is no better than always giving the mean; negative is worse."""

def rmse(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Root mean squared error. Like the mean absolute error, but large errors weigh more."""

def scott_pi(y_true: ArrayLike, y_pred: ArrayLike, *, weights: Weights = 'identity', scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Scott's pi. Agreement beyond chance, where chance follows from one score distribution shared by both raters."""

def sd_ratio(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Ratio of standard deviations. Spread of the system's scores over that of the gold: 1 is as spread out as people, below 1 scores are drawn towards the middle."""

def sensitivity(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Sensitivity (true positive rate). Share of the positive golds that the system calls positive too."""

def spearman(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Spearman correlation. Whether both scorers order the responses alike: the correlation of their ranks, ties at the middle rank."""

def specificity(y_true: ArrayLike, y_pred: ArrayLike, *, scale: ScaleLike | None = None, missing: Missing = 'raise') -> float:
    """Specificity (true negative rate). Share of the negative golds that the system calls negative too."""
