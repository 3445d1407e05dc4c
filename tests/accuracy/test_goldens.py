"""Goldens of observed and true scores, through the public functions, at their own tolerance."""

import math

import numpy as np

import tallymark as tm
from tallymark.accuracy.standardized import GroupMoments, dsm, smd
from tallymark.accuracy.true_score import error_variance, mse_true, prmse, true_score_variance
from tallymark.tally import PairPatterns, RatedSums
from tests.goldens import Golden, check, claimed

HERE = "tests/accuracy/test_goldens.py"


def value(name, first, second, **options):
    return tm.estimate(name, first, second, interval="analytic", **options).value


@claimed(f"{HERE}::test_true_scores")
def test_true_scores(golden: Golden):
    ratings = np.array(golden.input["ratings"], dtype=float)
    system = np.array(golden.input["system"], dtype=float)
    rated = RatedSums(RatedSums.rows(ratings - 3, system - 3).sum(axis=0))
    found = {
        "ve": error_variance(rated),
        "true_var": true_score_variance(rated),
        "mse_true": mse_true(rated),
        "prmse": prmse(rated),
    }
    check(found, golden)
    assert prmse(rated, error=float(found["ve"])) == found["prmse"]


@claimed(f"{HERE}::test_standardized_differences")
def test_standardized_differences(golden: Golden):
    human, system = (np.array(golden.input[key]) for key in ("human", "system"))
    every = PairPatterns.of(human, system).moments(3.0)
    if "group" in golden.input:
        group = np.array(golden.input["group"])
        found = {
            name: dsm(GroupMoments(PairPatterns.of(human[here], system[here]).moments(3.0), every))
            for name in np.unique(group)
            for here in [group == name]
        }
        check({str(name): float(difference) for name, difference in found.items()}, golden)
        return
    rows = golden.input["subgroup_rows_for_williamson_and_johnson"]
    part = GroupMoments(PairPatterns.of(human[rows], system[rows]).moments(3.0), every)
    check(
        {
            "unpooled": value("smd", human, system),
            "pooled": value("smd[pooled]", human, system),
            "williamson": smd(part, kind="williamson"),
            "johnson": smd(part, kind="johnson"),
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
    moments = PairPatterns.of(human, system).moments()
    estimates = {
        "pearson": tm.estimate("pearson", human, system),
        "smd_unpooled": tm.estimate("smd", human, system),
        "qwk": tm.estimate("qwk", human, system, scale="1:3"),
    }
    difference = float(dsm(GroupMoments(moments, moments)))
    check({**{k: e.value for k, e in estimates.items()}, "dsm": difference}, golden)
    assert all(e.why for e in estimates.values() if math.isnan(e.value))
