"""Metrics agree with other programs and with the estimates, and refuse what is not scores."""

import doctest
import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.stats

import tallymark as tm
from tallymark import metrics
from tallymark.catalogue import CATALOGUE, FORMULAS
from tallymark.errors import DataError, ScaleError
from tallymark.metrics import rsmtool
from tallymark.metrics.arrays import PAIRWISE
from tests.metrics.types import STUB, stub

PAIRED = [row.name for row in FORMULAS if row.tallies[0] in PAIRWISE] + ["quadratic_weighted_kappa"]
TABLE = [row.name for row in FORMULAS if row.tallies in (("table",), ("cells",))]
WEIGHTED = ["cohen_kappa", "scott_pi", "gwet_ac", "brennan_prediger", "krippendorff_alpha"]


def scores(seed, k=6, n=500):
    """Two raters who often agree, on the points 1 to k."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(1, k + 1, n)
    return gold, np.clip(gold + rng.integers(-1, 2, n), 1, k)


def continuous(seed, n=300):
    rng = np.random.default_rng(seed)
    gold = rng.normal(3, 1, n)
    return gold, gold + rng.normal(0.2, 0.7, n)


def test_every_statistic_of_the_catalogue_is_a_metric():
    names = {row.name for row in FORMULAS}
    assert set(metrics.__all__) == names | {*rsmtool.__all__}


@pytest.mark.parametrize("name", metrics.__all__)
def test_the_help_of_a_metric_shows_a_call_that_runs(name):
    metric = getattr(metrics, name)
    (shown,) = doctest.DocTestFinder().find(metric, name, module=False, globs={name: metric})
    assert shown.examples
    said: list[str] = []
    doctest.DocTestRunner().run(shown, out=said.append)
    assert said == [], "".join(said)


@pytest.mark.parametrize("row", [row for row in CATALOGUE if row.name in metrics.__all__])
def test_the_example_of_a_row_is_a_call_that_gives_its_value(row):
    call, value = row.example
    found = eval(f"metrics.{row.name}({call})", {"metrics": metrics})  # noqa: S307 - our own rows
    assert found == pytest.approx(float(value), abs=0.5 * 10.0 ** -len(value.partition(".")[2]))


def test_no_other_row_has_an_example():
    assert [r.name for r in CATALOGUE if r.example[0] and r.name not in metrics.__all__] == []


@pytest.mark.parametrize("name", metrics.__all__)
def test_a_metric_can_be_sent_to_another_process(name):
    metric = getattr(metrics, name)
    assert pickle.loads(pickle.dumps(metric)) is metric


def test_the_types_of_the_metrics_are_fresh():
    assert STUB.read_text("utf-8") == stub(), "run `make fix`"


def test_a_misspelt_parameter_is_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'wieghts'"):
        metrics.cohen_kappa([1, 2], [1, 2], wieghts="linear")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="missing a required argument: 'y_pred'"):
        metrics.pearson([1, 2])  # type: ignore[call-arg]


@pytest.mark.parametrize("name", PAIRED[:-1])
@pytest.mark.parametrize("k", [2, 5])
def test_a_metric_is_the_value_of_the_estimate(name, k):
    gold, system = scores(k, k)
    expected = tm.estimate(name, gold, system, interval="analytic").value
    found = getattr(metrics, name)(gold, system)
    assert isinstance(found, float)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize("weights", ["linear", "quadratic", "ordinal", "ratio"])
def test_weights_are_those_of_the_estimate(name, weights):
    gold, system = scores(1)
    found = getattr(metrics, name)(gold, system, weights=weights, scale="1:8")
    expected = tm.estimate(name, gold, system, weights=weights, scale="1:8", interval="analytic")
    assert found == pytest.approx(expected.value, abs=1e-12)


def test_correlations_agree_with_scipy():
    for gold, system in (scores(2), continuous(2)):
        for name, peer in (
            ("pearson", scipy.stats.pearsonr),
            ("spearman", scipy.stats.spearmanr),
            ("kendall_tau_b", scipy.stats.kendalltau),
        ):
            assert getattr(metrics, name)(gold, system) == pytest.approx(
                peer(gold, system).statistic, abs=1e-12
            ), name


def test_kappa_and_errors_agree_with_scikit_learn():
    peer = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    gold, system = scores(3)
    for weights in ("linear", "quadratic"):
        expected = peer.cohen_kappa_score(gold, system, weights=weights, labels=range(1, 7))
        assert metrics.cohen_kappa(gold, system, weights=weights) == pytest.approx(expected)
    assert metrics.cohen_kappa(gold, system) == pytest.approx(peer.cohen_kappa_score(gold, system))
    assert metrics.mae(gold, system) == pytest.approx(peer.mean_absolute_error(gold, system))
    assert metrics.rmse(gold, system) == pytest.approx(peer.root_mean_squared_error(gold, system))
    assert metrics.percent_agreement(gold, system) == pytest.approx(
        peer.accuracy_score(gold, system)
    )


def test_a_metric_works_in_make_scorer():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.linear_model import LinearRegression
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import cross_val_score

    rng = np.random.default_rng(4)
    features = rng.normal(size=(300, 3))
    gold = np.clip(np.rint(3.5 + features.sum(axis=1)), 1, 6)
    for scorer in (
        make_scorer(metrics.quadratic_weighted_kappa),
        make_scorer(metrics.gwet_ac, weights="quadratic", scale="1:6"),
        make_scorer(metrics.mae, greater_is_better=False),
    ):
        found = cross_val_score(LinearRegression(), features, gold, scoring=scorer, cv=3)
        assert np.isfinite(found).all()


def test_qwk_is_kappa_of_the_nearest_points_and_concordance_leaves_scores_unrounded():
    gold, system = scores(5)
    assert metrics.quadratic_weighted_kappa(gold, system) == pytest.approx(
        metrics.cohen_kappa(gold, system, weights="quadratic"), abs=1e-12
    )
    loose = system + 0.3
    scales: tuple[Any, ...] = ({}, {"scale": "1:6"})
    for scale in scales:
        found = metrics.quadratic_weighted_kappa(gold, loose, **scale)
        assert found == pytest.approx(metrics.quadratic_weighted_kappa(gold, system), abs=1e-12)
    assert metrics.lin_ccc(gold, loose) < found


def test_the_declared_scale_counts_not_the_scores_seen():
    gold, system = [1, 2, 2, 1], [1, 2, 1, 1]
    assert metrics.brennan_prediger(gold, system) == pytest.approx(0.5)
    assert metrics.brennan_prediger(gold, system, scale="1:4") == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", PAIRED)
def test_pairs_with_a_missing_score_are_refused_or_dropped(name):
    gold, system = [1.0, 2, 1, 2, math.nan, 1], [1, 2, 2, 1, 1, None]
    metric = getattr(metrics, name)
    with pytest.raises(DataError, match=r"y_true\[4\] is missing; 2 of 6 responses lack a score"):
        metric(gold, system)
    found = metric(gold, system, missing="drop")
    assert found == pytest.approx(metric(gold[:4], system[:4]), nan_ok=True)


@pytest.mark.parametrize("name", PAIRED)
def test_no_response_at_all_is_nan_without_a_warning(name):
    assert math.isnan(getattr(metrics, name)([], []))
    assert math.isnan(getattr(metrics, name)([1, None], [None, 2], missing="drop"))


def test_frames_and_their_missing_marks_are_read():
    gold, system = [1, None, 3], [1, 2, 5]
    drop: Any = {"missing": "drop"}
    assert metrics.mae(pd.array(gold, dtype="Int64"), pd.Series(system), **drop) == 1.0
    assert metrics.mae(pl.Series(gold), pl.Series(system), **drop) == 1.0
    assert metrics.percent_agreement(np.array([True, False]), np.array([True, True])) == 0.5


def test_half_points_and_decimals_are_counted_like_whole_points():
    gold, system = scores(6)
    for unit in (0.5, 0.25, 0.1, 7.0):
        assert metrics.gwet_ac(gold * unit, system * unit, weights="linear") == pytest.approx(
            metrics.gwet_ac(gold, system, weights="linear"), abs=1e-12
        )


def test_a_constant_among_a_million_scores_is_seen_as_constant():
    rng = np.random.default_rng(7)
    assert math.isnan(metrics.pearson(np.full(10**6, 3.3), rng.normal(size=10**6)))
    assert math.isnan(metrics.pearson(rng.normal(size=10**6), np.full(10**6, -7.7)))


def test_words_are_scores_on_a_scale_of_words():
    gold, system = ["fail", "pass", "merit"], ["pass", "pass", "merit"]
    scale = ["fail", "pass", "merit"]
    assert metrics.cohen_kappa(gold, system, scale=scale, weights="linear") == pytest.approx(
        metrics.cohen_kappa([1, 2, 3], [2, 2, 3], weights="linear", scale="1:3")
    )
    with pytest.raises(ScaleError, match=r"y_true\[0\] is 'fial', which.*Did you mean 'fail'"):
        metrics.cohen_kappa(["fial"], ["fail"], scale=scale)


@pytest.mark.parametrize(
    ("gold", "system", "error", "said"),
    [
        ([1, 2, 3], [1, 2], DataError, "of one length, got 3 and 2"),
        ([1, 2], ["1", "2"], DataError, r"y_pred\[0\] is '1', which is not a number"),
        ([1, "good"], [1, 2], DataError, r"y_true\[1\] is 'good'"),
        ([1, "good", None], [1, 2, 2], DataError, r"y_true\[1\] is 'good'"),
        ([1, 2], [[1], [2]], DataError, r"shape \(2, 1\)\. Did you mean y_pred\.ravel\(\)"),
        ([1, 2], 3, DataError, r"y_pred must be one number a response, got shape \(\)"),
        ([1, math.inf], [1, 2], DataError, r"y_true\[1\] is infinite"),
        ([1 + 2j], [1], DataError, r"y_true\[0\] is \(1\+2j\), which is not a number"),
    ],
)
def test_what_is_not_two_sequences_of_scores_is_refused(gold, system, error, said):
    gold = np.array(gold, dtype=object) if None in gold else gold
    with pytest.raises(error, match=said):
        metrics.mae(gold, system)


def test_unknown_weights_suggest_the_nearest():
    with pytest.raises(ValueError, match="Did you mean 'quadratic'"):
        metrics.cohen_kappa([1, 2], [1, 2], weights="quadratc")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", TABLE)
def test_a_table_statistic_of_continuous_scores_asks_for_the_scale(name):
    gold, system = continuous(8)
    with pytest.raises(ScaleError, match="declare the points they are rounded to"):
        getattr(metrics, name)(gold, system)


def test_a_gold_score_off_the_scale_is_refused_and_a_system_score_goes_to_the_nearest_point():
    with pytest.raises(ScaleError, match=r"y_true\[1\] is 9, which is not on the scale 1:6"):
        metrics.percent_agreement([1, 9], [1, 6], scale="1:6")
    assert metrics.percent_agreement([1, 6, 3], [0.2, 9, 2.5], scale="1:6") == 1.0
