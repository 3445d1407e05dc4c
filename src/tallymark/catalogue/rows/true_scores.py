"""Against true scores."""

from tallymark.catalogue.references import LOUKINA_2020
from tallymark.catalogue.row import POSITIVE, UNBOUNDED, Row

ROWS = (
    Row(
        name="error_variance",
        title="Variance of rater errors",
        by="true_scores",
        reading="How much two ratings of one response differ, squared score points; 0 is perfect.",
        misreading="About people alone: it is not the system's error.",
        formula="sum_i sum_j (h_ij - mean h_i)^2 / sum_i (c_i - 1)",
        undefined="no response was rated twice",
        reference=LOUKINA_2020,
        short="error variance",
        gloss="variance of a rater's error",
        aliases=("variance_of_errors", "rater error variance"),
        sets="true_scores:4",
        range=POSITIVE,
        style="squared",
        better="lower",
    ),
    Row(
        name="true_score_variance",
        title="Variance of true scores",
        by="true_scores",
        reading="What is left of the variance of ratings without rater error.",
        misreading="Belongs to these responses: a more varied sample has more of it.",
        formula="[sum c_i (mean h_i - mean h)^2 - (N - 1) s_e^2] / [C - sum c_i^2 / C]",
        undefined="no response was rated twice, or there is only one response",
        reference=LOUKINA_2020,
        short="true variance",
        gloss="variance of scores free of rater error",
        aliases=("variance of true scores",),
        sets="true_scores:3",
        range=UNBOUNDED,
        style="squared",
        better="neither",
    ),
    Row(
        name="mse_true",
        title="Mean squared error against true scores",
        by="true_scores",
        reading="How far the system is from what people would give without rater error.",
        misreading="Not the mean squared error against ratings, which holds rater error too.",
        formula="[sum c_i (mean h_i - m_i)^2 - N s_e^2] / C",
        undefined="no response was rated twice",
        reference=LOUKINA_2020,
        short="MSE",
        gloss="mean squared distance from the true score",
        sets="policy true_scores:2",
        range=UNBOUNDED,
        style="squared",
        better="lower",
    ),
    Row(
        name="prmse",
        title="PRMSE",
        by="true_scores",
        reading="How much better the system predicts true scores than their mean does: 1 is "
        "perfect, 0 no better, below 0 worse; above 1 only by sampling error. It does not fall "
        "because raters err.",
        misreading="Not R squared against one rater, which falls with rater error; the two are "
        "not comparable.",
        formula="1 - mse_true / true_score_variance",
        undefined="no response was rated twice, or true scores do not vary",
        reference=LOUKINA_2020,
        short="PRMSE",
        aliases=("PRMSE", "prmse_true", "proportional reduction in mean squared error"),
        gloss="share of the variance of true scores that is predicted",
        sets="policy true_scores:1",
    ),
)
