"""Pass or fail at every cut: the coefficients, the axes, and the system without skill."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score

from tallymark.diagnosis.sweep import (
    CORRECTED,
    MOST_CUTS,
    Passes,
    always_majority,
    cuts_of,
    pass_cells,
    prevalence,
    similarity,
)
from tallymark.questions.scale.compute import on_other_scales
from tallymark.results import PASS_MARKS
from tallymark.scale import Scale
from tests.diagnosis.only import curves, only

pytestmark = pytest.mark.filterwarnings("error")


def passes(gold, system, cuts):
    first, second = (np.searchsorted(cuts, x, side="right") for x in (gold, system))
    return Passes(pass_cells(first, second, len(cuts)).sum(axis=0))


def swept(columns, **options):
    return only(on_other_scales, columns, **options)


def test_every_cut_by_hand():
    # gold 1 2 3 3, system 1 3 3 2; cut 2: both 0 1 1 1; cut 3: gold 0 0 1 1, system 0 1 1 0
    told = passes([1, 2, 3, 3], [1, 3, 3, 2], [2.0, 3.0])
    assert told.agreement.tolist() == [1.0, 0.5]
    assert told.corrected["cohen_kappa"].tolist() == [1.0, 0.0]
    assert told.corrected["brennan_prediger"].tolist() == [1.0, 0.0]
    assert prevalence(told.pairs).tolist() == [0.75, 0.5]
    assert similarity(told.pairs).tolist() == [1.0, 1.0]
    assert told.distance("cohen_kappa") == pytest.approx(0.25)


def test_kappa_at_each_cut_is_that_of_another_program():
    rng = np.random.default_rng(5)
    gold = rng.integers(1, 7, 90)
    system = np.clip(gold + rng.integers(-2, 3, 90), 1, 6)
    evaluation = swept({"gold": gold, "s": system}, scale="1:6")
    line = curves(evaluation)["pass_fail[cohen_kappa]"]
    assert line.x == (2, 3, 4, 5, 6)
    for cut, value in zip(line.x, line.y, strict=True):
        assert value == pytest.approx(cohen_kappa_score(gold >= cut, system >= cut), abs=1e-12)
    shares = curves(evaluation)["pass_fail[prevalence]"].y
    assert shares[0] == pytest.approx(((gold >= 2).mean() + (system >= 2).mean()) / 2)


@given(arrays(np.int64, (2, 30), elements=st.integers(0, 4)))
def test_no_coefficient_exceeds_agreement(scores):
    gold, system = scores
    told = passes(gold, system, np.arange(1.0, 5))
    for values in told.corrected.values():
        known = ~np.isnan(values)
        assert (values[known] <= told.agreement[known] + 1e-12).all()


def test_a_system_without_skill_is_found_out_by_kappa_and_not_by_ac():
    rng = np.random.default_rng(2)
    gold = rng.binomial(1, 0.95, 400)
    pairs = always_majority(passes(gold, 1 - gold, [1.0]).pairs)
    values = {name: value(pairs).item() for name, value in CORRECTED.items()}
    assert values["cohen_kappa"] == 0
    assert values["scott_pi"] < 0
    assert values["gwet_ac"] > 0.9
    assert values["brennan_prediger"] > 0.8


def test_the_constant_system_leaves_kappa_at_zero_and_says_where_it_is_undefined():
    gold = [1, 2, 3, 3, 3, 3]
    evaluation = swept({"gold": gold, "s": [3] * 6}, scale="1:4")
    kappa = curves(evaluation)["pass_fail[cohen_kappa]"]
    assert kappa.y[:2] == (0, 0)
    assert math.isnan(kappa.y[2])  # nobody reaches 4


def test_continuous_gold_is_cut_at_quantiles():
    rng = np.random.default_rng(4)
    gold = rng.standard_normal(500)
    columns = {"gold": gold, "s": gold + 0.5 * rng.standard_normal(500)}
    evaluation = swept(columns, scale=None)
    line = curves(evaluation)["pass_fail[percent_agreement]"]
    assert len(line.x) == MOST_CUTS
    shares = np.mean(gold[:, None] >= np.array(line.x), axis=0)
    assert np.abs(shares - (1 - np.arange(1, 26) / 26)).max() < 0.01
    for cut, value in zip(line.x, line.y, strict=True):
        same = np.mean((columns["gold"] >= cut) == (np.array(columns["s"]) >= cut))
        assert value == pytest.approx(same, abs=1e-12)


def test_long_scales_have_no_more_cuts_than_a_reader_can_use():
    scale = Scale.parse("0:90")
    gold = np.repeat(np.arange(0.0, 91), 3)
    cuts = cuts_of(scale, gold, np.ones(gold.size, dtype=np.int64))
    assert cuts.size == MOST_CUTS
    assert set(cuts) <= set(scale.points[1:])


def test_clusters_are_resampled_as_one():
    rng = np.random.default_rng(6)
    gold = np.repeat(rng.integers(1, 5, 40), 5)
    system = np.clip(gold + np.repeat(rng.integers(-1, 2, 40), 5), 1, 4)
    columns = {"gold": gold, "s": system, "who": np.repeat(np.arange(40), 5)}
    alone, together = (swept(columns, roles={"cluster": who}, scale="1:4") for who in (None, "who"))
    narrow, wide = (curves(e)["pass_fail[cohen_kappa]"] for e in (alone, together))
    assert narrow.y == pytest.approx(wide.y)
    assert wide.high[1] - wide.low[1] > 1.5 * (narrow.high[1] - narrow.low[1])


def test_the_distances_have_intervals_and_the_order_of_rows_does_not_matter():
    rng = np.random.default_rng(7)
    gold = rng.integers(1, 5, 120)
    columns = {"gold": gold, "s": np.clip(gold + rng.integers(-1, 2, 120), 1, 4)}
    turned = {key: value[::-1] for key, value in columns.items()}
    told = [swept(c, scale="1:4").to_json() for c in (columns, turned)]
    assert told[0] == told[1]
    evaluation = swept(columns, scale="1:4")
    i = next(i for i, s in enumerate(evaluation.subsets) if s.against == PASS_MARKS)
    for estimate in evaluation.numbers[i].values():
        assert estimate.low < estimate.value < estimate.high
