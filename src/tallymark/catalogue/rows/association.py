"""Correlations, and agreement of scores that need not lie on points."""

from functools import partial

from tallymark.agreement import correlation
from tallymark.catalogue.reasons import CONSTANT, ONE_POINT, SPEARMAN
from tallymark.catalogue.row import Row

row = partial(Row, by="agreement")
ROWS = (
    row(
        name="lin_ccc",
        title="Concordance (QWK of unrounded scores)",
        reading="Quadratic weighted kappa for scores that need not lie on the scale.",
        misreading="Not the QWK of the rounded scores: rounding first gives another number.",
        formula="2 s_ab / (s_a^2 + s_b^2 + (mean a - mean b)^2), divisor n",
        undefined=ONE_POINT,
        reference="Lin (1989), doi:10.2307/2532051",
        short="CCC",
        gloss="quadratic weighted kappa, unrounded scores",
        aliases=("CCC", "concordance", "concordance correlation", "QWK unrounded"),
        sets="default by_part compared leading_continuous preferred:1 brief tested comparison "
        "beside_people beside_others:1 rater_pairs rsmtool rsm_people rsm_moments rsm_compared",
        on_two_points="cohen_kappa[identity]",
        value=correlation.lin_ccc,
        example=("[1, 2, 4], [1.5, 2, 3.5]", "0.927"),
        tallies=("moments",),
        score="trimmed",
        unseen=True,
    ),
    row(
        name="pearson",
        title="Pearson correlation",
        reading="How close the scores lie to a straight line; blind to severity and compression.",
        misreading="Says nothing about severity: a system one point too low throughout still "
        "has r = 1.",
        formula="s_ab / (s_a s_b)",
        undefined=CONSTANT,
        reference="Fisher (1921) for the z interval",
        short="Pearson r",
        called="r",
        gloss="close to a straight line, blind to severity",
        aliases=(
            "r",
            "corr",
            "correlation",
            "pearsonr",
            "PCC",
            "Pearson product-moment correlation",
        ),
        sets="default by_part compared leading:2 tested comparison:1 beside_people:1 beside_others:1 "
        "rater_pairs:1 "
        "rsmtool rsm_people rsm_moments rsm_compared",
        on_two_points="mcc",
        value=correlation.pearson,
        example=("[1, 2, 3, 4], [2, 4, 5, 9]", "0.965"),
        tallies=("moments",),
        score="trimmed",
        analytic="fisher_z",
        unseen=True,
    ),
    row(
        name="spearman",
        title="Spearman correlation",
        reading="Whether both scorers order the responses alike: the correlation of their ranks, "
        "ties at the middle rank.",
        misreading="Blind to severity and to a stretched or bent scale: only the order counts.",
        formula="Pearson correlation of middle ranks",
        undefined=CONSTANT,
        reference=SPEARMAN,
        short="rho",
        aliases=("rho", "spearmanr", "SRCC", "Spearman's rho", "Spearman rank correlation"),
        sets="default",
        level="ordinal",
        on_two_points="mcc",
        value=correlation.spearman,
        example=("[1, 2, 3, 4], [1, 3, 2, 4]", "0.800"),
        tallies=("ranks",),
        score="trimmed",
        analytic="spearman_z",
        influence=correlation.spearman_influence,
    ),
    row(
        name="kendall_tau_b",
        title="Kendall's tau-b",
        reading="Pairs of responses ordered alike minus pairs ordered oppositely, as a share, "
        "corrected for ties.",
        misreading="Smaller than r or rho on the same data. That is its scale, not worse agreement.",
        formula="(C - D) / sqrt((P - T_a)(P - T_b))",
        undefined=CONSTANT,
        reference="Kendall (1945), doi:10.1093/biomet/33.3.239",
        short="tau-b",
        gloss="same order of responses, ties corrected",
        aliases=("tau", "tau-b", "tau_b", "kendalltau", "kendall", "Kendall's tau"),
        sets="default leading:2",
        level="ordinal",
        on_two_points="mcc",
        value=correlation.kendall_tau_b,
        example=("[1, 2, 3, 4], [1, 3, 2, 4]", "0.667"),
        tallies=("ranks",),
        score="trimmed",
        influence=correlation.kendall_influence,
    ),
)
