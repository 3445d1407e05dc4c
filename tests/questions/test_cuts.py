"""Decisions at cuts: against other programs, simulated truth, and what cannot be computed."""

import math

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.diagnosis.cut_models import below_both, same_grade
from tallymark.errors import OptionError
from tallymark.questions.cuts import at_cuts, cuts_on, mark
from tallymark.render.layout import plain_text
from tallymark.results import CUT_SCORES
from tallymark.scale import Scale
from tallymark.simulation import Rater, System, simulate
from tallymark.study.asked import Asked
from tests.diagnosis.only import found, only, scored

pytestmark = pytest.mark.filterwarnings("error")


def decided(columns, *cuts, error=None, model=None, **options):
    asked = Asked(cuts=cuts, error_variance=error, cut_model=model)

    def step(system, parts, settings):
        return at_cuts(parts[0].scores, system, parts, settings, asked)

    return only(step, columns, asked=asked, **options)


def made(n, *, seed=0, raters=0.6, scale="1:6", mean=None, sd=None, **system):
    people = [Rater("h1", noise=raters), Rater("h2", noise=raters)]
    systems = [System("s", **system)]
    return simulate(n, scale=scale, raters=people, systems=systems, mean=mean, sd=sd, seed=seed)


def columns_of(simulated):
    return {name: simulated.columns()[name] for name in ("h1", "h2", "s")}


@pytest.mark.parametrize("r", [-0.95, -0.3, 0.0, 0.4, 0.8, 0.999])
@pytest.mark.parametrize("h", [-2.5, 0.0, 0.7])
@pytest.mark.parametrize("k", [-1.0, 0.0, 1.9])
def test_the_bivariate_normal_is_that_of_another_program(h, k, r):
    expected = multivariate_normal([0, 0], [[1, r], [r, 1]]).cdf([h, k])
    assert below_both(np.array(h), np.array(k), np.array(r)) == pytest.approx(expected, abs=1e-7)


def test_the_bivariate_normal_at_its_ends():
    h, k = np.array(0.3), np.array(-0.4)
    assert below_both(h, k, np.array(1.0)) == pytest.approx(norm.cdf(-0.4), abs=1e-5)
    assert below_both(h, k, np.array(0.0)) == pytest.approx(norm.cdf(0.3) * norm.cdf(-0.4))
    assert below_both(h, k, np.array(-1.0)) == pytest.approx(
        max(0, norm.cdf(0.3) + norm.cdf(-0.4) - 1), abs=1e-5
    )


def test_grades_are_counted_as_in_a_simulation():
    rng = np.random.default_rng(1)
    first, second = np.array([-0.8, 0.2, 1.1]), np.array([-0.5, 0.4, 0.9])
    x = rng.multivariate_normal([0, 0], [[1, 0.7], [0.7, 1]], size=400_000)
    same = np.mean(np.searchsorted(first, x[:, 0]) == np.searchsorted(second, x[:, 1]))
    assert same_grade(first, second, np.array(0.7)) == pytest.approx(same, abs=0.003)


def test_grades_broadcast_over_resamples():
    rng = np.random.default_rng(2)
    first, second = np.sort(rng.standard_normal((2, 5, 3)), axis=-1)
    r = rng.uniform(-0.9, 0.9, 5)
    each = [same_grade(a, b, np.array(c)) for a, b, c in zip(first, second, r, strict=True)]
    assert same_grade(first, second, r) == pytest.approx(np.array(each), abs=1e-12)


def test_a_cut_is_passed_half_a_step_below_the_point_that_reaches_it():
    scale = Scale.parse("1:6")
    assert mark(scale, 3) == pytest.approx(2.5, abs=1e-6)
    assert mark(scale, 3.5) == pytest.approx(3.5, abs=1e-6)  # 4 is the first point to reach it
    assert mark(Scale.parse("1,2,4"), 4) == pytest.approx(3, abs=1e-6)
    assert mark(Scale((0.0, 1.0), continuous=True), 0.4) == 0.4
    assert cuts_on(scale, [5, 3, 5]).values == (3, 5)


def test_observed_decisions_by_hand():
    # gold 1 2 3 4 4 5, system 2 3 2 4 5 3: at 3 gold fails 2 and passes 4
    columns = {"gold": [1, 2, 3, 4, 4, 5], "s": [2, 3, 2, 4, 5, 3]}
    evaluation = decided(columns, 3, 5, scale="1:5")
    assert found(evaluation, "decision_agreement[3]").value == pytest.approx(4 / 6)
    assert found(evaluation, "false_pass[gold,3]").value == pytest.approx(1 / 6)
    assert found(evaluation, "false_fail[gold,3]").value == pytest.approx(1 / 6)
    assert found(evaluation, "decision_agreement[5]").value == pytest.approx(4 / 6)
    # grades: below 3, 3 to 4, 5: gold 0 0 1 1 1 2, system 0 1 0 1 2 1
    assert found(evaluation, "decision_agreement[grades]").value == pytest.approx(2 / 6)
    assert found(evaluation, "decision_agreement[3]").method == "Wilson score interval"


@pytest.mark.parametrize("model", ["normal", "beta-binomial"])
@pytest.mark.parametrize(
    ("kind", "cuts", "off"),
    [
        ({"noise": 0.6}, (3, 5), 0.008),
        ({"noise": 0.6, "rounded": False}, (3, 5), 0.01),
        ({"noise": 0.6, "rounded": False, "bias": 0.5, "compression": 0.3}, (3, 4), 0.01),
        ({"noise": 0.5, "scale": "1:4"}, (2, 3), 0.01),
        ({"noise": 0.6, "mean": 4.6, "sd": 1.1}, (3, 5), 0.015),
    ],
)
def test_the_model_finds_the_decisions_of_true_scores(kind, cuts, off, model):
    # a true pass is a response that most ratings would pass: true score half a step below the cut
    simulated = made(60_000, seed=3, **kind)
    scale = kind.get("scale", "1:6")
    evaluation = decided(
        columns_of(simulated), *cuts, model=model, scale=scale, interval="analytic"
    )
    truth, system = simulated.truth, simulated.scores["s"][:, 0]
    rating = simulated.ratings[:, 0]
    for cut in cuts:
        true, passed, rated = (x >= cut - 0.5 for x in (truth, system, rating))
        for text, expected in (
            (f"decision_accuracy[system,{cut}]", np.mean(true == passed)),
            (f"decision_accuracy[rater,{cut}]", np.mean(true == rated)),
            (f"decision_consistency[system,{cut}]", np.mean(rated == passed)),
            (f"false_pass[true score,{cut}]", np.mean(passed & ~true)),
            (f"false_fail[true score,{cut}]", np.mean(~passed & true)),
        ):
            assert found(evaluation, text).value == pytest.approx(expected, abs=off), text
    grade = [np.searchsorted(np.array(cuts) - 0.5, x, side="right") for x in (truth, system)]
    value = found(evaluation, "decision_accuracy[system,grades]").value
    assert value == pytest.approx(np.mean(grade[0] == grade[1]), abs=2 * off)


def test_the_beta_binomial_model_is_nearer_where_scores_crowd_at_an_end():
    simulated = made(60_000, seed=3, raters=0.6, mean=5.0, sd=1.2, noise=0.5)
    true, passed = (x >= 3.5 for x in (simulated.truth, simulated.scores["s"][:, 0]))
    off = {
        model: abs(
            found(
                decided(columns_of(simulated), 4, model=model, interval="analytic"),
                "decision_accuracy[system,4]",
            ).value
            - np.mean(true == passed)
        )
        for model in ("normal", "beta-binomial")
    }
    assert off["beta-binomial"] < off["normal"] < 0.02


def test_an_unknown_model_is_refused():
    with pytest.raises(OptionError, match="normal or beta-binomial"):
        Asked(cut_model="cauchy")  # type: ignore[arg-type]


def test_errors_beside_the_cut_are_those_of_the_simulation():
    simulated = made(60_000, seed=4, noise=0.7, rounded=False)
    evaluation = decided(columns_of(simulated), 4, replicates=100)
    system = simulated.scores["s"][:, 0]
    near = (system >= 2.5) & (system < 4.5)
    error = system[near] - simulated.truth[near]
    expected = np.sqrt(np.mean(error**2))
    assert found(evaluation, "error_at_cut[system,4]").value == pytest.approx(expected, abs=0.02)
    # rounding adds a twelfth to the variance of a rating
    assert found(evaluation, "error_at_cut[rater,4]").value == pytest.approx(
        math.sqrt(0.6**2 + 1 / 12), abs=0.02
    )


@pytest.mark.parametrize(("resolve", "times"), [("mean", 1), ("sum", 2)])
def test_a_system_of_whole_ratings_beside_a_finer_gold_is_rounded_to_whole_ratings(resolve, times):
    simulated = made(60_000, seed=4, raters=0.4, noise=0.5, scale="1:4")
    columns = columns_of(simulated)
    columns["s"] = times * np.asarray(columns["s"])
    cut = 3 * times
    evaluation = decided(columns, cut, resolve=resolve, scale="1:4", interval="analytic")
    # a mean of two ratings is passed from 2.75 on; without the rounding of the system .015 below
    true, passed = (x >= 2.75 for x in (simulated.truth, simulated.scores["s"][:, 0]))
    value = found(evaluation, f"decision_accuracy[system,{cut}]").value
    assert value == pytest.approx(np.mean(true == passed), abs=0.01)


def test_a_sum_is_cut_as_the_mean_is():
    columns = scored(300)
    by_mean = decided(columns, 3.5, resolve="mean")
    by_sum = decided({**columns, "s": 2 * columns["s"]}, 7, resolve="sum")
    for text in (
        "decision_accuracy[system,{}]",
        "decision_agreement[{}]",
        "error_at_cut[rater,{}]",
    ):
        one, other = found(by_mean, text.format("3.5")), found(by_sum, text.format("7"))
        assert one.value == pytest.approx(other.value, abs=1e-9)


def test_without_double_scores_only_what_was_counted():
    columns = scored(100)
    evaluation = decided({"h1": columns["h1"], "s": columns["s"]}, 3)
    accuracy = found(evaluation, "decision_accuracy[system,3]")
    assert math.isnan(accuracy.value)
    assert "rated twice" in accuracy.why
    assert 0 < found(evaluation, "decision_agreement[3]").value < 1
    known = decided({"h1": columns["h1"], "s": columns["s"]}, 3, error=0.4)
    assert 0 < found(known, "decision_accuracy[system,3]").value < 1


@pytest.mark.parametrize("rule", ["higher", "lower"])
def test_rules_without_a_model_say_so(rule):
    evaluation = decided(scored(80), 3, resolve=rule)
    accuracy = found(evaluation, "decision_accuracy[system,3]")
    assert math.isnan(accuracy.value)
    assert accuracy.why.endswith(rule)


def test_a_constant_system_has_no_accuracy_by_the_model():
    columns = {**scored(80), "s": np.full(80, 4.0)}
    evaluation = decided(columns, 3)
    accuracy = found(evaluation, "decision_accuracy[system,3]")
    assert math.isnan(accuracy.value)
    assert "vary" in accuracy.why
    passed = (columns["h1"] >= 3).mean()
    assert found(evaluation, "decision_agreement[3]").value == pytest.approx(passed)


def test_two_points_do_not_show_how_far_raters_err():
    columns = {name: (values > 3) * 1 for name, values in scored(100).items()}
    accuracy = found(decided(columns, 1, scale="0:1"), "decision_accuracy[system,1]")
    assert math.isnan(accuracy.value)
    assert "at least three" in accuracy.why


def test_perfect_scores_decide_alike_and_show_no_spread():
    columns = {name: [1, 2, 3, 4, 5, 6] * 20 for name in ("h1", "h2", "s")}
    accuracy = found(decided(columns, 3), "decision_accuracy[system,3]")
    assert accuracy.value == pytest.approx(1, abs=1e-12)
    assert math.isnan(accuracy.low)
    assert "every resample gives the same value" in accuracy.why
    other = decided(columns, 3, model="beta-binomial", replicates=100)
    assert found(other, "decision_accuracy[system,3]").value > 0.98


def test_a_single_cluster_has_no_interval_and_no_warning():
    columns = {**scored(80), "who": ["all"] * 80}
    evaluation = decided(columns, 3, 5, roles={"cluster": "who"})
    assert math.isnan(found(evaluation, "decision_accuracy[system,3]").low)
    assert 0 < found(evaluation, "decision_agreement[grades]").value < 1


@pytest.mark.parametrize("cut", [1, 0, 7, math.nan, math.inf])
def test_cuts_off_the_scale_are_refused_with_the_scale(cut):
    with pytest.raises(OptionError, match="1:6"):
        tm.evaluate(
            {"h1": [1, 2, 6], "s": [1, 2, 6]}, humans=["h1"], systems=["s"], scale="1:6", cuts=[cut]
        )


def test_the_terminal_tells_decisions_or_why_there_are_none():
    columns = {**scored(200, noise=0.5)}
    told = plain_text(summary(decided(columns, 3, 5), width=100))
    assert "Pass marks" in told
    assert "as true scores" in told
    assert "grades" in told
    alone = plain_text(summary(decided({"h1": columns["h1"], "s": columns["s"]}, 3), width=100))
    assert "rating as true scores  " not in alone
    assert "no response was rated twice" in alone.replace("\n", " ")


def test_a_cut_in_a_gap_of_the_scores_warns_that_the_model_does_not_fit():
    rng = np.random.default_rng(5)
    true = np.where(rng.random(400) < 0.5, 2.0, 5.0)  # nobody near the cut, so all decide alike
    columns = {
        name: np.clip(np.floor(true + 0.6 * rng.standard_normal(400) + 0.5), 1, 6)
        for name in ("h1", "h2", "s")
    }
    evaluation = decided(columns, 4, replicates=200)
    assert found(evaluation, "decision_agreement[4]").value > 0.97
    assert "not as the model has them" in found(evaluation, "decision_accuracy[system,4]").why
    assert "with care" in plain_text(summary(evaluation, width=300))
    counted = np.mean([(columns[h] >= 4) == (columns["s"] >= 4) for h in ("h1", "h2")])
    parts = found(evaluation, "decision_consistency[system,4]").parts
    assert parts["counted"] == pytest.approx(counted)
    plain = decided(columns_of(made(400, noise=0.6)), 4, replicates=200)
    assert not found(plain, "decision_accuracy[system,4]").why


def test_the_table_has_a_row_for_each_cut_and_one_for_grades():
    evaluation = decided(scored(120), 5, 3)
    table = next(t for t in evaluation.tables if t.name == "cut_scores")
    assert [row[0] for row in table.rows] == ["3", "5", "grades"]
    assert evaluation.subsets[table.subset].against == CUT_SCORES


@pytest.mark.slow
def test_intervals_of_decision_accuracy_hold_the_truth():
    big = made(1_000_000, seed=99, noise=0.6)
    true, passed = (x >= 2.5 for x in (big.truth, big.scores["s"][:, 0]))
    accuracy = np.mean(true == passed)
    held = []
    for seed in range(300):
        estimate = found(
            decided(columns_of(made(300, seed=seed, noise=0.6)), 3), "decision_accuracy[system,3]"
        )
        held.append(estimate.low <= accuracy <= estimate.high)
    assert 0.91 <= np.mean(held) <= 0.985


def test_a_rounded_mean_is_a_gold_whose_cuts_have_a_model():
    columns = columns_of(made(300, noise=0.7))
    first, rounded = (
        {e.text: e.value for e in decided(columns, 4, resolve=rule).estimates}
        for rule in ("first", "rounded-mean")
    )
    # the same true scores and the same point from which they pass
    of_truth = [text for text in first if "decision_accuracy" in text]
    assert of_truth
    assert [first[text] for text in of_truth] == [rounded[text] for text in of_truth]
