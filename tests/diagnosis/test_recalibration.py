"""Recalibration: against other programs, on files that need it, and on files that do not."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.isotonic import IsotonicRegression

from tallymark.diagnosis.recalibration import (
    FOLDS,
    MOST_STEPS,
    cross_fitted,
    fitted_to_all,
    folds_of,
    isotonic,
    steps_of,
)
from tallymark.questions.scale.recalibration import recalibrated
from tests.diagnosis.only import diagnoses, found, only, scored

pytestmark = pytest.mark.filterwarnings("error")
QWK = "cohen_kappa[quadratic]"


def told(columns, **options):
    return only(recalibrated, columns, **options)


@given(
    arrays(np.float64, 12, elements=st.floats(-5, 5)),
    arrays(np.int64, 12, elements=st.integers(1, 9)),
)
def test_isotonic_steps_are_those_of_another_program(means, counts):
    weights = counts * 1.0
    expected = IsotonicRegression().fit_transform(np.arange(12), means, sample_weight=weights)
    assert isotonic(weights, weights * means) == pytest.approx(expected, abs=1e-9)


def test_isotonic_steps_of_many_training_sets_at_once():
    rng = np.random.default_rng(0)
    weights, means = rng.integers(1, 5, (4, 7)).astype(float), rng.standard_normal((4, 7))
    each = [isotonic(w, w * m) for w, m in zip(weights, means, strict=True)]
    assert isotonic(weights, weights * means) == pytest.approx(np.stack(each), abs=1e-12)


def test_an_empty_bin_takes_the_value_of_a_neighbour():
    steps = isotonic(np.array([0.0, 2, 0, 2, 0]), np.array([0.0, 2, 0, 6, 0]))
    assert steps.tolist() == [1, 1, 1, 3, 3] or steps.tolist() == [1, 1, 3, 3, 3]
    assert np.isnan(isotonic(np.zeros(3), np.zeros(3))).all()


def test_the_straight_line_gives_the_mean_and_spread_of_the_gold():
    rng = np.random.default_rng(1)
    gold = rng.standard_normal(300)
    system = 2 + 3 * (0.8 * gold + 0.6 * rng.standard_normal(300))
    ones = np.ones(300, np.int64)
    fitted = fitted_to_all(gold, system, ones, steps_of(system, ones))
    moved = fitted.shift[0] + fitted.slope[0] * system
    assert (moved.mean(), moved.std()) == pytest.approx((gold.mean(), gold.std()), abs=1e-12)
    # rising steps predict, so they are drawn out again to the spread of the gold
    steps = fitted.steps[0][steps_of(system, ones)]
    assert (steps.mean(), steps.std()) == pytest.approx((gold.mean(), gold.std()), abs=1e-12)
    assert (np.diff(steps[np.argsort(system)]) >= -1e-12).all()


def test_folds_keep_clusters_together_and_are_of_one_size():
    counts = np.array([5, 1, 7, 30, 2])
    dealt = folds_of(counts, None)
    assert np.bincount(dealt.row, dealt.counts).tolist() == counts.tolist()
    assert np.ptp(np.bincount(dealt.fold, dealt.counts)) <= 1
    clusters = np.repeat(np.arange(40), 3)
    by_cluster = folds_of(np.ones(120, np.int64), clusters)
    assert all(len(set(folds)) == 1 for folds in by_cluster.fold.reshape(40, 3))
    assert np.bincount(by_cluster.fold).tolist() == [12] * FOLDS


def test_folds_of_millions_are_of_one_size_for_every_row():
    counts = np.array([3_000_007, 10, 1, 999_999])
    dealt = folds_of(counts, None)
    assert np.bincount(dealt.row, dealt.counts).tolist() == counts.tolist()
    assert np.ptp(np.bincount(dealt.fold, dealt.counts)) <= 1
    first = dealt.counts[dealt.row == 0]
    assert first.size == FOLDS
    assert first.min() >= 300_000


def test_no_response_is_recalibrated_by_itself():
    # one response far off: its own fold's fit does not see it
    gold, system = np.arange(60.0) % 6, np.arange(60.0) % 6
    gold[7] = 1000.0
    made = cross_fitted(gold, system, np.ones(60, np.int64), None)
    own = made.linear[made.row == 7]
    others = made.linear[made.row != 7]
    assert own.max() < 10 < others.max()


def test_many_scores_share_steps_of_about_equal_counts():
    system = np.random.default_rng(2).standard_normal(5000)
    bins = steps_of(system, np.ones(5000, np.int64))
    assert bins.max() + 1 == MOST_STEPS
    sizes = np.bincount(bins)
    assert sizes.max() - sizes.min() <= 2
    assert (np.diff(bins[np.argsort(system)]) >= 0).all()


def test_a_severe_system_in_the_right_order_is_to_be_recalibrated():
    evaluation = told(scored(600, noise=0.5, system=0.5, bias=-1.2, rounded=False))
    advice = diagnoses(evaluation, "recalibrate")
    assert [d.loud for d in advice] == [True]
    numbers = advice[0].numbers
    assert numbers["smd_before"] < -0.5
    assert abs(numbers["smd_after"]) < 0.1
    assert numbers["after"] > numbers["before"] + 0.1
    gain = found(evaluation, f"recalibration_gain[{QWK},linear]")
    assert gain.low > 0
    after = found(evaluation, f"recalibrated[{QWK},linear]").value
    before = numbers["before"]
    assert gain.value == pytest.approx(after - before, abs=1e-12)


def test_a_bent_system_needs_rising_steps():
    columns = scored(2000, noise=0.3, system=0.2, rounded=False)
    bent = 1 + 5 * ((columns["s"] - 1).clip(0) / 5) ** 3
    evaluation = told({**columns, "s": bent})
    straight = found(evaluation, f"recalibrated[{QWK},linear]").value
    steps = found(evaluation, f"recalibrated[{QWK},isotonic]").value
    assert steps > straight + 0.03
    assert ". An isotonic recalibration" in diagnoses(evaluation, "recalibrate")[0].words


def test_a_calibrated_system_is_left_alone():
    evaluation = told(scored(600, noise=0.5, system=0.5))
    assert not evaluation.diagnoses
    assert abs(found(evaluation, f"recalibration_gain[{QWK},linear]").value) < 0.02


def test_a_system_in_the_wrong_order_is_not_saved_by_recalibration():
    assert not told(scored(600, noise=0.5, system=3.0, bias=-1.5)).diagnoses


def test_the_table_says_what_each_score_becomes():
    evaluation = told(scored(600, noise=0.5, system=0.5, bias=-1.2))
    table = next(t for t in evaluation.tables if t.name == "recalibration")
    assert [row[0] for row in table.rows] == [1, 2, 3, 4, 5, 6]
    for column in (1, 2):
        values = [row[column] for row in table.rows]
        assert values == sorted(values)
        assert 1 <= values[0] <= values[-1] <= 6
    assert table.rows[1][1] > 2.5  # a severe system is moved up


def test_the_order_of_rows_does_not_matter():
    columns = scored(200, noise=0.5, system=0.5, bias=-1.0)
    turned = {name: values[::-1] for name, values in columns.items()}
    assert told(columns).to_json() == told(turned).to_json()


def test_clusters_are_dealt_and_resampled_as_one():
    columns = scored(200, noise=0.5, system=0.5, bias=-1.0)
    columns["who"] = np.arange(200) % 40
    turned = {name: values[::-1] for name, values in columns.items()}
    one, other = (told(c, roles={"cluster": "who"}) for c in (columns, turned))
    assert one.to_json() == other.to_json()
    assert "clusters" in found(one, f"recalibration_gain[{QWK},linear]").method
    parts = found(one, f"recalibrated[{QWK},linear]").parts
    assert {"clusters", "df", "shift", "slope"} <= set(parts)
    few = {**columns, "who": np.arange(200) % 5}
    assert not told(few, roles={"cluster": "who"}).estimates


def test_continuous_scores_are_recalibrated_without_points():
    rng = np.random.default_rng(3)
    gold = rng.standard_normal(300)
    system = 0.4 * gold + 0.1 * rng.standard_normal(300)
    evaluation = told({"gold": gold, "s": system}, scale=None)
    assert found(evaluation, "recalibrated[lin_ccc,linear]").value > 0.9
    assert diagnoses(evaluation, "recalibrate")[0].words.startswith("CCC is")
    assert len(evaluation.tables[0].rows) == 11


@pytest.mark.parametrize(
    "columns",
    [
        {"h1": [1, 2, 3] * 10, "s": [1, 2, 3] * 10},
        {"h1": [1, 2, 3] * 30, "s": [2] * 90},
        {"h1": [2] * 90, "s": [1, 2, 3] * 30},
    ],
)
def test_few_responses_or_constant_scores_are_left_alone(columns):
    assert not told(columns).estimates


def test_what_cannot_vary_is_undefined_and_says_why():
    columns = {"h1": [1, 2, 3, 4, 5, 6] * 20, "s": [1, 2, 3, 4, 5, 6] * 20}
    gain = found(told(columns), f"recalibration_gain[{QWK},linear]")
    assert gain.value == pytest.approx(0, abs=1e-12)
    assert math.isnan(gain.low)
    assert gain.why
