"""route certify: confidences from probabilities, runs, boundaries and pools."""

import json
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.errors import DataError, OptionError
from tallymark.selective.certify import certify
from tests.routing.conftest import ASKED
from tests.routing.data import responses, terms, write


def test_class_probabilities_become_the_chance_of_no_critical_error():
    rng = np.random.default_rng(7)
    gold = rng.integers(0, 4, 500)
    p = rng.dirichlet([0.3] * 4, 500)
    p[np.arange(500), gold] += 0.4
    p /= p.sum(axis=1, keepdims=True)
    columns = {"h1": gold, "gpt": p.argmax(axis=1)} | {f"p{k}": p[:, k] for k in range(4)}
    given: dict[str, Any] = {
        "system": "gpt", "probabilities": ["p0", "p1", "p2", "p3"], "scale": "0:3"
    }  # fmt: skip
    found = tm.route.certify(columns, **terms(lambda_=0.5), **given).routing
    points = np.arange(4)
    near = np.abs(points - columns["gpt"][:, None]) < 1.5
    confidence = (p * near).sum(axis=1)
    expected = certify(confidence, np.abs(gold - columns["gpt"]) >= 1.5, alpha=0.05)
    assert found.thresholds[0].n == expected.n
    assert found.thresholds[0].tau == pytest.approx(expected.tau)
    assert found.confidence.how == "p_no_cse"
    with pytest.raises(tm.OptionError, match="scale"):
        tm.route.certify(columns, **terms(), **{**given, "scale": "0:4"})


def test_repeated_runs_are_tried_at_the_values_they_can_take():
    columns = responses(800, 8)
    rng = np.random.default_rng(9)
    gold = np.array(columns["h1"])
    runs = [gold + np.where(gold > 3, -3, 3) * (rng.random(800) < 0.05) for _ in range(4)]
    columns |= {f"run{i}": run.tolist() for i, run in enumerate(runs)}
    given: dict[str, Any] = {
        "system": "run0", "runs": ["run0", "run1", "run2", "run3"], "scale": "1:6"
    }  # fmt: skip
    found = tm.route.certify(columns, **terms(), **given).routing
    one = found.thresholds[0]
    assert one.grid == "fixed"
    assert one.rule == ">="
    assert one.tau is not None
    close = np.mean([np.abs(a - b) < 2 for a, b in combinations(runs, 2)], axis=0)
    assert one.n == int((close >= one.tau - 1e-12).sum())


def test_a_pool_gives_the_thresholds_that_are_tried(run, calibration, tmp_path):
    pool = write(tmp_path / "pool.csv", responses(2000, 10, ids="P"))
    code, _ = run(
        "route", "certify", calibration, *ASKED, "--pool", pool, "--out", tmp_path / "r.json"
    )
    raw = json.loads((tmp_path / "r.json").read_text("utf-8"))["thresholds"][0]
    assert code == 0
    assert (raw["grid"], raw["rule"]) == ("pool", ">=")


def test_the_distance_to_the_next_boundary_is_a_confidence():
    """A score is a critical error where it is rounded to the wrong one of two points."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 2, 800)
    fine = np.clip(gold + rng.normal(0, 0.3, 800), -0.4, 1.4)
    asked: dict[str, Any] = {"system": "fine", "scale": "0:1", "confidence_from": "boundary"}
    routing = tm.route.certify({"h1": gold, "fine": fine}, **asked, alpha=0.02).routing
    assert routing.certified
    assert tm.route.Routing.from_json(routing.to_json()) == routing
    new = np.array([0.01, 0.49, 0.5, 1.3])
    decisions = tm.route.apply(routing, {"fine": new})
    assert decisions.confidence == pytest.approx(abs(new - 0.5))
    assert decisions.accepted.tolist() == [True, False, False, True]
    with pytest.raises(DataError, match=r"unrounded scores.*fine has none"):
        tm.route.certify({"h1": gold, "fine": np.round(fine)}, **asked, alpha=0.02)
    with pytest.raises(OptionError, match="exactly one of"):
        tm.route.certify({"h1": gold, "fine": fine}, **asked, runs=["a", "b"], alpha=0.02)
