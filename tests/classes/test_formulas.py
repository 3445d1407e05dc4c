"""Numbers of labels are those of scikit-learn, of responses alike and with weights."""

import math

import numpy as np
import pytest
from sklearn import metrics as sk

import tallymark as tm
from tallymark.accuracy import classes
from tallymark.inference.interval import wilson
from tallymark.tally import PairCounts

BINARY = {
    "sensitivity": sk.recall_score,
    "specificity": lambda *a, **k: sk.recall_score(*a, pos_label=0, **k),
    "precision": sk.precision_score,
    "negative_predictive_value": lambda *a, **k: sk.precision_score(*a, pos_label=0, **k),
    "f1": sk.f1_score,
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "cohen_kappa": sk.cohen_kappa_score,
    "percent_agreement": sk.accuracy_score,
}
SEVERAL = {
    "balanced_accuracy": sk.balanced_accuracy_score,
    "macro_precision": lambda *a, **k: sk.precision_score(*a, average="macro", **k),
    "macro_f1": lambda *a, **k: sk.f1_score(*a, average="macro", **k),
    "mcc": sk.matthews_corrcoef,
    "cohen_kappa": sk.cohen_kappa_score,
}


def drawn(labels, seed, n=60):
    rng = np.random.default_rng(seed)
    gold = np.concatenate([np.arange(labels), rng.integers(0, labels, n)])
    system = np.where(rng.random(gold.size) < 0.6, gold, rng.integers(0, labels, gold.size))
    system[:labels] = np.arange(labels)  # every label is used by both
    return gold, system, rng.integers(1, 5, gold.size) / 2


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", BINARY)
def test_two_labels(name, seed):
    gold, system, weight = drawn(2, seed)
    assert getattr(tm.metrics, name)(gold, system) == pytest.approx(BINARY[name](gold, system))
    weighted = tm.estimate(name, gold, system, weight=weight, scale="0,1")
    assert weighted.value == pytest.approx(BINARY[name](gold, system, sample_weight=weight))
    assert weighted.low < weighted.value < weighted.high


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", SEVERAL)
def test_several_labels(name, seed):
    gold, system, weight = drawn(4, seed)
    points = [0, 1, 2, 3]
    got = getattr(tm.metrics, name)(gold, system, scale=points)
    assert got == pytest.approx(SEVERAL[name](gold, system))
    weighted = tm.estimate(name, gold, system, weight=weight, scale=points)
    assert weighted.value == pytest.approx(SEVERAL[name](gold, system, sample_weight=weight))
    assert weighted.low < weighted.value < weighted.high


@pytest.mark.parametrize("seed", range(5))
def test_each_label(seed):
    gold, system, weight = drawn(4, seed)
    every = sk.precision_recall_fscore_support(gold, system, sample_weight=weight)
    for name, values in zip(("class_precision", "class_recall", "class_f1"), every, strict=False):
        for label, expected in enumerate(values):
            got = tm.estimate(name, gold, system, weight=weight, scale=[0, 1, 2, 3], label=label)
            assert got.value == pytest.approx(expected)


def test_a_share_of_the_positives_has_the_interval_of_as_many_responses():
    found = tm.estimate("sensitivity", table=[[50, 10], [4, 36]])
    assert (found.low, found.high) == pytest.approx(wilson(36 / 40, 40, 0.95))
    found = tm.estimate("negative_predictive_value", table=[[50, 10], [4, 36]])
    assert (found.low, found.high) == pytest.approx(wilson(50 / 54, 54, 0.95))


def test_equal_weights_change_nothing_and_unequal_ones_widen():
    gold, system, _ = drawn(2, 3, n=400)
    plain = tm.estimate("sensitivity", gold, system)
    uneven = np.random.default_rng(0).choice([0.2, 3.0], gold.size)
    wide = tm.estimate("sensitivity", gold, system, weight=uneven)
    assert wide.high - wide.low > 1.2 * (plain.high - plain.low)
    assert "effective responses" in wide.method


def test_f1_and_its_interval_rise_with_the_share_of_what_is_positive():
    # TP 30, FP 6, FN 4: F* = 30/40, F1 = 2 F* / (1 + F*)
    found = tm.estimate("f1", table=[[60, 6], [4, 30]])
    ends = wilson(30 / 40, 40, 0.95)
    assert found.value == pytest.approx(60 / 70)
    assert (found.low, found.high) == pytest.approx([2 * end / (1 + end) for end in ends])


def test_ends_of_balanced_accuracy_add_up_as_variances_do():
    table = np.array([[50, 10], [4, 36]])
    found = tm.estimate("balanced_accuracy", table=table.tolist())
    low = np.array([wilson(50 / 60, 60, 0.95)[0], wilson(36 / 40, 40, 0.95)[0]])
    apart = np.sqrt(((np.array([50 / 60, 36 / 40]) - low) ** 2).sum()) / 2
    assert found.low == pytest.approx(found.value - apart)


@pytest.mark.parametrize(
    ("name", "table", "why"),
    [
        ("sensitivity", [[9, 1], [0, 0]], "no gold is positive"),
        ("specificity", [[0, 0], [1, 9]], "no gold is negative"),
        ("precision", [[9, 0], [1, 0]], "the system calls nothing positive"),
        ("negative_predictive_value", [[0, 9], [0, 1]], "the system calls nothing negative"),
        ("f1", [[9, 0], [0, 0]], "neither gold nor system has a positive"),
        ("balanced_accuracy", [[9, 1], [0, 0]], "the gold has one label only"),
        ("mcc", [[9, 0], [1, 0]], "gold or system has one label throughout"),
    ],
)
def test_what_is_undefined_says_why(name, table, why):
    found = tm.estimate(name, table=table)
    assert math.isnan(found.value)
    assert math.isnan(found.low)
    assert found.why.startswith(why)


def test_labels_nobody_uses_do_not_count():
    table = np.zeros((4, 4))
    table[:3, :3] = [[6, 2, 0], [1, 5, 1], [0, 0, 7]]
    whole = PairCounts(table, np.arange(4.0))
    part = PairCounts(table[:3, :3], np.arange(3.0))
    for formula in (classes.balanced_accuracy, classes.macro_f1, classes.macro_precision):
        assert float(formula(whole)) == pytest.approx(float(formula(part)))
