"""Tasks that a Label Studio server exported give what a few lines that know the file give."""

import json
from collections import Counter

import pytest

import tallymark as tm
from tests.sources.judges.test_importers import FILES, Pairs, load, read


def test_label_studio_annotators_are_people_and_predictions_systems():
    expected: Pairs = Counter()
    for task in load("label_studio.json"):
        people = {
            a["completed_by"]: a["result"][0]["value"]["rating"]
            for a in task["annotations"]
            if not a["was_cancelled"]
        }
        model = [p["result"][0]["value"]["rating"] for p in task["predictions"]]
        if people and model:
            expected["", "judge-2", people[min(people)], model[0]] += 1
    pairs, scores = read("label_studio.json")
    assert pairs == expected
    assert "left out: result with several choices (1)" in scores.facts.notes
    assert "left out: skipped annotation (1)" in scores.facts.notes
    marked = [t for t in load("label_studio.json") for a in t["annotations"] if a["ground_truth"]]
    assert read("label_studio.json", gold="ground_truth")[1].facts.used == len(marked) == 3


def test_label_studio_choices_are_words_on_a_scale():
    expected: Pairs = Counter()
    for task in load("label_studio.json"):
        words = {
            a["completed_by"]: a["result"][1]["value"]["choices"][0]
            for a in task["annotations"]
            if a["result"] and len(a["result"][1]["value"]["choices"]) == 1
        }
        model = [p["result"][1]["value"]["choices"][0] for p in task["predictions"]]
        if 1 in words and model:
            expected[words[1] == model[0]] += 1
    evaluation = tm.evaluate(
        FILES / "label_studio.json",
        humans=["verdict:annotator 1"],
        systems=["verdict"],
        scale="poor,good",
    )
    assert evaluation["exact"].value == pytest.approx(expected[True] / expected.total())


def test_label_studio_tasks_without_a_prediction_are_counted(tmp_path):
    tasks = load("label_studio.json")
    tasks[0]["predictions"] = []
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(tasks))
    (before, after) = (read(p)[1].facts for p in (FILES / "label_studio.json", path))
    assert after.used == before.used - 1
    assert dict(after.exclusions)["task without a prediction"] == 2


def test_tasks_as_the_server_lists_them_are_read_too(tmp_path):
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps({"total": 10, "tasks": load("label_studio.json")}))
    assert read(path)[0] == read("label_studio.json")[0]


def test_an_export_with_the_ids_of_predictions_alone_says_how_to_have_them_whole():
    with pytest.raises(tm.errors.DataError, match=r"only the ids of predictions.*only_id"):
        read("label_studio_page.json")


def test_people_alone_need_no_prediction():
    evaluation = tm.raters(
        FILES / "label_studio_page.json", humans=["quality:annotator 1", "quality:annotator 2"]
    )
    both = [
        {a["completed_by"]: a["result"][0]["value"]["rating"] for a in task["annotations"]}
        for task in load("label_studio_page.json")
    ]
    twice = [task for task in both if len(task) == 2]
    assert (evaluation.data.used, len(twice)) == (3, 1)
    assert evaluation["exact"].value == Counter(t[1] == t[2] for t in twice)[True] / len(twice)
