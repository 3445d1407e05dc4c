"""Shares, and what is made of them, have intervals as wide as the design makes their errors."""

import math
from statistics import NormalDist

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import FORMULAS
from tallymark.inference.interval import wilson

SHARES = [row for row in FORMULAS if row.interval == "wilson"]
Z = NormalDist().inv_cdf(0.975)


def drawn(often, n=6000):
    """Two labels; responses that are wrong are drawn so much more often than others."""
    rng = np.random.default_rng(3)
    gold = (rng.random(n) < 0.4).astype(float)
    wrong = rng.random(n) < 0.3
    weight = np.where(wrong, 1 / often, 1.0) * rng.uniform(0.5, 1.5, n)
    return gold, np.where(wrong, 1 - gold, gold), weight


@pytest.mark.parametrize("often", [0.2, 5.0])
@pytest.mark.parametrize("row", SHARES, ids=lambda row: row.name)
def test_of_many_responses_it_is_as_wide_as_its_standard_error_says(row, often):
    gold, system, weight = drawn(often)
    found = tm.estimate(row.name, gold, system, scale="0:1", weight=weight)
    if found.se_analytic > 1e-9:  # else the number says nothing on two points
        assert (found.high - found.low) / 2 == pytest.approx(Z * found.se_analytic, rel=0.05)


def test_macro_averages_are_as_wide_as_their_standard_errors_with_several_labels():
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 4, 6000).astype(float)
    system = np.where(rng.random(6000) < 0.6, gold, rng.integers(0, 4, 6000))
    weight = np.where(gold == system, 3.0, 0.5)
    for name in ("balanced_accuracy", "macro_precision"):
        found = tm.estimate(name, gold, system, scale=[0, 1, 2, 3], weight=weight)
        assert (found.high - found.low) / 2 == pytest.approx(Z * found.se_analytic, rel=0.05)


def stratified(sizes, drawn, wrong):
    """A judge's passes and fails; of each so many in all, so many drawn, so many of them wrong."""
    judge, gold, weight = [], [], []
    for label, (size, n, k) in enumerate(zip(sizes, drawn, wrong, strict=True)):
        judge += [label] * n
        gold += [1 - label] * k + [label] * (n - k)
        weight += [size / n] * n
    return np.array(gold, float), np.array(judge, float), np.array(weight), np.array(judge)


def test_a_stratum_without_errors_may_hold_some():
    """100 of 18,000 passes, all right, and 100 of 2,000 fails, 20 of them wrong: by hand."""
    gold, judge, weight, stratum = stratified((18_000, 2_000), (100, 100), (0, 20))
    found = tm.estimate(
        "percent_agreement", gold, judge, scale="0:1", weight=weight, stratum=stratum
    )
    share, value = np.array([0.9, 0.1]), np.array([1.0, 0.8])
    assert found.value == pytest.approx(share @ value)
    each = [wilson(1.0, 100, 0.95), wilson(0.8, 100, 0.95)]
    moves = share * (value - share @ value)
    between = (moves**2 / np.array([18_000, 2_000])).sum()  # of the strata's own sizes
    below, above = (
        math.sqrt(((share * (value - end)) ** 2).sum() + Z**2 * between) for end in np.array(each).T
    )
    assert found.low == pytest.approx(found.value - below)
    assert found.high == pytest.approx(found.value + above)
    assert found.value - found.low > 1.5 * Z * found.se_analytic


def test_strata_of_one_weight_are_one():
    """Drawn in proportion, a share has Wilson's interval for what its standard error is worth."""
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 2, 300).astype(float)
    judge = np.where(rng.random(300) < 0.9, gold, 1 - gold)
    weight = np.where(judge == 1, 1.0, 1.1)
    found = tm.estimate("percent_agreement", gold, judge, scale="0:1", weight=weight, stratum=judge)
    assert found.method.startswith("Wilson score interval, ")


def test_no_agreement_on_positives_has_an_upper_end():
    gold, judge = np.array([0, 0, 0, 1, 1.0]), np.array([1, 1, 0, 0, 0.0])
    found = tm.estimate("f1", gold, judge, scale="0:1", weight=[1, 2, 3, 1, 2])
    assert (found.value, found.low) == (0, 0)
    assert 0 < found.high < 1


@pytest.mark.parametrize("name", ["cohen_kappa", "mcc", "gwet_ac", "macro_f1"])
def test_agreement_allows_for_errors_that_heavy_strata_did_not_show(name):
    """One error in 100 passes, each of which stands for 180, must not lie beyond what none allows."""
    passes, judged = (18_000, 2_000), (100, 100)
    none, one = (stratified(passes, judged, (wrong, 20)) for wrong in (0, 1))
    seen, worse = (
        tm.estimate(name, gold, judge, scale="0:1", weight=weight, stratum=stratum)
        for gold, judge, weight, stratum in (none, one)
    )
    assert seen.low < worse.value < seen.value
    # what an upper limit of 3.7 errors in 100 would bring, by the table itself
    share = wilson(1.0, 100, 0.95).low
    table = [[90_000 * share, 2_000], [90_000 * (1 - share), 8_000]]
    limit = tm.estimate(name, table=np.round(table), scale="0:1").value
    assert seen.low <= limit + 1e-3


def test_strata_that_all_show_errors_hide_none():
    gold, judge, weight, stratum = stratified((18_000, 2_000), (100, 100), (3, 20))
    units_of_all = tm.estimate("mcc", gold, judge, scale="0:1", weight=weight, stratum=stratum)
    assert units_of_all.high - units_of_all.low == pytest.approx(
        2 * Z * units_of_all.se_analytic, rel=0.15
    )


def test_a_mean_over_prompts_allows_for_what_each_of_them_hides():
    """Two prompts alike: distances to the lower end add up as variances, so that half of 2 is left."""
    gold, judge, weight, stratum = stratified((18_000, 2_000), (100, 100), (0, 20))
    scores = {
        "h": np.tile(gold, 2), "judge": np.tile(judge, 2), "w": np.tile(weight, 2),
        "task": np.repeat(["a", "b"], gold.size),
        "s": np.concatenate([stratum, stratum + 2]),
    }  # fmt: skip
    found = tm.evaluate(
        scores, humans=["h"], systems=["judge"], scale="0:1", weight="w", stratum="s",
        prompt="task", replicates=100,
    )  # fmt: skip
    below = {}
    for e in found.estimates:
        subset = found.subsets[e.subset]
        if e.text == "cohen_kappa[identity]" and not subset.fisher_z and not subset.group:
            below[subset.prompt or subset.average or ""] = e.value - e.low
    assert below["prompt"] == pytest.approx(below["a"] / math.sqrt(2), rel=0.05)
    assert below["a"] > 0.15
