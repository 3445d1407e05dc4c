"""Raters on their own: who is severe, who uses the scale, who can be compared with whom."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tests.evaluation.panels import NAN, columns, exchangeable, of
from tests.said import notes

GROUPS = "2 groups that share no response (r1, r2; r3, r4)"


def rated(ratings, **options):
    data = columns(ratings)
    asked = {"humans": [*data], "scale": "1:5", "replicates": 200}
    return tm.raters(data, **{**asked, **options})


def test_a_severe_rater_is_found_with_an_interval_that_holds_the_severity():
    rng = np.random.default_rng(1)
    truth = rng.normal(5, 1.2, 500)
    heard = truth[:, None] + np.array([0, 0, -0.8]) + rng.normal(0, 0.5, (500, 3))
    found = rated(np.rint(heard), scale=None)
    severe = of(found, "r3 against the other raters")["bias"]
    assert severe.low < -0.8 < severe.high
    assert severe.value == pytest.approx(-0.8, abs=0.1)
    assert of(found, "r1 against the other raters")["bias"].value == pytest.approx(0.4, abs=0.1)


def test_mean_spread_and_most_used_score_of_each_rater_are_its_own():
    ratings = np.array([[1, 3], [2, 3], [NAN, 3], [5, 2]])
    found = of(rated(ratings), "r1 against the other raters")
    assert found["rater_mean"].value == pytest.approx(8 / 3)
    assert found["rater_sd"].value == pytest.approx(np.std([1, 2, 5], ddof=1))
    assert of(rated(ratings), "r2 against the other raters")["modal_share"].value == 0.75
    matrix = next(m for m in rated(ratings).matrices if m.columns == ("r2",))
    assert [row[0] for row in matrix.values] == [0, 1, 3, 0, 0]


def test_the_others_are_the_mean_of_the_ratings_beside():
    ratings = np.array([[1, 2, 4], [3, NAN, 5], [2, 2, NAN], [NAN, NAN, 1]])
    bias = of(rated(ratings), "r1 against the other raters")["bias"]
    assert bias.value == pytest.approx(np.mean([1 - 3, 3 - 5, 2 - 2]))
    assert bias.n == 3


def test_groups_of_raters_without_a_shared_response_are_named():
    left, right = exchangeable(2, 2, n=40), exchangeable(3, 2, n=40)
    apart = np.block([[left, np.full((40, 2), NAN)], [np.full((40, 2), NAN), right]])
    assert any(GROUPS in finding for finding in notes(rated(apart)))
    linked = apart.copy()
    linked[0, 2] = 3
    assert not any("share no response" in finding for finding in notes(rated(linked)))


def test_a_rater_without_a_rating_is_named():
    idle = np.insert(exchangeable(4, 2, n=30), 2, NAN, axis=1)
    found = rated(idle)
    assert "raters without any rating: r3" in notes(found)
    assert "r3 against the other raters" not in {s.id for s in found.subsets}


def test_a_table_on_its_side_is_noticed():
    found = rated(exchangeable(5, 12, n=4))
    assert any("are the raters in the rows?" in finding for finding in notes(found))


def test_one_rater_is_refused_and_ratings_that_never_meet_are_said():
    with pytest.raises(tm.DataError, match="one rater, r1; agreement of people needs two"):
        rated(np.array([[1], [2]]))
    apart = np.array([[1, NAN], [NAN, 2], [3, NAN]])
    found = rated(apart)
    assert "no response was rated twice" in notes(found)


def test_every_number_has_an_interval_or_a_reason():
    for ratings in (exchangeable(6, 3, n=50), np.full((10, 3), 2.0), exchangeable(7, 2, n=1)):
        for estimate in rated(ratings).estimates:
            assert estimate.low <= estimate.value <= estimate.high or estimate.why, estimate


def test_a_long_table_gives_the_numbers_of_the_wide_one():
    ratings = exchangeable(8, 3, n=60)
    ratings[np.random.default_rng(8).random(ratings.shape) < 0.3] = NAN
    wide = columns(ratings)
    long = [
        {"response": i, "rater": name, "score": value}
        for name, column in wide.items()
        for i, value in enumerate(column)
        if value is not None
    ]
    roles: dict[str, Any] = {"response": "response", "rater": "rater", "score": "score"}
    one = tm.raters(wide, humans=[*wide], scale="1:5", replicates=200)
    other = tm.raters(long, scale="1:5", replicates=200, **roles)
    assert [s.id for s in other.subsets] == [s.id for s in one.subsets]
    here = [(e.text, e.value, e.low, e.high, e.n) for e in one.estimates]
    there = [(e.text, e.value, e.low, e.high, e.n) for e in other.estimates]
    assert [row[0] for row in there] == [row[0] for row in here]
    for mine, theirs in zip(here, there, strict=True):
        assert theirs[1:] == pytest.approx(mine[1:], rel=1e-9, nan_ok=True), mine[0]


def test_half_points_negative_points_and_words_are_scores():
    ratings = exchangeable(9, 3, n=80)
    plain = of(rated(ratings), "people against people")
    halves = of(rated(ratings / 2 - 3, scale="-2.5:-0.5:0.5"), "people against people")
    words = np.array(["", "poor", "weak", "fair", "good", "top"])[ratings.astype(int)]
    data = {f"r{i + 1}": list(column) for i, column in enumerate(words.T)}
    spoken = tm.raters(data, humans=[*data], scale=["poor", "weak", "fair", "good", "top"])
    for text, estimate in plain.items():
        assert halves[text].value == pytest.approx(estimate.value), text
        other = of(spoken, "people against people")[text].value
        assert other == pytest.approx(estimate.value), text


def test_raters_come_back_from_json():
    text = rated(exchangeable(10, 3, n=40)).to_json()
    assert tm.Evaluation.from_json(text).to_json() == text


def test_pairs_of_raters_beyond_resampling_are_told_and_not_computed(monkeypatch):
    ratings = np.random.default_rng(2).integers(1, 5, (40, 6))
    table = {f"r{i}": column for i, column in enumerate(ratings.T)}
    every = tm.raters(table, replicates=100).estimates
    monkeypatch.setattr("tallymark.study.pairings.MOST_SUMS", 10_000)
    few = tm.raters(table, replicates=100).estimates
    pairs = zip(every, few, strict=True)
    without = [(e, f) for e, f in pairs if repr(e) != repr(f)]  # NaN is not NaN
    assert {e.name for e, _ in without} == {"mean_pairwise_kappa"}
    assert all(np.isnan(f.value) and "15 pairs of raters" in f.why for _, f in without)
    assert all("--human" in f.why and f.n == e.n for e, f in without)
