"""RSMTool's functions give the numbers of the files that RSMTool 12 wrote."""

import csv
import math
from typing import Any

import numpy as np
import pytest

from tallymark import metrics
from tallymark.errors import DataError

ID = "lr_eval_with_h2"
REL = 1e-9


@pytest.fixture
def table(shared):
    """A table that RSMTool wrote, by the name in its first column."""
    folder = shared("conformance", "rsmtool", "experiments", "lr-eval-with-h2") / "output"

    def read(name):
        with (folder / f"{ID}_{name}.csv").open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        key = next(iter(rows[0]))
        return {row[key]: row for row in rows}

    return read


@pytest.fixture
def data(table):
    """First rater, second rater, system and native language of each response."""
    scored, rated, asked = (
        table(name) for name in ("pred_processed", "test_human_scores", "test_metadata")
    )
    first = np.array([float(row["sc1"]) for row in scored.values()])
    system = np.array([float(row["scale_trim"]) for row in scored.values()])
    second = np.array([float(rated[key]["sc2"] or "nan") for key in scored])
    return first, second, system, np.array([asked[key]["L1"] for key in scored])


def test_true_scores(table, data):
    first, second, system, _ = data
    ratings, expected = np.column_stack([first, second]), table("true_score_eval")["scale_trim"]
    error = metrics.error_variance(ratings)
    assert error == pytest.approx(float(expected["Variance of errors"]), rel=REL)
    true = metrics.true_score_variance(ratings)
    assert true == pytest.approx(float(expected["True score var"]), rel=REL)
    mse = metrics.mse_true(ratings, system)
    assert mse == pytest.approx(float(expected["MSE true"]), rel=REL)
    share = metrics.prmse(ratings, system)
    assert share == pytest.approx(float(expected["PRMSE true"]), rel=REL)
    assert metrics.prmse(ratings, system, error_variance=error) == pytest.approx(share, rel=REL)


def test_one_rater_suffices_where_the_variance_of_errors_is_known(data):
    first, _, system, _ = data
    assert math.isnan(metrics.prmse(first, system))
    # N = C: true variance is s^2 - V, and the error about it the mean square less V
    spread, apart = first.var(ddof=1), np.mean((first - system) ** 2)
    expected = 1 - (apart - 0.1375) / (spread - 0.1375)
    for given in (first, first[:, None]):
        found = metrics.prmse(given, system, error_variance=0.1375)
        assert found == pytest.approx(expected, rel=REL)


def test_groups(table, data):
    first, _, system, group = data
    expected = table("fairness_metrics_by_L1")["R2"]
    for name, called in (
        ("osa", "Overall score accuracy"),
        ("osd", "Overall score difference"),
        ("csd", "Conditional score difference"),
    ):
        found = getattr(metrics, name)(first, system, group)
        assert found == pytest.approx(float(expected[called]), rel=REL), name
    for name, row in table("eval_by_L1").items():
        here = group == name if name != "All data" else np.ones_like(first, dtype=bool)
        found = metrics.dsm(first, system, here)
        assert found == pytest.approx(float(row["DSM.scale_trim"]), abs=1e-12), name


def test_a_second_rater(table, data):
    first, second, system, _ = data
    lost, fair = (
        table(name)["scale_trim"] for name in ("degradation", "disattenuated_correlations")
    )
    found = metrics.degradation(first, system, second)
    assert found == pytest.approx(float(lost["wtkappa"]), rel=REL)
    found = metrics.degradation(first, system, second, statistic=metrics.pearson)
    assert found == pytest.approx(float(lost["corr"]), rel=REL)
    found = metrics.disattenuated_r(first, system, second)
    assert found == pytest.approx(float(fair["corr_disattenuated"]), rel=REL)


def test_the_system_may_be_taken_on_responses_that_were_rated_once():
    first, system = np.array([1.0, 2, 3, 4]), np.array([1.0, 2, 4, 4])
    second = np.array([2.0, 2, 3, np.nan])
    exact = metrics.percent_agreement
    # 2 of 3 beside 2 of 3 on shared responses, 3 of 4 beside 2 of 3 on all
    shared = metrics.degradation(first, system, second, statistic=exact, scale="1:4")
    assert shared == pytest.approx(0)
    every = metrics.degradation(first, system, second, statistic=exact, responses="all")
    assert every == pytest.approx(3 / 4 - 2 / 3)


def test_a_group_may_be_standardized_over_all_responses(data):
    first, _, system, group = data
    here = group == "Vulcan"
    apart = (system - first)[here].mean()
    kinds = {
        "unpooled": first[here].std(ddof=1),
        "johnson": first.std(ddof=1),
        "williamson": math.sqrt((first.var(ddof=1) + system.var(ddof=1)) / 2),
    }
    for kind, sd in kinds.items():
        found = metrics.smd(first, system, kind=kind, group=here)  # type: ignore[arg-type]
        assert found == pytest.approx(apart / sd, rel=REL), kind


def test_responses_without_a_score_or_a_group_are_refused_or_dropped():
    gold: list[Any] = [1, 2, 3, 4, 2, None]
    system, group = [1, 3, 5, 7, math.nan, 1], [*"aabbab"]
    unknown: list[Any] = [*group, None]
    with pytest.raises(DataError, match=r"y_pred\[4\] is missing; 2 of 6 responses"):
        metrics.osd(gold, system, group)
    with pytest.raises(DataError, match=r"group\[2\] is missing; 1 of 3 responses"):
        metrics.csd([1, 2, 2], [1, 2, 3], unknown[4:])
    with pytest.raises(DataError, match=r"y_pred\[2\] is missing"):
        metrics.prmse([[3, 4], [2, 2], [1, 1]], [3, 1, math.nan])
    drop: Any = {"missing": "drop"}
    assert metrics.osd(gold, system, group, **drop) == pytest.approx(0.7)
    assert metrics.osd([*gold, 1], [*system, 9], unknown, **drop) == pytest.approx(0.7)
    assert metrics.prmse([[3, 4], [2, 2], [1, 1]], [3, 1, math.nan], **drop) == pytest.approx(0.5)


def test_no_response_at_all_is_nan_without_a_warning():
    for found in (
        metrics.error_variance(np.empty((0, 2))),
        metrics.prmse(np.empty((0, 2)), []),
        metrics.dsm([], [], np.array([], dtype=bool)),
        metrics.osa([], [], []),
        metrics.csd([], [], []),
        metrics.degradation([], [], []),
        metrics.disattenuated_r([1.0], [math.nan], [2.0], missing="drop"),
    ):
        assert math.isnan(found)


def test_what_is_no_group_is_refused():
    with pytest.raises(DataError, match="write for example group == 'f'"):
        metrics.dsm([1, 2], [1, 2], ["f", "m"])
    with pytest.raises(DataError, match="y_true and group must be of one length, got 2 and 3"):
        metrics.osa([1, 2], [1, 2], ["f", "m", "m"])
    with pytest.raises(DataError, match=r"y_pred must be one number a response"):
        metrics.prmse([1, 2], [[1, 2], [2, 2]])
