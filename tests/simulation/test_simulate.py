"""The generator puts in what was asked for, in the right amount."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallymark.errors import OptionError
from tallymark.scale import Scale
from tallymark.simulation import Group, Prompt, Rater, System, simulate

N = 40_000
WIDE = Scale((-100.0, 100.0), continuous=True)
"""No score reaches its ends and none is rounded, so moments can be checked exactly."""


def agreement(a, b):
    return 1 - np.mean((a - b) ** 2) / (a.var() + b.var() + (a.mean() - b.mean()) ** 2)


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
