"""The same arrays give the same number by tm.metrics, tm.estimate and tm.evaluate, or our error."""

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics

import tallymark as tm
from tallymark import metrics
from tallymark.catalogue import FORMULAS, Row
from tallymark.metrics import rsmtool
from tallymark.metrics.arrays import needs_all, takes_panels, takes_two

N = 60
LABELS = ("refuse", "comply", "partial")
PAIRED = [row for row in FORMULAS if takes_two(row)]
PANELS = [row for row in FORMULAS if takes_panels(row)]
ALIKE = 1e-11


def ids(rows):
    return [row.name for row in rows]


def choices(row: Row):
    """The default of a row's parameters, and every other choice of each."""
    yield {}
    for name, values in row.choices.items():
        yield from ({name: value} for value in values)


def two(row: Row, seed: int = 6):
    """Gold and system on the points that the statistic is defined for."""
    rng = np.random.default_rng(seed)
    k = 2 if "two_points" in str(row.undefined) or row.name in TWO_POINTS else 5
    gold = rng.integers(0, k, N)
    return gold.astype(float), np.clip(gold + rng.integers(-1, 2, N), 0, k - 1).astype(float), k


TWO_POINTS = {
    "sensitivity", "specificity", "precision", "negative_predictive_value", "f1", "positive_rate",
    "pabak", "prevalence_index", "bias_index",
}  # fmt: skip


def panel(seed=7, raters=4, missing=0.2):
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1, N)
    scores = np.clip(np.rint(truth[:, None] + rng.normal(0, 0.7, (N, raters))), 1, 5)
    scores[rng.random(scores.shape) < missing] = np.nan
    return scores


def same(found, expected):
    assert found == pytest.approx(expected, abs=ALIKE, nan_ok=True)


@pytest.mark.parametrize("row", PAIRED, ids=ids(PAIRED))
def test_metrics_and_estimates_of_two_sequences_are_one_number(row):
    gold, system, k = two(row)
    rng = np.random.default_rng(8)
    fractions = system + rng.uniform(-0.4, 0.4, N)  # at the same nearest points, or beyond the ends
    beyond = system + 2.25
    scales: tuple[Any, ...] = ({}, {"scale": f"0:{k - 1}"})
    for scale in scales:
        for scores in (system, fractions, beyond) if scale else (system, fractions):
            for params in choices(row):
                number = getattr(metrics, row.name)(gold, scores, **scale, **params)
                estimate = tm.estimate(
                    row.name, gold, scores, interval="analytic", **scale, **params
                )
                same(number, estimate.value)


EVALUATED: dict[str, dict[str, Any]] = {  # how a call of tm.metrics writes what tm.evaluate reports
    "percent_agreement": {}, "adjacent_agreement": {}, "csrate": {}, "lin_ccc": {}, "pearson": {},
    "spearman": {}, "kendall_tau_b": {}, "bias": {}, "mae": {}, "mse": {}, "rmse": {}, "r2": {},
    "sd_ratio": {}, "macro_mae": {}, "macro_rmse": {}, "gwet_ac": {"weights": "quadratic"},
    "brennan_prediger": {"weights": "quadratic"}, "cohen_kappa": {"weights": "quadratic"},
    "smd": {"kind": "pooled"}, "prevalence_doewes": {},
}  # fmt: skip


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("gap", [False, True])
def test_what_evaluate_reports_is_the_number_of_metrics_and_estimate(declared, gap):
    rng = np.random.default_rng(9)
    gold = np.concatenate([np.arange(6), rng.integers(0, 6, N - 6)]).astype(float)
    system = np.clip(
        gold + rng.normal(0, 0.8, N), 0 if not declared else -2, 5 if not declared else 8
    )
    if gap:
        gold[7], system[11] = np.nan, np.nan
    scale: Any = {"scale": "0:5"} if declared else {}
    evaluation = tm.evaluate(
        {"h1": gold, "engine": system}, humans=["h1"], systems=["engine"], **scale
    )
    compared = 0
    for name, params in EVALUATED.items():
        key = name + (f"[{','.join(params.values())}]" if params else "")
        try:
            reported = evaluation.number(key).value
        except tm.TallymarkError:
            continue
        compared += 1
        same(getattr(metrics, name)(gold, system, missing="drop", **scale, **params), reported)
        same(tm.estimate(name, gold, system, missing="drop", **scale, **params).value, reported)
    assert compared >= 14


def test_qwk_of_fractions_is_that_of_scikit_learn_at_the_nearest_points():
    rng = np.random.default_rng(10)
    gold = np.concatenate([np.arange(1, 7), rng.integers(1, 7, N)])
    system = np.clip(gold + rng.normal(0, 0.9, gold.size), 1, 6)
    peer = sklearn.metrics.cohen_kappa_score(gold, np.floor(system + 0.5), weights="quadratic")
    same(metrics.quadratic_weighted_kappa(gold, system), peer)
    same(tm.estimate("qwk", gold, system).value, peer)
    found = tm.evaluate({"h1": gold, "e": system}, humans=["h1"], systems=["e"]).number("qwk")
    same(found.value, peer)


@pytest.mark.parametrize("row", PANELS, ids=ids(PANELS))
def test_metrics_and_estimates_of_panels_are_one_number(row):
    for ratings in (panel(), panel(missing=0), panel(raters=2), panel(raters=2, missing=0)):
        for params in choices(row):
            for scale in ({}, {"scale": "1:6"}):
                call = {**params, **scale, "missing": "drop"}
                number = getattr(metrics, row.name)(ratings, **call)
                same(number, tm.estimate(row.name, ratings, interval="analytic", **call).value)


def forms(gold, system, place):
    """Two sequences in which the system's score at one place is missing, in every form."""
    masked = np.arange(gold.size) == place
    listed = [None if at else score for at, score in zip(masked, system.tolist(), strict=True)]
    garbage = np.where(masked, 99.0, system)
    yield "None", gold.tolist(), listed
    yield "NaN", gold.tolist(), [math.nan if score is None else score for score in listed]
    yield "pd.NA", gold.tolist(), [pd.NA if score is None else score for score in listed]
    yield "masked", np.ma.array(gold, mask=False), np.ma.array(garbage, mask=masked)
    yield "masked integers", gold.astype(int), np.ma.array(garbage.astype(int), mask=masked)
    yield "masked objects", gold, np.ma.array(garbage.astype(object), mask=masked)
    yield "np.ma.masked", gold, [np.ma.masked if score is None else score for score in listed]
    yield "objects", gold.astype(object), np.array(listed, dtype=object)
    yield (
        "floats as objects",
        gold,
        np.array([np.float64(s) for s in np.where(masked, np.nan, system)], object),
    )
    yield "decimals", gold, [None if score is None else Decimal(str(score)) for score in listed]
    yield "pandas", pd.Series(gold), pd.Series(listed, dtype="float64")
    yield "pandas Int64", pd.Series(gold).astype("Int64"), pd.array(listed, dtype="Int64")
    yield "pandas sparse", gold, pd.arrays.SparseArray(np.where(masked, np.nan, system))
    yield "Polars", pl.Series(gold), pl.Series(listed)
    yield "PyArrow", pa.array(gold), pa.array(listed)
    yield "big-endian", gold.astype(">f8"), np.where(masked, np.nan, system).astype(">f4")


FORMS = [name for name, *_ in forms(np.zeros(3), np.zeros(3), 1)]


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_score_is_dropped_alike_or_refused_in_every_form(form):
    for row in PAIRED:
        gold, system, k = two(row)
        kept = np.arange(N) != 5
        given, scores = next(two for name, *two in forms(gold, system, 5) if name == form)
        scale = f"0:{k - 1}"
        metric = getattr(metrics, row.name)
        expected = metric(gold[kept], system[kept], scale=scale)
        same(metric(given, scores, scale=scale, missing="drop"), expected)
        for call in (metric, lambda *two, name=row.name, **words: tm.estimate(name, *two, **words)):
            with pytest.raises(
                tm.DataError, match=r"\w+\[5\] is missing; 1 of 60 responses lack a score"
            ):
                call(given, scores, scale=scale)
        if row.name in ("percent_agreement", "mae", "spearman", "class_f1", "macro_mae"):
            found = tm.estimate(row.name, given, scores, scale=scale, missing="drop")
            same(found.value, expected)
            assert found.n == N - 1


def test_the_pairs_of_the_example_are_refused():
    nan = math.nan
    with pytest.raises(
        tm.DataError, match=r"y_pred\[3\] is missing; 2 of 5 responses lack a score"
    ):
        metrics.quadratic_weighted_kappa([1, 2, 3, 1, 5], [1, 2, 3, nan, nan])


@pytest.mark.parametrize("row", PANELS, ids=ids(PANELS))
def test_a_masked_panel_is_the_panel_with_gaps(row):
    ratings = panel()
    gaps = np.isnan(ratings)
    masked = np.ma.array(np.where(gaps, 99, ratings), mask=gaps)
    nested = [[None if math.isnan(score) else score for score in line] for line in ratings]
    missing: Any = {"missing": "drop"} if needs_all(row, row.params) else {}
    expected = getattr(metrics, row.name)(ratings, **missing)
    rows: Any = (
        masked,
        nested,
        [*masked],
        pd.DataFrame(ratings).astype("Int64"),
        pl.DataFrame(ratings),
    )
    for given in rows:
        same(getattr(metrics, row.name)(given, **missing), expected)
        same(tm.estimate(row.name, given, interval="analytic", **missing).value, expected)


@pytest.mark.parametrize("type_", ["2,1", "3,1", "2,k", "3,k"])
def test_two_way_icc_refuses_gaps_unless_they_are_dropped(type_):
    for call in (metrics.icc, lambda ratings, **words: tm.estimate("icc", ratings, **words)):
        with pytest.raises(tm.DataError, match=r"ratings\[\d+\] is missing"):
            call(panel(), type=type_)


BAD: dict[str, Any] = {
    "texts": ["1", "2", "3"],
    "a text": [1, "2", 3],
    "bytes": [1, b"2", 3],
    "a truth among numbers": [1, True, 3],
    "a complex number": [1, 2j, 3],
    "complex numbers": np.array([1, 2j, 3]),
    "ragged": [1, [2], 3],
    "infinite": [1, math.inf, 3],
    "huge": [1, 1e308, 3],
    "huge integer": [1, 10**400, 3],
    "an object": [1, object(), 3],
    "a set": [1, {2}, 3],
    "a mapping": [1, {"a": 2}, 3],
    "dates": np.array(["2020-01-01"] * 3, "M8[D]"),
    "durations": np.array([1, 2, 3], "m8[D]"),
    "intervals": pd.arrays.IntervalArray.from_breaks(range(4)),
    "periods": pd.period_range("2020-01", periods=3, freq="M"),
    "records": np.array([(1, 2)] * 3, dtype=[("a", int), ("b", int)]),
    "a scalar": 3,
    "a word": "good",
    "a mapping of columns": {"a": [1, 2, 3]},
    "a generator": (score for score in (1, 2, 3)),
    "too short": [1, 2],
    "a column": [[1], [2], [3]],
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("place", [0, 1])
def test_what_is_no_score_is_our_error_by_name(kind, place):
    for row in PAIRED:
        two = [[1, 2, 3], [1, 2, 3]]
        two[place] = BAD[kind]
        with pytest.raises(tm.TallymarkError) as refused:
            getattr(metrics, row.name)(*two)
        assert ("y_true", "y_pred")[place] in str(refused.value)
        with pytest.raises(tm.TallymarkError) as refused:
            tm.estimate(row.name, *two)
        assert ("ratings", "second")[place] in str(refused.value)


@pytest.mark.parametrize("kind", BAD)
def test_what_is_no_panel_is_our_error_by_name(kind):
    bad = BAD[kind]
    given = [[1, 2, 2], bad, [1, 1, 2]] if isinstance(bad, list) and len(bad) < 4 else bad
    for row in PANELS:
        for call in (
            getattr(metrics, row.name),
            lambda ratings, name=row.name: tm.estimate(name, ratings),
        ):
            with pytest.raises(tm.TallymarkError, match=r"^(ratings|\w+ compares two or more)"):
                call(given)


@pytest.mark.parametrize("name", [*rsmtool.__all__])
def test_functions_of_rsmtool_refuse_what_is_no_score(name):
    metric = getattr(metrics, name)
    rest = {
        "smd": (), "quadratic_weighted_kappa": (), "mse_true": (), "prmse": (),
        "dsm": (np.array([True, False, True]),), "osa": (["a", "b", "a"],),
        "osd": (["a", "b", "a"],), "csd": (["a", "b", "a"],),
        "degradation": ([1, 2, 2],), "disattenuated_r": ([1, 2, 2],),
    }  # fmt: skip
    for kind, bad in BAD.items():
        if name not in rest and kind == "too short":  # two raters of two responses
            continue
        if name not in rest:
            with pytest.raises(tm.TallymarkError, match="ratings"):
                metric([[1, 2], bad] if isinstance(bad, list) else bad)
            continue
        with pytest.raises(tm.TallymarkError, match="y_pred"):
            metric([1, 2, 3], bad, *rest[name])


def test_truths_alone_are_one_and_nought_by_every_door():
    gold, system = [True, False, True, True, None], [True, True, True, False, True]
    forms: Any = (
        (gold, system),
        (np.array(gold, object), np.array(system)),
        (pd.array(gold, "boolean"), pl.Series(system)),
    )
    for given, scores in forms:
        found = metrics.sensitivity(given, scores, missing="drop")
        assert found == pytest.approx(2 / 3)
        assert tm.estimate("sensitivity", given, scores, missing="drop").value == found


def test_words_are_read_as_in_a_file():
    gold, system = ["Fail", " pass", "merit", "Pass"], ["pass", "pass", "MERIT", "fail"]
    scale = ["fail", "pass", "merit"]
    expected = metrics.mae([1, 2, 3, 2], [2, 2, 3, 1], scale="1:3")
    assert metrics.mae(gold, system, scale=scale) == expected
    assert tm.estimate("mae", gold, system, scale=scale).value == expected
    source = {"h1": gold, "e": system}
    evaluation = tm.evaluate(source, humans=["h1"], systems=["e"], scale="fail,pass,merit")
    assert evaluation.number("mae").value == pytest.approx(expected)


def test_an_unknown_rule_for_missing_scores_suggests_the_nearest():
    with pytest.raises(
        tm.OptionError, match=r"missing= takes 'raise' or 'drop', got 'dorp'\. Did you mean"
    ):
        metrics.mae([1], [1], missing="dorp")  # type: ignore[arg-type]
