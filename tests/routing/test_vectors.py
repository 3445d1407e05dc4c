"""Trust scores of vectors as the confidence: certified, applied and watched from the command line."""

import csv
import json
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import tallymark as tm
from tallymark.selective.trust import trust_score

DIMENSIONS = 6
TERMS: dict[str, Any] = {
    "humans": ["h1"], "system": "engine", "scale": "1:4", "alpha": 0.05, "lambda_": 0.3,
    "train": "fold=train", "id": "id",
}  # fmt: skip


def responses(n, seed, *, start=0):
    """Vectors near the centre of their score, but for some; the system gives the nearest centre."""
    rng, centres = np.random.default_rng(seed), 2 * np.random.default_rng(0).normal(0, 1, (5, 6))
    human, hard = rng.integers(1, 5, n), rng.random(n) < 0.3
    vectors = centres[human] + rng.normal(0, 1, (n, DIMENSIONS)) * np.where(hard, 3, 0.5)[:, None]
    far = ((vectors[:, None] - centres[None, 1:]) ** 2).sum(axis=-1)
    columns = {
        "id": [f"x{start + i}" for i in range(n)],
        "h1": human,
        "engine": far.argmin(axis=1) + 1,
        "fold": np.where(np.arange(n) < n // 3, "train", "dev"),
    }
    return columns, vectors.astype(np.float32)


@pytest.fixture(scope="module")
def made():
    return responses(1200, 1)


@pytest.fixture(scope="module")
def certified(made):
    return tm.route.certify(made[0], vectors=made[1], **TERMS)


def test_the_confidence_is_the_trust_score_from_the_training_rows(made, certified):
    columns, vectors = made
    new, new_vectors = responses(50, 2, start=9000)
    decided = tm.route.apply(certified, new, vectors=new_vectors)
    train = columns["fold"] == "train"
    expected = trust_score(vectors[train], columns["h1"][train], new_vectors, new["engine"]).share
    assert decided.confidence == pytest.approx(expected, abs=1e-12)


def test_training_rows_take_no_part_in_the_calibration(certified):
    assert certified.evaluation.data.used == 800
    assert 0 < certified.routing.thresholds[0].coverage < 1


def test_surer_responses_have_fewer_critical_errors(certified):
    threshold = certified.routing.thresholds[0]
    assert threshold.certified
    assert threshold.k / threshold.n < 0.05 < 1 - np.mean(_right())


def _right():
    columns, _ = responses(1200, 1)
    return columns["h1"] == columns["engine"]


def test_the_routing_file_holds_what_new_responses_need(certified):
    again = tm.route.Routing.from_json(certified.routing.to_json())
    new, vectors = responses(80, 3, start=9000)
    first, second = (tm.route.apply(r, new, vectors=vectors) for r in (certified.routing, again))
    assert (first.accepted == second.accepted).all()
    assert tm.route.monitor(again, new, vectors=vectors).audited > 0


def test_distances_stay_within_a_prompt(made):
    columns, vectors = made
    n = len(columns["id"])
    prompt = np.array(["a", "b"])[np.arange(n) % 2]
    done = tm.route.certify(
        {**columns, "prompt": prompt}, vectors=vectors, prompt="prompt", **TERMS
    )
    new, new_vectors = responses(30, 2, start=9000)
    decided = tm.route.apply(done, {**new, "prompt": ["a"] * 30}, vectors=new_vectors)
    there = (columns["fold"] == "train") & (prompt == "a")
    expected = trust_score(vectors[there], columns["h1"][there], new_vectors, new["engine"]).share
    assert decided.confidence == pytest.approx(expected, abs=1e-12)


def test_parquet_is_joined_by_id_from_the_shell(run, made, tmp_path):
    columns, vectors = made
    with (tmp_path / "cal.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    table = {"id": list(reversed(columns["id"])), "v": vectors[::-1].tolist()}
    rows = duckdb.connect()
    rows.register("t", pd.DataFrame(table))
    rows.execute(f"COPY t TO '{tmp_path / 'v.parquet'}' (FORMAT parquet)")
    asked = ["--human", "h1", "--system", "engine", "--scale", "1:4", "--alpha", ".05"]
    asked += ["--lambda", ".3", "--train", "fold=train", "--id", "id", "--out", tmp_path / "r.json"]
    code, _ = run(
        "route", "certify", tmp_path / "cal.csv", "--vectors", tmp_path / "v.parquet", *asked
    )
    assert code == 0
    raw = json.loads((tmp_path / "r.json").read_text())
    whole = tm.route.certify(columns, vectors=vectors, **TERMS).routing
    assert raw["thresholds"][0]["tau"] == pytest.approx(whole.thresholds[0].tau, abs=1e-12)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"train": None}, "name the rows that trained the system"),
        ({"train": "fold=test"}, "no row has 'test' in 'fold'"),
        ({"train": "folds=train"}, "no column 'folds'"),
        ({"scale": None}, "declare the points with"),
    ],
)
def test_what_is_missing_is_said(made, changed, words):
    with pytest.raises(tm.TallymarkError, match=words):
        tm.route.certify(made[0], vectors=made[1], **{**TERMS, **changed})


def test_vectors_go_with_a_routing_that_rests_on_them(certified, made):
    new, vectors = responses(20, 2, start=9000)
    with pytest.raises(tm.OptionError, match="is a trust score: give the vectors"):
        tm.route.apply(certified, new)
    with pytest.raises(tm.DataError, match="have 5 dimensions, those of the training responses 6"):
        tm.route.apply(certified, new, vectors=vectors[:, :5])
