"""Against true scores."""

from functools import partial

from tallymark.catalogue.reasons import LOUKINA_2020
from tallymark.catalogue.row import POSITIVE, UNBOUNDED, Row

row = partial(Row, by="true-scores", reference=LOUKINA_2020)
ROWS = (
    row(
        name="error_variance",
        title="Variance of rater errors",
        reading="How much ratings of the same response differ, in squared score points; 0 is perfect.",
        misreading="Describes people alone, not the system's error.",
        formula="sum_i sum_j (h_ij - mean h_i)^2 / sum_i (c_i - 1)",
        undefined="no response was rated twice",
        short="error variance",
        gloss="variance of a rater's error",
        aliases=("variance_of_errors", "rater error variance"),
        sets="true_scores:4",
        range=POSITIVE,
        style="squared",
        better="lower",
        example=("[[3, 4], [2, 2]]", "0.25"),
    ),
    row(
        name="true_score_variance",
        title="Variance of true scores",
        reading="The variance of ratings that remains once rater error is taken out.",
        misreading="Belongs to these responses: a more varied sample has more of it.",
        formula="[sum c_i (mean h_i - mean h)^2 - (N - 1) s_e^2] / [C - sum c_i^2 / C]",
        undefined="no response was rated twice, or there is only one response",
        short="true variance",
        gloss="variance of scores free of rater error",
        aliases=("variance of true scores",),
        sets="true_scores:3",
        range=UNBOUNDED,
        style="squared",
        better="neither",
        example=("[[3, 4], [2, 2]]", "1.0"),
    ),
    row(
        name="mse_true",
        title="Mean squared error against true scores",
        reading="Mean squared distance between the system and the scores people would give without "
        "rater error.",
        misreading="Not the mean squared error against ratings, which includes rater error.",
        formula="[sum c_i (mean h_i - m_i)^2 - N s_e^2] / C",
        undefined="no response was rated twice",
        short="MSE",
        gloss="mean squared distance from the true score",
        sets="policy true_scores:2",
        range=UNBOUNDED,
        style="squared",
        better="lower",
        example=("[[3, 4], [2, 2]], [3, 1]", "0.5"),
    ),
    row(
        name="prmse",
        title="PRMSE",
        reading="How much better the system predicts true scores than their mean does. 1 is perfect, "
        "0 no better, below 0 worse. Rater error does not lower it. Where the whole interval lies "
        "above 1, the system shares errors with the raters, the responses rated twice are no random "
        "sample, or the error variance supplied is too large: then do not rely on it.",
        misreading="Not R squared against one rater, which falls with rater error: do not compare the "
        "two.",
        formula="1 - mse_true / true_score_variance",
        undefined="no response was rated twice, or true scores do not vary",
        short="PRMSE",
        aliases=("PRMSE", "prmse_true", "proportional reduction in mean squared error"),
        gloss="share of the variance of true scores that is predicted",
        sets="policy true_scores:1",
        range=UNBOUNDED,
        values="1 or less in truth; an estimate may exceed it",
        example=("[[3, 4], [2, 2]], [3, 1]", "0.5"),
    ),
)
