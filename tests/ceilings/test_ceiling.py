"""Ceilings of a table of scores: what is told, with which interval, and what is wrong with it."""

import math
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.questions.ceilings.compute import broken_chain
from tallymark.questions.ceilings.say import FINDINGS
from tallymark.reliability.ceiling import without_shared_error
from tallymark.results import CEILING, Key
from tallymark.simulation import Rater, System, simulate
from tallymark.sources import PromptOptions
from tests.said import notes

QUICK: dict[str, Any] = {"replicates": 100}
PEOPLE = "people against ceiling"


def scores(n=400, *, seed=1, raters=2, noise=0.7, scale="1:6", **options):
    people = [Rater(f"h{i + 1}", noise=noise) for i in range(raters)]
    systems = [System("engine", noise=0.3)]
    return simulate(n, scale=scale, raters=people, systems=systems, seed=seed, **options).columns()


def numbers(evaluation, subset=PEOPLE):
    where = next(i for i, s in enumerate(evaluation.subsets) if s.id == subset)
    return evaluation.numbers[where]


def humans(columns):
    return [name for name in columns if name[0] == "h" and name[1:].isdigit()]


def ceiling(columns, **options):
    return tm.ceiling(columns, humans=humans(columns), **{**QUICK, **options})


def test_ceilings_are_what_the_true_scores_reach():
    made = simulate(3000, scale="1:6", raters=[Rater("h1", noise=0.7), Rater("h2", noise=0.7)])
    found = numbers(ceiling(made.columns(), scale="1:6"))
    golds = {"mean": made.ratings.mean(axis=1), "first": made.ratings[:, 0]}
    for name, gold in golds.items():
        reached = np.corrcoef(made.truth, gold)[0, 1]
        assert found[f"ceiling_theoretical[{name}]"].value == pytest.approx(reached, abs=0.01)


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_ceilings_holds_or_the_reason_is_told(seed):
    noise = 0.4 + 0.3 * (seed % 4)
    raters, n = 2 + seed % 3, (40, 150, 600)[seed % 3]
    evaluation = ceiling(scores(n, seed=seed, raters=raters, noise=noise), scale="1:6")
    found = numbers(evaluation)
    qwk, r = found["human_human[cohen_kappa[quadratic]]"], found["human_human[pearson]"]
    like = found["ceiling_human_like[mean]"].value
    top = found["ceiling_theoretical[mean]"].value
    told = any("above its long-run limit" in finding for finding in notes(evaluation))
    assert told == (qwk.low > like or r.low > top or like > top)


@pytest.mark.parametrize(
    ("path", "options"),
    [
        (("summeval_experts", "scores.csv"), {"trait": "dimension", "humans": ["expert_*"]}),
        (
            ("wmt23_mqm_three_raters", "scores.csv"),
            {"prompt": "pair", "humans": [f"mqm_{i}@rater_{i}" for i in (1, 2, 3)]},
        ),
        (("rsmtool_examples", "asap2_system_two_raters.csv"), {"humans": ["human", "human2"]}),
    ],
)
def test_the_order_of_ceilings_holds_on_real_ratings(shared, path, options):
    evaluation = tm.ceiling(shared("data", *path), **options, replicates=100)
    for i, subset in enumerate(evaluation.subsets):
        own = evaluation.numbers[i]
        assert subset.against == CEILING
        assert not list(broken_chain(own))
        assert 0 < own["ceiling_human_like[mean]"].value < own["ceiling_theoretical[mean]"].value


def test_severity_of_the_same_raters_throughout_does_not_break_the_order():
    # the second rater is more severe: a rater drawn at random errs much, these two do not
    made = simulate(
        200, scale="0:10", raters=[Rater("h1", noise=0.3), Rater("h2", noise=0.3, severity=2.5)]
    )
    evaluation = ceiling(made.columns(), scale="0:10")
    assert not any("long-run" in text for text in notes(evaluation))
    found = numbers(evaluation)
    top, pool = found["ceiling_theoretical[mean]"], found["ceiling_theoretical[mean,pool]"]
    assert found["human_human[pearson]"].value > pool.value
    assert top.value == pytest.approx(
        np.corrcoef(made.truth, made.ratings.mean(axis=1))[0, 1], abs=0.01
    )


def test_an_order_that_fails_is_told_with_its_reason():
    values = {"qwk": 0.9, "r": 0.95, "like": 0.8, "top": 0.9, "one": 0.7}
    texts = {
        "qwk": "human_human[cohen_kappa[quadratic]]",
        "r": "human_human[pearson]",
        "like": "ceiling_human_like[mean]",
        "top": "ceiling_theoretical[mean]",
        "one": "reliability[one]",
    }
    own = {
        text: tm.results.Estimate(key=Key(text), value=values[key], n=9)
        for key, text in texts.items()
    }
    first, *_ = broken_chain(own)
    assert (first.texts["lower"], first.texts["higher"]) == ("r", "theoretical")
    said = str(FINDINGS[first.name](first, ceiling(scores(60))).words)
    assert said.startswith(
        "the correlation of two people (.950) is above its long-run limit, the theoretical"
    )
    assert "raters differ in severity" in said


def test_few_points_get_a_quantised_ceiling_and_many_do_not():
    coarse = numbers(ceiling(scores(scale="1:6"), scale="1:6"))
    fine = numbers(ceiling(scores(scale="0:20", noise=2), scale="0:20"))
    assert coarse["ceiling_quantised[mean_up]"].value < coarse["ceiling_theoretical[mean]"].value
    assert not any(text.startswith("ceiling_quantised") for text in fine)


def test_errors_that_raters_share_lower_the_ceiling_as_published():
    found = [
        math.sqrt(without_shared_error(np.array(0.75), np.array(2.0), e)[1])
        for e in (0, 0.1, 0.3, 0.5)
    ]
    assert found == pytest.approx([0.926, 0.909, 0.857, 0.756], abs=0.001)


def test_the_curve_of_shared_error_falls_from_the_ceiling_as_raters_err_together():
    evaluation = ceiling(scores(), scale="1:6")
    (curve,) = evaluation.curves
    found = numbers(evaluation)
    assert curve.y[0] == pytest.approx(found["ceiling_theoretical[mean]"].value)
    assert list(curve.y) == sorted(curve.y, reverse=True)
    assert curve.x[-1] < found["reliability[one]"].value
    assert all(low < y < high for low, y, high in zip(curve.low, curve.y, curve.high, strict=True))


def test_ratings_of_some_responses_alone_are_enough_and_the_choice_is_asked_about():
    columns = scores(600)
    columns["h2"] = np.where(np.arange(600) % 3 == 0, columns["h2"], np.nan)
    evaluation = ceiling(columns, scale="1:6")
    found = numbers(evaluation)
    assert 0.5 < found["reliability[one]"].value < 1
    assert "f_low" not in found["reliability[one]"].parts  # only for equal numbers of ratings
    assert any("200 of 600 responses were rated twice" in text for text in notes(evaluation))


def test_f_based_limits_stand_beside_the_bootstrap_and_are_the_analytic_interval():
    columns = scores()
    usual, analytic = (
        numbers(ceiling(columns, interval=kind))["ceiling_theoretical[mean,pool]"]
        for kind in (None, "analytic")
    )
    assert (analytic.low, analytic.high) == (usual.parts["f_low"], usual.parts["f_high"])
    assert analytic.method == "F-based interval"


def test_raters_with_ids_also_get_an_interval_for_raters_like_these():
    columns = scores(200, raters=8, ratings=3)
    found = numbers(ceiling(columns, scale="1:6"))
    usual = found["ceiling_theoretical[mean,pool]"]
    like = found["ceiling_theoretical[mean,raters like these]"]
    assert like.value == usual.value
    assert "raters and responses" in like.method
    assert like.high - like.low > usual.high - usual.low
    two = numbers(ceiling(scores(), scale="1:6"))
    assert not any("raters like these" in text for text in two)


def test_severity_counts_as_error_in_a_pool_and_not_for_the_same_raters_throughout():
    raters = [Rater("h1", noise=0.5), Rater("h2", noise=0.5, severity=1.0)]
    columns = simulate(400, scale="1:6", raters=raters).columns()
    found = numbers(ceiling(columns, scale="1:6"))
    same, drawn = found["ceiling_theoretical[mean]"], found["ceiling_theoretical[mean,pool]"]
    assert same.value > drawn.value + 0.02


def test_a_rater_with_little_error_has_a_higher_ceiling_than_one_with_much():
    raters = [Rater("h1", noise=0.4), Rater("h2", noise=1.1)]
    made = simulate(3000, scale="0:10", mean=5.0, sd=1.5, raters=raters, seed=3)
    columns = made.columns()
    columns["final"] = columns["h2"]
    found = numbers(ceiling(columns, scale="0:10", gold="final"))
    for rater, gold in enumerate(("first", "second")):
        reached = np.corrcoef(made.truth, made.ratings[:, rater])[0, 1]
        assert found[f"ceiling_theoretical[{gold}]"].value == pytest.approx(reached, abs=0.01)
    one, other = (found[f"rater_reliability[{name}]"] for name in ("h1", "h2"))
    assert one.value > other.value + 0.2
    assert one.parts["error_variance"] < other.parts["error_variance"] / 3


def test_how_the_gold_was_made_is_told_and_its_ceiling_used():
    columns = scores()
    columns["final"] = np.fmax(columns["h1"], columns["h2"])
    evaluation = ceiling(columns, gold="final", scale="1:6")
    found = numbers(evaluation)
    assert found["gold_rule[higher]"].value == 1
    assert found["ceiling_theoretical[higher]"].value < found["ceiling_theoretical[mean]"].value
    assert any("the gold is the highest rating in 100 %" in text for text in notes(evaluation))


def test_a_gold_that_no_rule_makes_has_no_ceiling_of_its_own():
    columns = scores()
    columns["final"] = 7 - columns["h1"]
    evaluation = ceiling(columns, gold="final", scale="1:6")
    assert any("no known rule made the gold" in text for text in notes(evaluation))


def test_a_published_number_is_placed_among_the_ceilings():
    evaluation = ceiling(scores(), scale="1:6", references={"best paper": 0.6})
    found = numbers(evaluation, "best paper against ceiling")
    top = numbers(evaluation)["ceiling_theoretical[mean]"].value
    assert found["reference"].value == 0.6
    gap = found["gap_to_ceiling[reference,theoretical]"]
    assert gap.value == pytest.approx(0.6 - top)
    assert gap.high < 0


@pytest.mark.parametrize(
    ("rule", "gold"), [("", "the mean of the ratings"), ("higher", "the highest rating")]
)
def test_a_published_number_above_the_ceilings_is_not_held_against_them(rule, gold):
    columns = scores()
    asked = {"gold": "final"} if rule else {}
    columns["final"] = np.maximum(columns["h1"], columns["h2"])
    found = ceiling(columns, scale="1:6", references={"best paper": 0.99}, **asked)
    assert (
        numbers(found, "best paper against ceiling")["gap_to_ceiling[reference,theoretical]"].low
        > 0
    )
    (said,) = [text for text in notes(found) if "best paper" in text]
    assert said.startswith(
        f"best paper: published .99; it cannot be held against these ceilings unless its gold is {gold}"
    )
    assert "above" not in said


def test_an_evaluation_says_where_each_system_stands():
    columns = scores(800)
    evaluation = tm.evaluate(
        columns, humans=["h1", "h2"], systems=["engine"], resolve="mean", scale="1:6", **QUICK
    )
    found = numbers(evaluation, "engine against ceiling")
    top = numbers(evaluation)["ceiling_theoretical[mean]"].value
    share = found["share_of_ceiling[pearson,theoretical]"]
    assert share.parts["ceiling"] == pytest.approx(top)
    assert share.value == pytest.approx(share.parts["statistic"] / top)
    assert found["gap_to_ceiling[pearson,human_human]"].low > 0
    assert set(evaluation.definitions) >= set(found)


def test_the_ceiling_of_the_default_gold_is_that_of_one_rating():
    columns = scores(800)
    evaluation = tm.evaluate(columns, humans=["h1", "h2"], systems=["engine"], scale="1:6", **QUICK)
    found, own = numbers(evaluation, "engine against ceiling"), numbers(evaluation)
    gap = found["gap_to_ceiling[pearson,theoretical]"]
    assert gap.parts["ceiling"] == pytest.approx(own["ceiling_theoretical[first]"].value)


def test_named_statistics_alone_bring_no_ceilings():
    columns = scores()
    evaluation = tm.evaluate(columns, humans=["h1", "h2"], systems=["engine"], statistics=["qwk"])
    assert not any(subset.against == CEILING for subset in evaluation.subsets)


def test_negative_reliability_is_told_and_has_no_ceiling():
    rng = np.random.default_rng(1)
    first = rng.integers(1, 6, 80)
    evaluation = ceiling({"h1": first, "h2": 6 - first}, scale="1:5")
    found = numbers(evaluation)
    assert found["reliability[one]"].value < 0
    for name in ("theoretical", "human_like"):
        top = found[f"ceiling_{name}[mean]"]
        assert math.isnan(top.value)
        assert "no reliable variance between responses" in top.why
    assert any(text.startswith("no ceiling") for text in notes(evaluation))


def test_constant_ratings_have_no_ceiling_and_the_reason_is_told():
    found = numbers(ceiling({"h1": [3] * 30, "h2": [3] * 30}, scale="1:5"))
    assert math.isnan(found["ceiling_theoretical[mean]"].value)
    assert found["ceiling_theoretical[mean]"].why == "the ratings do not vary"


def test_a_copied_rater_is_suspected():
    first = np.tile([1, 2, 3, 4], 20)
    evaluation = ceiling({"h1": first, "h2": first}, scale="1:4")
    assert any("copy of another" in text for text in notes(evaluation))


def test_one_rater_is_told_what_is_needed():
    with pytest.raises(
        DataError, match="has one rater, h1; rater error, and with it a reliability or a ceiling"
    ):
        tm.ceiling({"h1": [1, 2, 3]}, humans=["h1"])


def test_a_reference_beyond_one_is_refused():
    with pytest.raises(OptionError, match=r"between -1 and 1, got paper=85\.6"):
        ceiling(scores(), references={"paper": 85.6})


def test_the_same_scores_in_another_order_give_the_same_json():
    columns = scores()
    shuffled = {name: values[::-1] for name, values in columns.items()}
    assert ceiling(columns).to_json() == ceiling(shuffled).to_json()


def test_each_group_and_prompt_has_ceilings_of_its_own():
    columns = scores(300)
    columns["task"] = np.repeat(["a", "b", "c"], 100)
    columns["gender"] = np.tile(["x", "y"], 150)
    evaluation = ceiling(columns, prompt="task", groups=["gender"], scale="1:6")
    places = [
        (subset.prompt, subset.group) for subset in evaluation.subsets if subset.average is None
    ]
    prompts, groups = [(name, None) for name in "abc"], [(None, name) for name in "xy"]
    assert places == [(None, None), *prompts, *groups]


def test_the_ceiling_of_a_prompt_follows_its_own_rule_of_resolution():
    columns = scores(400)
    columns["task"] = np.repeat(["a", "b"], 200)
    evaluation = tm.evaluate(
        columns,
        humans=["h1", "h2"],
        systems=["engine"],
        prompt="task",
        scale="1:6",
        prompts={"b": PromptOptions(resolve="higher")},
        **QUICK,
    )
    first, higher = (
        numbers(evaluation, f"engine against ceiling|prompt={prompt}")[
            "gap_to_ceiling[pearson,theoretical]"
        ].parts["ceiling"]
        for prompt in "ab"
    )
    one = numbers(evaluation, f"{PEOPLE}|prompt=a")["ceiling_theoretical[first]"].value
    own = numbers(evaluation, f"{PEOPLE}|prompt=b")["ceiling_theoretical[higher]"].value
    assert (first, higher) == pytest.approx((one, own))


def test_the_sum_has_the_ceilings_of_the_mean():
    columns = scores()
    columns["final"] = columns["h2"] + columns["h1"]
    found = numbers(ceiling(columns, gold="final", scale="1:6"))
    for name in ("ceiling_theoretical", "ceiling_human_like"):
        own, other = found[f"{name}[sum]"], found[f"{name}[mean]"]
        assert (own.value, own.low) == pytest.approx((other.value, other.low))


def test_in_a_pool_the_second_rating_has_the_ceilings_of_the_first():
    columns = scores()
    columns["final"] = columns["h2"]
    found = numbers(ceiling(columns, gold="final", scale="1:6"))
    for name in ("ceiling_theoretical", "ceiling_human_like"):
        own, other = found[f"{name}[second,pool]"], found[f"{name}[first,pool]"]
        assert (own.value, own.low, own.parts) == (other.value, other.low, other.parts)


def test_what_is_assumed_of_the_raters_is_told():
    two, three = (ceiling(scores(raters=k), scale="1:6") for k in (2, 3))
    many = ceiling(scores(300, raters=25, ratings=2), scale="1:6")
    for evaluation, model, part in (
        (two, "grubbs", "h1 and h2 each have an error variance of their own"),
        (three, "congeneric", "each of 3 raters has an error variance and a slope"),
        (many, "pool", "since they are more than 20"),
    ):
        (table,) = [one for one in evaluation.tables if one.name == "ceiling_model"]
        assert table.rows[0][0] == model
        assert part in str(table.rows[0][2])


@pytest.mark.parametrize("seed", range(6))
def test_chance_does_not_bend_the_slopes_behind_the_mean_of_two_raters(seed):
    # classical test theory: four times the covariance over the variance of the sum
    rng = np.random.default_rng(seed)
    truth = np.clip(rng.normal(0.3, 0.9, 60), 0, 3)
    ratings = np.clip(np.floor(truth[:, None] + rng.normal(0, 0.5, (60, 2)) + 0.5), 0, 3)
    table = {"h1": ratings[:, 0], "h2": ratings[:, 1]}
    shared = np.cov(ratings.T, bias=True)
    expected = np.sqrt(4 * shared[0, 1] / shared.sum())
    top = numbers(ceiling(table, scale="0:3"))["ceiling_theoretical[mean]"]
    assert top.value == pytest.approx(expected, abs=1e-9)


def test_on_two_points_modelled_ceilings_give_the_reason_that_they_are_not_known():
    rng = np.random.default_rng(1)
    truth = rng.random(300)
    table = {name: (rng.random(300) < truth) * 1.0 for name in ("h1", "h2")}
    found = numbers(ceiling(table, scale="0:1"))
    quantised = found["ceiling_quantised[mean_up]"]
    assert np.isnan(quantised.value)
    assert "two score points" in quantised.why
    assert found["ceiling_theoretical[mean]"].value > 0


@pytest.mark.parametrize("raters", [5, 6, 7])
def test_raters_who_always_agree_have_no_error(raters):
    found = tm.ceiling({f"h{i}": [1, 2, 3, 4, 2, 1] * 8 for i in range(raters)}, **QUICK)
    assert [each.value for each in found.estimates if each.key.name == "sem"] == [0, 0]
