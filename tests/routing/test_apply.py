"""route apply: accept or human, each with the reason; what the file is not for is refused."""

import csv
import json
import os
import stat
from functools import cache
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.questions.routing.routing_file import _digest, hashed, packed, unpacked
from tallymark.selective.conformal import select
from tallymark.sources import PromptOptions
from tests.routing.conftest import ASKED
from tests.routing.data import responses, write

PLAIN: dict[str, Any] = {"system": "engine", "confidence": "sure", "scale": "1:6"}


@cache
def certified(seed=1, n=600, **given):
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4, **given}
    return tm.route.certify(responses(n, seed), **terms, **PLAIN).routing


def new(n=500, seed=2, **given):
    columns = responses(n, seed, ids="N", **given)
    columns.pop("h1")
    return columns


def test_every_response_gets_a_decision_and_a_reason(run, routing, tmp_path):
    columns = new()
    file, out = write(tmp_path / "new.csv", columns), tmp_path / "decisions.csv"
    code, text = run("route", "apply", routing, file, "--out", out)
    assert code == 0
    tau = json.loads(routing.read_text("utf-8"))["thresholds"][0]["tau"]
    with out.open(encoding="utf-8") as read:
        rows = list(csv.DictReader(read))
    assert [row["id"] for row in rows] == columns["id"]
    expected = ["accept" if value > tau else "human" for value in columns["sure"]]
    assert [row["decision"] for row in rows] == expected
    assert {row["reason"] for row in rows} == {
        f"confidence > {tau:.12g}",
        f"confidence <= {tau:.12g}",
    }
    assert f"{expected.count('accept')} accepted" in text
    assert list(rows[0]) == ["id", "prompt", "engine", "confidence", "decision", "reason"]


def test_a_prompt_without_a_certificate_goes_to_people():
    routing = certified(n=1500, by="prompt")
    columns = new()
    columns["prompt"][:3] = ["poem"] * 3
    found = tm.route.apply(routing, columns)
    assert not found.accepted[:3].any()
    assert found.reasons[0] == "no prompt of the calibration"
    for one in routing.thresholds:
        own = np.array(columns["prompt"]) == one.prompt
        assert (found.accepted[own] == (np.array(columns["sure"])[own] > one.tau)).all()


def test_a_batch_is_selected_as_the_formulas_say():
    calibration = responses(600, 1)
    wrong = np.abs(np.array(calibration["h1"]) - np.round(calibration["engine"])) >= 2
    routing = certified(method="batch")
    columns = new(200)
    expected = select(calibration["sure"], wrong, columns["sure"], 0.05).accepted
    assert (tm.route.apply(routing, columns).accepted == expected).all()


def test_a_missing_or_strange_score_goes_to_people():
    columns = new()
    columns["engine"][0], columns["sure"][0] = None, None
    columns["engine"][1] = 44
    found = tm.route.apply(certified(), columns)
    assert found.reasons[0] == "no score"
    assert found.reasons[1] == "score outside the certified scale"
    assert not found.accepted[:2].any()


def test_responses_of_the_calibration_are_refused(run, routing, calibration, tmp_path):
    out = tmp_path / "d.csv"
    code, text = run("route", "apply", routing, calibration, "--out", out)
    assert code == 2
    assert "600 of 600 responses are in the calibration" in text
    assert not out.exists()


@pytest.mark.parametrize("column", ["sure", "engine", "id", "prompt"])
def test_a_file_that_lacks_a_column_is_refused(run, routing, tmp_path, column):
    columns = new()
    columns.pop(column)
    file = write(tmp_path / "new.csv", columns)
    code, text = run("route", "apply", routing, file, "--out", tmp_path / "d.csv")
    assert code == 2
    assert f"has no column {column!r}" in text


@pytest.mark.parametrize(("cell", "words"), [(None, "no confidence"), ("high", "no number")])
def test_confidences_that_are_no_numbers_are_refused(run, routing, tmp_path, cell, words):
    columns = new()
    columns["sure"][5] = cell
    file, out = write(tmp_path / "new.csv", columns), tmp_path / "d.csv"
    earlier = "id,score,confidence,decision,reason\n"
    out.write_text(earlier, "utf-8")
    code, text = run("route", "apply", routing, file, "--out", out)
    assert code == 2
    assert words in text
    assert "row 6" in text
    assert out.read_text("utf-8") == earlier


def test_another_scale_is_refused():
    columns = new()
    columns["engine"] = [10 * value for value in columns["engine"]]
    with pytest.raises(tm.DataError, match="certify again on this scale"):
        tm.route.apply(certified(), columns)


def test_other_responses_are_told_by_their_distributions():
    routing = certified()
    same, other = tm.route.apply(routing, new(2000)), tm.route.apply(routing, new(2000, lower=0.2))
    assert not same.shifts["confidence"].some
    assert other.shifts["confidence"].large
    assert not other.shifts["score"].large


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda raw: raw | {"alpha": 0.5}, "is not as it was written"),
        (lambda raw: raw | {"version": 2}, "version 2"),
        (lambda raw: raw | {"format": "other"}, "is no routing file"),
        (lambda raw: [raw], "is no routing file"),
    ],
)
def test_a_file_that_was_changed_is_refused(run, routing, tmp_path, change, words):
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(change(json.loads(routing.read_text("utf-8")))), "utf-8")
    file = write(tmp_path / "new.csv", new())
    code, text = run("route", "apply", bad, file, "--out", tmp_path / "d.csv")
    assert code == 2
    assert words in text


def test_a_sealed_file_with_a_wrong_field_is_refused():
    raw = json.loads(certified().to_json())
    raw.pop("digest")
    raw["alpha"] = "small"
    with pytest.raises(tm.DataError, match="is no routing file"):
        tm.route.Routing.from_json(json.dumps({**raw, "digest": _digest(raw)}))


def test_a_sealed_file_whose_confidence_has_no_column_is_refused():
    raw = json.loads(certified().to_json())
    raw.pop("digest")
    raw["confidence"]["columns"] = []
    with pytest.raises(tm.DataError, match="confidence"):
        tm.route.Routing.from_json(json.dumps({**raw, "digest": _digest(raw)}))


@pytest.mark.parametrize("text", ["", "{", "\xff", "[1]", "null"])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(tm.DataError, match=r"routing file|no JSON"):
        tm.route.Routing.from_json(text)


def test_hashes_of_ids_find_an_id_and_do_not_show_it():
    text = packed(["a", "b", ""])
    assert np.isin(hashed(["b"]), unpacked(text)).all()
    assert not np.isin(hashed(["c"]), unpacked(text)).any()
    assert unpacked(text).size == 2


def test_a_continuous_scale_is_that_of_the_calibration():
    rng = np.random.default_rng(3)
    gold = rng.random(500) * 10
    ids, sure = [f"a{i}" for i in range(500)], rng.random(500)
    system = gold + rng.normal(0, 0.3, 500)
    columns = {"id": ids, "gold": gold, "c": sure, "m": system}
    terms: dict[str, Any] = {"alpha": 0.1}
    routing = tm.route.certify(
        columns, **terms, system="m", confidence="c", gold="gold", id="id"
    ).routing
    again = {**columns, "id": [f"b{i}" for i in range(500)], "gold": gold * 1.2}
    assert tm.route.apply(routing, again).accepted.all()
    found = tm.route.monitor(routing, again)
    expected = np.abs(system - gold * 1.2) >= 0.2 * np.ptp(gold)
    assert found.errors == pytest.approx(expected.sum(), abs=3)  # scores are trimmed to the range


def test_scores_on_another_scale_than_the_gold_are_mapped():
    columns, other = responses(600, 4), new(100, 5)
    for one in (columns, other):
        one["percent"] = [(score - 1) * 20 for score in one["engine"]]
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4}
    given: dict[str, Any] = {"confidence": "sure", "scale": "1:6"}
    plain = tm.route.certify(columns, **terms, system="engine", **given).routing
    mapped = tm.route.certify(columns, **terms, system="percent", system_scale="0:100", **given)
    assert mapped.routing.thresholds == plain.thresholds
    found = tm.route.apply(mapped.routing, other)
    assert (found.accepted == tm.route.apply(plain, other).accepted).all()
    assert found.scores == pytest.approx(other["engine"])


def test_mapped_scores_are_written_under_a_name_that_says_so(tmp_path):
    columns, other = responses(600, 4), new(60, 5)
    for one in (columns, other):
        one["percent"] = [(score - 1) * 20 for score in one["engine"]]
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4}
    given: dict[str, Any] = {"confidence": "sure", "scale": "1:6", "system_scale": "0:100"}
    routing = tm.route.certify(columns, **terms, system="percent", **given).routing
    tm.route.write_decisions(tm.route.apply(routing, other), routing, tmp_path / "d.csv")
    with (tmp_path / "d.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert "percent" not in rows[0]
    written = [float(row["percent_on_gold_scale"]) for row in rows]
    assert written == pytest.approx(other["engine"])


def test_scores_are_mapped_onto_the_scale_of_their_prompt():
    columns, other = responses(800, 4), new(100, 5)
    for one in (columns, other):
        one["percent"] = [(score - 1) * 20 for score in one["engine"]]
    essay = np.array(columns["prompt"]) == "essay"
    columns["h1"] = np.where(essay, (np.array(columns["h1"]) - 1) * 10, columns["h1"]).tolist()
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4}
    own = {"essay": PromptOptions(scale="0:50:10")}
    routing = tm.route.certify(
        columns, **terms, system="percent", confidence="sure", scale="1:6", system_scale="0:100",
        prompts=own,
    ).routing  # fmt: skip
    found = tm.route.apply(routing, other)
    score = np.array(other["engine"])
    expected = np.where(np.array(other["prompt"]) == "essay", (score - 1) * 10, score)
    assert found.scores == pytest.approx(expected)
    assert not any(drift.large for drift in found.shifts.values())


@pytest.mark.parametrize("kind", ["pipe", "link"])
def test_a_pipe_or_link_is_written_to_and_not_replaced(run, routing, calibration, tmp_path, kind):
    out, target = tmp_path / "out", tmp_path / "target.csv"
    file = write(tmp_path / "new.csv", responses(50, 2, ids="N"))
    if kind == "pipe":
        os.mkfifo(out)
        reader = os.open(out, os.O_RDONLY | os.O_NONBLOCK)
    else:
        target.touch()
        out.symlink_to(target)
    assert run("route", "apply", routing, file, "--out", out)[0] == 0
    if kind == "pipe":
        assert stat.S_ISFIFO(out.stat().st_mode)
        assert os.read(reader, 2) == b"id"
        os.close(reader)
    else:
        assert out.is_symlink()
        assert len(target.read_text().splitlines()) == 51
        link = tmp_path / "routing"
        link.symlink_to(target)
        run("route", "certify", calibration, *ASKED, "--out", link)
        assert link.is_symlink()
        assert '"tallymark routing"' in target.read_text()


def test_a_name_for_two_responses_is_refused(run, routing, tmp_path):
    columns = {name: cells * 2 for name, cells in responses(20, 2, ids="N").items()}
    file = write(tmp_path / "n.csv", columns)
    code, text = run("route", "apply", routing, file, "--out", tmp_path / "d.csv")
    assert code == 2
    assert "names 20 responses more than once, such as 'N0'" in text
    columns["id"] = [None] * 40
    ids = tm.route.apply(certified(), columns).ids
    assert ids is not None
    assert not ids.any()


def test_a_smaller_scale_that_fits_into_the_certified_one_is_said_to_differ(run, routing, tmp_path):
    columns = new()
    columns["engine"] = [1 + score / 6 for score in columns["engine"]]
    file = write(tmp_path / "n.csv", columns)
    code, text = run("route", "apply", routing, file, "--out", tmp_path / "d.csv")
    assert code == 0
    assert "the promise is not about it" in text


def test_statements_name_their_prompts_where_they_differ():
    columns = responses(600, 1)
    letters = np.array(columns["prompt"]) == "letter"
    columns["engine"] = np.where(letters, 7 - np.array(columns["h1"]), columns["engine"]).tolist()
    terms: dict[str, Any] = {"alpha": 0.1, "lambda_": 0.4, "by": "prompt"}
    said = tm.route.certify(columns, **terms, **PLAIN).routing.statement
    assert said.startswith("essay: With probability 95 %")
    assert "for every prompt with a threshold; 2 were tried. letter: Cannot certify" in said


def test_a_prompt_is_held_to_its_own_scale():
    columns = responses(600, 1)
    long = np.array(columns["prompt"]) == "essay"
    for name in ("h1", "engine"):
        columns[name] = np.where(
            long, 5 * np.round(columns[name]), np.round(columns[name])
        ).tolist()
    own = {"essay": PromptOptions(scale="0:30"), "letter": PromptOptions(scale="1:6")}
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4}
    routing = tm.route.certify(
        columns, **terms, system="engine", confidence="sure", prompts=own
    ).routing
    routing = tm.route.Routing.from_json(routing.to_json())
    fresh = {**columns, "id": [f"N{i}" for i in range(600)]}
    fresh["engine"] = [20 if i < 100 else score for i, score in enumerate(columns["engine"])]
    found = tm.route.apply(routing, fresh)
    left = found.reasons == "score outside the certified scale"
    assert left.tolist() == (~long & (np.arange(600) < 100)).tolist()
    assert not found.accepted[left].any()


def test_an_id_is_the_same_as_a_whole_number_and_as_a_decimal():
    columns = {**responses(600, 1), "id": list(range(600))}
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4}
    routing = tm.route.certify(columns, **terms, id="id", **PLAIN).routing
    again = {**columns, "id": [f"{i}.0" for i in range(600)]}
    with pytest.raises(tm.DataError, match="600 of 600 responses are in the calibration"):
        tm.route.apply(routing, again)


def test_a_pool_of_calibration_responses_is_refused():
    columns = responses(600, 1)
    terms: dict[str, Any] = {"alpha": 0.05, "lambda_": 0.4}
    with pytest.raises(tm.DataError, match="600 responses of the pool are in the calibration"):
        tm.route.certify(columns, **terms, pool=columns, **PLAIN)
