"""The table: which test claims which goldens. The first pattern that matches an id counts."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

DONE: frozenset[str] = frozenset(
    {"agreement", "panels", "rsmtool", "ceilings", "selective", "verdict", "lab"}
)
"""Milestones that are finished: each of their goldens must be claimed by a test that runs."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The goldens whose id matches one of the patterns belong to this test and milestone."""

    milestone: str
    test: str
    patterns: tuple[str, ...]


def agreement(test: str, *patterns: str) -> Claim:
    """Goldens of two-rater agreement, claimed by a test of that folder."""
    return Claim("agreement", f"tests/agreement/test_goldens.py::{test}", patterns)


def panels(test: str, *patterns: str) -> Claim:
    """Goldens of more than two raters, claimed by a test of the agreement folder."""
    return Claim("panels", f"tests/agreement/test_goldens.py::{test}", patterns)


def accuracy(test: str, *patterns: str) -> Claim:
    """Goldens of observed and true scores."""
    return Claim("rsmtool", f"tests/accuracy/test_goldens.py::{test}", patterns)


def ceilings(test: str, *patterns: str) -> Claim:
    """Goldens of reliability and ceilings."""
    return Claim("ceilings", f"tests/ceilings/test_goldens.py::{test}", patterns)


def reliability(test: str, *patterns: str) -> Claim:
    """Goldens of variance components and rater severity."""
    return Claim("ceilings", f"tests/reliability/test_goldens.py::{test}", patterns)


def selective(test: str, *patterns: str) -> Claim:
    """Goldens of critical errors, thresholds and confidences."""
    return Claim("selective", f"tests/selective/test_goldens.py::{test}", patterns)


def compare(test: str, *patterns: str) -> Claim:
    """Goldens of the comparison of systems."""
    return Claim("verdict", f"tests/compare/test_goldens.py::{test}", patterns)


def verdict(test: str, *patterns: str) -> Claim:
    """Goldens of limits and of how values are held against them."""
    return Claim("verdict", f"tests/verdict/test_goldens.py::{test}", patterns)


CLAIMS = (
    panels(
        "test_panels",
        "agreement:essay_30x4_missing/*",
        "agreement:fleiss1971_diagnoses/*",
        "agreement:fleiss_wikipedia/*",
        "agreement:gwet_distrib_6raters/*",
        "agreement:gwet_raw_*/*",
        "agreement:irr_anxiety/*",
        "agreement:kripp2011_C_4obs/*",
        "agreement:kripp_wikipedia_3coders/*",
        "agreement:shrout_fleiss_1979/*",
    ),
    panels("test_panels_of_the_papers", "papers:agr.multi4*"),
    panels("test_intraclass_correlations", "papers:icc.*"),
    agreement("test_bootstrap", "agreement:*/bootstrap/*"),
    agreement("test_two_raters", "agreement:*"),
    agreement("test_published_tables", "papers:yc.t*", "papers:agr.table4"),
    agreement("test_chance_agreement_of_brennan_prediger", "papers:yc.bp*"),
    agreement("test_closed_forms_of_the_figures", "papers:yc.fig*_closed"),
    verdict("test_bands_of_kappa", "papers:do.landis_koch"),
    verdict("test_acceptance_rounds_normally", "papers:do.accept_rounding"),
    Claim(
        "agreement", "tests/sources/test_resolution.py::test_resolution", ("papers:do.resolution",)
    ),
    agreement("test_paradoxes", "papers:do.*"),
    agreement("test_standard_errors", "papers:agr.abstractors", "papers:se.*"),
    verdict("test_limits_as_commonly_cited", "papers:wi.*"),
    compare("test_exact_permutation", "papers:cmp.permutation_exact"),
    compare("test_holm", "papers:cmp.holm"),
    Claim(
        "verdict",
        "tests/planning/test_goldens.py::test_responses_for_a_width",
        ("papers:plan.*",),
    ),
    Claim(
        "lab",
        "tests/lab/test_goldens.py::test_curves_of_yannakoudakis_and_cummins",
        ("papers:yc.sim_*",),
    ),
    ceilings("test_small_panel", "papers:uto.small*"),
    ceilings("test_identities_of_two_raters", "papers:uto.identity.*"),
    ceilings("test_simulated_table", "papers:uto.table1"),
    ceilings("test_coarse_scales", "papers:uto.coarse.*"),
    reliability("test_crossed_raters", "papers:g.cross*", "papers:g.henderson1*"),
    reliability("test_raters_within_responses", "papers:g.nested_r_in_p"),
    reliability("test_joint_severity", "papers:mfrm.*"),
    accuracy("test_true_scores", "papers:rsm.prmse*"),
    accuracy("test_standardized_differences", "papers:rsm.smd", "papers:rsm.dsm"),
    accuracy("test_observed_scores", "papers:rsm.observed"),
    accuracy("test_consistency_of_people", "papers:rsm.consistency"),
    accuracy("test_human_scores_that_do_not_vary", "papers:rsm.degenerate"),
    Claim("rsmtool", "tests/rsmtool/test_rounding.py::test_trimming", ("papers:rsm.trim",)),
    Claim("rsmtool", "tests/sources/test_exclusions.py::test_zeros", ("papers:rsm.zero",)),
    selective("test_critical_errors", "selective:cse-*"),
    selective("test_curves", "selective:curve-*"),
    selective("test_coverage_at_a_rate", "selective:coverage-20"),
    selective("test_the_most_confident", "selective:qwk-top-20"),
    selective("test_bounds", "selective:cp-upper-s", "selective:n-min-s", "selective:future-*"),
    selective("test_fixed_sequence", "selective:ltt-fixed-*"),
    selective("test_ranks", "selective:ltt-rank-*"),
    selective("test_risk_control", "selective:crc-120"),
    selective("test_conformal_selection", "selective:conformal-select-120"),
    selective("test_prompts", "selective:multi-prompt-s"),
    selective("test_auroc", "selective:auroc-*"),
    selective("test_share_of_people", "papers:fu.table2"),
    selective("test_the_paper_s_rule", "papers:fu.curve"),
    selective("test_trust_scores", "selective:trust-*"),
    selective("test_trust_score_of_the_paper", "papers:fu.trust"),
    selective("test_class_probabilities", "selective:conf-probs"),
    selective("test_repeated_runs", "selective:self-consistency"),
    selective("test_rounding_boundaries", "selective:boundary"),
    selective("test_calibration", "selective:calibration"),
    selective("test_cost", "selective:cost-double"),
    selective("test_mean_of_few_labels", "selective:ppi-mean"),
    selective("test_alternative_annotator", "selective:alt-test"),
)


def claim_of(golden_id: str) -> Claim:
    """The claim on a golden."""
    for claim in CLAIMS:
        if any(fnmatchcase(golden_id, pattern) for pattern in claim.patterns):
            return claim
    raise LookupError(f"nobody claims the golden {golden_id}; add it to tests/goldens/claims.py")
