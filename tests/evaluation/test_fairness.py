"""Fairness and true scores in an evaluation: what was built in is found, what is not is not."""

import math

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue.reasons import beyond_range
from tallymark.inference.multiplicity import holm
from tallymark.results import OTHER_GROUPS, Key
from tallymark.simulation import Group, Rater, System, simulate


def simulated(n=1500, seed=3, **system):
    made = simulate(
        n,
        scale="1:6",
        raters=[Rater("h1", noise=0.6), Rater("h2", noise=0.6, share=0.5)],
        systems=[System("engine", noise=0.5, **system)],
        groups={"language": [Group("A", share=0.6), Group("B", share=0.4, ability=-0.5)]},
        seed=seed,
    )
    return made.columns()


def run(columns, **options):
    asked = {"humans": ["h1", "h2"], "systems": ["engine"], "groups": ["language"], "scale": "1:6"}
    return tm.evaluate(columns, **{**asked, "replicates": 300, **options})


def estimates(evaluation, subset_id):
    ids = [subset.id for subset in evaluation.subsets]
    return evaluation.numbers[ids.index(subset_id)]


B = "engine against other groups|group:language=B"


@pytest.fixture(scope="module")
def fair():
    return run(simulated())


@pytest.fixture(scope="module")
def unfair():
    return run(simulated(shift={"language": {"B": -0.4}}))


def test_an_unfair_system_is_found_by_every_measure_and_a_fair_one_by_none(fair, unfair):
    for name in ("dsm", "osd_effect", "true_effect", "difference[bias]"):
        assert estimates(unfair, B)[name].high < 0, name
        assert estimates(fair, B)[name].low < 0 < estimates(fair, B)[name].high, name
    column = "engine against other groups|group:language"
    assert estimates(unfair, column)["osd"].parts["p"] < 0.001
    assert estimates(fair, column)["osd"].parts["p"] > 0.01


def test_the_effect_given_the_human_score_is_biased_where_ability_differs(fair):
    found = estimates(fair, B)
    assert found["csd_effect"].high < 0  # as if a fair system were unfair
    assert found["true_effect"].high > 0


def test_effects_carry_classic_and_robust_errors_and_adjusted_p_values(unfair):
    found = estimates(unfair, B)
    assert {"se_ols", "se_robust", "p", "p_adjusted"} <= set(found["osd_effect"].parts)
    assert found["osd_effect"].se == pytest.approx(found["osd_effect"].parts["se_robust"], rel=0.2)
    assert found["dsm"].parts["p_adjusted"] >= found["dsm"].parts["p"]


def test_the_largest_group_is_the_reference_and_has_no_effect_of_its_own(fair):
    first = estimates(fair, "engine against other groups|group:language=A")
    assert "osd_effect" not in first
    assert "dsm" in first


def test_a_group_less_the_others_is_the_difference_of_the_two(fair):
    inside = estimates(fair, "engine|group:language=B")["cohen_kappa[quadratic]"].value
    outside = estimates(fair, "engine|group:language=A")["cohen_kappa[quadratic]"].value
    found = estimates(fair, B)["difference[cohen_kappa[quadratic]]"]
    assert found.value == pytest.approx(inside - outside)


def test_small_groups_are_shown_and_marked():
    columns = simulated(n=200)
    columns["language"] = np.where(np.arange(200) < 12, "C", columns["language"])
    found = estimates(run(columns), "engine against other groups|group:language=C")
    assert "only 12 responses in this group" in found["dsm"].why
    marked = estimates(run(columns, small_group=5), "engine against other groups|group:language=C")
    assert "in this group" not in marked["dsm"].why


def test_one_group_or_none_is_no_fairness():
    columns = simulated(n=100)
    columns["language"] = ["A"] * 100
    assert not any(s.against == OTHER_GROUPS for s in run(columns).subsets)


def test_prmse_finds_the_accuracy_against_true_scores_that_rater_error_hides():
    made = simulate(
        4000,
        scale="1:6",
        raters=[Rater("h1", noise=0.6), Rater("h2", noise=0.6, share=0.5)],
        systems=[System("engine", noise=0.4)],
        sd=1.0,
        seed=5,
    )
    found = estimates(
        tm.evaluate(made.columns(), humans=["h1", "h2"], systems=["engine"], scale="1:6",
                    replicates=300),
        "engine against true scores",
    )  # fmt: skip
    truth, system = made.truth, made.columns()["engine"]
    expected = 1 - np.mean((system - truth) ** 2) / np.var(truth)
    assert found["prmse"].low < expected < found["prmse"].high
    assert found["prmse"].value > estimates_r2(made) + 0.1


def estimates_r2(made):
    columns = made.columns()
    return tm.estimate("r2", columns["h1"], columns["engine"], interval="analytic").value


def test_a_known_error_variance_makes_one_rater_enough():
    columns = {name: column for name, column in simulated(n=300).items() if name != "h2"}
    alone = run(columns, humans=["h1"])
    assert "second rater" in estimates(alone, "engine against true scores")["prmse"].why
    known = run(columns, humans=["h1"], error_variance=0.4)
    assert not math.isnan(estimates(known, "engine against true scores")["prmse[0.4]"].value)
    with pytest.raises(tm.OptionError, match="must not be negative"):
        run(columns, humans=["h1"], error_variance=-1)


def test_few_double_scores_are_warned_of():
    columns = simulated(n=200)
    second = np.array(columns["h2"], dtype=float)
    second[10:] = np.nan
    columns["h2"] = second
    found = estimates(run(columns), "engine against true scores")["prmse"]
    assert "rated twice: rater error is uncertain" in found.why


def test_a_share_and_its_interval_are_of_the_same_thing():
    columns = simulated(n=400)
    for seed in range(8):
        columns["language"] = np.random.default_rng(seed).permutation(columns["language"])
        found = estimates(run(columns), "engine against other groups|group:language")
        for one in found.values():
            assert 0 <= one.low <= one.value <= one.high, one
            assert one.low < one.high


def test_holm_leaves_undefined_p_values_out():
    assert holm([0.01, math.nan, 0.02])[0] == pytest.approx(0.02)
    assert math.isnan(holm([0.01, math.nan])[1])


def test_evaluations_with_groups_come_back_from_json(unfair):
    assert tm.Evaluation.from_json(unfair.to_json()).to_json() == unfair.to_json()


def test_groups_of_one_response_each_leave_no_error_to_compare():
    columns = {"h": [1, 2, 3], "s": [1, 3, 3], "g": ["x", "y", "z"]}
    found = tm.evaluate(columns, humans=["h"], systems=["s"], groups=["g"], scale="1:3")
    for estimate in found.estimates:
        assert not math.isinf(estimate.value), estimate.text
        assert not math.isnan(estimate.value) or estimate.why


def test_a_negative_prmse_is_a_bad_system_and_not_a_small_sample():
    columns = simulated(n=2000)
    columns["engine"] = 7 - np.asarray(columns["engine"], dtype=float)  # upside down
    found = run(columns)
    prmse = estimates(found, "engine against true scores")["prmse"]
    assert prmse.high < 0
    assert prmse.why == "below 0: further from true scores than their mean is"
    assert "further from true scores" in estimates(found, B)["prmse"].why


def prmse_of(value, low, **params):
    return tm.Estimate(key=Key("prmse", **params), value=value, low=low, high=2.0, n=90, level=0.95)


def test_a_prmse_above_1_is_chance_only_where_its_interval_reaches_1():
    assert beyond_range(prmse_of(0.5, 0.4)) == ""
    assert beyond_range(prmse_of(1.1, 0.9)).startswith("above 1, as chance allows")
    shared = beyond_range(prmse_of(1.2, 1.1))
    assert "shares errors with the raters" in shared
    assert "no random sample" in shared
    assert "supplied" not in shared
    assert "error variance supplied is too large" in beyond_range(prmse_of(1.2, 1.1, error=0.4))
