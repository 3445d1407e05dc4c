"""Equal weights are none; weights only matter as ratios; counts are rows written out."""

import json
import math
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.catalogue import FORMULAS

PAIRWISE = {"table", "cells", "moments", "ranks", "errors", "gaps"}
TWO_POINTS = {"pabak", "prevalence_index", "bias_index"}
CASES = [
    (row, params)
    for row in FORMULAS
    for params in (
        [{key: value} for key, values in row.choices.items() for value in values] or [{}]
    )
]
BY_FISHER = {"pearson", "spearman"}
"""Their analytic standard error without weights is Fisher's, with weights that of influence."""


def ratings(row, n=90):
    rng = np.random.default_rng(3)
    points = 2 if row.name in TWO_POINTS else 5
    gold = rng.integers(1, points + 1, n)
    others = range(1 if PAIRWISE & set(row.tallies) else 2)
    scored = [np.clip(gold + rng.integers(-1, 2, n), 1, points) for _ in others]
    return np.stack([gold, *scored], axis=1).astype(float), f"1:{points}"


def numbers(found):
    return [found.value, found.se, found.low, found.high]


@pytest.mark.parametrize(("row", "params"), CASES, ids=lambda x: getattr(x, "name", None))
@pytest.mark.parametrize("clustered", [False, True])
def test_equal_weights_change_nothing(row, params, clustered):
    scores, scale = ratings(row)
    given = {"scale": scale, "replicates": 200, **params}
    given |= {"cluster": np.arange(len(scores)) // 2} if clustered else {}
    plain = tm.estimate(row.name, scores, **given)
    equal = tm.estimate(row.name, scores, weight=np.full(len(scores), 2.5), **given)
    assert repr(equal) == repr(plain)  # an undefined number is not equal to itself
    # nearly equal ones take the way of weights
    nearly = 1 + 1e-10 * np.random.default_rng(0).random(len(scores))
    weighted = tm.estimate(row.name, scores, weight=nearly, **given)
    assert weighted.value == pytest.approx(plain.value, rel=1e-8, nan_ok=True)
    if row.name not in BY_FISHER or clustered:
        assert weighted.se_analytic == pytest.approx(plain.se_analytic, rel=1e-6, nan_ok=True)
    assert math.isnan(weighted.low) == math.isnan(plain.low)
    if not math.isnan(plain.low):  # other units are drawn: the ends differ by chance
        width = plain.high - plain.low
        assert abs(weighted.low - plain.low) + abs(weighted.high - plain.high) < 0.6 * width


@pytest.mark.parametrize(("row", "params"), CASES, ids=lambda x: getattr(x, "name", None))
def test_only_ratios_of_weights_matter(row, params):
    scores, scale = ratings(row)
    weight = np.random.default_rng(1).gamma(2, 1, len(scores)).round(1) + 0.1
    given = {"scale": scale, "replicates": 200, **params}
    one = tm.estimate(row.name, scores, weight=weight, **given)
    other = tm.estimate(row.name, scores, weight=weight * 7, **given)
    assert numbers(other) == pytest.approx(numbers(one), rel=1e-7, nan_ok=True)
    assert one.n == len(scores)


@pytest.mark.parametrize(("row", "params"), CASES, ids=lambda x: getattr(x, "name", None))
def test_whole_weights_give_the_value_of_rows_written_out(row, params):
    """Up to n - 1 and N - 1: the number of responses stays that of the sample."""
    scores, scale = ratings(row, n=2000)
    times = np.random.default_rng(1).integers(1, 4, len(scores))
    given = {"scale": scale, "interval": "analytic", **params}
    weighted = tm.estimate(row.name, scores, weight=times, **given).value
    written = tm.estimate(row.name, np.repeat(scores, times, axis=0), **given).value
    assert weighted == pytest.approx(written, rel=2e-3, abs=2e-4, nan_ok=True)


def table(n=96) -> dict[str, list[Any]]:
    rng = np.random.default_rng(5)
    gold = rng.choice(4, n, p=[0.2, 0.3, 0.4, 0.1]) + 1  # with one mode

    def scored():
        return np.clip(gold + rng.integers(-1, 2, n), 1, 4).tolist()

    return {
        "h1": gold.tolist(), "h2": scored(), "engine": scored(), "other": scored(),
        "where": ["a", "b"] * (n // 2), "kind": rng.choice(["f", "m"], n).tolist(),
        "who": (np.arange(n) // 3).tolist(), "times": rng.integers(0, 4, n).tolist(),
        "w": (rng.gamma(2, 1, n).round(1) + 0.1).tolist(),
    }  # fmt: skip


COMMANDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "evaluate": (tm.evaluate, {"humans": ["h1", "h2"], "systems": ["engine"], "cuts": [3.0]}),
    "compare": (tm.compare, {"humans": ["h1", "h2"], "systems": ["engine", "other"]}),
    "raters": (tm.raters, {"humans": ["h1", "h2", "other"]}),
    "ceiling": (tm.ceiling, {"humans": ["h1", "h2", "other"]}),
}
ONLY: dict[str, dict[str, Any]] = {"ceiling": {"groups": [], "prompt": None}}
"""Ceilings of every part take long."""
SHARED: dict[str, Any] = {"prompt": "where", "groups": ["kind"], "scale": "1:4", "replicates": 100}


def written_out(data, times):
    return {
        name: [value for value, count in zip(column, times, strict=True) for _ in range(count)]
        for name, column in data.items()
    }


@pytest.mark.parametrize(
    ("command", "cluster"), [*((c, None) for c in COMMANDS), ("raters", "who")]
)
def test_counts_are_rows_written_out_byte_for_byte(command, cluster):
    run, given = COMMANDS[command]
    shared = SHARED | ONLY.get(command, {})
    data = table()
    counted = run(data, count="times", cluster=cluster, **given, **shared)
    plain = run(written_out(data, data["times"]), cluster=cluster, **given, **shared)
    found, expected = json.loads(counted.to_json()), json.loads(plain.to_json())
    assert found["options"].pop("count") == "times"
    assert json.dumps(found) == json.dumps(expected)
    assert counted.data.read == sum(data["times"])


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_every_number_of_a_command_is_free_of_the_unit_of_weights(command):
    run, given = COMMANDS[command]
    shared = SHARED | ONLY.get(command, {})
    data = table()
    data["w7"] = [7 * weight for weight in data["w"]]
    one, other = (run(data, weight=column, **given, **shared) for column in ("w", "w7"))
    assert len(one.estimates) == len(other.estimates)
    for a, b in zip(one.estimates, other.estimates, strict=True):
        assert b.value == pytest.approx(a.value, rel=1e-6, abs=1e-9, nan_ok=True), a.text
    assert one.data.weights.worth == pytest.approx(other.data.weights.worth)
    assert any(note.startswith("weights: left out") for note in one.data.notes)


@pytest.mark.parametrize("command", COMMANDS)
def test_nearly_equal_weights_give_the_numbers_without_them(command):
    """Whatever still stands beside weights uses them, and without a difference is as before."""
    run, given = COMMANDS[command]
    shared = SHARED | ONLY.get(command, {})
    data = table()
    data["w"] = (1 + 1e-10 * np.random.default_rng(0).random(len(data["w"]))).tolist()

    def by_place(evaluation):
        return {(evaluation.subsets[e.subset].id, e.text): e.value for e in evaluation.estimates}

    plain, weighted = (by_place(run(data, weight=w, **given, **shared)) for w in (None, "w"))
    # raters crossed with responses take no weights: the one-way design is reported in its place
    one_way = {place for place in weighted if "[nested," in place[1]} - plain.keys()
    assert all((where, text.replace("nested", "crossed")) in plain for where, text in one_way)
    weighted = {place: value for place, value in weighted.items() if place not in one_way}
    assert weighted.keys() <= plain.keys()
    apart = {
        place: (value, plain[place])
        for place, value in weighted.items()
        if "majority score" not in place[0]  # which weights settle where two are tied
        and value != pytest.approx(plain[place], rel=1e-5, abs=1e-7, nan_ok=True)
    }
    assert apart == {}


def test_equal_weights_are_none_in_a_command_too():
    data = table()
    data["w"] = [0.3] * len(data["w"])
    given = COMMANDS["evaluate"][1] | SHARED
    weighted, plain = tm.evaluate(data, weight="w", **given), tm.evaluate(data, **given)
    assert repr(weighted.estimates) == repr(plain.estimates)
    assert weighted.data.hash == plain.data.hash
