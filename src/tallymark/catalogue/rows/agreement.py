"""Agreement of two scores."""

from functools import partial
from typing import Any

from tallymark.agreement import kappa, percent
from tallymark.agreement.weights import NAMED
from tallymark.catalogue.parts import chance_parts, cohen_parts, gwet_error, percent_parts
from tallymark.catalogue.reasons import FUNAYAMA, NO_PAIRS, ONE_POINT, ONE_POINT_SCALE, WILLIAMSON
from tallymark.catalogue.row import PROPORTION, Row, Variant
from tallymark.defaults import LAMBDA

WEIGHTED: dict[str, Any] = {"params": {"weights": "identity"}, "choices": {"weights": NAMED}}
row = partial(Row, by="agreement")
ROWS = (
    row(
        name="percent_agreement",
        title="Exact agreement",
        reading="Share of responses with the same score. High wherever one score dominates.",
        misreading="Not comparable between data sets: where one score dominates, a scorer that "
        "always gives it agrees often.",
        formula="sum_k p_kk",
        undefined=NO_PAIRS,
        reference="Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed.",
        short="exact",
        called="Exact agreement",
        gloss="share of responses with the same score",
        panel_gloss="two ratings of a response are the same",
        aliases=("exact", "exact_agr", "PA", "accuracy", "accuracy_score"),
        sets="default by_part compared leading brief:1 labels_by_group:-1 panel panel_by_part panel_shown "
        "panel_brief:2 tested by_margins comparison beside_people:1 rater_pairs:1 rsmtool "
        "rsm_tables rsm_people rsm_compared what_if:4",
        example=("[1, 2, 3, 3], [1, 2, 3, 4]", "0.75"),
        tallies=("table", "panel"),
        level="nominal",
        range=PROPORTION,
        interval="wilson",
        settled=lambda points: bool(points.size < 2),
        parts=percent_parts,
        **gwet_error(percent.percent_agreement),
    ),
    row(
        name="adjacent_agreement",
        title="Adjacent agreement",
        reading="Share of responses whose scores differ by at most the tolerance.",
        misreading="Near 1 on any short scale: of three points only the two ends are not adjacent.",
        formula="sum_{|x_i - x_j| <= tolerance} p_ij",
        undefined=NO_PAIRS,
        reference=WILLIAMSON,
        short="adjacent",
        gloss="share of responses with neighbouring scores",
        aliases=("adjacent", "adj_agr", "off by one"),
        sets="default leading by_margins rsmtool rsm_tables rsm_people rsm_compared",
        example=("[1, 2, 3, 4], [1, 4, 3, 3]", "0.75"),
        tallies=("table",),
        params={"tolerance": 1.0},
        range=PROPORTION,
        interval="wilson",
        settled=percent.always_adjacent,
        **gwet_error(percent.adjacent_agreement),
    ),
    row(
        name="csrate",
        title="Critical error rate (CSRate)",
        reading="Share of responses whose two scores differ by at least lambda times the range of "
        "the scale. A high QWK can hide them.",
        misreading="No errors in a small sample prove little: 0 of 100 is compatible with a rate of "
        "almost 3 %.",
        formula="#{|b - a| >= lambda (max - min)} / n",
        undefined=ONE_POINT_SCALE,
        reference=FUNAYAMA,
        short="CSRate",
        gloss="share of critical errors",
        aliases=("CSR", "critical error rate", "critical scoring error rate"),
        sets="default by_part:1 compared:1 leading:1 tested by_margins beside_people:2",
        better="lower",
        on_two_points="1 - percent_agreement",
        value=percent.csrate,
        example=("[1, 2, 3, 4], [1, 4, 3, 4], lambda_=0.5", "0.25"),
        tallies=("table", "gaps"),
        params={"lambda_": LAMBDA},
        range=PROPORTION,
        interval="wilson",
    ),
    row(
        name="cohen_kappa",
        title="Cohen's kappa",
        reading="Agreement beyond what the two score distributions alone would produce. With "
        "quadratic weights (QWK), large differences count most. Falls when one score "
        "dominates.",
        misreading="Not the share of correct scores. Not comparable across scales, or across data sets "
        "with different score distributions. The bands of Landis & Koch (1977: to .20 slight, .40 fair, "
        ".60 moderate, .80 substantial, then almost perfect) are arbitrary.",
        formula="(pa - pe) / (1 - pe), pe = sum_ij w_ij p_i. p_.j",
        undefined=ONE_POINT,
        reference="Cohen (1968), doi:10.1037/h0026256",
        aliases=("cohen_kappa_score", "kappa2"),
        sets="by_margins chance_corrected",
        variants=(
            Variant(
                "identity",
                short="kappa",
                called="Kappa",
                gloss="agreement beyond chance",
                level="nominal",
                aliases=("kappa", "unweighted_kappa", "Cohen's kappa"),
                sets="default tested scales:2 rsmtool rsm_tables rsm_people rsm_compared",
            ),
            Variant(
                "linear",
                short="LWK",
                aliases=("LWK", "linear_weighted_kappa"),
                sets="default tested scales:1 what_if:1",
            ),
            Variant(
                "quadratic",
                short="QWK",
                gloss="agreement beyond chance, big gaps weigh most",
                aliases=("QWK", "wtkappa", "quadratic_weighted_kappa", "weighted kappa"),
                sets="default by_part compared leading preferred brief tested comparison "
                "beside_people rater_pairs scales what_if rsmtool rsm_tables rsm_people rsm_compared",
            ),
        ),
        value=kappa.cohen_kappa,
        example=("[1, 2, 3, 3], [1, 2, 3, 2], weights='linear'", "0.714"),
        tallies=("table",),
        parts=cohen_parts,
        **WEIGHTED,
        unseen=True,
    ),
    row(
        name="scott_pi",
        title="Scott's pi",
        reading="Agreement beyond chance, where chance follows from one score distribution shared by "
        "both raters.",
        misreading="Not Cohen's kappa: it falls further when the two raters' score distributions differ.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl pi_k pi_l",
        undefined=ONE_POINT,
        reference="Scott (1955), doi:10.1086/266577",
        aliases=("pi", "Scott's pi", "multi_pi"),
        sets="by_margins chance_corrected",
        variants=(
            Variant("identity", short="Scott's pi", sets="default", level="nominal"),
            Variant("linear", sets="default"),
            Variant("quadratic", sets="default"),
        ),
        example=("[1, 2, 3, 3], [1, 2, 3, 2]", "0.619"),
        tallies=("table",),
        parts=chance_parts(kappa.fleiss_disagreement),
        **WEIGHTED,
        unseen=True,
        **gwet_error(kappa.fleiss_kappa),
    ),
)
