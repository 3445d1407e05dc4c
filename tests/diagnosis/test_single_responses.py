"""Influential responses and the greatest differences, as an evaluation tells them."""

from functools import cache

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

import tallymark as tm
from tests.said import read


def ordinary(n=400, seed=5):
    rng = np.random.default_rng(seed)
    true = rng.normal(10, 1.0, n)
    human, engine = (
        np.clip(np.rint(true + rng.normal(0, 0.7, n)), 0, 20).astype(int) for _ in range(2)
    )
    return {"id": [f"E{i:03d}" for i in range(n)], "human": human, "engine": engine}


def slipped(**options):
    """Three responses of four hundred whose score lost its last digit or gained one."""
    columns = ordinary(**options)
    columns["engine"][[7, 70, 170]] = [0, 20, 0]
    return columns


def evaluated(columns, **options):
    return tm.evaluate(
        columns, humans=["human"], systems=["engine"], scale="0:20", replicates=100, **options
    )


@cache
def of_slipped():
    return evaluated(slipped(), id="id")


def told(evaluation, name="influential"):
    return next((read(evaluation, d) for d in evaluation.diagnoses if d.name == name), None)


def table(evaluation, name):
    return next((t for t in evaluation.tables if t.name == name), None)


def test_a_handful_that_carries_qwk():
    columns = slipped()
    found = told(of_slipped())
    kept = np.delete(np.arange(400), [7, 70, 170])
    human, engine = columns["human"], columns["engine"]
    labels = range(21)
    without = cohen_kappa_score(human[kept], engine[kept], weights="quadratic", labels=labels)
    assert found.loud
    assert found.numbers["responses"] == 4  # one in a hundred
    assert found.numbers["without"] >= without
    assert "4 responses of 400" in found.words


def test_what_is_told_comes_back_from_json():
    text = of_slipped().to_json()
    assert tm.Evaluation.from_json(text).to_json() == text


def test_ordinary_data_have_no_such_handful():
    found = told(evaluated(ordinary()))
    assert found is None or not found.loud


@pytest.mark.parametrize("seed", range(2))
def test_ordinary_data_on_a_short_scale(seed):
    rng = np.random.default_rng(seed)
    true = rng.normal(3.5, 1.2, 500)
    scores = [np.clip(np.rint(true + rng.normal(0, 0.7, 500)), 1, 6) for _ in range(2)]
    ev = tm.evaluate(
        {"human": scores[0], "engine": scores[1]},
        humans=["human"], systems=["engine"], scale="1:6", replicates=100,
    )  # fmt: skip
    assert not any(d.loud for d in ev.diagnoses if d.name == "influential")


def test_the_table_of_influence_names_the_responses():
    found = table(of_slipped(), "influential")
    rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
    assert len(rows) == 10
    assert {row["id"] for row in rows[:3]} == {"E007", "E070", "E170"}
    assert rows[0]["qwk_change"] > 0.02


def test_the_greatest_differences_are_named():
    found = table(of_slipped(), "largest_disagreements")
    assert found.columns == ("id", "prompt", "trait", "gold", "system", "difference")
    assert [row[0] for row in found.rows[:3]] == sorted(
        ["E007", "E070", "E170"],
        key=lambda name: (
            -abs(slipped()["engine"][int(name[1:])] - slipped()["human"][int(name[1:])])
        ),
    )
    assert len(found.rows) == 20


def test_without_ids_nothing_is_named():
    columns = slipped()
    del columns["id"]
    ev = evaluated(columns)
    assert table(ev, "largest_disagreements") is None
    assert all(row[0] is None for row in table(ev, "influential").rows)


def test_any_order_of_rows_gives_the_same_json():
    columns = slipped()
    order = np.random.default_rng(0).permutation(400)
    mixed = {name: np.asarray(values)[order].tolist() for name, values in columns.items()}
    assert evaluated(mixed, id="id").to_json() == of_slipped().to_json()


def test_continuous_scores():
    rng = np.random.default_rng(4)
    gold = rng.normal(50, 10, 300)
    columns = {"gold": gold, "engine": gold + rng.normal(0, 3, 300)}
    ev = tm.evaluate(columns, gold="gold", systems=["engine"], replicates=100)
    assert not [d for d in ev.diagnoses if d.loud]
    assert table(ev, "influential") is not None


def test_one_response_and_one_point():
    ev = tm.evaluate(
        {"human": [1, 2], "engine": [1, 2]}, humans=["human"], systems=["engine"], scale="1:6"
    )
    assert not [d for d in ev.diagnoses if d.loud]
    assert tm.Evaluation.from_json(ev.to_json()).tables == ev.tables
