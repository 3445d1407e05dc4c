"""The generator puts in what was asked for, in the right amount."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.simulate import Group, Prompt, Rater, System, simulate

N = 40_000
WIDE = Scale((-100.0, 100.0), continuous=True)
"""No score reaches its ends and none is rounded, so moments can be checked exactly."""


def errors(made):
    return made.ratings - made.truth[:, None]


def agreement(a, b):
    return 1 - np.mean((a - b) ** 2) / (a.var() + b.var() + (a.mean() - b.mean()) ** 2)


def auroc(confidence, wrong):
    order = np.argsort(confidence, kind="stable")
    ranks = np.empty(order.size)
    ranks[order] = np.arange(1, order.size + 1)
    right = (~wrong).sum()
    return (ranks[~wrong].sum() - right * (right + 1) / 2) / (right * wrong.sum())


# ------------------------------------------------------------------ true scores


def test_true_scores_have_the_mean_and_sd_asked_for():
    made = simulate(N, scale=WIDE, mean=3, sd=2)
    assert made.truth.mean() == pytest.approx(3, abs=0.04)
    assert made.truth.std() == pytest.approx(2, abs=0.03)


def test_true_scores_are_cut_off_at_the_ends_of_the_scale_and_not_rounded():
    made = simulate(2_000, scale="0:10", mean=5, sd=3.3)
    assert made.truth.min() == 0
    assert made.truth.max() == 10
    assert np.mean(made.truth == np.rint(made.truth)) < 0.2


def test_rounded_true_scores_lie_on_the_points_of_the_scale():
    made = simulate(500, scale="0:3:0.5", round_true=True)
    assert set(made.truth) <= set(Scale.parse("0:3:0.5").points)


def test_shares_give_each_score_point_its_frequency():
    made = simulate(N, scale="1:4", shares=[0.7, 0.2, 0.1, 0.0])
    found = [np.mean(made.truth == point) for point in (1, 2, 3, 4)]
    assert found == pytest.approx([0.7, 0.2, 0.1, 0], abs=0.01)


def test_a_group_with_more_ability_has_higher_true_scores_by_that_much():
    groups = {"language": [Group("a", share=3), Group("b", ability=1.5)]}
    made = simulate(N, scale=WIDE, sd=1, groups=groups)
    language = made.columns()["language"]
    assert np.mean(language == "b") == pytest.approx(0.25, abs=0.01)
    gap = made.truth[language == "b"].mean() - made.truth[language == "a"].mean()
    assert gap == pytest.approx(1.5, abs=0.05)


def test_a_harder_prompt_has_lower_true_scores_by_its_difficulty():
    made = simulate(N, scale=WIDE, sd=1, prompts=[Prompt("p"), Prompt("q", difficulty=0.7)])
    prompt = made.columns()["prompt"]
    gap = made.truth[prompt == "p"].mean() - made.truth[prompt == "q"].mean()
    assert gap == pytest.approx(0.7, abs=0.05)


def test_true_scores_of_one_candidate_correlate_by_the_consistency():
    made = simulate(N, scale=WIDE, sd=2, candidates=N // 2, consistency=0.6)
    first, second = made.truth.reshape(2, -1)
    candidate = made.people.candidate
    assert (candidate[: N // 2] == candidate[N // 2 :]).all()
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.6, abs=0.02)
    assert made.truth.std() == pytest.approx(2, abs=0.05)


def test_candidates_answer_different_prompts_and_keep_their_groups():
    made = simulate(
        250,
        scale="1:6",
        candidates=100,
        prompts=[Prompt(name) for name in "abc"],
        groups={"gender": [Group("f"), Group("m")]},
    )
    columns = made.columns()
    pairs = set(zip(columns["candidate"], columns["prompt"], strict=True))
    assert len(pairs) == 250
    assert len(set(zip(columns["candidate"], columns["gender"], strict=True))) == 100
    assert set(np.bincount(columns["candidate"])[1:]) == {2, 3}


# ------------------------------------------------------------------ raters


def test_a_rater_without_any_fault_gives_the_nearest_point_to_the_truth():
    made = simulate(1_000, scale="1:6", raters=[Rater("h1")])
    assert np.abs(errors(made)).max() <= 0.5


def test_severity_lowers_the_mean_and_noise_sets_the_variance_of_the_error():
    made = simulate(N, scale=WIDE, sd=1, raters=[Rater("h1", severity=0.8, noise=1.5)])
    assert errors(made).mean() == pytest.approx(-0.8, abs=0.03)
    assert errors(made).std() == pytest.approx(1.5, abs=0.03)


def test_shared_bias_is_the_correlation_of_the_errors_and_leaves_their_variance():
    raters = [Rater(name, noise=2, shared=0.3) for name in ("h1", "h2", "h3")]
    made = simulate(N, scale=WIDE, raters=[*raters, Rater("h4", noise=2)])
    expected = np.full((4, 4), 0.3)
    expected[3, :] = expected[:, 3] = 0
    np.fill_diagonal(expected, 1)
    np.testing.assert_allclose(np.corrcoef(errors(made).T), expected, atol=0.02)
    np.testing.assert_allclose(errors(made).std(axis=0), 2, atol=0.04)


def test_a_system_can_share_the_bias_of_the_raters():
    made = simulate(
        N,
        scale=WIDE,
        raters=[Rater("h1", noise=1, shared=0.5)],
        systems=[System("engine", noise=1, shared=0.5)],
    )
    error = made.scores["engine"][:, 0] - made.truth
    assert np.corrcoef(error, errors(made)[:, 0])[0, 1] == pytest.approx(0.5, abs=0.02)


def test_halo_repeats_an_error_over_the_responses_of_a_candidate():
    made = simulate(N, scale=WIDE, candidates=N // 2, raters=[Rater("h1", noise=1, halo=1)])
    first, second = errors(made)[:, 0].reshape(2, -1)
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.5, abs=0.02)


def test_drift_makes_a_rater_more_severe_along_the_batches():
    made = simulate(N, scale=WIDE, raters=[Rater("h1", noise=0.5, drift=1)], batches=10)
    by_batch = [errors(made)[made.batch == batch].mean() for batch in range(10)]
    assert np.polyfit(np.linspace(0.05, 0.95, 10), by_batch, 1)[0] == pytest.approx(-1, abs=0.05)
    assert np.mean(by_batch) == pytest.approx(0, abs=0.02)
    assert set(np.bincount(made.columns()["batch"])[1:]) == {N // 10}


def test_each_rater_scores_the_share_of_responses_asked_for():
    made = simulate(N, scale="1:6", raters=[Rater("h1"), Rater("h2", share=0.4)])
    assert np.isfinite(made.ratings).mean(axis=0) == pytest.approx([1, 0.4], abs=0.01)


def test_a_pool_gives_every_response_its_number_of_ratings_by_the_shares():
    pool = [Rater(f"rater_{i}", share=share) for i, share in enumerate([1, 1, 1, 0.5, 0])]
    scored = np.isfinite(simulate(N, scale="1:6", raters=pool, ratings=2).ratings)
    assert set(scored.sum(axis=1)) == {2}
    load = scored.mean(axis=0)
    assert load[4] == 0
    assert load[3] < 0.75 * load[0]
    assert load[:3] == pytest.approx(load[0], abs=0.02)


def test_rasch_raters_follow_the_rating_scale_model():
    thresholds = (-1.0, 0.2, 0.8)
    made = simulate(
        N,
        scale="0:3",
        mean=0.3,
        sd=0,
        raters=[Rater("h1", severity=0.5, thresholds=thresholds)],
    )
    logits = np.arange(4) * -0.5 - np.concatenate([[0], np.cumsum(thresholds)])
    expected = np.exp(logits) / np.exp(logits).sum()
    found = np.bincount(made.ratings[:, 0].astype(int), minlength=4) / N
    np.testing.assert_allclose(found, expected, atol=0.01)


# ------------------------------------------------------------------ systems


def test_compression_sets_the_slope_on_the_truth_and_bias_moves_the_mean():
    system = System("engine", bias=0.4, compression=0.25, noise=0.3)
    made = simulate(N, scale=WIDE, mean=2, sd=1, systems=[system])
    slope, intercept = np.polyfit(made.truth - 2, made.scores["engine"][:, 0], 1)
    assert slope == pytest.approx(0.75, abs=0.01)
    assert intercept == pytest.approx(2.4, abs=0.01)


def test_a_shift_falls_on_its_group_and_on_no_other():
    made = simulate(
        N,
        scale=WIDE,
        groups={"language": [Group("a"), Group("b"), Group("c")]},
        systems=[System("engine", noise=0.5, shift={"language": {"b": -0.6}})],
    )
    error = made.scores["engine"][:, 0] - made.truth
    language = made.columns()["language"]
    found = [error[language == label].mean() for label in "abc"]
    assert found == pytest.approx([0, -0.6, 0], abs=0.03)


def test_runs_differ_by_the_jitter_alone():
    made = simulate(N, scale=WIDE, systems=[System("llm", noise=1, jitter=0.5, repeats=3)])
    runs = made.scores["llm"]
    assert runs.shape == (N, 3)
    assert (runs[:, 1] - runs[:, 0]).std() == pytest.approx(0.5 * np.sqrt(2), abs=0.02)
    assert (runs[:, 0] - made.truth).std() == pytest.approx(np.sqrt(1.25), abs=0.02)


def test_exactly_the_share_of_scores_slips_by_exactly_the_size():
    system = System("engine", slips=0.25, slip_size=2)
    made = simulate(5_000, scale="1:5", round_true=True, systems=[system])
    error = made.scores["engine"][:, 0] - made.truth
    assert np.count_nonzero(error) == 1_250
    assert set(np.abs(error)) == {0, 2}


def test_slips_follow_a_chance_that_depends_on_confidence():
    system = System("engine", slips=lambda c: 0.4 * (1 - c) ** 3, slip_size=3)
    made = simulate(N, scale="0:5", round_true=True, systems=[system])
    confidence = made.confidence["engine"]
    wrong = made.scores["engine"][:, 0] != made.truth
    assert confidence.mean() == pytest.approx(0.5, abs=0.01)
    assert wrong.mean() == pytest.approx(0.1, abs=0.01)
    assert wrong[confidence < 0.1].mean() == pytest.approx(0.344, abs=0.03)


def test_confidence_orders_large_errors_better_the_higher_its_quality():
    found = []
    for quality in (0, 0.25, 0.5, 0.75, 1):
        made = simulate(N, scale="1:6", systems=[System("e", noise=0.8, confidence=quality)])
        wrong = np.abs(made.scores["e"][:, 0] - made.truth) >= 1
        found.append(auroc(made.confidence["e"], wrong))
    assert found[0] == pytest.approx(0.5, abs=0.02)
    assert found[-1] == 1
    assert (np.diff(found) > 0).all()


def test_a_score_that_is_missing_has_no_confidence_either():
    made = simulate(N, scale="1:6", systems=[System("e", noise=1, share=0.9, confidence=0.5)])
    missing = np.isnan(made.scores["e"][:, 0])
    assert missing.mean() == pytest.approx(0.1, abs=0.01)
    assert (missing == np.isnan(made.confidence["e"])).all()


# ------------------------------------------------------------------ the whole


@settings(max_examples=40, deadline=None)
@given(
    scale=st.sampled_from(["1:6", "0:3:0.5", "1,2,4,8", "-2:2", "fail,pass,good"]),
    noise=st.floats(0, 5),
    severity=st.floats(-3, 3),
    n=st.integers(1, 60),
    seed=st.integers(0, 2**40),
)
def test_rounded_scores_lie_on_the_scale_and_others_within_half_a_step(
    scale, noise, severity, n, seed
):
    points = Scale.of(scale)
    made = simulate(
        n,
        scale=scale,
        raters=[Rater("h1", noise=noise, severity=severity)],
        systems=[System("engine", noise=noise, bias=severity, rounded=False)],
        seed=seed,
    )
    assert set(made.ratings[:, 0]) <= set(points.points)
    engine = made.scores["engine"]
    assert engine.min() > points.low - points.step / 2
    assert engine.max() < points.high + points.step / 2


def test_the_same_seed_gives_the_same_scores_and_another_seed_does_not():
    def draw(seed):
        return simulate(50, scale="1:6", raters=[Rater("h1", noise=1)], seed=seed).ratings

    np.testing.assert_array_equal(draw(3), draw(3))
    assert (draw(3) != draw(4)).any()


def test_a_rater_or_system_added_at_the_end_leaves_the_others_as_they_are():
    raters = [Rater("h1", noise=1, share=0.5), Rater("h2", noise=1)]
    systems = [System("a", noise=1, confidence=0.5), System("b", noise=1, repeats=2)]
    few = simulate(200, scale="1:6", raters=raters[:1], systems=systems[:1]).columns()
    many = simulate(200, scale="1:6", raters=raters, systems=systems).columns()
    for name, values in few.items():
        np.testing.assert_array_equal(values, many[name])


def test_columns_are_what_a_file_would_hold_in_reading_order():
    made = simulate(
        12,
        scale="1:6",
        raters=[Rater("h1")],
        systems=[System("llm", repeats=2, confidence=1)],
        prompts=[Prompt("p")],
        groups={"gender": [Group("f"), Group("m")]},
        candidates=5,
        batches=3,
    )
    names = "response candidate prompt gender batch h1 llm llm_2 llm_confidence"
    assert list(made.columns()) == names.split()
    assert {values.shape for values in made.columns().values()} == {(12,)}


def test_two_raters_of_a_known_truth_agree_as_published_for_this_noise():
    """Uto 2026, table 1 as fitted: quadratic weighted kappa of two raters by their noise."""
    expected = {0.25: 0.9854, 0.5: 0.9647, 1: 0.8937, 2: 0.6833, 3: 0.4821}
    for noise, value in expected.items():
        raters = [Rater("h1", noise=noise), Rater("h2", noise=noise)]
        made = simulate(N, scale="0:10", mean=5, sd=3.3, raters=raters)
        assert agreement(*made.ratings.T) == pytest.approx(value, abs=0.01)


def test_a_quarter_of_scores_off_by_two_gives_the_published_kappa_for_a_truncated_gold():
    """Yannakoudakis and Cummins 2015, figure 1, as rebuilt: gold redrawn when off the scale."""
    edges = [NormalDist(3, 1).cdf(cut) for cut in np.arange(0.5, 6)]
    made = simulate(
        N,
        scale="1:5",
        shares=np.diff(edges).tolist(),
        systems=[System("engine", slips=0.25, slip_size=2)],
    )
    assert agreement(made.truth, made.scores["engine"][:, 0]) == pytest.approx(0.5887, abs=0.015)


# ------------------------------------------------------------------ mistakes


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Rater("h1", noise=-1), "h1: noise must be 0 or more, got -1"),
        (lambda: Rater("h1", share=1.5), "h1: share must lie between 0 and 1, got 1.5"),
        (lambda: System("e", repeats=0), "e: repeats must be 1 or more, got 0"),
        (lambda: System("e", confidence=2), "confidence must lie between 0 and 1"),
        (lambda: System("e", slips=lambda c: c, confidence=1), "leave confidence= out"),
        (lambda: simulate(0, scale="1:6"), "n must be a whole number of 1 or more, got 0"),
        (lambda: simulate(5, scale="1:6", seed=-1), "seed must be a whole number of 0 or more"),
        (lambda: simulate(5, scale="1:6", shares=[1, 2]), "one number per scale point, 6, got 2"),
        (lambda: simulate(5, scale=WIDE, round_true=True), "need a scale with points"),
        (lambda: simulate(5, scale="1:6", consistency=2), "consistency must lie between"),
        (lambda: simulate(5, scale="1:6", sd=-1), "sd 0 or more"),
        (
            lambda: simulate(5, scale="1:6", raters=[Rater("h1"), Rater("h1")]),
            "columns need distinct names, got 'h1' more than once",
        ),
        (
            lambda: simulate(5, scale="1:6", raters=[Rater("h1")], ratings=2),
            "ratings per response must lie between 1 and the 1 raters",
        ),
        (
            lambda: simulate(5, scale="1:6", raters=[Rater("h1", thresholds=(0.0,))]),
            "h1: 1 thresholds need a scale of 2 points, got the scale 1:6",
        ),
        (
            lambda: simulate(5, scale="1:3", systems=[System("e", slips=1, slip_size=9)]),
            "too few scores can move by slip_size 9 on the scale 1:3",
        ),
        (
            lambda: simulate(5, scale="1:6", groups={"gender": []}),
            "gender: shares must be 0 or more and not all 0",
        ),
    ],
)
def test_an_impossible_request_is_refused_in_words(make, message):
    with pytest.raises(OptionError) as caught:
        make()
    assert message in str(caught.value)


def test_an_unknown_group_in_a_shift_is_refused_with_the_known_ones():
    groups = {"gender": [Group("female"), Group("male")]}
    for shift, message in (
        ({"gendre": {"male": 1.0}}, "unknown column 'gendre'; there are gender."),
        ({"gender": {"femal": 1.0}}, "unknown gender 'femal'; there are female, male. Did you"),
    ):
        with pytest.raises(OptionError) as caught:
            simulate(5, scale="1:6", groups=groups, systems=[System("e", shift=shift)])
        assert message in str(caught.value)
