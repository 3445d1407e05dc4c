"""Raters and systems depart from the truth by what was asked for."""

import numpy as np
import pytest

from tallymark.scale import Scale
from tallymark.simulation import Group, Rater, System, simulate

N = 40_000
WIDE = Scale((-100.0, 100.0), continuous=True)
"""No score reaches its ends and none is rounded, so moments can be checked exactly."""


def errors(made):
    return made.ratings - made.truth[:, None]


def auroc(confidence, wrong):
    order = np.argsort(confidence, kind="stable")
    ranks = np.empty(order.size)
    ranks[order] = np.arange(1, order.size + 1)
    right = (~wrong).sum()
    return (ranks[~wrong].sum() - right * (right + 1) / 2) / (right * wrong.sum())


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
