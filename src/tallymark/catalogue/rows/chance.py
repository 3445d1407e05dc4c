"""Agreement beyond chance, of any number of raters."""

from typing import Any

import numpy as np

from tallymark.agreement import chance, kappa, krippendorff
from tallymark.agreement.weights import NAMED
from tallymark.catalogue.parts import chance_parts, gwet_error
from tallymark.catalogue.reasons import ONE_POINT, ONE_POINT_SCALE, SHROUT
from tallymark.catalogue.row import AT_MOST_ONE, EITHER_WAY, UNBOUNDED, Row, Variant
from tallymark.reliability import icc
from tallymark.tally import OneWay, PanelMoments

WEIGHTED: dict[str, Any] = {"params": {"weights": "identity"}, "choices": {"weights": NAMED}}
_FEW, _ALIKE = "fewer than two responses are complete", "responses or ratings do not differ"


def _no_icc(ratings: PanelMoments | OneWay) -> str:
    """Why ratings have no intraclass correlation."""
    more = ratings.ratings - ratings.n if isinstance(ratings, OneWay) else ratings.n - 1
    return _FEW if float(np.real(more)) < 1 else _ALIKE


ROWS = (
    Row(
        name="fleiss_kappa",
        title="Fleiss' kappa",
        by="people",
        reading="Agreement of any number of raters beyond chance, with one score distribution for "
        "all of them.",
        misreading="Despite its name, it does not extend Cohen's kappa: for two raters it is Scott's pi.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl pi_k pi_l",
        undefined=ONE_POINT,
        reference="Fleiss (1971), doi:10.1037/h0031619",
        aliases=("fleiss", "kappam.fleiss", "multi kappa"),
        variants=(
            Variant("identity", sets="panel", level="nominal"),
            Variant("linear", sets="panel"),
            Variant("quadratic", sets="panel"),
        ),
        example=("[[1, 1, 2], [2, 2, None], [1, 1, 1], [3, 3, 2]]", "0.467"),
        tallies=("panel",),
        range=AT_MOST_ONE,
        parts=chance_parts(kappa.fleiss_disagreement),
        **WEIGHTED,
        **gwet_error(kappa.fleiss_kappa),
    ),
    Row(
        name="conger_kappa",
        title="Conger's kappa",
        by="people",
        reading="Agreement of any number of raters beyond chance, each with a score distribution of "
        "their own.",
        misreading="Not Fleiss' kappa, which assumes one score distribution for all raters. For two "
        "raters it is Cohen's kappa.",
        formula="(pa - pe) / (1 - pe), pe = mean over rater pairs of sum_kl w_kl p_gk p_hl",
        undefined=ONE_POINT,
        reference="Conger (1980), doi:10.1037/0033-2909.88.2.322",
        aliases=("conger", "exact fleiss"),
        variants=(
            Variant("identity", sets="panel", level="nominal"),
            Variant("linear", sets="panel"),
            Variant("quadratic", sets="panel"),
        ),
        example=("[[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2]]", "0.385"),
        tallies=("raters",),
        range=AT_MOST_ONE,
        parts=chance_parts(kappa.conger_disagreement),
        **WEIGHTED,
        **gwet_error(kappa.conger_kappa),
    ),
    Row(
        name="gwet_ac",
        title="Gwet's AC",
        by="agreement",
        reading="Agreement beyond chance that stays high when one score dominates. Read it beside a "
        "correlation: a system that cannot tell responses apart can still reach a high AC.",
        misreading="High is no proof of skill: where one score dominates, a scorer that always "
        "gives it can exceed .9.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl / (K (K - 1)) sum_k pi_k (1 - pi_k)",
        undefined=ONE_POINT_SCALE,
        reference="Gwet (2008), doi:10.1348/000711006X126600",
        aliases=("AC", "gwet", "agreement coefficient", "AC agreement coefficient"),
        sets="by_margins chance_corrected",
        variants=(
            Variant(
                "identity",
                short="AC1",
                gloss="agreement, steady when one label dominates",
                panel_gloss="the same, steady when one label dominates",
                aliases=("AC1", "Gwet's AC1"),
                sets="default panel",
                level="nominal",
                range=EITHER_WAY,
            ),
            Variant("linear", sets="default panel"),
            Variant(
                "quadratic",
                short="AC2",
                gloss="agreement, steady when one score dominates",
                panel_gloss="the same, steady when one score dominates",
                aliases=("AC2", "Gwet's AC2"),
                sets="default by_part compared leading:2 panel panel_by_part panel_shown:2 "
                "panel_brief:1 tested comparison:1 beside_people:1 scales:3 rsmtool what_if:2",
            ),
        ),
        example=("[1, 2, 3, 3], [1, 2, 3, 2], scale='1:4'", "0.680"),
        tallies=("table", "panel"),
        range=AT_MOST_ONE,
        parts=chance_parts(chance.gwet_disagreement),
        **WEIGHTED,
        unseen=True,
        **gwet_error(chance.gwet_ac),
    ),
    Row(
        name="brennan_prediger",
        title="Brennan-Prediger",
        by="agreement",
        reading="Agreement beyond uniform guessing on the declared scale.",
        misreading="Depends on the declared scale: points that nobody uses raise it.",
        formula="(pa - pe) / (1 - pe), pe = sum_kl w_kl / K^2",
        undefined=ONE_POINT_SCALE,
        reference="Brennan & Prediger (1981), doi:10.1177/001316448104100307",
        aliases=("BP", "S", "S coefficient", "Bennett's S", "randolph", "free-marginal kappa"),
        sets="by_margins chance_corrected",
        variants=(
            Variant(
                "identity",
                short="Brennan-Prediger",
                sets="default panel",
                level="nominal",
                range=EITHER_WAY,
            ),
            Variant("linear", sets="default panel"),
            Variant("quadratic", short="BP2", sets="default panel scales:4"),
        ),
        example=("[1, 2, 3, 3], [1, 2, 3, 2], scale='1:4'", "0.667"),
        tallies=("table", "panel"),
        range=AT_MOST_ONE,
        parts=chance_parts(chance.brennan_prediger_disagreement),
        **WEIGHTED,
        unseen=True,
        **gwet_error(chance.brennan_prediger),
    ),
    Row(
        name="mean_pairwise_kappa",
        title="Mean pairwise kappa",
        by="people",
        reading="Cohen's kappa of each pair of raters on the responses both scored, averaged with "
        "equal weight. Pairs without a defined kappa are left out and counted.",
        misreading="Every pair of raters counts the same, however few responses it shares.",
        formula="mean over rater pairs of Cohen's kappa",
        undefined="kappa is undefined for every pair of raters, or no two share a response",
        reference="Light (1971), doi:10.1037/h0031643",
        aliases=("light", "Light's kappa", "kappam.light"),
        variants=(
            Variant(
                "identity",
                short="mean kappa",
                gloss="kappa of two raters, mean over all pairs",
                sets="panel",
                level="nominal",
            ),
            Variant("linear", sets="panel"),
            Variant(
                "quadratic",
                short="mean QWK",
                gloss="QWK of two raters, mean over all pairs",
                sets="panel panel_shown:3",
            ),
        ),
        value=kappa.mean_pairwise_kappa,
        example=("[[1, 1, 2], [2, 2, 2], [1, 1, 1], [2, 1, 2]]", "0.400"),
        tallies=("pairwise",),
        parts=kappa.pairs_counted,
        **WEIGHTED,
    ),
    Row(
        name="krippendorff_alpha",
        title="Krippendorff's alpha",
        by="agreement",
        reading="Agreement of any number of raters beyond chance, corrected for small samples.",
        misreading="Not kappa with ordinal weights: its ordinal metric depends on how often "
        "each point is used.",
        formula="1 - (N - 1) sum_ck o_ck d_ck / sum_ck n_c n_k d_ck",
        undefined="only one score point was used: chance leaves nothing to agree on",
        reference="Krippendorff (2011), repository.upenn.edu/asc_papers/43",
        aliases=("alpha", "kripp.alpha", "Krippendorff's alpha"),
        sets="chance_corrected",
        variants=(
            Variant(
                "nominal",
                short="alpha",
                gloss="Krippendorff's: agreement beyond chance",
                sets="default panel",
                level="nominal",
            ),
            Variant("weights=identity", level="nominal"),
            Variant("ordinal", sets="default panel", level="ordinal"),
            Variant(
                "interval",
                short="alpha",
                gloss="Krippendorff's: agreement beyond chance",
                sets="default panel panel_by_part panel_shown:1 panel_brief what_if:3",
            ),
        ),
        value=krippendorff.krippendorff_alpha,
        example=("[1, 2, 3, 3], [1, 2, 3, 2], metric='nominal'", "0.667"),
        tallies=("table", "pairable"),
        ordinal=lambda params: params.get("metric") == "ordinal",
        params={"metric": "interval", "weights": None},
        choices={"metric": ("nominal", "ordinal", "interval", "ratio"), "weights": NAMED},
        parts=chance_parts(krippendorff.alpha_disagreement),
        linear=krippendorff.large_sample_alpha,
        analytic="t",
        ddof=1,
        unseen=True,
    ),
    Row(
        name="icc",
        title="Intraclass correlation",
        by="people",
        reading="Reliability of one rating; for types with k, of the mean of all k ratings.",
        misreading="The six types answer different questions: compare like with like. Types with k "
        "describe a mean, not one rating.",
        formula="1,1: (MSB - MSW) / (MSB + (k - 1) MSW); see Shrout & Fleiss for the others",
        undefined=f"{_FEW}, or {_ALIKE}",
        lacks=_no_icc,
        reference=SHROUT,
        aliases=("intraclass correlation",),
        variants=(
            Variant(
                "1,1",
                short="ICC(1,1)",
                gloss="reliability of one rating",
                aliases=("ICC1", "ICC(1,1)", "ICC(1)"),
                sets="panel panel_by_part panel_shown:4",
            ),
            Variant(
                "2,1", short="ICC(2,1)", aliases=("ICC2", "ICC(2,1)", "ICC(A,1)"), sets="panel"
            ),
            Variant(
                "3,1", short="ICC(3,1)", aliases=("ICC3", "ICC(3,1)", "ICC(C,1)"), sets="panel"
            ),
            Variant(
                "1,k",
                short="ICC(1,k)",
                gloss="reliability of the mean of a response's ratings",
                aliases=("ICC1k", "ICC(1,k)", "ICC(k)"),
                sets="panel panel_shown:4",
            ),
            Variant(
                "2,k",
                short="ICC(2,k)",
                aliases=("ICC2k", "ICC(2,k)", "ICC(A,k)"),
                sets="panel",
                range=UNBOUNDED,  # above 1 where responses differ less than chance gives
            ),
            Variant(
                "3,k", short="ICC(3,k)", aliases=("ICC3k", "ICC(3,k)", "ICC(C,k)"), sets="panel"
            ),
        ),
        value=icc.icc,
        example=("[[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6]], type='3,1'", "0.637"),
        tallies=("complete",),
        params={"type": "2,1"},
        choices={"type": icc.TYPES},
        range=AT_MOST_ONE,
        score="trimmed",
        closed_form=icc.icc_interval,
        raters=icc.other_raters,
    ),
)
