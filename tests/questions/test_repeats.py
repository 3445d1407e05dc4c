"""Repeated runs of one system: how often its score changes."""

from itertools import combinations

import numpy as np
import pytest

import tallymark as tm
from tests.evaluation.panels import of

RUNS = np.array([[1, 1, 1], [2, 2, 2], [3, 2, 3], [3, 3, 3], [2, 2, np.nan]])


def repeated(runs, **options):
    names = [f"g{i + 1}" for i in range(runs.shape[1])]
    data = {
        name: [None if np.isnan(v) else float(v) for v in column]
        for name, column in zip(names, runs.T, strict=True)
    }
    data["human"] = [1, 2, 3, 3, 2] * (len(runs) // 5)
    asked = {"humans": ["human"], "systems": ["g1"], "repeats": {"g1": names}, "scale": "1:3"}
    return tm.evaluate(data, **{**asked, "replicates": 200, **options})


def test_consistency_of_runs_is_what_the_hand_gives():
    found = of(repeated(RUNS), "g1 against itself")
    assert found["self_consistency[exact]"].value == pytest.approx((1 + 1 + 1 / 3 + 1 + 1) / 5)
    assert found["self_consistency[changed]"].value == pytest.approx(1 / 5)
    within = (2 / 3) / (14 - 5)
    assert found["self_consistency[sd]"].value == pytest.approx(np.sqrt(within))
    expected = tm.metrics.icc(RUNS, type="1,1")
    assert found["self_consistency[icc]"].value == pytest.approx(expected)
    assert {estimate.n for estimate in found.values()} == {5}


def test_runs_with_gaps_agree_as_often_as_counting_their_pairs_says():
    rng = np.random.default_rng(4)
    runs = np.clip(rng.integers(1, 4, (60, 1)) + rng.integers(-1, 2, (60, 9)), 1, 3) * 1.0
    runs[:, 2:][rng.random((60, 7)) < 0.3] = np.nan
    shares = [np.mean([a == b for a, b in combinations(row[~np.isnan(row)], 2)]) for row in runs]
    found = of(repeated(runs), "g1 against itself")["self_consistency[exact]"]
    assert found.value == pytest.approx(np.mean(shares), abs=1e-12)
    assert found.se == pytest.approx(np.std(shares) / np.sqrt(60), rel=0.15)  # of a mean


def test_agreement_with_people_is_reported_beside():
    found = repeated(RUNS)
    assert {"g1", "g1 against itself"} <= {s.id for s in found.subsets}


def test_runs_that_never_change_are_certain_of_nothing():
    found = of(repeated(np.repeat(RUNS[:, :1], 2, axis=1)), "g1 against itself")
    assert found["self_consistency[exact]"].value == 1
    assert found["self_consistency[exact]"].why
    changed = found["self_consistency[changed]"]
    assert changed.value == pytest.approx(0)
    assert changed.high > 0.1  # none of five is no proof of none


def test_noise_of_a_known_size_is_recovered():
    rng = np.random.default_rng(2)
    runs = rng.normal(2, 0.5, 400)[:, None] + rng.normal(0, 0.2, (400, 3))
    found = of(repeated(np.clip(runs, 0.6, 3.4)), "g1 against itself")
    sd, icc = found["self_consistency[sd]"], found["self_consistency[icc]"]
    assert sd.low < 0.2 < sd.high
    assert icc.low < 0.25 / 0.29 < icc.high


def test_one_run_is_no_repeat():
    found = repeated(RUNS, repeats={"g1": ["g1", "g2"]})
    assert of(found, "g1 against itself")["self_consistency[changed]"].value == pytest.approx(0.2)
    plain = repeated(RUNS, repeats={})
    assert "g1 against itself" not in {s.id for s in plain.subsets}


def test_repeats_come_back_from_json():
    text = repeated(RUNS).to_json()
    assert tm.Evaluation.from_json(text).to_json() == text


def test_runs_are_of_their_own_system_also_where_one_name_begins_with_another():
    data = {"human": [1, 2, 3, 3], "a": [1, 2, 3, 3], "a2": [1, 2, 3, 3]}
    data |= {"a:b": [1, 2, 3, 1], "b2": [3, 2, 1, 1]}
    runs = {"a": ["a", "a2"], "a:b": ["a:b", "b2"]}
    found = tm.evaluate(
        data, humans=["human"], systems=["a", "a:b"], repeats=runs, scale="1:3", replicates=100
    )
    changed = [of(found, f"{name} against itself") for name in ("a", "a:b")]
    shares = [one["self_consistency[changed]"].value for one in changed]
    assert shares == pytest.approx([0, 2 / 4])
