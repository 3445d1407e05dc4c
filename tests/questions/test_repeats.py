"""Repeated runs of one system: how often its score changes."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tests.evaluation.panels import of
from tests.labels.drawn import COLUMN, filled, judged

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


def judged_in_runs():
    """Responses judged three times, and what people would say of each."""
    columns, human = judged()
    rng = np.random.default_rng(6)
    first = np.array(columns[COLUMN])
    for name in ("r2", "r3"):
        moved = first + rng.choice([-1, 0, 1], p=[0.1, 0.8, 0.1], size=first.size)
        columns[name] = np.clip(moved, 1, 5).tolist()
    return columns, human


def ends(found):
    return {key: (e.value, e.low, e.high, e.n, e.method) for key, e in found.items()}


@pytest.mark.parametrize("by", [(), (COLUMN,)])
def test_how_steady_a_judge_is_does_not_depend_on_which_labels_were_drawn(by):
    columns, human = judged_in_runs()
    asked: dict[str, Any] = {
        "systems": [COLUMN],
        "repeats": {COLUMN: [COLUMN, "r2", "r3"]},
        "scale": "1:5",
    }
    sheet = tm.labels.draw(columns, n=200, id="id", by=by)
    drawn = tm.evaluate(columns, human_file=filled(sheet, human), id="id", **asked)
    columns["h"] = [*human.values()]
    every = tm.evaluate(columns, humans=["h"], **asked)
    steady = f"{COLUMN} against itself"
    assert ends(of(drawn, steady)) == ends(of(every, steady))


def test_strata_and_nearly_equal_weights_leave_the_intervals_of_runs_as_they_are():
    """Also where people scored only some of the responses that were drawn."""
    columns, human = judged_in_runs()
    size, rng = 600, np.random.default_rng(3)
    columns = {name: values[:size] for name, values in columns.items()}
    columns["h"] = [value if rng.random() < 0.3 else None for value in [*human.values()][:size]]
    columns["w"] = (2 + 1e-10 * rng.random(size)).tolist()
    columns["s"] = rng.integers(0, 4, size).tolist()
    asked: dict[str, Any] = {"humans": ["h"], "systems": [COLUMN], "scale": "1:5"}
    asked |= {"repeats": {COLUMN: [COLUMN, "r2", "r3"]}}
    counted = of(tm.evaluate(columns, **asked), f"{COLUMN} against itself")
    weighed = tm.evaluate(columns, weight="w", stratum="s", **asked)
    for key, one in of(weighed, f"{COLUMN} against itself").items():
        plain = counted[key]
        assert one.value == pytest.approx(plain.value, rel=1e-6)
        assert one.high - one.low <= (plain.high - plain.low) * 1.01, key
        assert one.high - one.low >= (plain.high - plain.low) * 0.9, key
