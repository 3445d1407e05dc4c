"""Goldens of observed and true scores, through the public functions, at their own tolerance."""

import math

import numpy as np

import tallymark as tm
from tallymark import metrics
from tests.goldens import Golden, check, claimed

HERE = "tests/accuracy/test_goldens.py"


def value(name, first, second, **options):
    return tm.estimate(name, first, second, interval="analytic", **options).value


@claimed(f"{HERE}::test_true_scores")
def test_true_scores(golden: Golden):
    ratings, system = golden.input["ratings"], golden.input["system"]
    found = {
        "ve": metrics.error_variance(ratings),
        "true_var": metrics.true_score_variance(ratings),
        "mse_true": metrics.mse_true(ratings, system),
        "prmse": metrics.prmse(ratings, system),
    }
    check(found, golden)
    assert metrics.prmse(ratings, system, error_variance=found["ve"]) == found["prmse"]


@claimed(f"{HERE}::test_standardized_differences")
def test_standardized_differences(golden: Golden):
    human, system = (np.array(golden.input[key]) for key in ("human", "system"))
    if "group" in golden.input:
        group = np.array(golden.input["group"])
        found = {str(g): metrics.dsm(human, system, group == g) for g in np.unique(group)}
        check(found, golden)
        return
    rows = np.isin(np.arange(human.size), golden.input["subgroup_rows_for_williamson_and_johnson"])
    check(
        {
            "unpooled": value("smd", human, system),
            "pooled": value("smd[pooled]", human, system),
            "williamson": metrics.smd(human, system, kind="williamson", group=rows),
            "johnson": metrics.smd(human, system, kind="johnson", group=rows),
        },
        golden,
    )


@claimed(f"{HERE}::test_observed_scores")
def test_observed_scores(golden: Golden):
    human, system = golden.input["human"], golden.input["system"]
    rounded = golden.input["rounded_system"]
    n = len(human)
    r2 = value("r2", human, system)
    check(
        {
            "exact_agreement_pct_rounded": 100 * value("exact", human, rounded),
            "adjacent_pct_rounded": 100 * value("adjacent", human, rounded),
            "adjacent_pct_raw": 100 * np.mean(np.abs(np.subtract(human, system)) <= 1),
            "kappa_rounded": value("kappa", human, rounded),
            "qwk_raw": value("lin_ccc", human, system),
            "qwk_rounded": value("qwk", human, rounded),
            "r": value("pearson", human, system),
            "mse": value("mse", human, system),
            "rmse": value("rmse", human, system),
            "r2": r2,
            "r2_page_formula_N_minus_1": 1 - (1 - r2) * (n - 1) / n,
            "h_sd": np.std(human, ddof=1),
            "sys_sd": np.std(system, ddof=1),
        },
        golden,
    )


@claimed(f"{HERE}::test_consistency_of_people")
def test_consistency_of_people(golden: Golden):
    first, second = golden.input["h1"], golden.input["h2"]
    check(
        {
            "exact_pct": 100 * value("exact", first, second),
            "adjacent_pct": 100 * value("adjacent", first, second),
            "kappa": value("kappa", first, second),
            "qwk": value("qwk", first, second),
            "r": value("r", first, second),
            "smd_pooled": value("smd[pooled]", first, second),
        },
        golden,
    )


@claimed(f"{HERE}::test_human_scores_that_do_not_vary")
def test_human_scores_that_do_not_vary(golden: Golden):
    human, system = golden.input["human"], golden.input["system"]
    estimates = {
        "pearson": tm.estimate("pearson", human, system),
        "smd_unpooled": tm.estimate("smd", human, system),
        "qwk": tm.estimate("qwk", human, system, scale="1:3"),
    }
    difference = metrics.dsm(human, system, [True] * len(human))
    check({**{k: e.value for k, e in estimates.items()}, "dsm": difference}, golden)
    assert all(e.why for e in estimates.values() if math.isnan(e.value))
