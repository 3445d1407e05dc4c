"""Metrics of a panel agree with the estimates, and refuse what is no panel."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tallymark as tm
from tallymark import metrics
from tallymark.errors import DataError, ScaleError

WEIGHTED = ("fleiss_kappa", "conger_kappa", "mean_pairwise_kappa", "gwet_ac", "brennan_prediger")
CASES = [
    ("percent_agreement", {}),
    *((name, {"weights": w}) for name in WEIGHTED for w in ("identity", "quadratic", "ordinal")),
    *(("krippendorff_alpha", {"metric": m}) for m in ("nominal", "ordinal", "interval", "ratio")),
    ("krippendorff_alpha", {"weights": "linear"}),
    *(("icc", {"type": f"{one},{k}"}) for one in "123" for k in "1k"),
]


def dropping(name, params):
    """Two-way ICC needs every score."""
    two_way = name == "icc" and params["type"][0] != "1"
    return params | ({"missing": "drop"} if two_way else {})


def panel(seed, raters=4, n=300, k=5, missing=0.3):
    """Raters who often agree, on the points 1 to k, with gaps."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(k / 2, 1, n)
    scores = np.clip(np.rint(truth[:, None] + rng.normal(0, 0.6, (n, raters))), 1, k)
    scores[rng.random(scores.shape) < missing] = np.nan
    return scores


@pytest.mark.parametrize(("name", "params"), CASES)
def test_a_metric_is_the_value_of_the_estimate(name, params):
    ratings = panel(1)
    params = dropping(name, params)
    expected = tm.estimate(name, ratings, interval="analytic", **params).value
    found = getattr(metrics, name)(ratings, **params)
    assert isinstance(found, float)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["fleiss_kappa", "gwet_ac", "conger_kappa", "krippendorff_alpha"])
def test_a_scale_of_many_points_gives_what_a_scale_of_few_gives(name):
    # 40 points and 6 raters: rating counts are too long for one whole number
    ratings = panel(2, raters=6, k=4)
    few = getattr(metrics, name)(ratings, scale="1:4", weights="identity")
    many = getattr(metrics, name)(ratings, scale="1:40", weights="identity")
    if name != "gwet_ac":
        assert many == pytest.approx(few, abs=1e-12)
    expected = tm.estimate(name, ratings, scale="1:40", weights="identity", interval="analytic")
    assert many == pytest.approx(expected.value, abs=1e-12)


@pytest.mark.parametrize("unit", [0.5, 0.25, 0.1, 7.0])
def test_half_points_and_decimals_are_counted_like_whole_points(unit):
    ratings = panel(3)
    expected = metrics.fleiss_kappa(ratings, weights="linear")
    assert metrics.fleiss_kappa(ratings * unit, weights="linear") == pytest.approx(expected)


def test_interval_alpha_and_icc_take_continuous_scores():
    rng = np.random.default_rng(4)
    truth = rng.normal(size=500)
    ratings = truth[:, None] + rng.normal(0, 0.5, (500, 3))
    assert metrics.krippendorff_alpha(ratings) == pytest.approx(0.8, abs=0.03)
    assert metrics.icc(ratings, type="1,1") == pytest.approx(0.8, abs=0.03)
    with pytest.raises(ScaleError, match="declare the points they are rounded to"):
        metrics.gwet_ac(ratings)


@pytest.mark.parametrize(("name", "params"), CASES)
def test_no_ratings_at_all_are_nan_without_a_warning(name, params):
    metric, params = getattr(metrics, name), dropping(name, params)
    assert math.isnan(metric(np.empty((0, 3)), **params))
    assert math.isnan(metric(np.full((5, 3), np.nan), **params))
    assert math.isnan(metric([[1, None, None], [None, 2, None]], **params))


def test_frames_nested_lists_and_words_are_read():
    rows: list[list[int | None]] = [[1, 2, None], [2, 2, 3], [3, None, 3]]
    expected = metrics.gwet_ac(rows, scale="1:3")
    frame = pd.DataFrame(rows, dtype="Int64")
    assert metrics.gwet_ac(frame, scale="1:3") == expected
    assert metrics.gwet_ac(pl.DataFrame(rows, orient="row"), scale="1:3") == expected
    words = [[None if s is None else ("low", "middle", "high")[s - 1] for s in r] for r in rows]
    assert metrics.gwet_ac(words, scale=["low", "middle", "high"]) == expected


@pytest.mark.parametrize(
    ("ratings", "said"),
    [
        ([1, 2, 3], r"responses x raters, one row a response, got shape \(3,\)"),
        ([[1], [2]], "two or more raters, got 1 column"),
        ([[1, 2], [1]], "the rows differ in length.*None"),
        ([[1, math.inf], [1, 2]], r"ratings\[0, 1\] is infinite"),
        ([[1, "good"], [1, 2]], r"ratings\[0, 1\] is 'good'"),
    ],
)
def test_what_is_no_panel_is_refused(ratings, said):
    with pytest.raises(DataError, match=said):
        metrics.fleiss_kappa(ratings)


def test_a_rating_off_the_scale_is_named():
    with pytest.raises(ScaleError, match=r"ratings\[2, 1\] is 9, which is not on the scale 1:6"):
        metrics.percent_agreement([[1, 1, 1], [2, 3, 3], [4, 9, 4]], scale="1:6")
