"""Every heading of a number on our screens, and every name of five papers, is explained."""

import pytest

from tallymark.catalogue import explain
from tallymark.render.model import Cell
from tests.screens import cases, recorded

PAPERS = {
    "Yannakoudakis & Cummins (2015)": (
        "percentage agreement", "Percent agreement", "PA", "Pearson's correlation", "Pearson's r",
        "Pearson product-moment correlation coefficient", "Spearman's ρ", "Spearman’s rank correlation coefficient",
        "Kendall's τb", "Kendall's tau-b", "Kendall’s τ", "Cohen's κ", "Cohen’s kappa", "weighted κ",
        "linear weighted kappa", "quadratic-weighted κ", "Scott's π", "S coefficient", "Bennett's S",
        "Brennan–Prediger", "Brennan and Prediger's coefficient", "Gwet's AC1", "Gwet’s AC2",
        "AC agreement coefficient", "agreement coefficient", "Krippendorff's α", "Krippendorff’s alpha",
        "Fleiss’ κ", "mean absolute error", "root-mean-square error", "chance-corrected agreement",
    ),
    "Doewes et al. (2023)": (
        "Quadratic Weighted Kappa", "QWK", "LWK", "kappa statistics", "exact agreement",
        "adjacent agreement", "human-human agreement", "agreement percentage", "prevalence index", "bias index",
    ),
    "RSMTool": (
        "standardised mean difference", "Standardized Mean Differences", "SMD", "wtkappa", "R²", "R2",
        "Pearson's correlation coefficient", "PRMSE", "proportional reduction in mean squared error",
        "disattenuated correlations", "difference between standardised means", "DSM", "OSA", "OSD", "CSD",
        "overall score accuracy", "conditional score difference", "true-score variance", "variance of errors",
        "rater error variance", "mean squared error", "degradation", "corr", "exact_agr", "adj_agr",
    ),
    "Uto (2026)": (
        "theoretical ceiling", "Human-like ceiling", "human–human QWK", "intraclass correlation coefficient",
        "ICC(1,1)", "reliability coefficient", "error variance", "standard error of measurement",
    ),
    "Funayama et al. (2020)": (
        "critical scoring errors", "CSE", "CSRate", "coverage", "posterior probability", "trust score",
        "confidence score", "quadratic weighted κ", "RMSE",
    ),
}  # fmt: skip
MEANT = {
    "Pearson's correlation": "pearson",
    "agreement percentage": "percent_agreement",
    "Kendall's τb": "kendall_tau_b",
    "S coefficient": "brennan_prediger",
    "Krippendorff's α": "krippendorff_alpha",
    "quadratic-weighted κ": "cohen_kappa[quadratic]",
    "Standardized Mean Differences": "smd",
    "difference between standardised means": "dsm",
    "human–human QWK": "human_human[cohen_kappa[quadratic]]",
    "Degradation of QWK": "degradation[cohen_kappa[quadratic]]",
    "SMD of each group": "smd",
    "error effect": "osd_effect",
    "their r": "human_human",
    "human-like": "ceiling_human_like",
    "Gwet’s AC2": "gwet_ac[quadratic]",
}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_name_of_a_paper_is_explained(paper):
    for name in PAPERS[paper]:
        assert explain(name).title, name


@pytest.mark.parametrize("name", MEANT)
def test_a_name_leads_to_the_number_that_is_meant(name):
    assert explain(name).name == MEANT[name]


@pytest.mark.parametrize(("command", "name"), cases())
def test_every_heading_of_a_number_is_explained(command, name):
    recording = recorded(command, name)
    parts = {part for s in recording.evaluation.subsets for part in (s.prompt, s.trait, s.group)}
    for table in recording.tables:
        if table.id.startswith("matrix"):
            continue  # headed by prompts and systems
        headed = [(column.title, column.key) for column in table.columns]
        headed += [(c.text, c.key) for c, *_ in table.rows if isinstance(c, Cell)]
        for title, key in headed:
            if title and key and title not in parts:
                assert explain(title).title, (table.id, title)
