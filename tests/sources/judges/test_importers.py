"""Each importer gives what a few lines that know the file, and nothing of Tallymark, give."""

import csv
import json
import math
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tallymark as tm
from tallymark.sources import Roles, read_scores

FILES = Path(__file__).parent / "files"
Pairs = Counter[Any]
LETTERS: dict[Any, float] = {"C": 1, "P": 0.5, "I": 0}


def load(name):
    return json.loads((FILES / name).read_text("utf-8"))


def lines(name):
    return [json.loads(line) for line in (FILES / name).read_text("utf-8").splitlines()]


def read(name, **asked):
    """Pairs of gold and system with their counts, by trait or prompt, and the facts."""
    scores = read_scores(FILES / name, roles=Roles(**asked))
    patterns = scores.patterns
    pairs: Pairs = Counter()
    for i in scores.used.nonzero()[0]:
        trait = next(
            (
                patterns.labels[k][patterns.keys[k][i]]
                for k in ("trait", "prompt")
                if k in patterns.keys
            ),
            "",
        )
        for system in scores.roles.systems:
            given = patterns.scores[f"system:{system}"][i]
            if not math.isnan(given):
                pairs[trait, system, patterns.scores["gold"][i], given] += int(patterns.counts[i])
    return pairs, scores


def samples(name):
    if name.endswith(".json"):
        return load(name)["samples"]
    with zipfile.ZipFile(FILES / name) as archive:
        return [json.loads(archive.read(n)) for n in archive.namelist() if n.startswith("samples/")]


@pytest.mark.parametrize("name", ["same.json", "same.eval"])
def test_inspect_original_values_are_the_judge_and_edits_the_people(name):
    expected: Pairs = Counter()
    judged: dict[Any, list[Any]] = {}
    for sample in samples("same.json"):
        for scorer, score in sample["scores"].items():
            first = score["history"][0]["value"] if score["history"] else score["value"]
            value = LETTERS.get(first, first)
            judged.setdefault((sample["id"], scorer), []).append(value)
            by = {edit["provenance"]["author"]: edit["value"] for edit in score["history"][1:]}
            if by and not math.isnan(value):
                gold: Any = by.get("ana", by.get("ben"))
                expected[scorer, "judge", LETTERS.get(gold, gold), value] += 1
    pairs, scores = read(name)
    # q05 was edited in the epoch in which the judge gave no quality: the same answer, scored in another
    lost = next(r for r in samples("same.json") if r["id"] == "q05" and r["epoch"] == 1)
    expected["quality", "judge", 1.0, lost["scores"]["quality"]["value"]] += 1
    assert pairs == expected
    assert dict(scores.facts.exclusions)["no score by the judge"] == 1  # q06 in all epochs, strict
    repeated = scores.patterns.scores["repeat:judge:judge:2"]
    assert int(scores.patterns.counts[~np.isnan(repeated)].sum()) == sum(
        not math.isnan(values[1]) for values in judged.values()
    )
    assert (
        "8 samples, 3 epochs of the same answers, as repeats, scorers strict, quality; 17 scores edited by people"
        in scores.facts.guesses[0]
    )


def test_inspect_epochs_with_answers_of_their_own_are_responses_in_clusters():
    expected: Pairs = Counter()
    reasons: Pairs = Counter()
    for sample in samples("apart.eval"):
        score = (sample["scores"] or {}).get("strict")
        edits = score["history"] if score else []
        value = (edits[0] if edits else score or {}).get("value")
        if sample["error"]:
            reasons["sample failed with an error"] += 1
        elif value not in LETTERS:
            reasons["no score by the judge"] += 1
        elif edits:
            expected["", "strict", LETTERS[edits[-1]["value"]], LETTERS[value]] += 1
    pairs, scores = read("apart.eval")
    assert pairs == expected
    excluded = dict(scores.facts.exclusions)
    assert {reason: excluded[reason] for reason in reasons} == reasons
    assert scores.roles.cluster == "sample"
    assert set(scores.patterns.labels["cluster"]) == {f"q{i:02}" for i in range(6)}


def test_promptfoo_judges_are_the_components_and_not_what_people_overwrote():
    expected: Pairs = Counter()
    for result in load("promptfoo.json")["results"]["results"]:
        parts = {
            c["assertion"].get("metric", "human"): c
            for c in result["gradingResult"]["componentResults"]
        }
        if "human" in parts:
            assert result["success"] == parts["human"]["pass"]  # overwritten
            for metric in ("helpful", "safe"):
                expected["", metric, parts["human"]["pass"], parts[metric]["pass"]] += 1
    pairs, scores = read("promptfoo.json")
    assert pairs == expected
    assert (scores.facts.read, scores.facts.used) == (20, 10)
    assert scores.roles.cluster == "test"


def test_promptfoo_csv_is_refused_with_the_reason():
    with pytest.raises(tm.errors.DataError, match=r"person's rating has replaced .* Export JSON"):
        read("promptfoo.csv")


@pytest.mark.parametrize("form", ["lines", "list", "table"])
def test_mlflow_an_overridden_score_is_still_that_of_the_judge(form, tmp_path):
    expected: Pairs = Counter()
    failed = 0
    for trace in lines("mlflow.jsonl"):
        by = {a["source"]["source_id"]: a["feedback"] for a in trace["info"]["assessments"]}
        gold = by.get("ana") or by.get("ben")
        failed += "error" in by["judge-1"]
        if gold and by["judge-1"]["value"] is not None:
            expected["", "judge-1", gold["value"], by["judge-1"]["value"]] += 1
    path = tmp_path / {"lines": "any.jsonl", "list": "any.json", "table": "any.json"}[form]
    traces = lines("mlflow.jsonl")
    whole = [t["info"] for t in traces] if form == "table" else traces
    path.write_text("\n".join(map(json.dumps, traces)) if form == "lines" else json.dumps(whole))
    pairs, scores = read(path)
    assert pairs == expected
    assert dict(scores.facts.exclusions)["no score by the judge (ValueError)"] == failed == 1
    assert "length is not compared" in " ".join(scores.facts.notes)


def test_mlflow_what_is_marked_invalid_or_replaced_by_its_own_kind_does_not_count(tmp_path):
    traces = lines("mlflow.jsonl")
    first, second = (traces[i]["info"]["assessments"] for i in (0, 1))
    next(a for a in first if a["source"]["source_type"] == "LLM_JUDGE")["valid"] = False
    judged = next(a for a in second if a["source"]["source_type"] == "LLM_JUDGE")
    again = {**judged, "assessment_id": "new", "overrides": judged["assessment_id"]}
    again["feedback"] = {"value": not judged["feedback"]["value"]}
    second.append(again)
    (tmp_path / "traces.json").write_text(json.dumps(traces))
    before, after = read("mlflow.jsonl")[0], read(tmp_path / "traces.json")[0]
    gold = {a["source"]["source_id"]: a["feedback"]["value"] for a in first}["ana"]
    before["", "judge-1", gold, first[0]["feedback"]["value"]] -= 1
    gold = {a["source"]["source_id"]: a["feedback"]["value"] for a in second}["ana"]
    before["", "judge-1", gold, judged["feedback"]["value"]] -= 1
    before["", "judge-1", gold, again["feedback"]["value"]] += 1
    assert after == +before


@pytest.mark.parametrize("name", ["langfuse.json", "langfuse.jsonl", "langfuse.csv"])
def test_langfuse_annotations_are_people_and_evaluations_judges(name):
    with (FILES / "langfuse.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["name"] == "quality"]
    people: dict[str, float] = {}
    judges: dict[str, float] = {}
    for row in sorted(rows, key=lambda row: row["authorUserName"], reverse=True):
        if row["value"]:
            {"ANNOTATION": people, "EVAL": judges}[row["source"]][row["traceId"]] = float(
                row["value"]
            )
    expected = Counter(("", "judge", people[i], judges[i]) for i in people if i in judges)
    pairs, scores = read(name)
    assert pairs == expected
    assert dict(scores.facts.exclusions)["no system score"] == 1


def kappa(pairs):
    """Exact agreement and quadratic weighted kappa of pairs with their counts."""
    gold, judge = (sorted({pair[i] for pair in pairs}) for i in (0, 1))
    n = sum(pairs.values())
    apart = sum(times * (a - b) ** 2 for (a, b), times in pairs.items())
    margins = [
        {p: sum(t for pair, t in pairs.items() if pair[i] == p) for p in every}
        for i, every in ((0, gold), (1, judge))
    ]
    chance = sum(a * b * (p - q) ** 2 for p, a in margins[0].items() for q, b in margins[1].items())
    return sum(t for (a, b), t in pairs.items() if a == b) / n, 1 - apart * n / chance


@pytest.mark.parametrize(
    "name", ["apart.eval", "promptfoo.json", "mlflow.jsonl", "langfuse.csv", "label_studio.json"]
)
def test_evaluate_gives_the_numbers_of_the_pairs(name):
    """The pairs are those that a few lines found in the file, in the tests above."""
    pairs, scores = read(name)
    found = tm.evaluate(FILES / name)
    for system in scores.roles.systems:
        of_system: Pairs = Counter()
        for (_, who, gold, given), times in pairs.items():
            if who == system:
                of_system[float(gold), float(given)] += times
        exact, qwk = kappa(of_system)
        assert found["exact", system].value == pytest.approx(exact, rel=1e-12)
        assert found["qwk", system].value == pytest.approx(qwk, rel=1e-12)


@pytest.mark.parametrize("name", ["same.eval", "same.json"])
def test_evaluate_of_several_scorers_gives_the_mean_over_them_and_over_the_runs_of_each(name):
    shares = []
    for scorer in ("strict", "quality"):
        human = {}
        judged: dict[int, dict[str, object]] = {}
        for sample in samples("same.json"):  # the same log, not packed
            score = sample["scores"][scorer]
            history = score.get("history") or [score]
            judged.setdefault(sample["epoch"], {})[sample["id"]] = history[0]["value"]
            edits = {edit["provenance"]["author"]: edit["value"] for edit in history[1:]}
            if edits:  # the first rater's score is the gold
                human[sample["id"]] = edits[min(edits)]
        for of_run in judged.values():
            both = [(points(human[key]), points(of_run[key])) for key in human]
            shares.append(np.mean([a == b for a, b in both if not math.isnan(b)]))
    exact = tm.evaluate(FILES / name)["exact"]
    assert exact.value == pytest.approx(np.mean(shares), rel=1e-12)


def points(value):
    return {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}.get(value, value)


def test_promptfoo_errors_of_grader_and_provider_are_counted_by_reason(tmp_path):
    whole = load("promptfoo.json")
    first, second = (r for r in whole["results"]["results"][:2])
    for component in first["gradingResult"]["componentResults"]:
        if component["assertion"]["type"] != "human":
            component["metadata"] = {"graderError": True}
    second["gradingResult"], second["failureReason"] = None, 2
    path = tmp_path / "results.json"
    path.write_text(json.dumps(whole))
    _, scores = read(path)
    excluded = dict(scores.facts.exclusions)
    assert excluded["no score by the judge (error of the grader)"] == 1
    assert excluded["provider failed with an error"] == 1


@pytest.mark.parametrize(
    "name",
    [
        "same.eval",
        "apart.eval",
        "promptfoo.json",
        "mlflow.jsonl",
        "langfuse.csv",
        "label_studio.json",
    ],
)
def test_content_and_not_the_name_chooses_the_importer(name, tmp_path):
    other = tmp_path / {"csv": "scores.tsv", "jsonl": "traces.json"}.get(
        name.rpartition(".")[2], "anything.log"
    )
    content = (FILES / name).read_bytes()
    other.write_bytes(content.replace(b",", b"\t") if other.suffix == ".tsv" else content)
    assert read(other)[0] == read(name)[0]
