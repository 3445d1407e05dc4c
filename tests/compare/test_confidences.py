"""Confidences of two systems compared: AURC and coverage, paired, clusters kept together."""

from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.analyses.summary import summary
from tallymark.render.layout import plain_text
from tallymark.selective.curve import aurc, coverage_at, risk_coverage

ASKED: dict[str, Any] = {"humans": ["h1"], "scale": "1:6", "replicates": 300, "lambda_": 0.4}


def columns(n=300, seed=0, *, informed=(0.8, 0.2), candidates=0):
    rng = np.random.default_rng(seed)
    true, unit = rng.normal(3.5, 1.2, n), np.arange(n) % (candidates or n)
    made = {"h1": np.clip(np.rint(true + rng.normal(0, 0.4, n)), 1, 6)}
    for name, share in zip(("a", "b"), informed, strict=True):
        scale = np.exp(rng.normal(0, 0.8, unit.max() + 1))[unit]
        made[name] = np.clip(np.rint(true + scale * rng.normal(0, 0.8, n)), 1, 6)
        made[f"{name}_sure"] = -share * np.log(scale) + (1 - share) * rng.normal(0, 1, n)
    return {**made, **({"who": [f"c{i}" for i in unit]} if candidates else {})}


def rows_of(data, **more):
    systems: dict[str, Any] = {"systems": ["a", "b"], "confidences": {"a": "a_sure", "b": "b_sure"}}
    found = tm.compare(data, **systems, **ASKED, **more)
    table = next(t for t in found.tables if t.name == "confidences")
    return found, [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_values_are_those_of_each_curve():
    data = columns()
    found, rows = rows_of(data)
    curves = [
        risk_coverage(data[f"{s}_sure"], np.abs(data[s] - data["h1"]) >= 0.4 * 5) for s in "ab"
    ]
    assert [row["statistic"] for row in rows] == ["aurc", "coverage_at[0.02]", "coverage_at[0.05]"]
    assert (rows[0]["value"], rows[0]["value_against"]) == pytest.approx(
        tuple(float(aurc(curve)) for curve in curves)
    )
    covered = [float(coverage_at(curve, 0.05).max_coverage) for curve in curves]
    assert (rows[2]["value"], rows[2]["value_against"]) == pytest.approx(tuple(covered))
    assert all(row["low"] <= row["difference"] <= row["high"] for row in rows)
    assert "Confidences" in plain_text(summary(found))


def test_the_area_of_the_better_informed_is_settled_as_smaller():
    _, rows = rows_of(columns(600))
    assert rows[0]["high"] < 0
    assert rows[0]["p"] < 0.05


def test_the_error_of_the_difference_is_that_of_the_jackknife():
    data = columns(200)
    _, rows = rows_of(data)
    wrong = [np.abs(data[s] - data["h1"]) >= 2 for s in "ab"]

    def apart(keep):
        one, two = (
            float(aurc(risk_coverage(data[f"{s}_sure"][keep], w[keep])))
            for s, w in zip("ab", wrong, strict=True)
        )
        return one - two

    every = np.arange(200)
    left_out = np.array([apart(every != i) for i in every])
    se = np.sqrt(199 / 200 * ((left_out - left_out.mean()) ** 2).sum())
    assert (rows[0]["high"] - rows[0]["low"]) / 2 == pytest.approx(1.972 * se, rel=0.05)


def test_clusters_are_respected():
    data = columns(300, candidates=20)
    _, alone = rows_of({k: v for k, v in data.items() if k != "who"})
    _, within = rows_of(data, cluster="who")
    assert "over clusters" in within[0]["method"]
    assert within[0]["high"] - within[0]["low"] > alone[0]["high"] - alone[0]["low"]


def test_without_two_confidences_there_is_no_table():
    found = tm.compare(columns(), systems=["a", "b"], confidences={"a": "a_sure"}, **ASKED)
    assert not [t for t in found.tables if t.name == "confidences"]


def held(statistic, runs, n):
    """Share of intervals that hold 0 where both confidences are made alike."""
    hits, settled = 0, 0
    for seed in range(runs):
        _, rows = rows_of(columns(n, seed, informed=(0.6, 0.6)))
        row = next(r for r in rows if r["statistic"] == statistic)
        if row["low"] is not None:
            settled += 1
            hits += row["low"] <= 0 <= row["high"]
    return hits / settled


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["aurc", "coverage_at[0.05]"])
def test_equal_confidences_are_rarely_called_different(statistic):
    assert held(statistic, 100, 300) >= 0.89
