"""Derived statistics: what is said of people, raters and repeated runs, by name."""

from tallymark.results import Definition

_WILLIAMSON = "Williamson, Xi & Breyer (2012), doi:10.1111/j.1745-3992.2011.00223.x"
_PRMSE = "Loukina, Madnani, Cahill et al. (2020), doi:10.18653/v1/2020.bea-1.2"
_FAIRNESS = "Loukina, Madnani & Zechner (2019), doi:10.18653/v1/W19-4401"
DERIVED: dict[str, Definition] = {
    "human_system": Definition(
        name="human_system",
        title="Agreement of the system with a person",
        reading="The statistic between the system and one rater, on the responses that this rater "
        "and another scored, averaged over all such pairs of raters. Where raters are many or share "
        "few responses it is one statistic of all ratings, each response counting once.",
        formula="mean over raters r != r' of s(r, system), where r' rated too",
    ),
    "human_human": Definition(
        name="human_human",
        title="Agreement of people with each other",
        reading="The statistic between the two raters of each pair on those same responses, "
        "averaged in the same way.",
        formula="mean over raters r != r' of s(r, r')",
    ),
    "degradation": Definition(
        name="degradation",
        title="System against people, less people against each other",
        reading="0 or more: the system agrees with a person as well as another person does. "
        "Negative: worse; of an error rate, above 0 is worse. The interval is of the difference on the same responses, for these "
        "raters. Adjudicators are left out. In a pool the correlation favours any one scorer a "
        "little: severity differs between the people, not within the system.",
        formula="human_system - human_human",
        reference=_WILLIAMSON,
    ),
    "self_consistency": Definition(
        name="self_consistency",
        title="Consistency of repeated runs",
        reading="exact: how often two runs give the same score; changed: share of responses whose "
        "score is not the same in all runs; icc: reliability of one run; sd: spread of runs in "
        "score points.",
        formula="exact: P(run = run'); changed: share; icc: ICC(1,1) of runs; sd: sqrt(MSW)",
        better="neither",
    ),
    "rater_mean": Definition(
        name="rater_mean",
        title="Mean score of a rater",
        reading="Over all responses the rater scored; raters of different responses may differ.",
        formula="mean x",
        better="neither",
    ),
    "rater_sd": Definition(
        name="rater_sd",
        title="Spread of a rater's scores",
        reading="Standard deviation; a small one means the rater hardly uses the scale.",
        formula="sqrt(sum (x - mean x)^2 / (n - 1))",
        better="neither",
    ),
    "modal_share": Definition(
        name="modal_share",
        title="Share of the most used score",
        reading="How much of a rater's scores fall on a single point; near 1 the rater does not "
        "tell responses apart.",
        formula="max_k share of point k",
        better="neither",
    ),
    "disattenuated_r": Definition(
        name="disattenuated_r",
        title="Correlation corrected for rater error",
        reading="The correlation the system would have with raters who made no errors; it can "
        "exceed 1 in a small sample.",
        formula="mean r(rater, system) / sqrt(mean r(rater, rater'))",
        reference="Spearman (1904), doi:10.2307/1412159",
    ),
    "error_variance": Definition(
        name="error_variance",
        title="Variance of rater errors",
        reading="How much two ratings of one response differ, squared score points; 0 is perfect.",
        formula="sum_i sum_j (h_ij - mean h_i)^2 / sum_i (c_i - 1)",
        reference=_PRMSE,
        better="lower",
    ),
    "true_score_variance": Definition(
        name="true_score_variance",
        title="Variance of true scores",
        reading="What is left of the variance of ratings without rater error.",
        formula="[sum c_i (mean h_i - mean h)^2 - (N - 1) s_e^2] / [C - sum c_i^2 / C]",
        reference=_PRMSE,
        better="neither",
    ),
    "mse_true": Definition(
        name="mse_true",
        title="Mean squared error against true scores",
        reading="How far the system is from what people would give without rater error.",
        formula="[sum c_i (mean h_i - m_i)^2 - N s_e^2] / C",
        reference=_PRMSE,
        better="lower",
    ),
    "prmse": Definition(
        name="prmse",
        title="PRMSE",
        reading="How much better the system predicts true scores than their mean does: 1 is "
        "perfect, 0 no better, below 0 worse; above 1 only by sampling error. It does not fall because "
        "raters err.",
        formula="1 - mse_true / true_score_variance",
        reference=_PRMSE,
    ),
    "dsm": Definition(
        name="dsm",
        title="Difference of standardized means",
        reading="How much the system favours (above 0) or disfavours a group beyond what it does "
        "to all; beyond 0.10 is commonly cited as too much.",
        formula="(mean m_g - mean m) / sd m - (mean h_g - mean h) / sd h",
        reference=_WILLIAMSON,
        better="zero",
    ),
    "difference": Definition(
        name="difference",
        title="Group less the other groups",
        reading="The statistic among the group's responses less that among all others; parts give "
        "the p-value, plain and adjusted over all groups and tests of the column (step-down max-T).",
        formula="s(group) - s(others)",
        better="zero",
    ),
    "paired_difference": Definition(
        name="paired_difference",
        title="Paired difference",
        reading="The statistic of one system or experiment less that of another, on the responses "
        "of both, which are resampled together; parts give the p-value where one was tested, plain "
        "and adjusted over all pairs (Holm).",
        formula="s(this) - s(other)",
        better="zero",
    ),
    "osa": Definition(
        name="osa",
        title="Overall score accuracy",
        reading="Share of the variance of squared errors that groups explain; 0 is fair.",
        formula="adjusted R2 of e^2 ~ group, not below 0",
        reference=_FAIRNESS,
        better="zero",
    ),
    "osd": Definition(
        name="osd",
        title="Overall score difference",
        reading="Share of the variance of errors that groups explain; 0 is fair.",
        formula="adjusted R2 of e ~ group, not below 0",
        reference=_FAIRNESS,
        better="zero",
    ),
    "csd": Definition(
        name="csd",
        title="Conditional score difference",
        reading="What groups explain of the errors at the same human score. It flags fair systems "
        "where groups differ in ability, because the human score errs too: see true_effect.",
        formula="adjusted R2 of e ~ group + human score, less that of e ~ human score, not below 0",
        reference=_FAIRNESS,
        better="zero",
    ),
    "osa_effect": Definition(
        name="osa_effect",
        title="Squared error, group less reference group",
        reading="Above 0 the system errs more in this group than in the largest.",
        formula="mean e^2 in the group - mean e^2 in the reference",
        reference=_FAIRNESS,
        better="zero",
    ),
    "osd_effect": Definition(
        name="osd_effect",
        title="Error, group less reference group",
        reading="Above 0 the system favours this group over the largest, in score points.",
        formula="mean e in the group - mean e in the reference",
        reference=_FAIRNESS,
        better="zero",
    ),
    "csd_effect": Definition(
        name="csd_effect",
        title="Error at the same human score, group less reference group",
        reading="As the error effect, among responses with the same human score; biased where "
        "groups differ in ability: see true_effect.",
        formula="coefficient of the group in e ~ group + human score",
        reference=_FAIRNESS,
        better="zero",
    ),
    "true_effect": Definition(
        name="true_effect",
        title="Score at the same true score, group less reference group",
        reading="Above 0 the system gives this group more than the largest for responses equally "
        "good, in score points; rater error is taken out by double scores.",
        formula="(mean m_g - mean m_1) - b (mean h_g - mean h_1), b corrected for rater error",
        reference="Fuller (1987), doi:10.1002/9780470316665",
        better="zero",
    ),
}
"""Definitions of statistics that are no rows of the catalogue, by name."""
